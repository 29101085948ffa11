//! Durations and sizes as people write them: `30s`, `1.5m`, `4GB`, `512MiB`.

use std::time::Duration;

/// A number of seconds, or a number with `ms`, `s`, `m` (`min`) or `h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = scaled(text, |unit| {
        Some(match unit {
            "ms" => 1e-3,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return None,
        })
    });
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a time such as 500ms, 30s, 5m or 1h".into())
}

/// A number of bytes, or a number with a decimal or binary unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    let bytes = scaled(text, |unit| {
        Some(match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "kib" => 1024.0,
            "mib" => 1024.0 * 1024.0,
            "gib" => 1024.0 * 1024.0 * 1024.0,
            _ => return None,
        })
    });
    match bytes {
        Some(bytes) if (1.0..1e18).contains(&bytes) => Ok(bytes as u64),
        _ => Err("expected a size such as 64MB, 4GB or 512MiB".into()),
    }
}

fn scaled(text: &str, unit: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some(number * unit(text[end..].trim())?)
}

#[cfg(test)]
mod tests {
    use super::{bytes, duration};
    use std::time::Duration;

    #[test]
    fn times() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "-1s", "3 weeks", "1e400", "inf"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes("64MB"), Ok(64_000_000));
        assert_eq!(bytes("2gib"), Ok(2 << 30));
        assert_eq!(bytes("4096"), Ok(4096));
        for wrong in ["", "0", "MB", "64XB", "-5", "99999999999999999999"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}

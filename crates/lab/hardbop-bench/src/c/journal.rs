//! The measurements on disk: a line each, written when it is there.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use super::measure::Measured;
use super::{CArgs, Done, Row};

pub struct Journal(Option<(PathBuf, File)>);

impl Journal {
    /// What is there already counts if it was measured under the same limits.
    pub fn open(args: &CArgs) -> Result<(Journal, Done), String> {
        let Some(path) = &args.rows else { return Ok((Journal(None), Done::new())) };
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        let head = format!("# cpu {} memory {} {}", args.cpu, args.memory, args.options.join(" "));
        let text = if path.exists() {
            std::fs::read_to_string(path).map_err(told)?
        } else {
            String::new()
        };
        let known = text.lines().next();
        if known.is_some_and(|it| it.trim_end() != head.trim_end()) {
            return Err(format!(
                "{}: measured under other limits ({}); choose another file",
                path.display(),
                known.unwrap_or_default()
            ));
        }
        // A line that was being written when the run ended is not complete: it is measured again.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let done: Done = whole.lines().filter_map(parse).collect();
        if whole.is_empty() || whole.len() < text.len() {
            let kept =
                if whole.is_empty() { format!("{}\n", head.trim_end()) } else { whole.into() };
            // In one go, so that an interruption here loses nothing.
            let beside = path.with_extension("part");
            std::fs::write(&beside, kept).map_err(told)?;
            std::fs::rename(&beside, path).map_err(told)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(told)?;
        Ok((Journal(Some((path.clone(), file))), done))
    }

    pub fn add(&mut self, row: &Row, engine: &str, measured: &Measured) -> Result<(), String> {
        let Some((path, file)) = &mut self.0 else { return Ok(()) };
        writeln!(file, "{}", line(row, engine, measured))
            .and_then(|()| file.flush())
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

pub fn line(row: &Row, engine: &str, it: &Measured) -> String {
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    [
        clean(&row.file),
        clean(&row.property),
        row.expected.clone(),
        engine.into(),
        it.got.clone(),
        it.by.clone(),
        format!("{:.2}", it.seconds),
        format!("{:.0}", it.megabytes),
        clean(&it.reason),
    ]
    .join("\t")
}

fn parse(line: &str) -> Option<((Row, String), Measured)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [file, property, expected, engine, got, by, seconds, megabytes, reason] = cells[..] else {
        return None;
    };
    let row = Row { file: file.into(), property: property.into(), expected: expected.into() };
    let measured = Measured {
        got: got.into(),
        by: by.into(),
        seconds: seconds.parse().ok()?,
        megabytes: megabytes.parse().ok()?,
        reason: reason.into(),
    };
    Some(((row, engine.into()), measured))
}

#[cfg(test)]
mod tests {
    use super::{line, parse};
    use crate::c::Row;
    use crate::c::measure::Measured;

    #[test]
    fn what_is_written_is_read() {
        let row = Row { file: "a/b.c".into(), property: "p".into(), expected: "safe".into() };
        let mut it = Measured {
            got: "unknown".into(),
            by: "bmc".into(),
            seconds: 1.25,
            megabytes: 17.0,
            reason: "time: a\tb\nc".into(),
        };
        let text = line(&row, "auto", &it);
        it.reason = "time: a b c".into();
        assert!(parse(&text) == Some(((row, "auto".into()), it)));
        assert!(parse("a\tb").is_none() && parse("# cpu 30").is_none());
    }
}

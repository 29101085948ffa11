//! Paths as references (RFC 3986), and back.

/// A path as a relative or absolute reference: bytes that mean something there by their number.
pub fn uri(path: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~+@=,()".contains(&byte);
    let encoded: String = path
        .bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

/// The path of an absolute reference to a file of this machine.
pub fn path_of(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        bytes.push(match byte {
            b'%' => hex(left.next()?)? << 4 | hex(left.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok())
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri};

    #[test]
    fn a_path_comes_back() {
        for path in ["/a b/ü%20.bp", "/x/[1]#?.c"] {
            assert_eq!(path_of(&uri(path)).as_deref(), Some(path));
        }
        assert_eq!(path_of("file:///c%3A/x").as_deref(), Some("/c:/x"));
        for other in ["untitled:1", "file://host/x", "file:///%f", "file:///%zz", "file:///%ff"] {
            assert_eq!(path_of(other), None, "{other}");
        }
    }
}

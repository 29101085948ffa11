//! The words of C as it is typed: names outside of comments and literals.

use hardbop_base::Span;

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// All names, in the order of the text.
fn names(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            match (bytes[at], bytes.get(at + 1)) {
                (b'/', Some(b'/')) => at = end_of(bytes, at, b"\n"),
                (b'/', Some(b'*')) => at = end_of(bytes, at + 2, b"*/"),
                (quote @ (b'"' | b'\''), _) => at = literal(bytes, at + 1, quote),
                (byte, _) if is_part(byte) => {
                    while at < bytes.len() && is_part(bytes[at]) {
                        at += 1;
                    }
                    if !byte.is_ascii_digit() {
                        return Some(Span::new(start, at));
                    }
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// Behind the next occurrence of some bytes.
fn end_of(bytes: &[u8], from: usize, what: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or(&[]);
    let found = rest.windows(what.len()).position(|it| it == what);
    found.map_or(bytes.len(), |it| from + it + what.len())
}

/// Behind a literal; one without an end goes to the end of its line.
fn literal(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// The name the cursor is in, or just behind.
pub fn word_at(text: &str, offset: u32) -> Option<Span> {
    names(text).take_while(|it| it.start <= offset).find(|it| offset <= it.end)
}

/// Where a name stands.
pub fn occurrences(text: &str, name: &str) -> Vec<Span> {
    names(text).filter(|it| &text[it.range()] == name).collect()
}

#[cfg(test)]
mod tests {
    use super::{occurrences, word_at};

    #[test]
    fn comments_and_literals_have_no_names() {
        let text = "int x1 = 0x1; // x1\n/* x1 */ char *s = \"x1\\\"x1\"; x1 = 'x'; \"x1\nx1";
        assert_eq!(occurrences(text, "x1").len(), 3);
        assert_eq!(word_at(text, 5).map(|it| &text[it.range()]), Some("x1"));
        assert_eq!(word_at(text, 15), None);
        for broken in ["\"", "'\\", "/*", "//", "é/* x", "\"\\"] {
            assert!(occurrences(broken, "x").is_empty());
        }
    }
}

//! The tokens of C text as it stands in the file: comments, literals and directives are told apart, nothing is expanded.

/// A token: where it is, and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub start: usize,
    pub text: &'a str,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Operators of more than one character, the longest first.
const LONG: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "^=", "|=",
];

/// The tokens of a text, directives left out.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_first = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            '\n' => {
                is_first = true;
                at += 1;
                continue;
            }
            _ if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '#' if is_first => directive(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |it| it + 4),
            _ => 0,
        };
        if length > 0 {
            at += length;
            continue;
        }
        is_first = false;
        let length = match c {
            '"' | '\'' => literal(rest, c),
            _ if c.is_alphanumeric() || c == '_' => rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
                .unwrap_or(rest.len()),
            _ => LONG.iter().find(|it| rest.starts_with(**it)).map_or(c.len_utf8(), |it| it.len()),
        };
        // Only a number has a point in it.
        let length = match c.is_ascii_digit() {
            true => length,
            false if c.is_alphabetic() || c == '_' => rest[..length].find('.').unwrap_or(length),
            false => length,
        };
        found.push(Token { start: at, text: &rest[..length] });
        at += length;
    }
    found
}

/// A directive with the lines it goes on in.
fn directive(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

fn literal(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The token that closes the parenthesis, bracket or brace at `open`.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The token that opens what is closed at `close`.
pub fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (0..=close).rev() {
        match tokens[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{closing, opening, tokens};

    #[test]
    fn comments_and_directives_are_no_tokens() {
        let text = "#define X(a) \\\n  a\nint x1 = 1.5; /* if ( */ // )\nx->y<<=\"a\\\"(\"+'\\'';\n a.b(c);";
        let all: Vec<_> = tokens(text).iter().map(|it| it.text).collect();
        let expected = [
            "int",
            "x1",
            "=",
            "1.5",
            ";",
            "x",
            "->",
            "y",
            "<<=",
            "\"a\\\"(\"",
            "+",
            "'\\''",
            ";",
            "a",
            ".",
            "b",
            "(",
            "c",
            ")",
            ";",
        ];
        assert_eq!(all, expected);
        let all = tokens(text);
        assert_eq!(closing(&all, 16), Some(18));
        assert_eq!(opening(&all, 18), Some(16));
        assert_eq!(closing(&all[..18], 16), None);
    }
}

//! The words and signs of a `.spec` file.

use hardbop_base::Span;
use hardbop_diag::codes::net::SYNTAX;

use super::{Refused, refuse};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Word,
    Number,
    Prime,
    Equal,
    AtLeast,
    Arrow,
    Comma,
    Semicolon,
    Plus,
    Minus,
    Open,
    Close,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Span,
}

/// All tokens; the last one is [`Kind::End`].
pub fn lex(text: &str) -> Result<Vec<Token<'_>>, Refused> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |may: fn(char) -> bool| rest.find(|c| !may(c)).unwrap_or(rest.len());
        let (kind, length) = match first {
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            c if c.is_whitespace() => (None, c.len_utf8()),
            '0'..='9' => (Some(Kind::Number), run(|c| c.is_ascii_digit())),
            'a'..='z' | 'A'..='Z' | '_' => {
                (Some(Kind::Word), run(|c| c.is_ascii_alphanumeric() || "_.".contains(c)))
            }
            '\'' => (Some(Kind::Prime), 1),
            '=' => (Some(Kind::Equal), 1),
            '>' if rest.starts_with(">=") => (Some(Kind::AtLeast), 2),
            '-' if rest.starts_with("->") => (Some(Kind::Arrow), 2),
            ',' => (Some(Kind::Comma), 1),
            ';' => (Some(Kind::Semicolon), 1),
            '+' => (Some(Kind::Plus), 1),
            '-' => (Some(Kind::Minus), 1),
            '[' => (Some(Kind::Open), 1),
            ']' => (Some(Kind::Close), 1),
            odd => {
                let span = Span::new(at, at + odd.len_utf8());
                return Err(refuse(SYNTAX, span, format!("`{odd}` has no meaning here")));
            }
        };
        if let Some(kind) = kind {
            let span = Span::new(at, at + length);
            tokens.push(Token { kind, text: &rest[..length], span });
        }
        at += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", span: Span::new(at, at) });
    Ok(tokens)
}

//! Text to words and comments, in one pass over the bytes. Blank lines are comments without text.
//!
//! A name is `[A-Za-z_$][A-Za-z0-9_$#-]*` or any text of one line between `{` and `}`, the braces
//! being part of the name.

use hardbop_base::Span;
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::bp as codes;

use crate::token::{Kw, Tok, Token};
use hardbop_diag::Sink;

/// A comment and its place between the words.
pub(crate) struct RawComment {
    pub span: Span,
    /// Index of the word it stands before.
    pub before: usize,
    /// Whether it begins on the line the word before it ends on.
    pub trails: bool,
}

pub(crate) struct Lexed {
    /// Ends with [`Tok::End`].
    pub tokens: Vec<Token>,
    pub comments: Vec<RawComment>,
    /// An open comment swallowed the rest: what is missing after it is no second mistake.
    pub cut_short: bool,
}

pub(crate) fn lex(text: &str, sink: &mut Sink) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        out: Lexed { tokens: Vec::new(), comments: Vec::new(), cut_short: false },
        same_line: false,
        newlines: 0,
        open_braces: 0,
        sink,
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: Lexed,
    /// Whether some word ends on the current line.
    same_line: bool,
    /// Since the last word or comment.
    newlines: usize,
    /// Reported `{`s: a `}` for each is no further mistake.
    open_braces: usize,
    sink: &'a mut Sink,
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'#' || byte == b'-'
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while let Some(&byte) = self.bytes.get(self.at).filter(|_| self.sink.goes_on()) {
            match byte {
                b'\n' => {
                    self.same_line = false;
                    self.newlines += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.peek(1) == Some(b'/') => self.line_comment(),
                b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
                b'{' => self.braced_name(),
                b'}' if self.open_braces > 0 => {
                    self.open_braces -= 1;
                    self.push(Tok::Unknown, self.at + 1);
                }
                b'0'..=b'9' => self.number(),
                _ if is_name_start(byte) => self.name(),
                _ => self.sign(byte),
            }
        }
        self.push(Tok::End, self.bytes.len());
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn push(&mut self, tok: Tok, end: usize) {
        self.blank_line();
        self.out.tokens.push(Token { tok, span: Span::new(self.at, end) });
        self.at = end;
        self.same_line = true;
    }

    fn comment(&mut self, end: usize) {
        self.blank_line();
        let span = Span::new(self.at, end);
        let before = self.out.tokens.len();
        self.out.comments.push(RawComment { span, before, trails: self.same_line });
        self.at = end;
    }

    /// Notes that there was one, or several, before what comes now.
    fn blank_line(&mut self) {
        let before = self.out.tokens.len();
        if std::mem::take(&mut self.newlines) > 1 && before + self.out.comments.len() > 0 {
            let span = Span::new(self.at, self.at);
            self.out.comments.push(RawComment { span, before, trails: false });
        }
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.comment(self.at + length);
    }

    fn block_comment(&mut self) {
        let body = &self.bytes[self.at + 2..];
        let Some(length) = body.windows(2).position(|pair| pair == b"*/") else {
            self.sink.push(
                Diagnostic::error(
                    codes::OPEN_COMMENT,
                    Span::new(self.at, self.at + 2),
                    "this comment has no end",
                )
                .help("close it with `*/`; everything after it was left out"),
            );
            self.out.cut_short = true;
            self.at = self.bytes.len();
            return;
        };
        let has_newline = body[..length].contains(&b'\n');
        self.comment(self.at + 2 + length + 2);
        self.same_line &= !has_newline;
    }

    fn braced_name(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let stop = rest.iter().position(|&byte| byte == b'}' || byte == b'\n');
        match stop {
            Some(length) if length > 0 && rest[length] == b'}' => {
                self.push(Tok::Ident, self.at + 1 + length + 1);
            }
            _ => {
                self.sink.push(
                    Diagnostic::error(
                        codes::OPEN_NAME,
                        Span::new(self.at, self.at + 1),
                        "`{` begins a name that does not end with `}` on this line",
                    )
                    .help("names may be any text between braces, as in `{*p==*q}`; blocks are written `begin … end`"),
                );
                self.open_braces += 1;
                self.push(Tok::Unknown, self.at + 1);
            }
        }
    }

    fn number(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.push(Tok::Number, self.at + length);
    }

    fn name(&mut self) {
        let end = self.end_of_name(self.at);
        if self.letter_at(end).is_some() {
            return self.foreign_name();
        }
        let word = &self.text[self.at..end];
        self.push(Kw::of(word).map_or(Tok::Ident, Tok::Kw), end);
    }

    fn end_of_name(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        from + rest.iter().position(|&byte| !is_name_part(byte)).unwrap_or(rest.len())
    }

    /// The letter beyond ASCII at a place.
    fn letter_at(&self, at: usize) -> Option<char> {
        let letter = self.text[at..].chars().next()?;
        (!letter.is_ascii() && letter.is_alphanumeric()).then_some(letter)
    }

    /// A name with letters beyond ASCII: one mistake, and still a name.
    fn foreign_name(&mut self) {
        let mut end = self.at;
        loop {
            end = self.end_of_name(end);
            match self.letter_at(end) {
                Some(letter) => end += letter.len_utf8(),
                None => break,
            }
        }
        let word = &self.text[self.at..end];
        self.sink.push(
            Diagnostic::error(
                codes::STRAY_CHARACTER,
                Span::new(self.at, end),
                "a name has only the letters A to Z and a to z",
            )
            .help(format!("any text may be a name when it stands in braces: `{{{word}}}`")),
        );
        self.push(Tok::Ident, end);
    }

    fn sign(&mut self, byte: u8) {
        let second = self.peek(1);
        let (tok, length) = match (byte, second) {
            (b':', Some(b'=')) => (Tok::Assign, 2),
            (b'!', Some(b'=')) | (b'<', Some(b'>')) => (Tok::Ne, 2),
            (b'=', Some(b'>')) => (Tok::Implies, 2),
            (b'=', Some(b'=')) => (Tok::Eq, 2),
            (b'&', Some(b'&')) => (Tok::And, 2),
            (b'|', Some(b'|')) => (Tok::Or, 2),
            (b':', _) => (Tok::Colon, 1),
            (b';', _) => (Tok::Semi, 1),
            (b',', _) => (Tok::Comma, 1),
            (b'(', _) => (Tok::LParen, 1),
            (b')', _) => (Tok::RParen, 1),
            (b'[', _) => (Tok::LBracket, 1),
            (b']', _) => (Tok::RBracket, 1),
            (b'<', _) => (Tok::Less, 1),
            (b'>', _) => (Tok::Greater, 1),
            (b'\'', _) => (Tok::Tick, 1),
            (b'!' | b'~', _) => (Tok::Not, 1),
            (b'&', _) => (Tok::And, 1),
            (b'|', _) => (Tok::Or, 1),
            (b'^', _) => (Tok::Xor, 1),
            (b'=', _) => (Tok::Eq, 1),
            (b'*', _) => (Tok::Star, 1),
            (b'?', _) => (Tok::Question, 1),
            _ => return self.stray(),
        };
        self.push(tok, self.at + length);
    }

    /// A run of characters that begin nothing is one mistake.
    fn stray(&mut self) {
        if self.letter_at(self.at).is_some() {
            return self.foreign_name();
        }
        let begins_nothing = |c: char| {
            !c.is_ascii_alphanumeric()
                && !c.is_ascii_whitespace()
                && !"_${}:!<>=&|;,()[]'~^*?/\u{b}".contains(c)
                && (c.is_ascii() || !c.is_alphanumeric())
        };
        let rest = &self.text[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length =
            first + rest[first..].find(|c| !begins_nothing(c)).unwrap_or(rest[first..].len());
        let shown: String = rest[..length].chars().take(8).flat_map(char::escape_debug).collect();
        let more = if rest[..length].chars().count() > 8 { "…" } else { "" };
        self.sink.push(Diagnostic::error(
            codes::STRAY_CHARACTER,
            Span::new(self.at, self.at + length),
            format!("`{shown}{more}` has no meaning here"),
        ));
        self.push(Tok::Unknown, self.at + length);
    }
}

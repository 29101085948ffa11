//! The words of one line, and a cursor over them.

/// One word. Punctuation is kept as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A plain word: a keyword or a name.
    Word(&'a str),
    /// `"…"`, unescaped; always a name.
    Quoted(String),
    Number(u32),
    Punct(&'static str),
}

/// Longer ones first: the first that fits is taken.
const PUNCTUATION: [&str; 20] = [
    "->", ":=", "..", ":", ",", "(", ")", "[", "]", "!", "&", "|", "^", "?", "*", "'", "#", "@",
    "<", ">",
];

pub(super) fn tokens(line: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        let (token, after) = if is_word_start(first) {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            (Token::Word(&rest[..end]), &rest[end..])
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse().map_err(|_| "number too large".to_string())?;
            (Token::Number(number), &rest[end..])
        } else if first == '"' {
            let (name, after) = unquote(&rest[1..])?;
            (Token::Quoted(name), after)
        } else if let Some(punct) = PUNCTUATION.iter().find(|punct| rest.starts_with(**punct)) {
            (Token::Punct(punct), &rest[punct.len()..])
        } else {
            return Err(format!("unexpected character `{}`", first.escape_debug()));
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

pub(super) fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Reads up to the closing quote.
fn unquote(text: &str) -> Result<(String, &str), String> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((name, &text[at + 1..])),
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('n') => name.push('\n'),
                Some('r') => name.push('\r'),
                Some(c @ ('"' | '\\')) => name.push(c),
                _ => return Err("unknown escape in a quoted name".into()),
            },
            _ => name.push(c),
        }
    }
    Err("a quoted name never ends".into())
}

/// Walks over the words of a line.
pub(super) struct Cursor<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token<'a>]) -> Self {
        Cursor { tokens, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn next(&mut self) -> Option<&'a Token<'a>> {
        let token = self.peek();
        self.advance();
        token
    }

    /// Takes the punctuation if it comes next.
    pub(super) fn eat(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Punct(it)) if *it == punct);
        self.at += usize::from(found);
        found
    }

    /// Takes the keyword if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(it)) if *it == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, punct: &str) -> Result<(), String> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    pub(super) fn number(&mut self) -> Result<u32, String> {
        match self.next() {
            Some(Token::Number(number)) => Ok(*number),
            _ => Err("expected a number".into()),
        }
    }

    pub(super) fn end(&self) -> Result<(), String> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// A message: what was wanted, and what is there instead.
    pub(super) fn expected(&self, wanted: &str) -> String {
        match self.peek() {
            None => format!("expected {wanted}, the line ends"),
            Some(Token::Word(it)) => format!("expected {wanted}, found `{it}`"),
            Some(Token::Quoted(it)) => format!("expected {wanted}, found {it:?}"),
            Some(Token::Number(it)) => format!("expected {wanted}, found `{it}`"),
            Some(Token::Punct(it)) => format!("expected {wanted}, found `{it}`"),
        }
    }
}

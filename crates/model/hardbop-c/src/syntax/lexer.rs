//! Preprocessed C to tokens and pragmas. Comments are blanks; `# line` markers are left out here and
//! read by `source`.

use hardbop_base::{Name, Span};
use hardbop_diag::{Diagnostic, Sink, codes};
use rustc_hash::FxHashMap;

use super::literal::{Encoding, TextChar};
use super::pragma::PragmaLine;
use super::words::{Kw, Punct};

#[derive(Clone, PartialEq, Debug)]
pub enum Tok {
    Ident(Name),
    Kw(Kw),
    Int {
        value: u128,
        is_decimal: bool,
        is_unsigned: bool,
        longs: u8,
    },
    Float {
        value: f64,
        suffix: u8,
        /// Whether a `double` has exactly this value.
        is_exact: bool,
    },
    /// A character constant, with the value C gives it.
    Char {
        value: i64,
        encoding: Encoding,
    },
    Str {
        text: Vec<TextChar>,
        encoding: Encoding,
    },
    Punct(Punct),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub span: Span,
    /// Whether its line begins with it.
    pub is_first: bool,
    /// Stands for something that could not be read, which may have been longer.
    pub is_broken: bool,
}

/// `base` is added to every position. After a mistake reading goes on behind it; the last token is
/// the end.
pub fn lex(text: &str, base: u32, sink: &mut Sink) -> (Vec<Token>, Vec<PragmaLine>) {
    let (bytes, words) = (text.as_bytes(), FxHashMap::default());
    let (n_tokens, pragmas) = (0, Vec::new());
    let mut lexer = Lexer { text, bytes, at: 0, base, words, n_tokens, is_first: true, pragmas };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while sink.goes_on() {
        lexer.n_tokens = tokens.len();
        if let Err(wrong) = lexer.skip_blank() {
            sink.push(*wrong);
            continue;
        }
        let start = lexer.at;
        if start >= text.len() {
            break;
        }
        let (tok, is_broken) = match lexer.token() {
            Ok(tok) => (tok, false),
            Err(wrong) => {
                sink.push(*wrong);
                match lexer.in_place_of(start) {
                    Some(tok) => (tok, true),
                    None => continue,
                }
            }
        };
        let is_close = tok == Tok::Punct(Punct::RParen);
        let is_first = std::mem::replace(&mut lexer.is_first, false);
        tokens.push(Token { tok, span: lexer.span(start), is_first, is_broken });
        if is_close && let Some(pragma) = pragma_operator(&tokens) {
            tokens.truncate(pragma.token);
            lexer.pragmas.push(pragma);
        }
    }
    let span = lexer.span(lexer.at);
    tokens.push(Token { tok: Tok::End, span, is_first: true, is_broken: false });
    (tokens, lexer.pragmas)
}

/// `_Pragma("text")` at the end of the tokens.
fn pragma_operator(tokens: &[Token]) -> Option<PragmaLine> {
    let token = tokens.len().checked_sub(4)?;
    let [operator, _, text, last] = &tokens[token..] else { return None };
    let (Tok::Ident(name), Tok::Str { text, encoding }) = (&operator.tok, &text.tok) else {
        return None;
    };
    let text = encoding.units(text).into_iter().filter_map(char::from_u32).collect();
    let span = operator.span.to(last.span);
    (&**name == "_Pragma").then_some(PragmaLine { token, text, span })
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    base: u32,
    /// Words met so far.
    words: FxHashMap<&'a str, Tok>,
    n_tokens: usize,
    /// Nothing has been read on this line.
    is_first: bool,
    pragmas: Vec<PragmaLine>,
}

impl<'a> Lexer<'a> {
    fn span(&self, start: usize) -> Span {
        Span { start: self.base + start as u32, end: self.base + self.at as u32 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error<T>(&self, start: usize, message: impl Into<String>) -> Result<T, Box<Diagnostic>> {
        Err(self.mistake(start, message))
    }

    fn mistake(&self, start: usize, message: impl Into<String>) -> Box<Diagnostic> {
        let end = (self.at.max(start + 1)).min(self.text.len().max(start));
        let span = Span { start: self.base + start as u32, end: self.base + end as u32 };
        Box::new(Diagnostic::error(codes::c::SYNTAX, span, message))
    }

    /// What the parser gets for a word that is none, so that it finds nothing else wrong; the rest of
    /// a literal without end is left out.
    fn in_place_of(&mut self, start: usize) -> Option<Tok> {
        let quote = self.bytes[start..].iter().find(|it| !it.is_ascii_alphanumeric());
        let zero = Tok::Int { value: 0, is_decimal: true, is_unsigned: false, longs: 0 };
        let (encoding, text) = (Encoding::Plain, Vec::new());
        match (self.bytes[start], quote) {
            (_, Some(b'"' | b'\'')) => {
                while !matches!(self.peek(0), b'\n' | 0) || self.peek(0) == 0 && !self.is_end() {
                    self.at += 1;
                }
                Some(if quote == Some(&b'"') { Tok::Str { text, encoding } } else { zero })
            }
            (b'0'..=b'9' | b'.', _) => Some(zero),
            (first, _) if is_ident_start(first) => {
                Some(Tok::Ident(self.text[start..self.at].into()))
            }
            _ => None,
        }
    }

    fn is_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn skip_blank(&mut self) -> Result<(), Box<Diagnostic>> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.at += 1;
                    self.is_first = true;
                }
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                (b'\\', b'\n') => self.at += 2,
                (b'\\', b'\r') if self.peek(2) == b'\n' => self.at += 3,
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => {
                    let start = self.at;
                    match self.text[self.at + 2..].find("*/") {
                        Some(end) => self.at += end + 4,
                        None => {
                            let wrong = self.mistake(start, "this comment has no end");
                            self.at = self.bytes.len();
                            return Err(wrong);
                        }
                    }
                }
                (b'#', _) if self.starts_line() => self.directive()?,
                _ => return Ok(()),
            }
        }
    }

    fn starts_line(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|it| !matches!(it, b' ' | b'\t'));
        matches!(before, None | Some(b'\n'))
    }

    /// A line marker or a pragma; nothing else is left by the preprocessor.
    fn directive(&mut self) -> Result<(), Box<Diagnostic>> {
        let start = self.at;
        self.skip_line();
        let line = self.text[start + 1..self.at].trim_start();
        let word = &line[..line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len())];
        match word {
            "pragma" => {
                let text = &line[word.len()..];
                let end = text.find("//").or(text.find("/*")).unwrap_or(text.len());
                let (text, span) = (text[..end].replace("\\\n", " "), self.span(start));
                self.pragmas.push(PragmaLine { token: self.n_tokens, text, span });
                Ok(())
            }
            "line" | "ident" | "sccs" | "" => Ok(()),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Ok(()),
            _ => {
                self.error(start, "a directive of the preprocessor in what is preprocessed already")
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += if self.bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn token(&mut self) -> Result<Tok, Box<Diagnostic>> {
        let start = self.at;
        let first = self.peek(0);
        if let Some((encoding, prefix)) = Encoding::of_prefix(&self.bytes[start..]) {
            self.at += prefix;
            return self.quoted(encoding);
        }
        if is_ident_start(first) || self.is_universal() {
            return self.name();
        }
        if first.is_ascii_digit() || first == b'.' && self.peek(1).is_ascii_digit() {
            return self.number();
        }
        if let Some((punct, len)) = Punct::at_start(&self.bytes[start..]) {
            self.at += len;
            return Ok(Tok::Punct(punct));
        }
        let odd = self.text[start..].chars().next().unwrap_or(' ');
        self.at += odd.len_utf8();
        self.error(start, format!("the character `{}` has no meaning in C", odd.escape_debug()))
    }

    fn number(&mut self) -> Result<Tok, Box<Diagnostic>> {
        let start = self.at;
        let is_hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            let exponent =
                if is_hex { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') };
            if exponent && matches!(self.peek(1), b'+' | b'-') {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else if byte == b'\'' && self.peek(1).is_ascii_alphanumeric() {
                // Digits in groups, as C23 has them; nothing else of C begins so behind a digit.
                self.at += 2;
            } else {
                break;
            }
        }
        let text = self.text[start..self.at].to_ascii_lowercase().replace('\'', "");
        let is_float = match is_hex {
            true => text.contains(['.', 'p']),
            false => text.contains(['.', 'e']),
        };
        let read = if is_float { float(&text, is_hex) } else { integer(&text) };
        match read {
            Some(tok) => Ok(tok),
            None if text.trim_end_matches(['f', 'l', 'u']).ends_with(['i', 'j'])
                || text.ends_with(['i', 'j']) =>
            {
                let mut refused = self.mistake(start, "an imaginary constant is not supported");
                refused.code = codes::c::UNSUPPORTED;
                Err(refused)
            }
            None => self.error(start, format!("`{text}` is no number of C")),
        }
    }

    /// An identifier; universal character names are the characters they name.
    fn name(&mut self) -> Result<Tok, Box<Diagnostic>> {
        let start = self.at;
        let mut spelled = String::new();
        loop {
            let begin = self.at;
            while is_ident_start(self.peek(0)) || self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
            if !self.is_universal() {
                let text = &self.text[begin..self.at];
                if let Some(byte) = self.text[start..self.at].chars().find_map(crate::text::byte_of)
                {
                    return self.error(start, format!("the byte 0x{byte:02x} is no character"));
                }
                if begin == start {
                    let word = self.words.entry(text).or_insert_with(|| match Kw::of(text) {
                        Some(kw) => Tok::Kw(kw),
                        None => Tok::Ident(text.into()),
                    });
                    return Ok(word.clone());
                }
                spelled += text;
                return Ok(Tok::Ident(spelled.into()));
            }
            spelled += &self.text[begin..self.at];
            spelled.push(self.universal()?);
        }
    }

    /// Whether `\u` or `\U` begins here.
    fn is_universal(&self) -> bool {
        self.peek(0) == b'\\' && matches!(self.peek(1), b'u' | b'U')
    }

    fn universal(&mut self) -> Result<char, Box<Diagnostic>> {
        let start = self.at;
        let n_digits = if self.peek(1) == b'u' { 4 } else { 8 };
        self.at += 2;
        let code = self.hex_digits(n_digits);
        match char::from_u32(code) {
            Some(c) if self.at == start + 2 + n_digits => Ok(c),
            _ => self.error(start, "this universal character name names no character"),
        }
    }

    fn quoted(&mut self, encoding: Encoding) -> Result<Tok, Box<Diagnostic>> {
        let start = self.at;
        let quote = self.peek(0);
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.peek(0) {
                byte if byte == quote => break,
                b'\\' => self.escape(&mut text)?,
                b'\n' | 0 if self.at >= self.bytes.len() || self.peek(0) == b'\n' => {
                    return self.error(start, "this literal has no end");
                }
                _ => self.source_char(&mut text),
            }
        }
        self.at += 1;
        if quote == b'"' {
            return Ok(Tok::Str { text, encoding });
        }
        match encoding.constant(&text) {
            Some(value) => Ok(Tok::Char { value, encoding }),
            None => self.error(start, "a character constant needs a character"),
        }
    }

    fn source_char(&mut self, text: &mut Vec<TextChar>) {
        let c = self.text[self.at..].chars().next().unwrap_or(' ');
        // A byte that is no character is an element of its own.
        text.push(match crate::text::byte_of(c) {
            Some(byte) => TextChar::Code(u32::from(byte)),
            None => TextChar::Source(c),
        });
        self.at += c.len_utf8();
    }

    fn escape(&mut self, text: &mut Vec<TextChar>) -> Result<(), Box<Diagnostic>> {
        if self.is_universal() {
            text.push(TextChar::Source(self.universal()?));
            return Ok(());
        }
        let kind = self.peek(1);
        self.at += 2;
        text.push(TextChar::Code(match kind {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'\n' => return Ok(()),
            b'0'..=b'7' => {
                let mut value = u32::from(kind - b'0');
                for _ in 0..2 {
                    if let digit @ b'0'..=b'7' = self.peek(0) {
                        value = value * 8 + u32::from(digit - b'0');
                        self.at += 1;
                    }
                }
                value
            }
            b'x' => self.hex_digits(usize::MAX),
            // `\'` and its like, and what is no escape of C: the character itself, as compilers have it.
            _ => {
                self.at -= 1;
                if self.at < self.bytes.len() {
                    self.source_char(text);
                }
                return Ok(());
            }
        }));
        Ok(())
    }

    fn hex_digits(&mut self, most: usize) -> u32 {
        let mut value: u32 = 0;
        for _ in 0..most {
            let Some(digit) = char::from(self.peek(0)).to_digit(16) else { break };
            value = value.wrapping_mul(16).wrapping_add(digit);
            self.at += 1;
        }
        value
    }
}

fn is_ident_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn integer(text: &str) -> Option<Tok> {
    let digits_end = |radix: u32, from: usize| {
        text[from..].find(|c: char| !c.is_digit(radix)).map_or(text.len(), |at| from + at)
    };
    let (radix, from) = match text {
        _ if text.starts_with("0x") => (16, 2),
        _ if text.starts_with("0b") => (2, 2),
        _ if text.starts_with('0') && text.len() > 1 => (8, 0),
        _ => (10, 0),
    };
    let end = digits_end(radix, from);
    let value = u128::from_str_radix(&text[from..end], radix).ok()?;
    let suffix = &text[end..];
    let longs = suffix.matches('l').count() as u8;
    let is_unsigned = suffix.contains('u');
    let known = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
    let fits = value <= u128::from(u64::MAX);
    (known && fits).then_some(Tok::Int { value, is_decimal: radix == 10, is_unsigned, longs })
}

fn float(text: &str, is_hex: bool) -> Option<Tok> {
    // What C23 calls the types that we have by other names.
    let named = [("f32x", ""), ("f64x", "l"), ("f32", "f"), ("f64", "")];
    let named = named.into_iter().filter(|_| !is_hex || text.contains('p'));
    for (suffix, same) in named {
        if let Some(body) = text.strip_suffix(suffix).filter(|it| !it.is_empty()) {
            return float(&format!("{body}{same}"), is_hex);
        }
    }
    let suffix = match text.as_bytes().last() {
        Some(&last @ (b'f' | b'l')) if !is_hex || text.contains('p') => last,
        _ => 0,
    };
    let body = if suffix == 0 { text } else { &text[..text.len() - 1] };
    let value = match (is_hex, suffix) {
        (true, b'f') => f64::from(hex_float(body, f32::MANTISSA_DIGITS, -149)? as f32),
        (true, _) => hex_float(body, f64::MANTISSA_DIGITS, -1074)?,
        // Rounded once, to the type it has: by way of `double` it could be another number.
        (false, b'f') => f64::from(body.parse::<f32>().ok()?),
        (false, _) => body.parse().ok()?,
    };
    let is_exact = if is_hex { is_whole_hex(body, value) } else { is_decimal_double(body) };
    Some(Tok::Float { value, suffix, is_exact })
}

/// Whether nothing of a hexadecimal number was rounded away: another precision gives the same.
fn is_whole_hex(body: &str, value: f64) -> bool {
    let digits = body.trim_start_matches("0x").split('p').next().unwrap_or("");
    let n_digits = digits.chars().filter(|it| *it != '.').collect::<String>();
    n_digits.trim_start_matches('0').trim_end_matches('0').len() <= 13
        && (value == 0.0 || value.is_normal())
}

/// Whether a decimal number is a whole multiple of a power of two with no more digits than a `double` has.
fn is_decimal_double(body: &str) -> bool {
    let (digits, power) = body.split_once('e').unwrap_or((body, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let part = part.trim_end_matches('0');
    let Ok(power) = power.trim_start_matches('+').parse::<i32>() else { return false };
    let Ok(mut number) = format!("0{whole}{part}").parse::<u128>() else { return false };
    let power = power.saturating_sub(part.len() as i32);
    for _ in 0..power.unsigned_abs().min(60) {
        // Ten is two, which costs no digit, and five.
        match power > 0 {
            true if number < u128::MAX / 5 => number *= 5,
            false if number % 5 == 0 => number /= 5,
            _ => return false,
        }
    }
    let odd = if number == 0 { 0 } else { number >> number.trailing_zeros() };
    (number == 0 || power.unsigned_abs() <= 60) && odd < 1 << f64::MANTISSA_DIGITS
}

/// Exact as long as it can be: digits that do not fit any more leave a one behind if one of them is no zero, so that
/// the one rounding, to `n_bits` bits of precision with numbers from two to the power of `least` on, is the right one.
fn hex_float(text: &str, n_bits: u32, least: i64) -> Option<f64> {
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: u128 = 0;
    for (at, c) in whole.chars().chain(part.chars()).enumerate() {
        let digit = u128::from(c.to_digit(16)?);
        let is_part = at >= whole.len();
        if value < 1 << 120 {
            value = value << 4 | digit;
            exponent -= if is_part { 4 } else { 0 };
        } else {
            value |= u128::from(digit != 0);
            exponent += if is_part { 0 } else { 4 };
        }
    }
    if value == 0 {
        return Some(0.0);
    }
    // Bits below the last one that is kept: of the number itself, or of the smallest there is.
    let n_used = i64::from(u128::BITS - value.leading_zeros());
    let n_low = (n_used - i64::from(n_bits)).max(least - exponent).clamp(0, 127) as u32;
    if least - exponent > n_used {
        return Some(0.0);
    }
    let (kept, low, half) = (value >> n_low, value & ((1 << n_low) - 1), (1u128 << n_low) >> 1);
    let is_up = n_low > 0 && (low > half || low == half && kept & 1 == 1);
    let mantissa = (kept + u128::from(is_up)) as f64;
    let shift = (exponent + i64::from(n_low)).clamp(-4000, 4000) as i32;
    // In two steps: the power itself may be too small or too large where the number is not.
    Some(mantissa * 2f64.powi(shift / 2) * 2f64.powi(shift - shift / 2))
}

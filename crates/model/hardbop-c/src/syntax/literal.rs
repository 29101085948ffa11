//! Character constants and string literals: what each encoding makes of a text.

/// The prefix of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Encoding {
    #[default]
    Plain,
    /// `u8"…"`
    Utf8,
    /// `u"…"`, elements of `char16_t`
    Utf16,
    /// `U"…"`, elements of `char32_t`
    Utf32,
    /// `L"…"`, elements of `wchar_t`
    Wide,
}

/// A character of a literal as it stands in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextChar {
    Source(char),
    /// The value of one element: `\x41`, `\101`.
    Code(u32),
}

const PREFIXES: [(&str, Encoding); 4] =
    [("u8", Encoding::Utf8), ("u", Encoding::Utf16), ("U", Encoding::Utf32), ("L", Encoding::Wide)];

impl Encoding {
    /// The encoding of the literal that begins here, and the length of its prefix.
    pub fn of_prefix(text: &[u8]) -> Option<(Encoding, usize)> {
        let is_quote = |at: usize| matches!(text.get(at), Some(b'"' | b'\''));
        if is_quote(0) {
            return Some((Encoding::Plain, 0));
        }
        let found = PREFIXES
            .into_iter()
            .find(|(prefix, _)| text.starts_with(prefix.as_bytes()) && is_quote(prefix.len()));
        found.map(|(prefix, encoding)| (encoding, prefix.len()))
    }

    /// Bits of an element.
    pub fn width(self) -> u8 {
        match self {
            Encoding::Plain | Encoding::Utf8 => 8,
            Encoding::Utf16 => 16,
            Encoding::Utf32 | Encoding::Wide => 32,
        }
    }

    /// That of two literals in a row: a plain one takes the other's (C11 6.4.5, 5).
    pub fn joined(self, next: Encoding) -> Encoding {
        if self == Encoding::Plain { next } else { self }
    }

    /// The elements of a text, without the closing zero.
    pub fn units(self, text: &[TextChar]) -> Vec<u32> {
        let mut units = Vec::with_capacity(text.len());
        for it in text {
            match (*it, self.width()) {
                (TextChar::Code(code), width) => units.push(code & (u32::MAX >> (32 - width))),
                (TextChar::Source(c), 8) => {
                    units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
                }
                (TextChar::Source(c), 16) => {
                    units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&it| u32::from(it)));
                }
                (TextChar::Source(c), _) => units.push(c as u32),
            }
        }
        units
    }

    /// The value of a character constant; several characters as compilers pack them.
    pub fn constant(self, text: &[TextChar]) -> Option<i64> {
        let units = self.units(text);
        let last = *units.last()?;
        Some(match (self, &units[..]) {
            (Encoding::Plain, [one]) => i64::from(*one as u8 as i8),
            (Encoding::Plain, _) => {
                i64::from(units.iter().fold(0i32, |all, &it| all << 8 | (it & 0xff) as i32))
            }
            (Encoding::Wide, _) => i64::from(last as i32),
            _ => i64::from(last),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, TextChar};

    #[test]
    fn each_encoding_has_its_elements() {
        let text = [TextChar::Source('é'), TextChar::Source('😀'), TextChar::Code(0x1ff)];
        let utf8 = [0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xff];
        assert_eq!(Encoding::Plain.units(&text), utf8);
        assert_eq!(Encoding::Utf16.units(&text), [0xe9, 0xd83d, 0xde00, 0x1ff]);
        assert_eq!(Encoding::Wide.units(&text), [0xe9, 0x1f600, 0x1ff]);
    }

    #[test]
    fn constants_have_the_values_of_compilers() {
        let of = |text: &str| text.chars().map(TextChar::Source).collect::<Vec<_>>();
        assert_eq!(Encoding::Plain.constant(&of("ab")), Some(0x6162));
        assert_eq!(Encoding::Plain.constant(&of("abcde")), Some(0x62636465));
        assert_eq!(Encoding::Plain.constant(&[TextChar::Code(0xff)]), Some(-1));
        assert_eq!(Encoding::Utf16.constant(&[TextChar::Code(0xffff)]), Some(0xffff));
        assert_eq!(Encoding::Wide.constant(&[TextChar::Code(u32::MAX)]), Some(-1));
        assert_eq!(Encoding::Plain.constant(&[]), None);
    }
}

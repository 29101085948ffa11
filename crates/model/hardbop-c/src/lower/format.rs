//! What the format of `printf` asks of its arguments.

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// As it stands in the format.
    pub text: String,
    pub kind: Kind,
    /// Of a text: no more than so many bytes are read; `Some(None)` if the argument before says.
    pub limit: Option<Option<u32>>,
    /// How many bytes are written before it, if the format alone says so.
    pub before: Option<u32>,
    /// `h` and `l`, by how much each changes the size.
    pub length: i8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// As wide as `int`, as `long`, or 64 bits.
    Whole {
        is_long: bool,
        is_wide: bool,
    },
    /// `double`, or `long double`.
    Real {
        is_long: bool,
    },
    Text,
    /// A string of `wchar_t`.
    Wide,
    Pointer,
    /// `%n`.
    Count,
    /// `%2$d`, or a letter of some systems.
    Unknown,
    /// What no system has a meaning for.
    Meaningless,
}

const INT: Kind = Kind::Whole { is_long: false, is_wide: false };

/// One for each argument, in order: a `*` is one of its own. `%%` and what asks for no argument are left out.
pub(super) fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut found: Vec<Conversion> = Vec::new();
    let (mut rest, mut written) = (format, Some(0));
    while let Some(at) = rest.iter().position(|&it| it == b'%') {
        rest = &rest[at..];
        written = written.map(|it: u32| it.saturating_add(at as u32));
        let (length, conversion) = one(rest, &mut found);
        let n_written = match &conversion {
            None if &rest[..length] == b"%%" => Some(1),
            Some(it) if it.kind == Kind::Count => Some(0),
            Some(it) if it.text == "%c" => Some(1),
            _ => None,
        };
        found.extend(conversion.map(|it| Conversion { before: written, ..it }));
        written = written.zip(n_written).map(|(all, more)| all.saturating_add(more));
        rest = &rest[length..];
    }
    found
}

/// How long the conversion is that a format begins with, and what it asks for.
fn one(format: &[u8], stars: &mut Vec<Conversion>) -> (usize, Option<Conversion>) {
    let mut at = 1;
    let skip = |at: &mut usize, set: &[u8]| {
        let start = *at;
        while format.get(*at).is_some_and(|it| set.contains(it)) {
            *at += 1;
        }
        &format[start..*at]
    };
    let star = || Conversion { text: "*".into(), kind: INT, limit: None, before: None, length: 0 };
    skip(&mut at, b"-+ #0'");
    let width = skip(&mut at, b"*0123456789");
    if width.first() == Some(&b'*') {
        stars.push(star());
    }
    let mut limit = None;
    if format.get(at) == Some(&b'.') {
        at += 1;
        let digits = skip(&mut at, b"*0123456789");
        limit = Some(match digits.first() {
            Some(b'*') => {
                stars.push(star());
                None
            }
            _ => Some(String::from_utf8_lossy(digits).parse().unwrap_or(0)),
        });
    }
    let length = skip(&mut at, b"hlLqjzt");
    let is_long = matches!(length, b"l" | b"z" | b"t");
    let is_wide = matches!(length, b"ll" | b"q" | b"j" | b"L");
    let letter = format.get(at).copied();
    at = (at + 1).min(format.len());
    let kind = match letter.unwrap_or(0) {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Kind::Whole { is_long, is_wide },
        b'c' => INT,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            Kind::Real { is_long: length == b"L" }
        }
        b's' if is_long => Kind::Wide,
        b's' => Kind::Text,
        b'p' => Kind::Pointer,
        b'n' => Kind::Count,
        // An error's text: no argument.
        b'%' | b'm' => return (at, None),
        b'$' | b'C' | b'S' | b'b' | b'B' | b'I' | b'w' => Kind::Unknown,
        _ => Kind::Meaningless,
    };
    let text = String::from_utf8_lossy(&format[..at]).into_owned();
    let length = match length {
        b"hh" => -2,
        b"h" => -1,
        _ => i8::from(is_long) + 2 * i8::from(is_wide),
    };
    (at, Some(Conversion { text, kind, limit, before: None, length }))
}

#[cfg(test)]
mod tests {
    use super::{INT, Kind, conversions};

    #[test]
    fn a_format_asks_for_arguments() {
        let found = conversions(b"%% %5.*s %-08lx|%llu %.3s %Lf %*d");
        let shown: Vec<_> = found.iter().map(|it| (&*it.text, it.limit)).collect();
        assert_eq!(
            shown,
            [
                ("*", None),
                ("%5.*s", Some(None)),
                ("%-08lx", None),
                ("%llu", None),
                ("%.3s", Some(Some(3))),
                ("%Lf", None),
                ("*", None),
                ("%*d", None),
            ]
        );
        assert_eq!(found[2].kind, Kind::Whole { is_long: true, is_wide: false });
        assert_eq!(found[5].kind, Kind::Real { is_long: true });
        let kinds =
            |text: &[u8]| -> Vec<Kind> { conversions(text).iter().map(|it| it.kind).collect() };
        assert_eq!(kinds(b"%1$s"), [Kind::Unknown]);
        let before: Vec<_> = conversions(b"ab%c%%%n%d%hn").iter().map(|it| it.before).collect();
        assert_eq!(before, [Some(2), Some(4), Some(4), None]);
        assert_eq!(kinds(b"%d %y 100%"), [INT, Kind::Meaningless, Kind::Meaningless]);
    }
}

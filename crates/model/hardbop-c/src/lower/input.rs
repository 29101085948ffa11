//! Formatted input: what each conversion of a format that is written down stores fits what its argument points to.
//!
//! What the input is and where it goes, the library follows when it runs (`library/scan.c`); of what type the memory is
//! that a pointer leads to, only the declaration of the pointer says.

use hardbop_base::{Name, Span};
use hardbop_cir::{Class, Cond};

use super::Lowered;
use super::output::literal;
use super::state::Lower;
use crate::library::names::canonical;
use crate::syntax::ast::Expr;
use crate::types::CType;

/// What a conversion stores through its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stores {
    /// The conversion as it is written.
    text: String,
    what: Stored,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    Whole(Length),
    Real(Length),
    /// Something whose pointer says little: a text for `%ms`, a pointer, what is not known.
    Any,
}

/// What the letters before a conversion say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Char,
    Short,
    Plain,
    Long,
    LongLong,
}

impl Lower<'_> {
    /// A call of `scanf` and its like. Arrays, structures and `void` are memory for anything.
    pub fn check_input(&mut self, link: &Name, args: &[Expr], span: Span) -> Lowered<()> {
        let at = match canonical(link) {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return Ok(()),
        };
        let Some(format) = args.get(at).and_then(literal) else { return Ok(()) };
        for (stores, arg) in stores(&format).into_iter().zip(&args[at + 1..]) {
            let ctype = self.type_of(arg)?.decayed();
            let Some(to) = ctype.pointee().filter(|it| it.is_integer() || it.is_float()) else {
                continue;
            };
            if !self.takes(stores.what, to) {
                let ctype = self.types.describe(&ctype);
                let message = format!("`{}` does not fit the type `{ctype}`", stores.text);
                self.check(Class::Library, Cond::Fails, message, span);
                return Ok(());
            }
        }
        Ok(())
    }

    /// By size, and whether it is a floating-point number: the sign shows nowhere.
    fn takes(&self, what: Stored, to: &CType) -> bool {
        let size = |length| match length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Plain => 4,
            Length::Long => u64::from(self.options.model.ptr_bits() / 8),
            Length::LongLong => 8,
        };
        match what {
            Stored::Whole(length) => to.is_integer() && self.types.size(to) == Some(size(length)),
            Stored::Real(length) => {
                let (float, double) =
                    (self.types.size(to) == Some(4), self.types.size(to) == Some(8));
                to.is_float()
                    && match length {
                        Length::Plain => float,
                        Length::Long => double,
                        _ => !float && !double,
                    }
            }
            Stored::Any => true,
        }
    }
}

/// One for each argument, in order.
fn stores(format: &[u8]) -> Vec<Stores> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < format.len() {
        at += 1;
        if format[at - 1] != b'%' {
            continue;
        }
        let start = at - 1;
        let mut skip = |set: &[u8]| {
            let from = at;
            while format.get(at).is_some_and(|it| set.contains(it)) {
                at += 1;
            }
            &format[from..at]
        };
        let is_dropped = !skip(b"*").is_empty();
        skip(b"0123456789'");
        let is_new = !skip(b"m").is_empty();
        let length = skip(b"hlLqjzt");
        let letter = format.get(at).copied().unwrap_or(0);
        at += 1;
        if letter == b'[' {
            // The first may be the bracket itself.
            at += usize::from(format.get(at) == Some(&b'^')) + 1;
            while format.get(at).is_some_and(|it| *it != b']') {
                at += 1;
            }
            at += 1;
        }
        if is_dropped || letter == b'%' {
            continue;
        }
        let text = String::from_utf8_lossy(&format[start..at.min(format.len())]).into_owned();
        found.push(Stores { text, what: stored(letter, length, is_new) });
    }
    found
}

fn stored(letter: u8, length: &[u8], is_new: bool) -> Stored {
    let length = match length {
        b"hh" => Length::Char,
        b"h" => Length::Short,
        b"" => Length::Plain,
        b"l" | b"z" | b"t" => Length::Long,
        _ => Length::LongLong,
    };
    match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n' => Stored::Whole(length),
        b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => Stored::Real(length),
        b's' | b'c' | b'[' if !is_new && length == Length::Plain => Stored::Whole(Length::Char),
        b's' | b'c' | b'[' if !is_new => Stored::Whole(Length::Plain),
        _ => Stored::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::{Length, Stored, stores};

    #[test]
    fn a_format_stores_through_its_arguments() {
        let found = stores(b"%d%*d %5s%[^]a]%%%hhx %lf%ms%Lf");
        let shown: Vec<_> = found.iter().map(|it| (&*it.text, it.what)).collect();
        assert_eq!(
            shown,
            [
                ("%d", Stored::Whole(Length::Plain)),
                ("%5s", Stored::Whole(Length::Char)),
                ("%[^]a]", Stored::Whole(Length::Char)),
                ("%hhx", Stored::Whole(Length::Char)),
                ("%lf", Stored::Real(Length::Long)),
                ("%ms", Stored::Any),
                ("%Lf", Stored::Real(Length::LongLong)),
            ]
        );
        assert_eq!(stores(b"100%").len(), 1);
    }
}

//! Why a C program is safe, and the text of it (`docs/formats/certificate.md`).

use std::fmt::Write;

use hardbop_base::sha256;
use hardbop_cir::{Class, Program};

/// The first line of the text.
const VERSION: &str = "hardbop-certificate 1 c";

/// A proof that no check of the classes fails: how far loops and recursion go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The hash of the program as it was read, which the proof is about.
    pub program: String,
    /// The properties.
    pub classes: Vec<Class>,
    /// No loop comes back to its head more often, each time it is entered.
    pub unroll: u32,
    /// No function calls itself, through others or not, more often than this before it returns.
    pub recursion: u32,
}

impl Certificate {
    pub fn new(program: &Program, classes: &[Class], unroll: u32, recursion: u32) -> Self {
        Certificate { program: hash(program), classes: classes.to_vec(), unroll, recursion }
    }

    /// The versioned text form.
    pub fn print(&self) -> String {
        let mut out = format!("{VERSION}\nprogram {}\nproperties", self.program);
        for class in &self.classes {
            // Writing to a string does not fail.
            let _ = write!(out, " {class}");
        }
        let _ = write!(out, "\nunroll {}\nrecursion {}\nend\n", self.unroll, self.recursion);
        out
    }

    /// Whether a text says that it is one of these.
    pub fn is_named(text: &str) -> bool {
        text.lines().next() == Some(VERSION)
    }

    /// Reads the text form; `Err` names the line.
    pub fn read(text: &str) -> Result<Certificate, String> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        if lines.next().map(|it| it.1) != Some(VERSION) {
            return Err(format!("line 1: expected `{VERSION}`"));
        }
        let mut next = |word: &str| match lines.next() {
            Some((at, line)) => match line.strip_prefix(word) {
                Some("") => Ok((at, "")),
                Some(rest) if rest.starts_with(' ') => Ok((at, &rest[1..])),
                _ => Err(format!("line {at}: expected `{word}`")),
            },
            None => Err(format!("the file ends without `{word}`")),
        };
        let program = next("program")?.1.to_string();
        let (at, names) = next("properties")?;
        let class = |name: &str| {
            let found = Class::ALL.into_iter().find(|it| it.name() == name);
            found.ok_or_else(|| format!("line {at}: no property is called `{name}`"))
        };
        let classes = names.split(' ').filter(|it| !it.is_empty()).map(class).collect::<Result<_, _>>()?;
        let number = |(at, text): (usize, &str)| {
            text.parse().map_err(|_| format!("line {at}: `{text}` is no number"))
        };
        let unroll = number(next("unroll")?)?;
        let recursion = number(next("recursion")?)?;
        let (_, nothing) = next("end")?;
        // Soundness: what stands there may be meant, and nobody would read it.
        match lines.find(|it| !it.1.trim().is_empty()) {
            None if nothing.is_empty() => {}
            None => return Err("there is text after `end`".into()),
            Some((at, _)) => return Err(format!("line {at}: there is text after `end`")),
        }
        Ok(Certificate { program, classes, unroll, recursion })
    }
}

/// What a certificate calls a program: the hash of its text form, places in the source included.
pub fn hash(program: &Program) -> String {
    sha256::hex(hardbop_cir::text::print(program).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::Certificate;
    use hardbop_cir::Class;

    #[test]
    fn text_comes_back_and_damage_is_noticed() {
        let classes = vec![Class::Assert, Class::Overflow];
        let it = Certificate { program: "ab12".into(), classes, unroll: 7, recursion: 2 };
        let text = it.print();
        assert_eq!(Certificate::read(&text), Ok(it));
        for (from, to) in [
            ("certificate 1", "certificate 2"),
            ("assert", "asser"),
            ("unroll 7", "unroll -7"),
            ("unroll 7\n", ""),
            ("end\n", ""),
            ("end\n", "end\nunroll 9\n"),
        ] {
            let damaged = text.replace(from, to);
            assert!(Certificate::read(&damaged).is_err(), "{damaged}");
        }
    }
}

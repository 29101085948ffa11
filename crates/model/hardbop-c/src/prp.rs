//! Property files of SV-COMP: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, one or more.
//!
//! A file is read whole or refused: each formula is one of those below, to the last character.

use hardbop_cir::Class;

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Prp {
    pub classes: Vec<Class>,
    /// The function execution begins in.
    pub entry: Option<String>,
    /// Functions that must not be called.
    pub calls: Vec<String>,
    /// Labels that must not be reached.
    pub labels: Vec<String>,
}

/// Reads a property file; otherwise what is wrong and where.
pub fn read(text: &str) -> Result<Prp, String> {
    let mut reader = Reader { text, at: 0 };
    let mut prp = Prp::default();
    reader.blanks();
    while reader.at < text.len() {
        reader.check(&mut prp)?;
        reader.blanks();
    }
    if prp.classes.is_empty() {
        return Err("the file asks for nothing".into());
    }
    prp.classes.sort_unstable();
    prp.classes.dedup();
    Ok(prp)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T, String> {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let col = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Err(format!("{line}:{col}: {what}"))
    }

    fn eat(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn need(&mut self, words: &[&str]) -> Result<(), String> {
        for word in words {
            if !self.eat(word) {
                return self.fail(format_args!("`{word}` is expected here"));
            }
        }
        Ok(())
    }

    /// `name`, which may have a hyphen in it.
    fn word(&mut self) -> Result<&'a str, String> {
        self.blanks();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if word.is_empty() {
            return self.fail("a name is expected here");
        }
        self.at += word.len();
        Ok(word)
    }

    fn check(&mut self, prp: &mut Prp) -> Result<(), String> {
        self.need(&["CHECK", "(", "init", "("])?;
        let start = self.at;
        let entry = self.word()?;
        match &prp.entry {
            Some(known) if known != entry => {
                self.at = start;
                return self.fail(format_args!("the entry is `{known}` in another line"));
            }
            _ => prp.entry = Some(entry.into()),
        }
        self.need(&["(", ")", ")", ",", "LTL", "("])?;
        self.formula(prp)?;
        self.need(&[")", ")"])
    }

    fn formula(&mut self, prp: &mut Prp) -> Result<(), String> {
        self.blanks();
        let start = self.at;
        let mut refused = Reader { text: self.text, at: start };
        let mut refuse = || {
            let formula = refused.rest().lines().next().unwrap_or_default();
            let formula = formula.trim_end().trim_end_matches([')', ' ']);
            refused.at = start;
            refused.fail(format_args!("the formula `{formula}` is not supported"))
        };
        if self.word()? != "G" {
            return refuse();
        }
        let is_negated = self.eat("!");
        let name = match (is_negated, self.word()?) {
            (true, "call") => {
                self.need(&["("])?;
                prp.calls.push(self.word()?.into());
                self.need(&["(", ")", ")"])?;
                "unreach-call"
            }
            (true, "label") => {
                self.need(&["("])?;
                prp.labels.push(self.word()?.into());
                self.need(&[")"])?;
                "unreach-call"
            }
            (true, "overflow") => "no-overflow",
            (true, "data-race") => "no-data-race",
            (
                false,
                name @ ("valid-free" | "valid-deref" | "valid-memtrack" | "valid-memcleanup"),
            ) => name,
            _ => return refuse(),
        };
        prp.classes.extend(Class::select(name).unwrap_or_default());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Prp, read};
    use hardbop_cir::Class;

    #[test]
    fn formulas_are_read_whole() {
        let reach = "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )";
        let reach = read(reach).unwrap();
        assert_eq!(reach.classes, [Class::Assert]);
        assert_eq!(reach.calls, ["__VERIFIER_error"]);
        let other = read("CHECK(init(g ()),LTL(G!call( boom( ) )))\n\n").unwrap();
        assert_eq!((other.entry.as_deref(), &*other.calls), (Some("g"), &["boom".to_string()][..]));
        let label = read("CHECK( init(main()), LTL(G ! label(ERROR)) )").unwrap();
        assert_eq!((label.classes, label.labels), (vec![Class::Assert], vec!["ERROR".to_string()]));
        let cleanup = read("CHECK( init(main()), LTL(G valid-memcleanup) )").unwrap();
        assert_eq!(cleanup.classes, [Class::Cleanup]);
        let race = read("CHECK( init(main()), LTL(G ! data-race) )").unwrap();
        assert_eq!(race.classes, [Class::Race]);
        let safety =
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(
            read(safety),
            Ok(Prp {
                classes: vec![Class::Bounds, Class::Null, Class::Dangling, Class::Free],
                entry: Some("main".into()),
                ..Prp::default()
            })
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_at_its_place() {
        let line = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )");
        for (text, message) in [
            (line("F end"), "1:26: the formula `F end` is not supported"),
            (line("G valid-memory"), "1:26: the formula `G valid-memory` is not supported"),
            (line("G ! deadlock"), "1:26: the formula `G ! deadlock` is not supported"),
            (line("G ! call(f()) && G ! call(g())"), "1:40: `)` is expected here"),
            (line("G ! call(f(1))"), "1:37: `)` is expected here"),
            (
                line("G valid-free") + "\n" + &line("G valid-deref").replace("main", "f"),
                "2:13: the entry is `main` in another line",
            ),
            (line("G valid-free") + " x", "1:42: `CHECK` is expected here"),
            (String::new(), "the file asks for nothing"),
        ] {
            assert_eq!(read(&text), Err(message.to_string()), "{text}");
        }
    }
}

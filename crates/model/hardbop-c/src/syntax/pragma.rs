//! `#pragma` lines and `_Pragma("…")`: what is done about each is in the table `known`.

use hardbop_base::{Name, Span};
use hardbop_diag::{Diagnostic, Sink, codes};

use super::known::{self, Pragma};

/// A pragma's text, and before which token it stands.
#[derive(Debug)]
pub struct PragmaLine {
    pub token: usize,
    pub text: String,
    pub span: Span,
}

/// What the pragmas of a unit say.
#[derive(Default, Debug)]
pub struct Pragmas {
    /// From which token on members are aligned to so many bytes at most.
    packs: Vec<(usize, Option<u64>)>,
    /// Functions that are weak, perhaps as another name of a second one.
    pub weak: Vec<(Name, Option<Name>)>,
    /// Names with the ones they are linked by.
    pub extnames: Vec<(Name, Name)>,
    pub assumptions: Vec<String>,
}

impl Pragmas {
    pub fn read(lines: Vec<PragmaLine>, sink: &mut Sink) -> Pragmas {
        let mut pragmas = Pragmas::default();
        let mut packing = Packing::default();
        for PragmaLine { token, text, span } in lines {
            let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut wrong = |what: &str| {
                let message = format!("`#pragma {shown}` is not supported{what}");
                sink.push(Diagnostic::error(codes::c::UNSUPPORTED, span, message));
            };
            match known::pragma(&text) {
                Some((Pragma::Pack, rest)) => {
                    if packing.apply(rest).is_none() {
                        wrong(": this is no packing");
                    }
                    pragmas.packs.push((token, packing.now));
                }
                Some((Pragma::Weak, rest)) => {
                    let (name, target) = match rest.split_once('=') {
                        Some((name, target)) => (name.trim(), Some(target.trim().into())),
                        None => (rest, None),
                    };
                    pragmas.weak.push((name.into(), target));
                }
                Some((Pragma::RedefineExtname, rest)) => {
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    match words[..] {
                        [old, new] => pragmas.extnames.push((old.into(), new.into())),
                        _ => wrong(""),
                    }
                }
                Some((Pragma::Refused, _)) => wrong(""),
                Some((Pragma::Ignored(_), _)) | None => {
                    pragmas.assumptions.push(format!("`#pragma {shown}` has no effect"));
                }
                Some((Pragma::Nothing(_), _)) => {}
            }
        }
        pragmas
    }

    /// The most that a member is aligned to in a record that ends at a token.
    pub fn pack_at(&self, token: usize) -> Option<u64> {
        let after = self.packs.partition_point(|it| it.0 <= token);
        self.packs.get(after.checked_sub(1)?)?.1
    }
}

/// `#pragma pack` and its stack.
#[derive(Default)]
struct Packing {
    now: Option<u64>,
    stack: Vec<(Option<String>, Option<u64>)>,
}

impl Packing {
    /// `None` if the text is none of `()`, `(n)`, `(push)`, `(push, n)`, `(push, id)`,
    /// `(push, id, n)`, `(pop)`, `(pop, id)`.
    fn apply(&mut self, text: &str) -> Option<()> {
        let inside = text.strip_prefix('(')?.trim_end().strip_suffix(')')?;
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        match words[..] {
            [""] => self.now = None,
            ["push"] => self.stack.push((None, self.now)),
            ["push", word] => match number(word) {
                Some(n) => {
                    self.stack.push((None, self.now));
                    self.now = n;
                }
                None => self.stack.push((Some(identifier(word)?), self.now)),
            },
            ["push", id, n] => {
                self.stack.push((Some(identifier(id)?), self.now));
                self.now = number(n)?;
            }
            // Compilers warn and go on where nothing was pushed.
            ["pop"] => self.now = self.stack.pop().map_or(self.now, |it| it.1),
            ["pop", id] => {
                let id = identifier(id)?;
                if let Some(at) = self.stack.iter().rposition(|it| it.0.as_ref() == Some(&id)) {
                    self.now = self.stack[at].1;
                    self.stack.truncate(at);
                }
            }
            [n] => self.now = number(n)?,
            _ => return None,
        }
        Some(())
    }
}

/// A number of bytes; 0 is no limit.
fn number(word: &str) -> Option<Option<u64>> {
    match word.parse() {
        Ok(0) => Some(None),
        Ok(n @ (1 | 2 | 4 | 8 | 16)) => Some(Some(n)),
        _ => None,
    }
}

fn identifier(word: &str) -> Option<String> {
    let is_name = !word.is_empty()
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| word.into())
}

#[cfg(test)]
mod tests {
    use super::Packing;

    #[test]
    fn packings_are_a_stack() {
        let mut packing = Packing::default();
        let mut after = |text: &str| packing.apply(text).map(|()| packing.now);
        assert_eq!(after("(1)"), Some(Some(1)));
        assert_eq!(after("( push , 2 )"), Some(Some(2)));
        assert_eq!(after("(push, here, 4)"), Some(Some(4)));
        assert_eq!(after("(push)"), Some(Some(4)));
        assert_eq!(after("(8)"), Some(Some(8)));
        assert_eq!(after("(pop, here)"), Some(Some(2)));
        assert_eq!(after("(pop)"), Some(Some(1)));
        assert_eq!(after("(pop)"), Some(Some(1)));
        assert_eq!(after("()"), Some(None));
        for wrong in ["1", "(3)", "(push, 1, 2)", "(pull)", "(32)"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }
}

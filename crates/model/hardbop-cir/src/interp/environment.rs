//! What a run was given from outside that a shell can give, too: arguments and standard input.

use crate::program::{Source, Stream, TextPart};
use crate::scan::Written;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Environment {
    /// From the program's name on; none if the program does not look at them.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// Whether it asked for standard input.
    pub reads_stdin: bool,
}

/// What a byte is that nothing was chosen for; see [`TextPart::Byte`].
const LETTER: u8 = b'a';

impl Environment {
    /// By the inputs a run asked for.
    pub fn of(inputs: &[(Source, u128)]) -> Environment {
        let mut it = Environment::default();
        let count = inputs.iter().find(|it| it.0 == Source::ArgCount);
        let count = count.map_or(0, |it| it.1 as usize + 1);
        let has_texts = inputs.iter().any(|it| matches!(it.0, Source::Argument(..)));
        if has_texts || count > 1 {
            it.args = vec![vec![LETTER]; count.max(1)];
        }
        let (mut stdin, mut n_chosen) = (Written::default(), 1);
        for (source, value) in inputs {
            it.take(source, *value, &mut stdin);
            if let Source::Argument(at, _) = source {
                n_chosen = n_chosen.max(usize::from(*at) + 1);
            }
        }
        // Behind those that are chosen the last one comes again and again.
        if let Some((first, rest)) = it.args.split_at_mut_checked(n_chosen)
            && let Some(last) = first.last()
        {
            rest.fill(last.clone());
        }
        it.stdin = stdin.text;
        it
    }

    fn take(&mut self, source: &Source, value: u128, stdin: &mut Written) {
        match *source {
            Source::Byte(Stream::Stdin) => {
                self.reads_stdin = true;
                stdin.byte(value);
            }
            Source::Scanned(Stream::Stdin, scan) => {
                self.reads_stdin = true;
                stdin.scanned(scan, value);
            }
            Source::Argument(at, part) => {
                let Some(text) = self.args.get_mut(usize::from(at)) else { return };
                let byte = if value as u8 == 0 { LETTER } else { value as u8 };
                match part {
                    // The length comes first.
                    TextPart::Length => *text = vec![LETTER; value as usize],
                    TextPart::Byte(k) => {
                        if let Some(it) = text.get_mut(usize::from(k)) {
                            *it = byte;
                        }
                        // What comes behind is told by the rest, which comes last.
                    }
                    TextPart::Rest => {
                        let n = text.len().min(usize::from(TextPart::CHOSEN));
                        text[n..].fill(byte);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_put_together() {
        let text = |at, part, value| (Source::Argument(at, part), value);
        let inputs = [
            (Source::ArgCount, 1),
            text(0, TextPart::Length, 1),
            text(0, TextPart::Byte(0), 0),
            text(1, TextPart::Length, 10),
            text(1, TextPart::Byte(0), u128::from(b'x')),
            text(1, TextPart::Rest, u128::from(b'z')),
            text(2, TextPart::Length, 3),
            (Source::Byte(Stream::Stdin), 1 + u128::from(b'q')),
            (Source::Byte(Stream::Stdin), 0),
        ];
        let it = Environment::of(&inputs);
        assert_eq!(it.args, [b"a".to_vec(), b"xaaaaaaazz".to_vec()]);
        assert_eq!((it.stdin, it.reads_stdin), (b"q".to_vec(), true));
        let more =
            [(Source::ArgCount, 3), text(0, TextPart::Length, 0), text(1, TextPart::Length, 2)];
        assert_eq!(Environment::of(&more).args, [&b""[..], b"aa", b"aa", b"aa"]);
    }
}

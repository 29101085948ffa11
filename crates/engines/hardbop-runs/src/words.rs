//! Texts for inputs that are text: arguments of the program and bytes of streams.
//!
//! A command is `strcmp`ed, a number is read by `atoi`: byte by byte chance meets neither. So whole words are given,
//! the program's own string literals and a few numbers, as fuzzers do with a dictionary (Zalewski, AFL). Which word
//! comes is drawn like everything else; the search stays what it is, and a plan gives the same words each time.

use std::collections::BTreeSet;

use hardbop_base::rng::Rng;
use hardbop_cir::{Expr, ObjInfo, Op, Program, Scan, Shape, Source, Stream, TextPart, Ty, VarId};
use rustc_hash::FxHashMap;

/// Longer literals are messages.
const MAX_LENGTH: usize = 24;
const MAX_WORDS: usize = 400;
/// The last digits of the long ones are equal: all bytes behind the first [`TextPart::CHOSEN`] of an argument are.
const NUMBERS: [&str; 8] = ["0", "1", "-1", "7", "10", "255", "2000000000", "-2000000000"];
const BETWEEN: &[u8] = b" \n\n\t,;:=";

/// What a register is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Argument(u8, TextPart),
    Stream { stream: Stream, skips_blanks: bool },
}

/// The words of a program, and the registers they are for.
#[derive(Clone, Debug)]
pub struct Words {
    words: Vec<Vec<u8>>,
    places: FxHashMap<VarId, Place>,
}

impl Words {
    pub fn of(program: &Program) -> Words {
        let mut places = FxHashMap::default();
        for (_, _, inst) in program.insts() {
            let Op::Nondet { dst, source } = &inst.op else { continue };
            let place = match *source {
                Source::Argument(at, part) => Place::Argument(at, part),
                Source::Byte(stream) => Place::Stream { stream, skips_blanks: false },
                Source::Scanned(stream, Scan::Solid) => {
                    Place::Stream { stream, skips_blanks: true }
                }
                _ => continue,
            };
            places.insert(*dst, place);
        }
        let literals = program.objects.iter().filter_map(|it| literal(program, it));
        let numbers = NUMBERS.iter().map(|it| it.as_bytes().to_vec());
        let distinct: BTreeSet<Vec<u8>> = literals.chain(numbers).collect();
        let mut words: Vec<_> = distinct.into_iter().collect();
        words.sort_by_key(Vec::len);
        words.truncate(MAX_WORDS);
        Words { words, places }
    }
}

/// The text of a string literal that may be a word.
fn literal(program: &Program, object: &ObjInfo) -> Option<Vec<u8>> {
    let Shape::Array { element, stride: 1, .. } = &object.shape else { return None };
    let size = usize::try_from(object.size?).ok()?;
    if !matches!(**element, Shape::Scalar { ty: Ty::Int(8), .. }) || size > MAX_LENGTH + 1 {
        return None;
    }
    let mut bytes = vec![0; size];
    for init in &object.init {
        let Expr::Int { width: 8, value } = program.exprs.get(init.value) else { return None };
        *bytes.get_mut(usize::try_from(init.offset).ok()?)? = value as u8;
    }
    let length = bytes.iter().position(|&it| it == 0)?;
    bytes.truncate(length);
    (length > 0).then_some(bytes)
}

/// What is being given in one run.
#[derive(Default)]
pub struct Speaker {
    /// The words of this run, few of them in most, so that they come again; without any, bytes have habits as
    /// other inputs do.
    vocabulary: Option<Vec<usize>>,
    arguments: FxHashMap<u8, usize>,
    /// The word at hand, and which of its bytes is next.
    streams: FxHashMap<Stream, (usize, usize)>,
}

impl Speaker {
    /// The value of the register, if it is part of a text and this run has words.
    pub fn say(&mut self, var: VarId, words: &Words, rng: &mut Rng) -> Option<u128> {
        let place = *words.places.get(&var)?;
        let n = words.words.len();
        let vocabulary = self.vocabulary.get_or_insert_with(|| match rng.below(8) {
            0..=2 => Vec::new(),
            3 => (0..n).collect(),
            few => (0..few - 2).map(|_| rng.below(n)).collect(),
        });
        let word = *rng.pick(vocabulary)?;
        match place {
            Place::Argument(at, TextPart::Length) => {
                self.arguments.insert(at, word);
                Some(words.words[word].len() as u128)
            }
            Place::Argument(at, part) => {
                let word = &words.words[*self.arguments.get(&at)?];
                let index = match part {
                    TextPart::Byte(k) => usize::from(k),
                    _ => usize::from(TextPart::CHOSEN),
                };
                Some(word.get(index).copied().unwrap_or(0).into())
            }
            Place::Stream { stream, skips_blanks } => {
                let byte = self.next_byte(stream, skips_blanks, word, words, rng);
                Some(byte.map_or(0, |it| u128::from(it) + 1))
            }
        }
    }

    /// The next byte of a stream of words with something between them, or its end.
    fn next_byte(
        &mut self,
        stream: Stream,
        skips_blanks: bool,
        next: usize,
        words: &Words,
        rng: &mut Rng,
    ) -> Option<u8> {
        let (word, at) = self.streams.get(&stream).copied().unwrap_or((0, usize::MAX));
        if let Some(&byte) = words.words[word].get(at) {
            self.streams.insert(stream, (word, at + 1));
            return Some(byte);
        }
        let is_first = at == usize::MAX;
        if rng.chance(8) {
            self.streams.remove(&stream);
            return None;
        }
        if is_first || skips_blanks {
            self.streams.insert(stream, (next, 1));
            return words.words[next].first().copied();
        }
        self.streams.insert(stream, (next, 0));
        rng.pick(BETWEEN).copied()
    }
}

//! Right certificates, each tampered with in one of eight ways: none that is no proof is accepted, and each rejection names the place.

use std::collections::BTreeMap;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, Rejected, certify, hash, loops_of};
use hardbop_cir::{BlockId, Class, FuncId, VarId};

const TAMPERINGS: usize = 500;

/// The numbers in a program: two loops that are cut, one that is unrolled, a recursion; all of them count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Numbers {
    step: u32,
    rest: u32,
    end: u32,
    rounds: u32,
    depth: u32,
}

impl Numbers {
    fn any(chance: &mut Rng) -> Numbers {
        let step = 2 << chance.below(3);
        Numbers {
            step,
            rest: chance.below(step as usize) as u32,
            end: 1000 + chance.below(5) as u32,
            rounds: 3 + chance.below(3) as u32,
            depth: 2 + chance.below(2) as u32,
        }
    }

    fn text(self) -> String {
        let Numbers { step, rest, end, rounds, depth } = self;
        let sum = rounds * (rounds - 1) / 2;
        format!(
            "int __VERIFIER_nondet_int(void); void reach_error(void);
int down(int n) {{ if (n <= 0) return 0; return 1 + down(n - 1); }}
int main(void) {{
  unsigned x = {rest}; int i = 0; unsigned sum = 0;
  int more = __VERIFIER_nondet_int(); more = more + 1;
  while (__VERIFIER_nondet_int()) x += {step};
  if (x % {step} != {rest}) reach_error();
  while (i < {end}) i++;
  if (i != {end}) reach_error();
  for (unsigned j = 0; j < {rounds}; j++) sum += j;
  if (sum != {sum}) reach_error();
  if (down({depth}) != {depth}) reach_error();
  return 0;
}}"
        )
    }
}

struct Proved {
    loaded: CProgram,
    x: VarId,
    i: VarId,
    /// The loops of `main`, in the order of the text.
    heads: Vec<(FuncId, BlockId)>,
    certificate: Certificate,
}

fn load(text: &str) -> CProgram {
    let classes = vec![Class::Assert, Class::Overflow];
    let options = hardbop_c::Options { classes, ..Default::default() };
    hardbop_c::load_text(vec![("t.c".into(), text.into())], &options).expect("it is C")
}

fn proved(numbers: Numbers) -> Proved {
    let loaded = load(&numbers.text());
    let program = &loaded.program;
    let main = program.func_named("main").expect("there is a main");
    let mut heads: Vec<_> =
        loops_of(&program.funcs[main]).into_keys().map(|it| (main, it)).collect();
    heads.sort_by_key(|it| program.funcs[main].blocks[it.1].span.start);
    let register = |name: &str| {
        let mut found = program.vars.iter_enumerated().filter(|it| &*it.1.name == name);
        found.next().expect("it is a register").0
    };
    let (x, i) = (register("x"), register("i"));
    let mut certificate = Certificate::new(program, &[Class::Assert], 100, 100);
    certificate.cuts.insert(heads[0], vec![rests(x, numbers.step, numbers.rest)]);
    certificate.cuts.insert(heads[1], vec![below(i, numbers.end)]);
    let told = certify(program, &certificate, &Budget::unlimited());
    let accepted = told.unwrap_or_else(|why| panic!("{why:?}\n{}", numbers.text()));
    (certificate.unroll, certificate.recursion) = (accepted.unroll, accepted.recursion);
    certify(program, &certificate, &Budget::unlimited()).expect("these bounds are enough");
    Proved { x, i, heads, certificate, loaded }
}

fn rests(x: VarId, step: u32, rest: u32) -> String {
    format!("(Eq (URem {x} i32:{step}) i32:{rest})")
}

fn below(i: VarId, end: u32) -> String {
    format!("(Sle {i} i32:{end})")
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Weakened,
    Strengthened,
    Removed,
    Moved,
    BoundLowered,
    OtherProgram,
    OtherProperty,
    DamagedBytes,
}

const KINDS: [Kind; 8] = [
    Kind::Weakened,
    Kind::Strengthened,
    Kind::Removed,
    Kind::Moved,
    Kind::BoundLowered,
    Kind::OtherProgram,
    Kind::OtherProperty,
    Kind::DamagedBytes,
];

/// Tampers, and gives the program to check it against and the lines of which one must be named; none where the
/// certificate does not fit at all.
fn tamper(
    kind: Kind,
    numbers: Numbers,
    proved: &Proved,
    chance: &mut Rng,
) -> (Certificate, Option<CProgram>, Vec<u32>) {
    let mut it = proved.certificate.clone();
    let (x, i, heads) = (proved.x, proved.i, &proved.heads);
    let Numbers { step, rest, end, .. } = numbers;
    let first = chance.chance(50);
    let claim = |it: &mut Certificate, at: usize, text: Vec<String>| {
        it.cuts.insert(heads[at], text);
    };
    match (kind, first) {
        // The loop keeps it, and it says too little behind the loop.
        (Kind::Weakened, true) => {
            claim(&mut it, 0, vec![rests(x, step / 2, rest % (step / 2))]);
            (it, None, vec![7])
        }
        (Kind::Weakened, false) => {
            claim(&mut it, 1, vec![below(i, end + 1 + chance.below(9) as u32)]);
            (it, None, vec![9, 8])
        }
        (Kind::Strengthened, true) => {
            claim(&mut it, 0, vec![rests(x, step, rest), rests(x, 2 * step, rest)]);
            (it, None, vec![6])
        }
        (Kind::Strengthened, false) => {
            claim(&mut it, 1, vec![below(i, end - 1 - chance.below(9) as u32)]);
            (it, None, vec![8])
        }
        (Kind::Removed, _) => {
            claim(&mut it, usize::from(!first), Vec::new());
            (it, None, vec![if first { 7 } else { 9 }, 8])
        }
        (Kind::Moved, true) => {
            claim(&mut it, 0, vec![below(i, end)]);
            claim(&mut it, 1, vec![rests(x, step, rest)]);
            (it, None, vec![7, 9, 8])
        }
        (Kind::Moved, false) => {
            // To the loop that was unrolled.
            let list = it.cuts.remove(&heads[1]).unwrap_or_default();
            claim(&mut it, 2, list);
            (it, None, vec![8, 10, 11])
        }
        (Kind::BoundLowered, true) => {
            it.unroll = chance.below(it.unroll as usize) as u32;
            (it, None, vec![10])
        }
        (Kind::BoundLowered, false) => {
            it.recursion = chance.below(it.recursion as usize) as u32;
            (it, None, vec![2, 12])
        }
        (Kind::OtherProgram, _) => {
            // One that goes wrong; where the name of the program is forged, too, the place where it does is named.
            let (text, line) = match chance.below(3) {
                0 => (numbers.text().replace("x += ", "x += 1 + "), vec![6]),
                1 => (numbers.text().replace("i++;", "i += 2;"), vec![8, 9]),
                _ => (numbers.text().replace("sum += j", "sum += 1 + j"), vec![11]),
            };
            let other = load(&text);
            let is_forged = chance.chance(70);
            if is_forged {
                it.program = hash(&other.program);
            }
            (it, Some(other), if is_forged { line } else { Vec::new() })
        }
        (Kind::OtherProperty, _) => {
            it.classes.push(Class::Overflow);
            (it, None, vec![5])
        }
        (Kind::DamagedBytes, _) => (it, None, Vec::new()),
    }
}

#[test]
fn none_that_is_no_proof_is_accepted() {
    let mut chance = Rng::new(500);
    let mut known: BTreeMap<Numbers, Proved> = BTreeMap::new();
    let mut counts: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    for at in 0..TAMPERINGS {
        let numbers = Numbers::any(&mut chance);
        let proved = known.entry(numbers).or_insert_with(|| proved(numbers));
        let kind = KINDS[at % KINDS.len()];
        let (count, accepted) = counts.entry(kind).or_default();
        *count += 1;
        if kind == Kind::DamagedBytes {
            *accepted += usize::from(damaged(proved, &mut chance));
            continue;
        }
        let (tampered, other, lines) = tamper(kind, numbers, proved, &mut chance);
        let tampered = Certificate::read(&tampered.print()).expect("it is well-formed");
        let loaded = other.as_ref().unwrap_or(&proved.loaded);
        match certify(&loaded.program, &tampered, &Budget::unlimited()) {
            Ok(_) => panic!("{kind:?} is accepted:\n{}\n{}", tampered.print(), numbers.text()),
            Err(Rejected::At(span, why)) => {
                let line = loaded.sources.position(span).line;
                assert!(lines.contains(&line), "{kind:?}: line {line}: {why}\n{}", numbers.text());
            }
            Err(Rejected::Unfit(why)) => {
                assert!(lines.is_empty() && why.contains("another program"), "{kind:?}: {why}");
            }
            Err(Rejected::Exhausted(limit)) => panic!("{limit}"),
            Err(Rejected::Mistaken(what)) => panic!("{what}"),
        }
    }
    println!("{counts:?}: tampered with, accepted; {} programs", known.len());
}

/// One byte is another; whether what it says is still accepted: then it says it of this program and property.
fn damaged(proved: &Proved, chance: &mut Rng) -> bool {
    let mut bytes = proved.certificate.print().into_bytes();
    let at = chance.below(bytes.len());
    // Another one of the 95 that can be printed.
    let before = bytes[at].saturating_sub(b' ') as usize;
    bytes[at] = b' ' + ((before + 1 + chance.below(94)) % 95) as u8;
    let text = String::from_utf8(bytes).expect("it is ASCII");
    let read = match Certificate::read(&text) {
        Ok(read) => read,
        Err(why) => {
            assert!(why.contains("line") || why.contains("ends without"), "{why}");
            return false;
        }
    };
    match certify(&proved.loaded.program, &read, &Budget::unlimited()) {
        Ok(_) => {
            assert_eq!(read.program, proved.certificate.program);
            assert_eq!(read.classes, proved.certificate.classes);
            assert!(read.unroll >= proved.certificate.unroll, "{text}");
            assert!(read.recursion >= proved.certificate.recursion, "{text}");
            true
        }
        Err(Rejected::At(span, _)) => {
            assert!(proved.loaded.sources.position(span).line >= 1);
            false
        }
        Err(Rejected::Unfit(why)) => {
            let is_named = ["loop at", "program", "k is", "v", "ill-typed"];
            assert!(is_named.iter().any(|it| why.contains(it)), "{why}");
            false
        }
        Err(Rejected::Exhausted(limit)) => panic!("{limit}"),
        Err(Rejected::Mistaken(what)) => panic!("{what}"),
    }
}

//! Every rule on its own: what it returns means what its operator means. At widths up to 4 for all
//! values of the variables, at widths up to 128 for random values. A rule that never fires fails.

use std::collections::BTreeMap;

use hardbop_gen::rng::Rng;

use super::*;
use crate::eval::{ArrayValue, Evaluator, Model};
use crate::random::RandomTerms;
use crate::term::{Sort, Term, VarId};
use crate::word;

/// After so many checked answers a rule is only counted.
const ENOUGH: u32 = 100;

/// How often each rule fired.
type Tally = BTreeMap<String, u32>;

/// Models to try for these terms: all, if the variables have few bits, else random ones.
fn models(terms: &Terms, roots: &[TermId], random: &mut RandomTerms<'_>) -> Vec<Model> {
    let vars: Vec<(VarId, u32)> = terms
        .cone(roots)
        .into_iter()
        .filter_map(|term| match terms.node(term) {
            Term::Var(var) => Some((var, terms.width(term))),
            _ => None,
        })
        .collect();
    let n_bits: u32 = vars.iter().map(|&(_, width)| width).sum();
    if n_bits <= 9 {
        return (0..1u128 << n_bits)
            .map(|mut number| {
                let mut model = Model::new();
                for &(var, width) in &vars {
                    model.set(var, number & word::ones(width));
                    number >>= width;
                }
                model
            })
            .collect();
    }
    (0..24)
        .map(|_| {
            let mut model = Model::new();
            for &(var, width) in &vars {
                let value = random.value(width);
                model.set(var, value);
            }
            model
        })
        .collect()
}

/// Compares a rule's answer with the meaning of what it was asked, if it answered.
fn check(
    tally: &mut Tally,
    name: String,
    terms: &Terms,
    random: &mut RandomTerms<'_>,
    operands: &[TermId],
    answer: Option<TermId>,
    meaning: impl Fn(&[u128]) -> u128,
) {
    let fired = tally.entry(name.clone()).or_default();
    let Some(answer) = answer else { return };
    *fired += 1;
    if *fired > ENOUGH {
        return;
    }
    let roots: Vec<TermId> = operands.iter().copied().chain([answer]).collect();
    for model in models(terms, &roots, random) {
        let mut evaluator = Evaluator::new(terms, &model);
        let values: Vec<u128> = operands.iter().map(|&term| evaluator.value(term)).collect();
        let found = evaluator.value(answer);
        let nodes: Vec<Term> = roots.iter().map(|&term| terms.node(term)).collect();
        assert_eq!(found, meaning(&values), "{name} on {values:x?}: {nodes:?}");
    }
}

/// Operands for a binary operator; related ones often, since many rules want that.
fn operands(terms: &mut Terms, random: &mut RandomTerms<'_>, width: u32) -> (TermId, TermId) {
    let depth = 1 + random.below(3);
    let a = random.term(terms, width, depth);
    let b = match random.below(8) {
        0 => a,
        1 => terms.not(a),
        2 => {
            let y = random.term(terms, width, 1);
            let op = BinaryOp::ALL[random.below(3) as usize];
            terms.binary(op, a, y)
        }
        3 => {
            let (y, not) = (random.term(terms, width, 1), terms.not(a));
            let both = terms.and(if y.as_u32() % 2 == 0 { not } else { a }, y);
            if random.below(2) == 0 { both } else { terms.not(both) }
        }
        4 => {
            // A neighbour in a sum or a difference.
            let (y, opposite) = (random.term(terms, width, 1), terms.neg(a));
            terms.add(if random.below(2) == 0 { a } else { opposite }, y)
        }
        5 => {
            // The same shape around other operands.
            match terms.node(a) {
                Term::Unary(op, x) => {
                    let y = random.term(terms, terms.width(x), 1);
                    terms.unary(op, y)
                }
                Term::Binary(op, x, y) if op.width(1, 1) != 1 || terms.width(x) == width => {
                    let z = random.term(terms, terms.width(y), 1);
                    terms.binary(op, x, z)
                }
                Term::Binary(BinaryOp::Concat, x, y) => {
                    let z = random.term(terms, terms.width(y), 1);
                    terms.concat(x, z)
                }
                Term::SignExtend { term, width } => {
                    let y = random.term(terms, terms.width(term), 1);
                    terms.sign_extend(y, width)
                }
                Term::Ite(c, ..) => {
                    let (x, y) = (random.term(terms, width, 1), random.term(terms, width, 1));
                    terms.ite(c, x, y)
                }
                Term::Extract { term, low, .. } if low >= width => {
                    terms.extract(term, low - 1, low - width)
                }
                _ => random.term(terms, width, depth),
            }
        }
        _ => random.term(terms, width, depth),
    };
    if random.below(2) == 0 { (a, b) } else { (b, a) }
}

fn run_all(seed: u64, max_width: u32, rounds: u32) -> Tally {
    let mut tally = Tally::new();
    let mut rng = Rng::new(seed);
    let mut draw = move || rng.next_u64();
    let mut terms = Terms::new();
    let mut random = RandomTerms::new(&mut draw, max_width);
    for round in 0..rounds {
        if round % 2000 == 0 {
            terms = Terms::new();
            random.vars.clear();
        }
        let width = random.width();
        let (a, b) = operands(&mut terms, &mut random, width);
        binary_rules(&mut tally, &mut terms, &mut random, a, b);
        unary_rules(&mut tally, &mut terms, &mut random, a);
        ite_rules(&mut tally, &mut terms, &mut random, a, b);
        slice_rules(&mut tally, &mut terms, &mut random, a);
    }
    tally
}

fn binary_rules(
    tally: &mut Tally,
    terms: &mut Terms,
    random: &mut RandomTerms<'_>,
    a: TermId,
    b: TermId,
) {
    let width = terms.width(a);
    for op in BinaryOp::ALL {
        if op == BinaryOp::Concat && 2 * width > random.max_width {
            continue;
        }
        let meaning = |values: &[u128]| word::binary(op, width, width, values[0], values[1]);
        for rule in generic::BINARY {
            let answer = (rule.apply)(terms, op, a, b);
            check(tally, format!("{op:?} {}", rule.name), terms, random, &[a, b], answer, meaning);
        }
        for rule in binary_table(op) {
            let answer = (rule.apply)(terms, a, b);
            check(tally, format!("{op:?} {}", rule.name), terms, random, &[a, b], answer, meaning);
        }
    }
}

fn unary_rules(tally: &mut Tally, terms: &mut Terms, random: &mut RandomTerms<'_>, a: TermId) {
    let width = terms.width(a);
    for op in [UnaryOp::Not, UnaryOp::Neg] {
        let meaning = |values: &[u128]| word::unary(op, width, values[0]);
        let answer = generic::fold_unary(terms, op, a);
        check(tally, format!("{op:?} fold"), terms, random, &[a], answer, meaning);
        for rule in unary_table(op) {
            let answer = (rule.apply)(terms, a);
            check(tally, format!("{op:?} {}", rule.name), terms, random, &[a], answer, meaning);
        }
    }
}

fn ite_rules(
    tally: &mut Tally,
    terms: &mut Terms,
    random: &mut RandomTerms<'_>,
    mut a: TermId,
    mut b: TermId,
) {
    let mut condition = random.term(terms, 1, 2);
    let y = random.term(terms, terms.width(a), 1);
    match random.below(10) {
        0 => a = terms.ite(condition, a, y),
        1 => b = terms.ite(condition, y, b),
        2 => {
            let inner = random.term(terms, 1, 1);
            let shared = if random.below(2) == 0 { (a, y) } else { (y, a) };
            b = terms.ite(inner, shared.0, shared.1);
        }
        3 => {
            let inner = random.term(terms, 1, 1);
            let shared = if random.below(2) == 0 { (b, y) } else { (y, b) };
            a = terms.ite(inner, shared.0, shared.1);
        }
        4 if terms.width(a) == 1 => condition = a,
        5 if terms.width(a) == 1 => condition = b,
        _ => {}
    }
    for rule in choice::ITE {
        let answer = (rule.apply)(terms, condition, a, b);
        let operands = [condition, a, b];
        check(tally, rule.name.into(), terms, random, &operands, answer, |values| {
            if values[0] == 1 { values[1] } else { values[2] }
        });
    }
}

fn slice_rules(tally: &mut Tally, terms: &mut Terms, random: &mut RandomTerms<'_>, a: TermId) {
    let width = terms.width(a);
    let low = random.below(width);
    let high = low + random.below(width - low);
    for (high, low) in [(high, low), (width - 1, 0)] {
        for rule in slice::EXTRACT {
            let answer = (rule.apply)(terms, a, high, low);
            check(tally, rule.name.into(), terms, random, &[a], answer, |values| {
                word::extract(values[0], high, low)
            });
        }
    }
    if width < random.max_width {
        let wide = width + 1 + random.below(random.max_width - width);
        for rule in slice::SIGN_EXTEND {
            let answer = (rule.apply)(terms, a, wide);
            check(tally, rule.name.into(), terms, random, &[a], answer, |values| {
                word::sign_extend(width, wide, values[0])
            });
        }
    }
}

/// Rules that hardly ever had anything to do.
fn dead_rules(tally: &Tally) -> Vec<&String> {
    tally.iter().filter(|&(_, &fired)| fired < 3).map(|(name, _)| name).collect()
}

#[test]
fn every_rule_is_right_for_all_values_at_small_widths() {
    let tally = run_all(1, 4, 40_000);
    assert_eq!(dead_rules(&tally), Vec::<&String>::new());
    assert!(tally.len() > 100, "{} rules", tally.len());
}

#[test]
fn every_rule_is_right_for_random_values_at_large_widths() {
    // Rules for single bits are rare here; the small widths see to them.
    let tally = run_all(2, 128, 30_000);
    let dead = dead_rules(&tally);
    assert!(dead.iter().all(|name| name.contains("_bit")), "{dead:?}");
}

/// Reads over writes: the simplified read against one that evaluates every write.
#[test]
fn array_rules_keep_what_is_read() {
    let mut rng = Rng::new(3);
    let mut draw = move || rng.next_u64();
    let mut random = RandomTerms::new(&mut draw, 4);
    let mut rewritten = 0;
    for _ in 0..4_000 {
        let mut terms = Terms::new();
        random.vars.clear();
        let base = terms.array_var("m", 3, 4);
        let Term::Var(memory) = terms.node(base) else { unreachable!("just made") };
        let mut array = base;
        let mut writes = Vec::new();
        for _ in 0..random.below(5) {
            let index = random.term(&mut terms, 3, 1);
            let value = if random.below(4) == 0 {
                terms.select(array, index)
            } else {
                random.term(&mut terms, 4, 1)
            };
            array = terms.store(array, index, value);
            writes.push((index, value));
        }
        let index = random.term(&mut terms, 3, 1);
        let read = terms.select(array, index);
        rewritten += u32::from(terms.node(read) != Term::Select { array, index });
        for _ in 0..8 {
            let mut model = Model::new();
            let vars: Vec<(VarId, Sort)> = terms
                .vars()
                .iter_enumerated()
                .map(|(id, var)| (id, terms.sort(var.term)))
                .collect();
            for (id, sort) in vars {
                if let Sort::Bits(width) = sort {
                    model.set(id, random.value(width));
                }
            }
            let held: ArrayValue =
                ArrayValue { default: 0, entries: (0..8).map(|i| (i, random.value(4))).collect() };
            let mut cells: Vec<u128> = (0..8).map(|i| held.get(i)).collect();
            model.set_array(memory, held);
            for &(index, value) in &writes {
                let (index, value) = (terms.eval(index, &model), terms.eval(value, &model));
                cells[index as usize] = value;
            }
            let at = terms.eval(index, &model) as usize;
            assert_eq!(terms.eval(read, &model), cells[at]);
        }
    }
    assert!(rewritten > 200, "{rewritten}");
}

//! What the solver promises beyond the meaning of terms: increments, cores, limits, depth, arrays.

use std::time::Duration;

use hardbop_base::{Budget, CancelToken, Exhausted};
use hardbop_smt::{Answer, Solver, TermId, Terms};

fn unlimited() -> Budget {
    Budget::unlimited()
}

#[test]
fn assertions_stay_and_assumptions_go() {
    let (mut terms, mut solver) = (Terms::new(), Solver::default());
    let x = terms.var("x", 32);
    let (ten, twenty) = (terms.constant(32, 10), terms.constant(32, 20));
    let (above, below) = (terms.slt(twenty, x), terms.slt(x, ten));
    assert_eq!(solver.check(&mut terms, &[above], &unlimited()), Answer::Sat);
    assert!(solver.value(&terms, x) > 20);
    solver.assert(below);
    let other = terms.var("y", 1);
    assert_eq!(solver.check(&mut terms, &[other, above], &unlimited()), Answer::Unsat(vec![above]));
    assert_eq!(solver.check(&mut terms, &[other], &unlimited()), Answer::Sat);
    assert_eq!(solver.value(&terms, below), 1);
    solver.assert(above);
    assert_eq!(solver.check(&mut terms, &[other], &unlimited()), Answer::Unsat(vec![]));
}

/// `x * (y + 1) = x * y + x`, hidden from the simplifier: a hard query.
fn distributivity(terms: &mut Terms, width: u32) -> TermId {
    let (x, y, z) = (terms.var("x", width), terms.var("y", width), terms.var("z", width));
    let sum = terms.add(y, z);
    let (left, a, b) = (terms.mul(x, sum), terms.mul(x, y), terms.mul(x, z));
    let right = terms.add(a, b);
    terms.ne(left, right)
}

#[test]
fn a_limit_ends_a_hard_query_and_the_solver_can_go_on() {
    let mut terms = Terms::new();
    let hard = distributivity(&mut terms, 32);
    let easy = terms.var("b", 1);
    let mut solver = Solver::default();
    let limit = Duration::from_millis(300);
    let answer = solver.check(&mut terms, &[hard], &unlimited().with_time(limit));
    assert_eq!(answer, Answer::Unknown(Exhausted::Time(limit)));
    assert_eq!(solver.check(&mut terms, &[easy], &unlimited()), Answer::Sat);
    let cancel = CancelToken::default();
    cancel.cancel();
    let answer = solver.check(&mut terms, &[hard], &unlimited().with_cancel(cancel));
    assert_eq!(answer, Answer::Unknown(Exhausted::Cancelled));
}

#[test]
#[cfg(feature = "cadical")]
fn a_hard_query_moves_to_the_strong_back_end_and_keeps_what_was_asserted() {
    use hardbop_smt::Backend;
    let mut terms = Terms::new();
    let mut solver = Solver::default();
    let (p, q) = (terms.var("p", 1), terms.var("q", 1));
    let (implies, not_q) = (terms.implies(p, q), terms.not(q));
    solver.assert(implies);
    assert_eq!(solver.check(&mut terms, &[p], &unlimited()), Answer::Sat);
    assert_eq!(solver.backend(), Backend::Batsat);
    let hard = distributivity(&mut terms, 32);
    let limit = unlimited().with_time(Duration::from_secs(20));
    // Whether it is solved in the time does not matter here.
    let mut n_checks = 0;
    while solver.backend() == Backend::Batsat && limit.check().is_ok() {
        let short = unlimited().with_time(Duration::from_secs(4));
        assert_ne!(solver.check(&mut terms, &[hard], &short), Answer::Sat);
        n_checks += 1;
    }
    assert_eq!(solver.backend(), Backend::Cadical, "after {n_checks} tries");
    assert_eq!(solver.check(&mut terms, &[p], &unlimited()), Answer::Sat);
    assert_eq!(solver.value(&terms, q), 1);
    let answer = solver.check(&mut terms, &[not_q, p], &unlimited());
    let Answer::Unsat(mut core) = answer else { panic!("{answer:?}") };
    core.sort();
    assert_eq!(core, [p, not_q]);
}

#[test]
fn deep_terms_need_no_stack() {
    let (mut terms, mut solver) = (Terms::new(), Solver::default());
    let (x, step) = (terms.var("x", 2), terms.var("s", 2));
    let mut deep = x;
    for _ in 0..100_000 {
        let next = terms.xor(deep, step);
        deep = terms.add(next, x);
    }
    let zero = terms.constant(2, 0);
    let (x_zero, s_zero) = (terms.eq(x, zero), terms.eq(step, zero));
    let deep_zero = terms.eq(deep, zero);
    let deep_not = terms.not(deep_zero);
    let answer = solver.check(&mut terms, &[x_zero, s_zero, deep_not], &unlimited());
    assert!(matches!(answer, Answer::Unsat(_)));
    let mut chain = terms.array_var("m", 16, 2);
    for i in 0..50_000 {
        let index = terms.constant(16, i);
        chain = terms.store(chain, index, x);
    }
    let far = terms.constant(16, 60_000);
    let read = terms.select(chain, far);
    let different = terms.ne(read, x);
    assert_eq!(solver.check(&mut terms, &[different], &unlimited()), Answer::Sat);
}

/// A chain of choices whose branches are deep as well, through every rule that looks below.
#[test]
fn long_chains_of_choices_need_no_stack() {
    let (mut terms, mut solver) = (Terms::new(), Solver::default());
    let (mut high, mut low) = (terms.var("h", 8), terms.var("l", 8));
    for i in 0..20_000u128 {
        let condition = terms.var("c", 1);
        let constant = terms.constant(8, i % 7);
        high = terms.ite(condition, constant, high);
        low = terms.ite(condition, constant, low);
    }
    let word = terms.concat(high, low);
    let value = terms.constant(16, 0x0303);
    let goal = terms.eq(word, value);
    assert_eq!(solver.check(&mut terms, &[goal], &unlimited()), Answer::Sat);
    assert_eq!(solver.value(&terms, word), 0x0303);
}

#[test]
fn unknown_arrays_are_functions() {
    let (mut terms, mut solver) = (Terms::new(), Solver::default());
    let memory = terms.array_var("m", 32, 8);
    let (i, j, v) = (terms.var("i", 32), terms.var("j", 32), terms.var("v", 8));
    let written = terms.store(memory, i, v);
    let read = terms.select(written, j);
    let before = terms.select(memory, j);
    let (changed, elsewhere) = (terms.ne(read, before), terms.ne(i, j));
    assert_eq!(solver.check(&mut terms, &[changed], &unlimited()), Answer::Sat);
    assert_eq!(solver.value(&terms, elsewhere), 0);
    let answer = solver.check(&mut terms, &[changed, elsewhere], &unlimited());
    assert!(matches!(answer, Answer::Unsat(_)));
    let at_i = terms.select(memory, i);
    let (same, differ) = (terms.eq(i, j), terms.ne(at_i, before));
    let answer = solver.check(&mut terms, &[same, differ], &unlimited());
    let Answer::Unsat(mut core) = answer else { panic!("{answer:?}") };
    core.sort();
    assert_eq!(core, [same, differ]);
    assert!(solver.stats().n_array_lemmas > 0);
}

/// A word is written byte by byte and read back as a word: nothing is left to solve.
#[test]
fn bytes_of_a_word_are_the_word() {
    let mut terms = Terms::new();
    let (word, old) = (terms.var("w", 32), terms.var("old", 32));
    let condition = terms.var("c", 1);
    let bytes: Vec<TermId> = (0..4)
        .map(|k| {
            let new = terms.extract(word, 8 * k + 7, 8 * k);
            let old = terms.extract(old, 8 * k + 7, 8 * k);
            terms.ite(condition, new, old)
        })
        .collect();
    let read = bytes[1..].iter().fold(bytes[0], |low, &byte| terms.concat(byte, low));
    assert_eq!(read, terms.ite(condition, word, old));
}

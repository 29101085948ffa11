//! Every operator at widths 1 to 4, every pair of values, through the whole solver.

use hardbop_base::Budget;
use hardbop_smt::{Answer, Backend, BinaryOp, Solver, TermId, Terms, UnaryOp, word};

const BACKENDS: &[Backend] = &[
    Backend::Batsat,
    #[cfg(feature = "cadical")]
    Backend::Cadical,
];

/// With the variables fixed, the term has the value and can have no other.
fn check(
    solver: &mut Solver,
    terms: &mut Terms,
    fixed: &[(TermId, u128)],
    (term, value): (TermId, u128),
) {
    let mut assumptions: Vec<TermId> = Vec::new();
    for &(var, value) in fixed {
        let value = terms.constant(terms.width(var), value);
        assumptions.push(terms.eq(var, value));
    }
    let expected = terms.constant(terms.width(term), value);
    let same = terms.eq(term, expected);
    assumptions.push(same);
    let budget = Budget::unlimited();
    assert_eq!(solver.check(terms, &assumptions, &budget), Answer::Sat, "{fixed:?} {value}");
    *assumptions.last_mut().expect("just pushed") = terms.not(same);
    let answer = solver.check(terms, &assumptions, &budget);
    assert!(matches!(answer, Answer::Unsat(_)), "{fixed:?} {value}");
}

fn pairs(width: u32) -> impl Iterator<Item = (u128, u128)> {
    (0..1 << width).flat_map(move |a| (0..1 << width).map(move |b| (a, b)))
}

#[test]
fn binary_operators() {
    for (&backend, width) in BACKENDS.iter().flat_map(|b| (1..=4).map(move |w| (b, w))) {
        let (mut terms, mut solver) = (Terms::new(), Solver::new(backend));
        let (x, y) = (terms.var("x", width), terms.var("y", width));
        for op in BinaryOp::ALL {
            let term = terms.binary(op, x, y);
            for (a, b) in pairs(width) {
                let value = word::binary(op, width, width, a, b);
                check(&mut solver, &mut terms, &[(x, a), (y, b)], (term, value));
            }
        }
    }
}

/// By each constant: the recoded multiplier, the shifts that are wires, the rules.
#[test]
fn binary_operators_with_a_constant() {
    for width in 1..=4 {
        let (mut terms, mut solver) = (Terms::new(), Solver::new(Backend::Batsat));
        let x = terms.var("x", width);
        for (op, constant) in
            BinaryOp::ALL.into_iter().flat_map(|op| (0..1 << width).map(move |c| (op, c)))
        {
            let c = terms.constant(width, constant);
            let (left, right) = (terms.binary(op, c, x), terms.binary(op, x, c));
            for a in 0..1 << width {
                let value = word::binary(op, width, width, constant, a);
                check(&mut solver, &mut terms, &[(x, a)], (left, value));
                let value = word::binary(op, width, width, a, constant);
                check(&mut solver, &mut terms, &[(x, a)], (right, value));
            }
        }
    }
}

#[test]
fn negation_choice_slices_and_signs() {
    for width in 1..=4 {
        let (mut terms, mut solver) = (Terms::new(), Solver::new(Backend::Batsat));
        let (x, y, c) = (terms.var("x", width), terms.var("y", width), terms.var("c", 1));
        let choice = terms.ite(c, x, y);
        for (a, b) in pairs(width) {
            check(&mut solver, &mut terms, &[(c, 1), (x, a), (y, b)], (choice, a));
            check(&mut solver, &mut terms, &[(c, 0), (x, a), (y, b)], (choice, b));
        }
        for a in 0..1 << width {
            for op in [UnaryOp::Not, UnaryOp::Neg] {
                let term = terms.unary(op, x);
                check(&mut solver, &mut terms, &[(x, a)], (term, word::unary(op, width, a)));
            }
            for (high, low) in (0..width).flat_map(|high| (0..=high).map(move |low| (high, low))) {
                let term = terms.extract(x, high, low);
                let value = word::extract(a, high, low);
                check(&mut solver, &mut terms, &[(x, a)], (term, value));
            }
            for wide in width..=6 {
                let term = terms.sign_extend(x, wide);
                let value = word::sign_extend(width, wide, a);
                check(&mut solver, &mut terms, &[(x, a)], (term, value));
            }
        }
    }
}

/// The signed division of C: towards zero, the remainder with the sign of the dividend.
#[test]
fn signed_division() {
    for width in 1..=4 {
        let (mut terms, mut solver) = (Terms::new(), Solver::new(Backend::Batsat));
        let (x, y) = (terms.var("x", width), terms.var("y", width));
        let (quotient, remainder) = (terms.sdiv(x, y), terms.srem(x, y));
        for (a, b) in pairs(width) {
            let (dividend, divisor) = (word::signed(width, a), word::signed(width, b));
            let ones = word::ones(width);
            let (q, r) = match divisor {
                0 => (if dividend < 0 { 1 } else { -1 }, dividend),
                _ => (dividend / divisor, dividend % divisor),
            };
            check(&mut solver, &mut terms, &[(x, a), (y, b)], (quotient, q as u128 & ones));
            check(&mut solver, &mut terms, &[(x, a), (y, b)], (remainder, r as u128 & ones));
        }
    }
}

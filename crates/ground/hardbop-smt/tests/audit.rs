//! Mistakes that are made on purpose, in a process of their own, are found by samples.

use hardbop_base::Budget;
use hardbop_base::fault::{Fault, Layer, under};
use hardbop_smt::audit::{Flaw, audit};
use hardbop_smt::{Blaster, Terms};

/// Some terms that all rules and circuits with faults have a part in.
fn audited() -> Result<Vec<u64>, Flaw> {
    let (mut terms, mut blaster) = (Terms::new(), Blaster::default());
    let [a, b] = ["a", "b"].map(|name| terms.var(name, 16));
    let c = terms.var("c", 1);
    let [zero, one, three, five, eight, minus] =
        [0, 1, 3, 5, 8, 0xfffb].map(|it| terms.constant(16, it));
    let (wide_a, wide_b) = (terms.sign_extend(a, 32), terms.sign_extend(b, 32));
    let sum = terms.add(a, three);
    let low = terms.extract(a, 11, 4);
    let mut made = vec![
        terms.slt(wide_a, wide_b),
        terms.slt(a, zero),
        terms.slt(a, b),
        terms.ult(a, one),
        terms.eq(sum, five),
        terms.eq(a, b),
    ];
    made.extend([terms.ashr(minus, one), terms.mul(a, eight), terms.mul(a, b), terms.shl(a, b)]);
    made.extend([terms.udiv(a, b), terms.extract(low, 5, 2), terms.add(a, b), wide_a]);
    let (d, inner) = (terms.slt(b, a), terms.ite(c, a, b));
    let both = terms.and(a, b);
    let not_both = terms.not(both);
    made.extend([terms.ite(d, inner, b), inner, terms.and(a, not_both)]);
    let extended = terms.sign_extend(sum, 17);
    made.push(extended);
    for term in made {
        let budget = Budget::unlimited();
        blaster.blast(&terms, term, &mut budget.meter(1)).expect("no limit was set");
    }
    audit(&terms, &blaster, &Budget::unlimited(), |_| Ok(()))
}

/// Operators that are made of others are another matter: whoever asks for them knows what they mean.
#[test]
fn mistakes_of_rules_and_circuits_are_found_and_nothing_else_is() {
    assert!(audited().is_ok());
    let is_derived = |it: Fault| {
        use Fault::*;
        matches!(
            it,
            ZeroExtensionWithSign
                | QuotientWithoutSign
                | RemainderWithoutSign
                | NoOverflow
                | ProductsFit
                | AtMostIsBelow
                | GateOneSided
                | GateChoice
        )
    };
    let ours =
        |it: &&Fault| matches!(it.layer(), Layer::Terms | Layer::Circuits) && !is_derived(**it);
    let mut hidden = Vec::new();
    for &fault in Fault::ALL.iter().filter(ours) {
        let found = under(fault, audited);
        if !matches!(found, Err(Flaw::Mistake(_))) {
            hidden.push(fault);
        }
    }
    assert_eq!(hidden, []);
}

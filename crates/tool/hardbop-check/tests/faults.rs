//! Mistakes made on purpose, in a process of their own: an engine is led astray, and what it then calls safe is not certified.
//! `hardbop-fuzz faults` makes all of them.

use std::path::Path;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::fault::{Fault, under};
use hardbop_c::CProgram;
use hardbop_check::{CRequest, Outcome, Request, Subject, Verdict, check, entry_named};
use hardbop_cir::Class;
use hardbop_engine::RunCtx;

/// A fault in each part of the chain, an engine that it leads astray, and on which program.
const LED_ASTRAY: [(Fault, &str, &str); 9] = [
    (Fault::SliceLosesStores, "bmc", "pointer_either"),
    (Fault::SliceLosesBranches, "bmc", "branch_sets"),
    (Fault::InlineForgetsArgument, "bmc", "argument"),
    (Fault::BoundIsProof, "bmc", "counter_to_input"),
    (Fault::ForgetsNoRegisters, "kind", "counter"),
    (Fault::TracesInfeasible, "cegar", "counter_to_input"),
    (Fault::NeverNegative, "bmc", "negative"),
    (Fault::QuotientWithoutSign, "bmc", "quotient"),
    (Fault::NoCarry, "bmc", "carry"),
];

fn load(name: &str) -> CProgram {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/faults");
    let text = std::fs::read_to_string(root.join(name).with_extension("c")).expect("it is there");
    let options = hardbop_c::Options { classes: vec![Class::Assert], ..Default::default() };
    hardbop_c::load_text(vec![("t.c".into(), text)], &options).expect("it is C")
}

fn ask(loaded: &CProgram, engine: &str) -> Outcome {
    let c = CRequest { classes: vec![Class::Assert], ..CRequest::default() };
    let engine = entry_named(engine);
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    check(Subject::C(loaded), &Request { engine, c, ..Request::default() }, &RunCtx::new(budget))
}

#[test]
fn what_is_wrongly_called_safe_is_not_certified() {
    let mut useless = Vec::new();
    for (fault, engine, name) in LED_ASTRAY {
        let loaded = load(name);
        let told = under(fault, || ask(&loaded, engine));
        if told.verdict != Verdict::Safe {
            useless.push((fault, engine, name));
            continue;
        }
        assert!(!told.certified, "{fault:?}: {engine} on {name}");
        assert!(told.lacks.is_some(), "{fault:?}: {engine} on {name}");
    }
    assert_eq!(useless, [], "these lead nobody astray");
    // None of these is safe.
    for (_, _, name) in LED_ASTRAY {
        let told = ask(&load(name), "bmc");
        assert!(matches!(told.verdict, Verdict::Unsafe(_)), "{name}: {:?}", told.verdict);
    }
}

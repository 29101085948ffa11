//! Random Petri nets with few tokens, some with tests for an exact number: backward search within place invariants says
//! what plain enumeration says, its certificates are accepted, and one with a bound that does not hold is refused.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify_net;
use hardbop_engine::{RunCtx, Verdict};
use hardbop_evidence::{Certificate, NetBound, NetProof, NetSet};
use hardbop_gen::rng::Rng;
use hardbop_net::{Marking, Net, Question, replay, spec};
use hardbop_threads::cover::net_check::{Covered, NetEngine, check};
use rustc_hash::FxHashSet;

/// States beyond which nothing is enumerated.
const MOST_STATES: usize = 3000;

/// Tokens move, now and then one appears or vanishes, or all of a place move.
fn random_net(seed: u64, has_tests: bool) -> (Net, Question, String) {
    let mut rng = Rng::new(seed);
    let n_places = 3 + rng.below(4);
    let mut text = String::from("vars");
    (0..n_places).for_each(|place| text += &format!(" x{place}"));
    text += "\nrules\n";
    for _ in 0..2 + rng.below(7) {
        let (from, to) = (rng.below(n_places), rng.below(n_places));
        if from == to {
            continue;
        }
        let side = (0..n_places).find(|it| ![from, to].contains(it)).expect("there is a third");
        text += &format!("x{from} >= 1");
        if has_tests && rng.below(3) == 0 {
            text += &format!(", x{side} = {}", rng.below(2));
        } else if rng.below(3) == 0 {
            text += &format!(", x{side} >= 1");
        }
        text += &match rng.below(8) {
            0 => format!(" -> x{to}' = x{to} + 1;\n"),
            1 => format!(" -> x{from}' = x{from} - 1;\n"),
            2 => format!(" -> x{to}' = x{to} + x{from}, x{from}' = 0;\n"),
            _ => format!(" -> x{from}' = x{from} - 1, x{to}' = x{to} + 1;\n"),
        };
    }
    let init: Vec<_> = (0..n_places).map(|place| format!("x{place} = {}", rng.below(3))).collect();
    let (one, other) = (rng.below(n_places), rng.below(n_places));
    text += &format!(
        "init {}\ntarget x{one} >= {}, x{other} >= 1\n",
        init.join(", "),
        1 + rng.below(3)
    );
    text += &format!("invariants x{one} = 1, x{other} = 2 x0 = 1, x1 = 1, x2 = 1\n");
    let (net, question) =
        spec::parse(&SourceFile::new("t.spec", text.as_str())).expect("the net is right");
    (net, question, text)
}

/// Whether a target is covered, by the definition of a step; none if there are too many states.
fn enumerated(net: &Net, question: &Question) -> Option<bool> {
    let initial =
        question.initial.ranges.iter().map(|it| (it.place, it.high.expect("it is finite")));
    let mut work = vec![Marking::new(0, initial)];
    let mut seen: FxHashSet<Vec<(u32, u32)>> = FxHashSet::default();
    while let Some(state) = work.pop() {
        if question.targets.iter().any(|target| state.covers(target)) {
            return Some(true);
        }
        if !seen.insert(state.counts.clone()) {
            continue;
        }
        if seen.len() > MOST_STATES {
            return None;
        }
        for rule in &net.rules {
            let has_all = rule.take.iter().all(|&(place, n)| state.get(place) >= n);
            let is_few = rule.at_most.iter().all(|&(place, n)| state.get(place) <= n);
            if !has_all || !is_few {
                continue;
            }
            let mut after = rule.put.clone();
            for &(place, n) in &state.counts {
                let taken = rule.take.iter().find(|it| it.0 == place).map_or(0, |it| it.1);
                after.extend(rule.targets_of(place).into_iter().map(|to| (to, n - taken)));
            }
            work.push(Marking::new(0, after));
        }
    }
    Some(false)
}

fn proof(certificate: Option<Certificate>) -> NetProof {
    match certificate.expect("a safe answer has a proof") {
        Certificate::Net(proof) => proof,
        other => panic!("no proof about a net: {other:?}"),
    }
}

#[test]
fn bounded_search_says_what_enumeration_says() {
    let (mut n_safe, mut n_unsafe, mut n_bounds, mut n_open) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let (net, question, text) = random_net(seed, seed % 3 == 0);
        let Some(expected) = enumerated(&net, &question) else { continue };
        for engine in [NetEngine::Backward, NetEngine::KarpMiller] {
            // Forward there is no end where broadcasts meet more and more tokens.
            let limit = if engine == NetEngine::Backward { 5000 } else { 20 };
            let budget = Budget::unlimited().with_time(Duration::from_millis(limit));
            let claim = check(&net, &question, engine, &RunCtx::new(budget));
            match claim.answer {
                Verdict::Safe => {
                    assert!(!expected, "seed {seed}, {}\n{text}", engine.name());
                    let proof = proof(claim.certificate);
                    certify_net(&net, &question, &proof, &Budget::unlimited()).unwrap_or_else(
                        |why| panic!("seed {seed}, {}: {why}\n{text}", engine.name()),
                    );
                    n_safe += 1;
                    if let NetSet::Views { bounds, .. } = &proof.set {
                        n_bounds += usize::from(!bounds.is_empty());
                    }
                }
                Verdict::Unsafe(Covered { trace, .. }) => {
                    assert!(expected, "seed {seed}, {}\n{text}", engine.name());
                    assert!(trace.is_some() || !net.has_tests(), "seed {seed}\n{text}");
                    if let Some(trace) = trace {
                        let ran = replay(&net, &question, &trace);
                        assert!(ran.is_ok(), "seed {seed}, {}: {ran:?}\n{text}", engine.name());
                    }
                    n_unsafe += 1;
                }
                Verdict::Unknown(why) => {
                    assert!(net.has_tests() || engine == NetEngine::KarpMiller, "{why:?}\n{text}");
                    n_open += 1;
                }
            }
        }
    }
    println!("{n_safe} safe, {n_unsafe} unsafe, {n_bounds} with bounds, {n_open} open");
    assert!(n_safe > 500 && n_unsafe > 500 && n_bounds > 200 && n_open < n_safe / 4);
}

/// A bound that the net does not keep makes any target unreachable: the certifier must not believe it.
#[test]
fn a_bound_that_does_not_hold_is_refused() {
    let mut n_lies = 0;
    for seed in 0..600 {
        let (net, question, text) = random_net(seed, false);
        if enumerated(&net, &question) != Some(true) {
            continue;
        }
        let budget = Budget::unlimited();
        let targets = question.targets[0].counts.clone();
        for most in 0..3 {
            // Nothing with the tokens of the target is within the bound.
            let too_few = targets.iter().map(|it| it.1).sum::<u32>() > most;
            let bounds =
                vec![NetBound { most, weights: targets.iter().map(|it| (it.0, 1)).collect() }];
            let occurs = vec![(0, (0..net.n_places).collect())];
            let asked = Question { targets: vec![Marking::new(1, [])], ..question.clone() };
            let claim = check(&net, &asked, NetEngine::Backward, &RunCtx::default());
            let mut lie = proof(claim.certificate);
            lie.targets = vec![hardbop_evidence::NetState {
                control: 0,
                counts: targets
                    .iter()
                    .map(|&(at, n)| (at, hardbop_evidence::threads::Count::finite(n)))
                    .collect(),
            }];
            lie.set = NetSet::Views { occurs, never: Vec::new(), bounds };
            n_lies += usize::from(too_few);
            assert!(
                certify_net(&net, &question, &lie, &budget).is_err(),
                "seed {seed}: {lie:?}\n{text}"
            );
        }
    }
    assert!(n_lies > 200, "{n_lies}");
}

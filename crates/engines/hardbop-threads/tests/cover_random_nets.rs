//! Random thread-transition systems with transfers: the engines agree, runs replay, and what few threads can do
//! is never called impossible.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify_net;
use hardbop_engine::{RunCtx, Verdict};
use hardbop_evidence::threads::Count;
use hardbop_evidence::{Certificate, NetProof, NetSet, NetState};
use hardbop_gen::rng::Rng;
use hardbop_net::{Marking, Net, Question, query, replay, tts};
use hardbop_threads::cover::bounded::Bounded;
use hardbop_threads::cover::net_check::{Covered, NetEngine, check};
use hardbop_threads::cover::nets::NetSystem;

fn random_net(seed: u64) -> (Net, Question, String) {
    let mut rng = Rng::new(seed);
    let (n_controls, n_places) = (1 + rng.below(4), 2 + rng.below(4));
    let mut text = format!("{n_controls} {n_places}\n");
    for _ in 0..2 + rng.below(9) {
        let arrow = ["->", "->", "->", "->", "+>", "~>"][rng.below(6)];
        let (from, to) = (rng.below(n_controls), rng.below(n_controls));
        let (local, next) = (rng.below(n_places), rng.below(n_places));
        text += &format!("{from} {local} {arrow} {to} {next}");
        while arrow == "->" && rng.below(5) == 0 {
            text += &format!(" {} ~> {}", rng.below(n_places), rng.below(n_places));
        }
        text.push('\n');
    }
    let init = ["0/0", "0|0", "0|0,1", "0|0/1", "0|1/0,1"][rng.below(5)];
    let mut target = format!("{}|{}", rng.below(n_controls), rng.below(n_places));
    for _ in 0..rng.below(3) {
        target += &format!(",{}", rng.below(n_places));
    }
    let net = tts::parse(&SourceFile::new("t.tts", text.as_str())).expect("the net is right");
    let initial = query::initial(init).expect("the state is right");
    let targets = query::targets(&target).expect("the state is right");
    (net, Question { initial, targets }, format!("{text}init {init} target {target}"))
}

fn proof(certificate: Option<Certificate>) -> Option<NetProof> {
    match certificate? {
        Certificate::Net(proof) => Some(proof),
        other => panic!("no proof about a net: {other:?}"),
    }
}

#[test]
fn engines_agree_on_random_nets() {
    let mut n_said = [[0; 2]; 3];
    for seed in 0..4000 {
        let (net, question, text) = random_net(seed);
        let mut verdict = None;
        let engines = [NetEngine::KarpMiller, NetEngine::Backward, NetEngine::Cutoff];
        for (at, engine) in engines.into_iter().enumerate() {
            let limit = if engine == NetEngine::Backward { 5000 } else { 20 };
            let budget = Budget::unlimited().with_time(Duration::from_millis(limit));
            let claim = check(&net, &question, engine, &RunCtx::new(budget));
            let is_unsafe = match claim.answer {
                Verdict::Unknown(_) => continue,
                Verdict::Safe => {
                    let proof = proof(claim.certificate).expect("a safe answer has a proof");
                    certify_net(&net, &question, &proof, &Budget::unlimited()).unwrap_or_else(
                        |why| panic!("seed {seed}, {}: {why}\n{text}", engine.name()),
                    );
                    false
                }
                Verdict::Unsafe(Covered { trace, .. }) => {
                    if let Some(trace) = trace {
                        replay(&net, &question, &trace).unwrap_or_else(|why| {
                            panic!("seed {seed}, {}: {why}\n{text}", engine.name())
                        });
                    }
                    true
                }
            };
            n_said[at][usize::from(is_unsafe)] += 1;
            let agrees = verdict.is_none_or(|before| before == is_unsafe);
            assert!(agrees, "seed {seed}, {}: unsafe {is_unsafe}\n{text}", engine.name());
            verdict = Some(is_unsafe);
        }
        if verdict == Some(false) {
            let ctx = RunCtx::default();
            let mut system = NetSystem::new(&net, &question);
            let few = Bounded::explore(&mut system, 4, 5_000, &mut ctx.budget.meter(256));
            assert!(
                few.is_err() || few.is_ok_and(|it| it.covered.is_none()),
                "seed {seed}\n{text}"
            );
        }
    }
    println!("{n_said:?}");
    assert!(n_said.iter().flatten().all(|&n| n > 500), "{n_said:?}");
}

/// What is proved of one target is claimed of others that can be covered: the certifier must refuse.
#[test]
fn a_proof_of_another_target_is_refused() {
    let (mut n_proofs, mut n_lies) = (0, 0);
    for seed in 0..300 {
        let (net, question, text) = random_net(seed);
        let targets = (0..net.n_controls).flat_map(|control| {
            (0..net.n_places).map(move |place| Marking::new(control, [(place, 1 + place % 2)]))
        });
        let asked = targets.map(|target| Question { targets: vec![target], ..question.clone() });
        let (mut proofs, mut coverable) = (Vec::new(), Vec::new());
        for asked in asked {
            let engine = [NetEngine::Backward, NetEngine::Cutoff][seed as usize % 2];
            let budget = Budget::unlimited().with_time(Duration::from_millis(500));
            let claim = check(&net, &asked, engine, &RunCtx::new(budget));
            match claim.answer {
                Verdict::Safe => proofs.extend(proof(claim.certificate)),
                Verdict::Unsafe(_) => coverable.push(asked),
                Verdict::Unknown(_) => {}
            }
        }
        n_proofs += proofs.len();
        for asked in &coverable {
            for proof in &proofs {
                let mut lie = proof.clone();
                let Marking { control, counts } = &asked.targets[0];
                let counts = counts.iter().map(|&(place, n)| (place, Count::finite(n))).collect();
                lie.targets = vec![NetState { control: *control, counts }];
                n_lies += 1;
                let said = certify_net(&net, asked, &lie, &Budget::unlimited());
                assert!(said.is_err(), "seed {seed}: {lie:?}\n{text}");
                // With a state less, or with the target said never to occur, it is no better.
                match &mut lie.set {
                    NetSet::Cover(states) => _ = states.pop(),
                    NetSet::Views { never, .. } => never.push(lie.targets[0].clone()),
                }
                let said = certify_net(&net, asked, &lie, &Budget::unlimited());
                assert!(said.is_err(), "seed {seed}: {lie:?}\n{text}");
            }
        }
    }
    println!("{n_proofs} proofs, {n_lies} lies");
    assert!(n_proofs > 500 && n_lies > 1000, "{n_proofs} proofs, {n_lies} lies");
}

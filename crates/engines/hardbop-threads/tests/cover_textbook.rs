//! The coverability set of the tree as Karp and Miller wrote it (BOOM section 8.3) against ours, on random
//! vector addition systems; and one of them by hand.

use hardbop_base::SourceFile;
use hardbop_engine::RunCtx;
use hardbop_gen::rng::Rng;
use hardbop_net::{Net, Question, query, tts};
use hardbop_threads::cover::counts::{Count, Counts, LocalId, OMEGA};
use hardbop_threads::cover::km::{Forward, Until};
use hardbop_threads::cover::nets::NetSystem;
use hardbop_threads::cover::system::{ControlId, State, System, post};

fn read(text: &str, init: &str) -> (Net, Question) {
    let net = tts::parse(&SourceFile::new("t.tts", text)).expect("the net is right");
    let initial = query::initial(init).expect("the state is right");
    (net, Question { initial, targets: Vec::new() })
}

/// Our maximal states, sorted.
fn cover(net: &Net, question: &Question) -> Vec<State> {
    let mut system = NetSystem::new(net, question);
    let mut forward = Forward::new(system.targets());
    forward.explore(&mut system, Until::Everything, &RunCtx::default()).expect("no limit is set");
    let mut states: Vec<_> = forward.cover().into_iter().cloned().collect();
    states.sort_unstable();
    states
}

/// The maximal labels of the tree, which ends a branch only where a label repeats on it; `None` if the tree is
/// too large for a test.
fn textbook(net: &Net, question: &Question) -> Option<Vec<State>> {
    let ctx = RunCtx::default();
    let mut meter = ctx.budget.meter(256);
    let mut system = NetSystem::new(net, question);
    let mut all: Vec<State> = Vec::new();
    let mut branches: Vec<Vec<State>> = Vec::new();
    for root in system.initial(&mut meter).expect("no limit is set") {
        branches.push(vec![root]);
    }
    while let Some(branch) = branches.pop() {
        let last = branch.last().expect("a branch has a root").clone();
        all.push(last.clone());
        if branch[..branch.len() - 1].contains(&last) {
            continue;
        }
        if all.len() > 20_000 {
            return None;
        }
        for local in last.counts.locals() {
            let rules = system.rules(last.control, Some(local), &mut meter).expect("no limit");
            for rule in rules.iter() {
                for mut counts in
                    post(&mut system, &last.counts, rule, &mut meter).expect("no limit")
                {
                    let raw = counts.clone();
                    for old in branch.iter().filter(|old| old.control == rule.to) {
                        if raw.covers(&old.counts) {
                            let larger = |&(local, n): &(LocalId, Count)| n > old.counts.get(local);
                            raw.iter()
                                .filter(larger)
                                .for_each(|(local, _)| counts.set(local, OMEGA));
                        }
                    }
                    let mut longer = branch.clone();
                    longer.push(State { control: rule.to, counts });
                    branches.push(longer);
                }
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    let is_maximal = |it: &&State| !all.iter().any(|other| other != *it && other.covers(it));
    Some(all.iter().filter(is_maximal).cloned().collect())
}

#[test]
fn random_systems_have_the_textbook_cover() {
    let mut n_compared = 0;
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let (n_controls, n_places) = (1 + rng.below(3), 2 + rng.below(3));
        let mut text = format!("{n_controls} {n_places}\n");
        for _ in 0..1 + rng.below(5) {
            let arrow = if rng.below(4) == 0 { "+>" } else { "->" };
            let (from, to) = (rng.below(n_controls), rng.below(n_controls));
            let (local, next) = (rng.below(n_places), rng.below(n_places));
            text += &format!("{from} {local} {arrow} {to} {next}\n");
        }
        let (net, question) = read(&text, ["0/0", "0|0", "0|0,1"][rng.below(3)]);
        if let Some(expected) = textbook(&net, &question) {
            assert_eq!(cover(&net, &question), expected, "seed {seed}:\n{text}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 1500, "{n_compared}");
}

/// A replicated program in the manner of BOOM figure 8.1: `main` starts threads in a loop; each takes a lock (the
/// shared state), and gives it back.
#[test]
fn threads_started_in_a_loop_are_counted_as_any_number() {
    let (net, question) = read("2 4\n0 0 +> 0 1\n0 1 -> 1 2\n1 2 -> 0 3\n", "0|0");
    let state = |control, counts: &[(u32, u32)]| State {
        control: ControlId::from_u32(control),
        counts: counts.iter().map(|&(it, n)| (LocalId::from_u32(it), n)).collect::<Counts>(),
    };
    let free = state(0, &[(0, 1), (1, OMEGA), (3, OMEGA)]);
    // One thread has the lock, never two.
    let taken = state(1, &[(0, 1), (1, OMEGA), (2, 1), (3, OMEGA)]);
    assert_eq!(cover(&net, &question), [free, taken]);
}

//! Concurrent pushdown systems as Boolean programs, by `contexts-explicit`, against a search over whole stacks.

use std::collections::VecDeque;

use hardbop_base::SourceFile;
use hardbop_base::rng::Rng;
use hardbop_engine::{Claim, Engine, Reached, RunCtx, Task, Verdict};
use hardbop_interp::replay;
use hardbop_pds::{State, System, lower, parse, parse_state};
use hardbop_threads::stacks::ContextsExplicit;
use rustc_hash::FxHashSet;

fn system(text: &str) -> System {
    parse(&SourceFile::new("t.pds", text)).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

fn state(text: &str, system: &System) -> State {
    parse_state(text, system).unwrap_or_else(|wrong| panic!("{wrong:?}: {text}"))
}

fn ask(system: &System, init: &State, target: &State, contexts: u32) -> Claim {
    let program = lower(system, init, Some(target));
    let task = Task { contexts: Some(contexts), ..Task::new(&program) };
    let claim = ContextsExplicit.check(&task, &RunCtx::default());
    if let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = &claim.answer {
        replay(&program, &task.goal, task.threads, task.initial_threads, trace)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    claim
}

/// Whether the target is reached, by the meaning of the rules; `None` if more stacks are there than it looks at.
fn search(system: &System, init: &State, target: &State) -> Option<bool> {
    let start = (init.shared, init.stacks.clone());
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut todo = VecDeque::from([start]);
    let is_target = |shared: u32, stacks: &[Vec<u32>]| {
        let tops = stacks.iter().map(|it| it.first());
        shared == target.shared && tops.eq(target.stacks.iter().map(|it| it.first()))
    };
    while let Some((shared, stacks)) = todo.pop_front() {
        if is_target(shared, &stacks) {
            return Some(true);
        }
        if seen.len() > 5_000 {
            return None;
        }
        for (thread, rules) in system.threads.iter().enumerate() {
            for rule in &rules.rules {
                let stack = &stacks[thread];
                if rule.from != shared || rule.top != stack.first().copied() {
                    continue;
                }
                let below = stack.iter().skip(1);
                let mut next = stacks.clone();
                next[thread] = rule.word.iter().chain(below).copied().collect();
                if seen.insert((rule.to, next.clone())) {
                    todo.push_back((rule.to, next));
                }
            }
        }
    }
    Some(false)
}

/// Rules for two threads over three shared and three local states.
fn random(rng: &mut Rng) -> String {
    let mut text = String::from("3\n");
    for thread in 0..2 {
        text += "PDA 0 2\n";
        for _ in 0..5 + rng.below(4) {
            let top =
                if thread == 0 && rng.below(12) == 0 { "-" } else { ["0", "1", "2"][rng.below(3)] };
            let word = match rng.below(5) {
                0 => "-".to_string(),
                1 | 2 => format!("{} {}", rng.below(3), rng.below(3)),
                _ => rng.below(3).to_string(),
            };
            text += &format!("{} {top} -> {} {word}\n", rng.below(3), rng.below(3));
        }
    }
    text
}

#[test]
fn random_systems_are_judged_as_by_whole_stacks() {
    let (mut n_safe, mut n_unsafe, mut n_endless) = (0, 0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let text = random(&mut rng);
        let system = system(&text);
        let init = state(["0|0,0", "0|1,0", "0|0 1,2", "1|-,2"][rng.below(4)], &system);
        let top = |rng: &mut Rng| ["-", "0", "1", "2"][rng.below(4)];
        let target = format!("{}|{},{}", rng.below(3), top(&mut rng), top(&mut rng));
        let target = state(&target, &system);
        let claim = ask(&system, &init, &target, 8);
        let expected = search(&system, &init, &target);
        let what = format!("seed {seed}: {init:?} to {target:?}\n{text}");
        n_endless += usize::from(expected.is_none());
        match (claim.answer, expected) {
            (Verdict::Safe, Some(true)) | (Verdict::Unsafe(_), Some(false)) => panic!("{what}"),
            (Verdict::Safe, _) => n_safe += 1,
            (Verdict::Unsafe(_), _) => n_unsafe += 1,
            (Verdict::Unknown(_), _) => {}
        }
    }
    let counts = (n_safe, n_unsafe, n_endless);
    assert!(n_safe > 20 && n_unsafe > 12 && n_endless > 5, "{counts:?}");
}

/// The visible states stand still for a while and then grow: what is uncovered by a pop counts (section 2 of the paper).
#[test]
fn standing_still_is_no_proof() {
    let system = system(
        "4\nPDA 1 2\n0 1 -> 1 2\n3 2 -> 0 1\nPDA 4 6\n0 4 -> 0 -\n0 6 -> 0 -\n1 4 -> 2 5\n2 5 -> 3 4 6\n",
    );
    let init = state("0|1,4", &system);
    let said = ask(&system, &init, &state("0|1,6", &system), 12);
    assert!(matches!(said.answer, Verdict::Unsafe(_)), "{:?}", said.answer);
    // Never: thread 2 comes to 5 in shared state 2 only.
    let said = ask(&system, &init, &state("0|1,5", &system), 12);
    assert!(matches!(said.answer, Verdict::Safe), "{:?}", said.answer);
}

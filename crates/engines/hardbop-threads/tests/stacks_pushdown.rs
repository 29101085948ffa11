//! Concurrent pushdown systems as Boolean programs, by `contexts-explicit`, against a search over whole stacks.

use hardbop_base::SourceFile;
use hardbop_base::rng::Rng;
use hardbop_engine::{Claim, Engine, Reached, RunCtx, Task, Verdict};
use hardbop_gen::pushdown;
use hardbop_interp::replay;
use hardbop_pds::{State, System, lower, parse, parse_state, reaches};
use hardbop_threads::stacks::ContextsExplicit;

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

#[test]
fn random_systems_are_judged_as_by_whole_stacks() {
    let (mut n_safe, mut n_unsafe, mut n_endless) = (0, 0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let texts = pushdown::random(&mut rng);
        let system = system(&texts.rules);
        let (init, target) = (state(&texts.init, &system), state(&texts.target, &system));
        let claim = ask(&system, &init, &target, 8);
        let expected = reaches(&system, &init, &target, 5_000);
        let text = texts.rules;
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

//! The two explorations against each other, on random programs.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, GoalSite, InitialThreads, Reached, RunCtx, Task, Threads, Verdict,
};

use crate::search::Search;
use crate::semantics::{Bound, Semantics};
use crate::testing::{Kind, random_program};
use crate::{Explicit, relevance, replay};

fn goals() -> [Goal; 2] {
    [Goal::Assert, Goal::Label("R".into())]
}

/// Checks a claim's trace and returns its length.
fn confirmed(task: &Task<'_>, claim: &Claim, seed: u64) -> Option<u64> {
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = &claim.answer else { return None };
    let (threads, initial) = (task.threads, task.initial_threads);
    let replayed = replay(task.program, &task.goal, threads, initial, trace)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let relevant = relevance(task.program, trace, &replayed);
    assert_eq!(relevant.len(), replayed.shown.len());
    for (line, shown) in relevant.iter().zip(&replayed.shown) {
        // What is used later is forced, and only variables in scope are spoken of.
        assert!(line.live.is_subset(&line.settled), "seed {seed}");
        let width = task.program.scope_width(shown.at.proc);
        assert!(line.settled.from(width).is_empty() && line.changed.from(width).is_empty());
    }
    Some(trace.n_statements())
}

#[test]
fn tabulation_and_search_over_stacks_find_equally_short_traces() {
    let mut n_compared = 0;
    for seed in 10_000..11_500 {
        let program = random_program(seed, Kind::Recursive);
        for goal in goals() {
            let task = Task { goal: goal.clone(), ..Task::new(&program) };
            assert_eq!(task.threads, Threads::Sequential);
            let claim = Explicit.check(&task, &RunCtx::default());
            let Some(length) = confirmed(&task, &claim, seed) else { continue };
            let semantics = Semantics::new(&program);
            let mut search = Search::new(&semantics, Bound::SkipAt(1));
            // Stacks make the plain search exponential in the length: a few never end.
            let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(200)));
            if search.start(1, &ctx).and_then(|()| search.run(&goal, false, &ctx)).is_err() {
                continue;
            }
            let found = search.found.expect("what one exploration finds the other does");
            assert_eq!(found.n_statements, length, "seed {seed} {goal}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 500, "{n_compared}");
}

/// Whether the exhaustive run says that the goal is reachable.
fn reachable(claim: &Claim, goal: &Goal) -> bool {
    claim.goals.iter().any(|status| {
        let asked = match (&status.site, goal) {
            (GoalSite::Assert(_), Goal::Assert) => true,
            (GoalSite::Label(_, name), Goal::Label(label)) => name == label,
            _ => false,
        };
        asked && status.reachable
    })
}

fn n_goals(program: &Program) -> usize {
    program.asserts().count() + program.all_locs().map(|(_, info)| info.labels.len()).sum::<usize>()
}

#[test]
fn exhaustive_runs_report_every_goal_and_agree_with_single_ones() {
    for (kind, bound) in [(Kind::Recursive, 1), (Kind::Threads, 2)] {
        for seed in 20_000..20_300 {
            let program = random_program(seed, kind);
            let task = Task { threads: Threads::AtMost(bound), ..Task::new(&program) };
            let all =
                Explicit.check(&Task { exhaustive: true, ..task.clone() }, &RunCtx::default());
            assert_eq!(all.goals.len(), n_goals(&program), "seed {seed}");
            assert_eq!(all.scope.threads, Some(bound));
            for goal in goals() {
                let claim = Explicit
                    .check(&Task { goal: goal.clone(), ..task.clone() }, &RunCtx::default());
                let is_unsafe = matches!(claim.answer, Verdict::Unsafe(_));
                assert_eq!(is_unsafe, reachable(&all, &goal), "seed {seed} {goal}");
            }
        }
    }
}

#[test]
fn without_a_bound_claims_are_runs_and_safe_means_safe() {
    let (mut n_unsafe, mut n_safe) = (0, 0);
    for seed in 30_000..30_150 {
        let program = random_program(seed, Kind::Threads);
        let initial_threads = if seed % 3 == 0 {
            InitialThreads::Unbounded
        } else {
            InitialThreads::Count(1 + seed as u32 % 2)
        };
        let threads = Threads::Unbounded;
        let task = Task { threads, initial_threads, ..Task::new(&program) };
        let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(100)));
        let claim = Explicit.check(&task, &ctx);
        n_unsafe += usize::from(confirmed(&task, &claim, seed).is_some());
        if matches!(claim.answer, Verdict::Safe) {
            n_safe += 1;
            let task = Task {
                threads: Threads::AtMost(2),
                initial_threads: InitialThreads::Count(1),
                ..task
            };
            let bounded = Explicit.check(&task, &RunCtx::default());
            assert!(matches!(bounded.answer, Verdict::Safe), "seed {seed}");
        }
    }
    assert!(n_unsafe > 30 && n_safe > 30, "{n_unsafe} unsafe, {n_safe} safe");
}

//! Engines that share a board: they say the same as alone, and use what they are told.

use std::time::Duration;

use hardbop_base::{Budget, CancelToken, SourceFile};
use hardbop_certify::certify;
use hardbop_cfg::Program;
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;
use hardbop_threads::cover::board::{Board, Reporter};
use hardbop_threads::cover::km::{Forward, Until};
use hardbop_threads::cover::programs::ProgramSystem;
use hardbop_threads::cover::system::System;
use hardbop_threads::cover::{BackwardSearch, Cutoff, KarpMillerExplicit};

fn program(text: String) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
}

fn limited(milliseconds: u64) -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(milliseconds)))
}

fn unbounded<'a>(program: &'a Program, seed: u64) -> Task<'a> {
    let initial_threads = match seed % 3 {
        0 => InitialThreads::Unbounded,
        n => InitialThreads::Count(n as u32),
    };
    Task { threads: Threads::Unbounded, initial_threads, ..Task::new(program) }
}

/// Whether the claim is unsafe, its evidence checked; `None` if time ran out.
fn judged(task: &Task<'_>, claim: &Claim, what: &str) -> Option<bool> {
    match &claim.answer {
        Verdict::Safe => {
            if let Some(certificate) = &claim.certificate {
                certify(task.program, certificate, &Budget::unlimited())
                    .unwrap_or_else(|rejected| panic!("{what}: {rejected}"));
            }
            Some(false)
        }
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            Some(true)
        }
        // The verdict was there in time, the trace was not.
        Verdict::Unsafe(Reached { trace: None, .. })
            if matches!(claim.lacks, Some(Reason::Exhausted(_))) =>
        {
            Some(true)
        }
        Verdict::Unknown(_) => None,
        other => panic!("{what}: {other:?}"),
    }
}

/// Each order of speaking: the later engines know all that the earlier ones found.
#[test]
fn what_is_told_changes_no_verdict() {
    let orders: [[&dyn Engine; 3]; 3] = [
        [&KarpMillerExplicit, &BackwardSearch, &Cutoff],
        [&Cutoff, &BackwardSearch, &KarpMillerExplicit],
        [&KarpMillerExplicit, &Cutoff, &BackwardSearch],
    ];
    let mut n_said = [0; 2];
    for seed in 0..150 {
        let profile = if seed % 4 == 3 { Profile::broadcast() } else { Profile::threads() };
        let program = program(hardbop_bp::print(&random::program(seed, &profile)));
        let task = unbounded(&program, seed);
        if KarpMillerExplicit.accepts(&task).is_err() {
            continue;
        }
        let alone = BackwardSearch.check(&task, &limited(100));
        let Some(alone) = judged(&task, &alone, &format!("seed {seed}")) else { continue };
        n_said[usize::from(alone)] += 1;
        for order in orders {
            let contexts = limited(100).side_by_side(order.len(), &CancelToken::default());
            for (engine, ctx) in order.into_iter().zip(contexts) {
                let what = format!("seed {seed}, {}", engine.name());
                let said = judged(&task, &engine.check(&task, &ctx), &what);
                assert!(said.is_none_or(|said| said == alone), "{what}: unsafe {said:?}");
            }
        }
    }
    assert!(n_said.iter().all(|&n| n > 30), "{n_said:?}");
}

/// A long way to the goal, which `backward` need not walk once somebody has been half way.
const LONG: &str = "
decl a, b, c;
void main() begin
  a, b, c := F, F, F;
  start_thread step();
  start_thread step();
  while (!(a & b & c)) do skip; od
  assert(F);
end
void step() begin
  while (*) do
    if (!a) then a := T; elsif (!b) then a, b := F, T; elsif (!c) then a, b, c := F, F, T; fi
  od
end";

#[test]
fn a_backward_search_ends_where_a_forward_search_has_been() {
    let program = program(LONG.into());
    let task = unbounded(&program, 1);
    let states = |ctx: &RunCtx| {
        let claim = BackwardSearch.check(&task, ctx);
        assert_eq!(judged(&task, &claim, "backward"), Some(true));
        claim.stats.iter().find(|&(name, _)| name == "states").map(|(_, n)| n)
    };
    let contexts = limited(60_000).side_by_side(2, &CancelToken::default());
    KarpMillerExplicit.check(&task, &contexts[0]);
    assert!(states(&contexts[1]) < states(&limited(60_000)));
}

/// Systems that met their states in another order call them by the same words.
#[test]
fn words_do_not_depend_on_numbers() {
    for seed in 0..60 {
        let program = program(hardbop_bp::print(&random::program(seed, &Profile::threads())));
        let task = unbounded(&program, seed);
        if KarpMillerExplicit.accepts(&task).is_err() {
            continue;
        }
        let contexts = limited(1000).side_by_side(2, &CancelToken::default());
        let mut first = ProgramSystem::new(&task);
        let mut forward = Forward::new(first.targets());
        if forward.explore(&mut first, Until::Everything, &contexts[0]).is_err() {
            continue;
        }
        let mut reporter = Reporter::of(&contexts[0]).expect("there is a board");
        forward.cover().iter().for_each(|state| reporter.note(&first, state));
        reporter.flush();
        // Met in another order: the last control state's rules come first.
        let board = Board::of(&contexts[1]).expect("there is a board");
        let mut second = ProgramSystem::new(&task);
        let ctx = limited(1000);
        let reached =
            hardbop_threads::cover::modular::Modular::new(&mut second, &mut ctx.budget.meter(256));
        let reached = reached.expect("there is time");
        let mut n_known = 0;
        for control in reached.controls() {
            for &local in reached.locals(control) {
                n_known += usize::from(board.is_covered(&second, control, local));
            }
        }
        let mut pairs: Vec<_> = forward
            .cover()
            .into_iter()
            .flat_map(|state| state.counts.locals().map(move |local| (state.control, local)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(n_known, pairs.len(), "seed {seed}");
    }
}

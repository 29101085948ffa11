//! The enumeration against the checker: every conceivable step is tried, and those the checker
//! allows are followed. What `semantics` lists must come to the same verdict and the same shortest
//! length, though the two share no code but the meaning of expressions.

use std::collections::VecDeque;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, EdgeRef, Goal, LocRef, Program};
use hardbop_engine::{Engine, InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_evidence::{Event, FrameUpdate, Initial, Step, ThreadIx};
use rustc_hash::FxHashMap;

use super::Machine;
use crate::semantics::{At, Frame};
use crate::testing::{Kind, random_program};
use crate::{Explicit, replay};

/// What makes two machines the same but for the numbers of threads.
type Key = (Bits, Vec<(Vec<Frame>, bool)>);

fn key(machine: &Machine<'_>) -> Key {
    let alive = machine.stacks.iter().enumerate().filter(|(_, stack)| !stack.is_empty());
    let holds = |i| machine.holder == Some(ThreadIx::new(i));
    let mut threads: Vec<_> = alive.map(|(i, stack)| (stack.clone(), holds(i))).collect();
    threads.sort();
    (machine.shared.clone(), threads)
}

/// All subsets of the given range of bits.
fn subsets(from: usize, to: usize) -> Vec<Bits> {
    let of = |mask: usize| (from..to).filter(|i| mask >> (i - from) & 1 == 1).collect();
    (0..1 << (to - from)).map(of).collect()
}

/// Every step one could write down for a thread, right or wrong.
fn conceivable(machine: &Machine<'_>, thread: usize) -> Vec<Step> {
    let program = machine.program;
    let Some(top) = machine.stacks[thread].last() else { return Vec::new() };
    let (width, n_shared) = (|proc| program.scope_width(proc), program.n_shared());
    let At::Loc(loc) = top.at else { return Vec::new() };
    let mut events = Vec::new();
    let below = machine.stacks[thread].len().checked_sub(2);
    let caller = below.map_or(n_shared, |below| width(machine.stacks[thread][below].proc));
    events.push((Event::Return, caller, vec![Vec::new()]));
    for (edge, it) in program.procs[top.proc].out_edges(loc) {
        let at = EdgeRef { proc: top.proc, edge };
        events.push((Event::Violate(at), width(top.proc), vec![Vec::new()]));
        let (to, others) = match &it.action {
            Action::Call(call) => (width(call.callee), vec![Vec::new()]),
            Action::EndThread => (n_shared, vec![Vec::new()]),
            Action::Assign(assign) if !assign.broadcast.is_empty() => {
                (width(top.proc), updates(machine, thread))
            }
            Action::StartThread(_) => {
                let widest = program.widest_scope();
                let new = ThreadIx::new(machine.stacks.len());
                let started = subsets(n_shared, widest)
                    .into_iter()
                    .map(|locals| vec![FrameUpdate { thread: new, frame: 0, locals }]);
                (width(top.proc), started.chain([Vec::new()]).collect())
            }
            _ => (width(top.proc), vec![Vec::new()]),
        };
        events.push((Event::Take(at), to, others));
    }
    let mut steps = Vec::new();
    for (event, width, others) in events {
        for after in subsets(0, width) {
            for others in &others {
                let (thread, others) = (ThreadIx::new(thread), others.clone());
                steps.push(Step { thread, event, after: after.clone(), others });
            }
        }
    }
    steps
}

/// New locals for all frames of all other threads.
fn updates(machine: &Machine<'_>, mover: usize) -> Vec<Vec<FrameUpdate>> {
    let program = machine.program;
    let mut all = vec![Vec::new()];
    for (thread, stack) in machine.stacks.iter().enumerate().filter(|&(i, _)| i != mover) {
        for (frame, it) in stack.iter().enumerate() {
            let locals = subsets(program.n_shared(), program.scope_width(it.proc));
            let mut longer = Vec::new();
            for list in &all {
                for locals in &locals {
                    let thread = ThreadIx::new(thread);
                    let update = FrameUpdate { thread, frame, locals: locals.clone() };
                    longer.push([list.clone(), vec![update]].concat());
                }
            }
            all = longer;
        }
    }
    all
}

/// The fewest statements to the goal; `Err` if there are too many states to tell.
fn brute_force(program: &Program, goal: &Goal, bound: usize) -> Result<Option<u64>, ()> {
    let mut known: FxHashMap<Key, u64> = FxHashMap::default();
    let mut queue = VecDeque::new();
    for shared in subsets(0, program.n_shared()) {
        for locals in subsets(program.n_shared(), program.scope_width(program.main)) {
            let initial = Initial { shared: shared.clone(), locals: vec![locals] };
            if let Ok(machine) = Machine::start(program, Some(bound), &initial) {
                known.insert(key(&machine), 0);
                queue.push_back((machine, 0));
            }
        }
    }
    let mut best: Option<u64> = None;
    while let Some((machine, distance)) = queue.pop_front() {
        if known[&key(&machine)] < distance {
            continue;
        }
        if known.len() > 1500 {
            return Err(());
        }
        let labelled = machine.stacks.iter().filter_map(|stack| stack.last()).any(|top| {
            let At::Loc(loc) = top.at else { return false };
            let at = LocRef { proc: top.proc, loc };
            matches!(goal, Goal::Label(label) if program.labelled(label).any(|it| it == at))
        });
        if labelled {
            return Ok(Some(distance));
        }
        for thread in 0..machine.stacks.len() {
            for step in conceivable(&machine, thread) {
                let mut next = machine.clone();
                if next.step(&step, &[]).is_err() {
                    continue;
                }
                if matches!(step.event, Event::Violate(_)) {
                    if *goal == Goal::Assert {
                        best = Some(best.unwrap_or(u64::MAX).min(distance + 1));
                    }
                    continue;
                }
                let after = distance + u64::from(step.event != Event::Return);
                if known.get(&key(&next)).is_none_or(|&old| after < old) {
                    known.insert(key(&next), after);
                    if after == distance {
                        queue.push_front((next, after));
                    } else {
                        queue.push_back((next, after));
                    }
                }
            }
        }
        if best == Some(distance + 1) {
            break;
        }
    }
    Ok(best)
}

/// Compares on random programs and returns how many were unsafe and how many safe.
fn compare(kind: Kind, bound: u32, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut n_unsafe, mut n_safe) = (0, 0);
    for seed in seeds {
        let program = random_program(seed, kind);
        for goal in [Goal::Assert, Goal::Label("R".into())] {
            let Ok(expected) = brute_force(&program, &goal, bound as usize) else { continue };
            let threads = Threads::AtMost(bound);
            let task = Task { threads, goal: goal.clone(), ..Task::new(&program) };
            let claim = Explicit.check(&task, &RunCtx::default());
            match (claim.answer, expected) {
                (Verdict::Safe, None) => n_safe += 1,
                (Verdict::Unsafe(Reached { trace: Some(trace), .. }), Some(length)) => {
                    n_unsafe += 1;
                    let initial = InitialThreads::Count(1);
                    let replayed = replay(&program, &goal, threads, initial, &trace);
                    assert!(replayed.is_ok(), "seed {seed} {goal}: {replayed:?}");
                    assert_eq!(trace.n_statements(), length, "seed {seed} {goal}");
                }
                (answer, expected) => panic!("seed {seed} {goal}: {answer:?}, not {expected:?}"),
            }
        }
    }
    (n_unsafe, n_safe)
}

#[test]
fn recursion_agrees_with_brute_force() {
    let (n_unsafe, n_safe) = compare(Kind::Recursive, 1, 0..400);
    assert!(n_unsafe > 120 && n_safe > 150, "{n_unsafe} unsafe, {n_safe} safe");
}

#[test]
fn threads_agree_with_brute_force() {
    let (n_unsafe, n_safe) = compare(Kind::Threads, 2, 0..400);
    assert!(n_unsafe > 100 && n_safe > 200, "{n_unsafe} unsafe, {n_safe} safe");
}

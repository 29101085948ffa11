//! Traces: the lines of the paper's example, what is shown of them, and that nothing else passes.

mod common;

use common::{claim, confirm, load};
use hardbop_base::{Bits, Idx, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_evidence::{Event, ThreadIx, Trace};
use hardbop_interp::{Replayed, relevance, replay};

/// BEB figure 1, on the line numbers of the figure.
const FIGURE_1: &str = "decl g;

void main()
begin
  decl h;
  h := !g;
  A(g,h);
  skip;
  A(g,h);
  skip;
  if (g) then
    R: skip;
  else
    skip;
  fi
end

void A(a1,a2)
begin
  if (a1) then
    A(a2,a1);
    skip;
  else
    g := a2;
  fi
end
";

fn trace_of(task: &Task<'_>) -> Trace {
    let (_, claim) = claim(task, &RunCtx::default());
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = claim.answer else {
        panic!("{:?}", claim.answer)
    };
    trace
}

fn to_label<'a>(program: &'a Program, label: &str) -> Task<'a> {
    Task { goal: Goal::Label(label.into()), ..Task::new(program) }
}

/// Line and depth of what is shown.
fn lines(program: &Program, text: &str, replayed: &Replayed) -> Vec<(u32, usize)> {
    let file = SourceFile::new("test.bp", text);
    let line = |shown: &hardbop_interp::Shown| {
        let span = program.procs[shown.at.proc].locs[shown.at.loc].span;
        (file.line(span.expect("every statement has a place").start), shown.depth)
    };
    replayed.shown.iter().map(line).collect()
}

#[test]
fn the_trace_of_figure_1_is_the_papers() {
    let program = load(FIGURE_1);
    let task = to_label(&program, "R");
    let trace = trace_of(&task);
    assert_eq!(trace.n_statements(), 16);
    let call = [(20, 1), (21, 1), (20, 2), (24, 2), (22, 1)];
    let mut expected = vec![(6, 0), (7, 0)];
    expected.extend(call);
    expected.extend([(8, 0), (9, 0)]);
    expected.extend(call);
    expected.extend([(10, 0), (11, 0), (12, 0)]);
    assert_eq!(lines(&program, FIGURE_1, &confirm(&task, &trace)), expected);
}

/// The named variables of a set.
fn names(program: &Program, proc: hardbop_cfg::ProcId, vars: &Bits) -> Vec<String> {
    let name = |var: usize| program.var_info(proc, Idx::new(var)).name.to_string();
    vars.iter().map(name).collect()
}

#[test]
fn figure_1_shows_g_but_not_h_where_it_is_unconstrained() {
    let program = load(FIGURE_1);
    let task = to_label(&program, "R");
    let trace = trace_of(&task);
    let replayed = confirm(&task, &trace);
    let relevant = relevance(&program, &trace, &replayed);
    let settled: Vec<_> = relevant.iter().zip(&replayed.shown).collect();
    let show = |line: usize| names(&program, settled[line].1.at.proc, &settled[line].0.settled);
    assert_eq!(show(0), ["g"], "h has no value yet");
    assert_eq!(show(1), ["g", "h"]);
    assert_eq!(show(2), ["g", "a1", "a2"]);
    assert!(settled[0].1.before.contains(0), "g is 1 in the beginning");
    let changed = |line: usize| names(&program, settled[line].1.at.proc, &settled[line].0.changed);
    assert_eq!(changed(1), ["h"]);
    assert_eq!(changed(2), ["a1", "a2"]);
    assert!(changed(3).is_empty());
    let live = |line: usize| names(&program, settled[line].1.at.proc, &settled[line].0.live);
    // g is overwritten before it is read again, h is passed on once more.
    assert_eq!(live(1), ["g", "h"]);
    assert_eq!(live(15), ["g"]);
}

#[test]
fn a_choice_nobody_asks_for_is_not_shown() {
    let text = "decl a, b, c; void main() begin
        a, b := *, *; c := b; c := b & F; assume(a); b := *; L: skip; end";
    let program = load(text);
    let task = to_label(&program, "L");
    let trace = trace_of(&task);
    let replayed = confirm(&task, &trace);
    let last = relevance(&program, &trace, &replayed).pop().unwrap();
    // c follows from what is shown nowhere, yet only one value was possible: it rests on b.
    assert_eq!(names(&program, program.main, &last.settled), ["a"]);
    assert!(last.live.is_empty());
}

fn rejected(task: &Task<'_>, trace: &Trace) -> bool {
    replay(task.program, &task.goal, task.threads, task.initial_threads, trace).is_err()
}

/// Every program here has values that follow from the initial ones, so nothing may be changed.
fn determined() -> Vec<(String, Threads, InitialThreads)> {
    let one = InitialThreads::Count(1);
    let threads = "decl g := F; void f(a) begin decl x := a; g := x; end
        void main() begin decl y := T; start_thread f(y); assume(g); start_thread goto L;
        end_thread; L: atomic_begin; y := !y; atomic_end; assert(y); end";
    let recursive = "decl g := F; bool f(a) begin if (a) then g := T; return !a; else
        a := f(T); fi return g; end
        void main() begin decl r := F; r := f(F); assert(!r); end";
    vec![
        (recursive.into(), Threads::Sequential, one),
        // With two places f has to end before the second start.
        (threads.into(), Threads::AtMost(2), one),
    ]
}

#[test]
fn tampered_traces_are_rejected() {
    let mut n_tampered = 0;
    for (text, threads, initial_threads) in determined() {
        let program = load(&text);
        let task = Task { threads, initial_threads, ..Task::new(&program) };
        let trace = trace_of(&task);
        let mut reject = |what: &str, index: usize, trace: &Trace| {
            n_tampered += 1;
            assert!(rejected(&task, trace), "{what} {index}:\n{text}\n{trace:#?}");
        };
        for index in 0..trace.steps.len() {
            let mut dropped = trace.clone();
            dropped.steps.remove(index);
            reject("dropped", index, &dropped);
            let mut doubled = trace.clone();
            doubled.steps.insert(index, trace.steps[index].clone());
            reject("doubled", index, &doubled);
            for thread in (0..4).map(ThreadIx::new).filter(|&it| it != trace.steps[index].thread) {
                let mut moved = trace.clone();
                moved.steps[index].thread = thread;
                reject("moved", index, &moved);
            }
            let fresh = declared_locals(&program, &trace, index);
            for var in (0..program.widest_scope() + 1).filter(|&var| !fresh.contains(var)) {
                let mut flipped = trace.clone();
                let value = flipped.steps[index].after.contains(var);
                flipped.steps[index].after.set(var, !value);
                reject("flipped", index, &flipped);
            }
            for (at, update) in trace.steps[index].others.iter().enumerate() {
                let mut flipped = trace.clone();
                let formal = program.n_shared();
                let value = update.locals.contains(formal);
                flipped.steps[index].others[at].locals.set(formal, !value);
                reject("started", index, &flipped);
                flipped.steps[index].others.clear();
                reject("forgotten", index, &flipped);
            }
        }
        let mut longer = trace.clone();
        longer.initial.locals.push(Bits::new());
        reject("another thread", 0, &longer);
        let mut wild = trace.clone();
        wild.initial.shared.insert(40);
        reject("no such variable", 0, &wild);
        let other_goal = Task { goal: Goal::Label("nowhere".into()), ..task.clone() };
        assert!(rejected(&other_goal, &trace));
    }
    assert!(n_tampered > 200, "{n_tampered}");
}

/// The variables that are free after a step: the callee's locals that no argument determines.
fn declared_locals(program: &Program, trace: &Trace, index: usize) -> Bits {
    let Event::Take(edge) = trace.steps[index].event else { return Bits::new() };
    let hardbop_cfg::Action::Call(call) = &program.edge(edge).action else { return Bits::new() };
    let formals: Bits = program.formals(call.callee).map(Idx::index).collect();
    let mut fresh: Bits = program.locals(call.callee).map(Idx::index).collect();
    fresh.subtract(&formals);
    fresh
}

#[test]
fn a_trace_for_one_bound_is_none_for_another() {
    let text = "decl g := F; void f() begin g := T; end
        void main() begin start_thread f(); assert(!g); end";
    let program = load(text);
    let task = Task { threads: Threads::AtMost(2), ..Task::new(&program) };
    let trace = trace_of(&task);
    assert!(!rejected(&task, &trace));
    assert!(rejected(&Task { threads: Threads::AtMost(1), ..task.clone() }, &trace));
    let skips = "void f() begin skip; end void main() begin start_thread f(); assert(F); end";
    let program = load(skips);
    let task = Task { threads: Threads::AtMost(1), ..Task::new(&program) };
    let trace = trace_of(&task);
    assert!(rejected(&Task { threads: Threads::Unbounded, ..task.clone() }, &trace));
}

//! Certificates of programs with threads: each proves its own program and nothing else; what is taken
//! away, added or hidden is found out.

use std::collections::BTreeSet;

use hardbop_base::{Bits, Budget, SourceFile};
use hardbop_certify::{Rejected, certify};
use hardbop_cfg::{Action, Expr, Goal, Program};
use hardbop_engine::{Engine, InitialThreads, RunCtx, Task, Threads, Verdict};
use hardbop_evidence::threads::{Count, Counted, Flag, FrameAt, ThreadState, ThreadStates, View};
use hardbop_evidence::{Certificate, ThreadProof, ThreadSet};
use hardbop_gen::random::{self, Profile};
use hardbop_threads::counted::CounterExplicit;

const LOCK: &str = "
decl locked := F, seen;
void main() begin
  decl t, scratch;
  while (*) do start_thread goto WORK; od
  WORK:
  scratch := *;
  atomic_begin; assume(!locked); locked := T; atomic_end;
  assert(locked);
  t := T;
  CRITICAL: assert(t);
  locked := F;
end";

fn program(text: &str) -> Program {
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("test.bp", text));
    program.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn task(program: &Program, bound: u32, initial: u32) -> Task<'_> {
    Task {
        threads: Threads::AtMost(bound),
        initial_threads: InitialThreads::Count(initial),
        ..Task::new(program)
    }
}

/// The proof of a safe program; `None` for an unsafe one.
fn proof(program: &Program, bound: u32, initial: u32) -> Option<ThreadProof> {
    let claim = CounterExplicit.check(&task(program, bound, initial), &RunCtx::default());
    match (claim.answer, claim.certificate) {
        (Verdict::Safe, Some(Certificate::Threads(proof))) => Some(proof),
        // The goal is not even connected with the entry.
        (Verdict::Safe, None) | (Verdict::Unsafe(_), None) => None,
        other => panic!("{other:?}"),
    }
}

fn verdict(program: &Program, proof: &ThreadProof) -> Result<(), Rejected> {
    certify(program, &proof.clone().into(), &Budget::unlimited()).map(|_| ())
}

fn refuses(program: &Program, proof: &ThreadProof) -> bool {
    matches!(verdict(program, proof), Err(Rejected::At(..) | Rejected::Unfit(_)))
}

fn listed(proof: &mut ThreadProof) -> &mut Vec<Counted> {
    match &mut proof.set {
        ThreadSet::Bounded { states, .. } | ThreadSet::Cover { states } => states,
        ThreadSet::Views { never, .. } => never,
    }
}

/// What single threads see in the listed states.
fn views_of(bounded: &ThreadProof) -> Vec<View> {
    let mut bounded = bounded.clone();
    let mut views = Vec::new();
    for state in listed(&mut bounded) {
        let beside = if state.holder.is_some() { Flag::Others } else { Flag::Free };
        let shared = state.shared;
        views.extend(state.holder.map(|thread| View { shared, flag: Flag::Mine, thread }));
        let others = state.counts.iter();
        views.extend(others.map(|&(thread, _)| View { shared, flag: beside, thread }));
    }
    views.sort_unstable();
    views.dedup();
    views
}

/// The same states for any number of threads: where two can be at once, any number is everywhere.
fn saturated(bounded: &ThreadProof) -> ThreadProof {
    let mut cover = bounded.clone();
    let mut states = std::mem::take(listed(&mut cover));
    let all = states.iter().flat_map(|state| &state.counts);
    let many: BTreeSet<_> = all.filter(|it| it.1 >= Count::finite(2)).map(|it| it.0).collect();
    for state in &mut states {
        state.counts.retain(|(thread, _)| !many.contains(thread));
        state.counts.extend(many.iter().map(|&thread| (thread, Count::OMEGA)));
        state.counts.sort_unstable();
    }
    states.sort_unstable();
    states.dedup();
    cover.set = ThreadSet::Cover { states };
    cover
}

#[test]
fn its_own_program_and_no_other() {
    let safe = program(LOCK);
    let proof = proof(&safe, 3, 1).unwrap();
    assert_eq!(verdict(&safe, &proof), Ok(()));
    let text = Certificate::from(proof.clone()).print();
    let read = Certificate::read(&text).unwrap();
    assert!(certify(&safe, &read, &Budget::unlimited()).is_ok());
    assert_eq!(read.print(), text);
    // Values that cannot matter are open: seen, scratch, and t where it is about to be assigned.
    assert_eq!(proof.states.fixed_shared(), &Bits::full(1));
    for (from, to) in [
        ("locked := T; atomic_end", "locked := *; atomic_end"),
        ("t := T", "t := *"),
        ("assert(t)", "assert(!t)"),
        ("assume(!locked)", "skip"),
        ("atomic_begin;", "skip;"),
        ("scratch := *", "locked := F"),
        ("decl locked := F", "decl locked"),
    ] {
        let other = program(&LOCK.replace(from, to));
        assert!(refuses(&other, &proof), "{to}");
    }
    assert!(refuses(&program("void main() begin skip; end"), &proof));
}

#[test]
fn another_bound_or_number_of_first_threads() {
    let program = program(LOCK);
    let mut forged = proof(&program, 3, 1).unwrap();
    let states = std::mem::take(listed(&mut forged));
    // For less it may be a proof as well: a start that is skipped leads to a state with one thread less.
    for bound in [0, 4, 1000] {
        forged.set = ThreadSet::Bounded { bound, states: states.clone() };
        assert!(refuses(&program, &forged), "{bound}");
    }
    forged.set = ThreadSet::Bounded { bound: 3, states };
    assert_eq!(verdict(&program, &forged), Ok(()));
    for initial in [Count::finite(2), Count::finite(4), Count::finite(0), Count::OMEGA] {
        let forged = ThreadProof { initial, ..forged.clone() };
        // Two first threads are what one thread and a start lead to; but before any start they are
        // at the entry both.
        assert!(refuses(&program, &forged), "{initial}");
    }
}

#[test]
fn states_taken_away_or_changed() {
    let program = program(LOCK);
    let whole = proof(&program, 3, 1).unwrap();
    let n = listed(&mut whole.clone()).len();
    assert!(n > 50);
    for at in 0..n {
        let mut without = whole.clone();
        listed(&mut without).remove(at);
        assert!(matches!(verdict(&program, &without), Err(Rejected::At(..))), "without {at}");
        let mut changed = whole.clone();
        let state = &mut listed(&mut changed)[at];
        if let Some((_, n)) = state.counts.first_mut() {
            *n = *n + Count::ONE;
            assert!(refuses(&program, &changed), "count of {at}");
        }
        let mut changed = whole.clone();
        let state = &mut listed(&mut changed)[at];
        if let Some(holder) = state.holder.take() {
            state.counts.push((holder, Count::ONE));
            state.counts.sort_unstable();
            assert!(refuses(&program, &changed), "holder of {at}");
        }
        let mut unbounded = whole.clone();
        let state = &mut listed(&mut unbounded)[at];
        if let Some((_, n)) = state.counts.first_mut() {
            *n = Count::OMEGA;
            assert!(matches!(verdict(&program, &unbounded), Err(Rejected::Unfit(_))), "{at}");
        }
    }
}

/// A wider set is no proof if it lets the goal in.
#[test]
fn the_goal_let_in_or_hidden() {
    let safe = program(LOCK);
    let mut other_goal = proof(&safe, 2, 1).unwrap();
    other_goal.goal = Goal::Label("CRITICAL".into());
    assert!(matches!(verdict(&safe, &other_goal), Err(Rejected::At(..))));
    // All states of an unsafe program, and all but those in which the assertion fails.
    let text = LOCK.replace("assert(locked)", "assert(!seen)");
    let broken = program(&text);
    assert!(proof(&broken, 2, 1).is_none());
    let harmless = program(&text.replace("assert(!seen)", "assume(!seen | seen)"));
    let mut states = proof(&harmless, 2, 1).unwrap();
    assert_eq!(verdict(&harmless, &states), Ok(()));
    assert!(matches!(verdict(&broken, &states), Err(Rejected::At(..))));
    let seen_is_true = |values: &Bits| values.contains(1);
    let bad: Vec<_> = states
        .states
        .shared_values()
        .filter(|(_, it)| seen_is_true(it))
        .map(|(id, _)| id)
        .collect();
    listed(&mut states).retain(|state| !bad.contains(&state.shared));
    assert!(matches!(verdict(&broken, &states), Err(Rejected::At(..))));
}

/// Leaving a variable open that matters is no way to hide its values.
#[test]
fn open_values_are_tried_both() {
    let program = program(LOCK);
    let text = Certificate::from(proof(&program, 2, 1).unwrap()).print();
    let open = text.replace("shared 0\n", "shared\n").replace("v0 = 0\n", "v0 =\n");
    let open = open.lines().filter(|line| !line.starts_with("v1 =") && !line.contains(" v1"));
    let open = open.map(|line| format!("{line}\n")).collect::<String>();
    let read = Certificate::read(&open).unwrap();
    let refused = certify(&program, &read, &Budget::unlimited());
    assert!(matches!(refused, Err(Rejected::At(..))), "{refused:?}");
}

#[test]
fn any_number_of_threads_by_a_cover() {
    let program = program(LOCK);
    let cover = saturated(&proof(&program, 4, 1).unwrap());
    assert_eq!(verdict(&program, &cover), Ok(()));
    // ω where there is at most one: then two threads may be inside, and the assertion fails.
    let n = listed(&mut cover.clone()).len();
    let mut n_refused = 0;
    for at in 0..n {
        let mut wider = cover.clone();
        for (_, n) in &mut listed(&mut wider)[at].counts {
            *n = Count::OMEGA;
        }
        n_refused += usize::from(refuses(&program, &wider));
        let mut forged = cover.clone();
        let removed = listed(&mut forged).remove(at);
        let is_needed = !hardly_larger(listed(&mut forged), &removed);
        assert_eq!(refuses(&program, &forged), is_needed, "without {at}: {removed}");
    }
    assert!(n_refused > n / 4, "{n_refused} of {n}");
    let any = ThreadProof { initial: Count::OMEGA, ..cover.clone() };
    assert!(refuses(&program, &any));
}

/// Whether another listed state has the same threads or more.
fn hardly_larger(states: &[Counted], low: &Counted) -> bool {
    states.iter().any(|high| {
        let count = |thread| high.counts.iter().find(|it| it.0 == thread).map(|it| it.1);
        high.shared == low.shared
            && high.holder == low.holder
            && low.counts.iter().all(|&(thread, n)| count(thread).is_some_and(|m| n <= m))
    })
}

/// A thread-modular proof: what each thread sees is enough.
const MODULAR: &str = "
decl ready := F;
void main() begin
  decl mine;
  start_thread main();
  mine := T;
  ready := T;
  assume(ready);
  assert(ready & mine);
end";

#[test]
fn any_number_of_threads_by_views() {
    let program = program(MODULAR);
    let bounded = proof(&program, 3, 1).unwrap();
    let views = views_of(&bounded);
    let whole = ThreadProof { set: ThreadSet::Views { views, never: vec![] }, ..bounded };
    assert_eq!(verdict(&program, &whole), Ok(()));
    let any = ThreadProof { initial: Count::OMEGA, ..whole.clone() };
    assert_eq!(verdict(&program, &any), Ok(()));
    let ThreadSet::Views { views, .. } = &whole.set else { unreachable!() };
    for at in 0..views.len() {
        let mut fewer = views.clone();
        fewer.remove(at);
        let fewer =
            ThreadProof { set: ThreadSet::Views { views: fewer, never: vec![] }, ..whole.clone() };
        assert!(matches!(verdict(&program, &fewer), Err(Rejected::At(..))), "{at}");
    }
}

/// The lock: what single threads see cannot tell that only one is inside; that two never are can be
/// shown backwards.
const MUTEX: &str = "
decl locked := F;
void main() begin
  start_thread main();
  atomic_begin; assume(!locked); locked := T; atomic_end;
  assert(locked);
  locked := F;
end";

#[test]
fn combinations_that_never_occur() {
    let program = program(MUTEX);
    let bounded = proof(&program, 3, 1).unwrap();
    let views = views_of(&bounded);
    let alone = ThreadSet::Views { views: views.clone(), never: vec![] };
    assert!(refuses(&program, &ThreadProof { set: alone, ..bounded.clone() }));
    let at = |wanted: &dyn Fn(&Action) -> bool| -> Vec<ThreadState> {
        let is_at = |stack| {
            let top = bounded.states.stack(stack).last().unwrap();
            let FrameAt::Loc(loc) = top.at else { unreachable!("the top does not wait") };
            program.procs[top.proc].out_edges(loc).any(|(_, edge)| wanted(&edge.action))
        };
        let threads = bounded.states.threads();
        threads.filter(|(_, (stack, _))| is_at(*stack)).map(|(id, _)| id).collect()
    };
    let unlocks = |action: &Action| match action {
        Action::Assign(it) => program.exprs.get(it.targets[0].1) == Expr::Const(false),
        other => matches!(other, Action::Assert(_)),
    };
    let (inside, has_locked) = (at(&unlocks), at(&|action| *action == Action::AtomicEnd));
    assert_eq!((inside.len(), has_locked.len()), (2, 1));
    let mut never = Vec::new();
    for (shared, values) in bounded.states.shared_values() {
        let state = |holder, threads: &[_]| {
            let mut counts: Vec<(_, Count)> = Vec::new();
            for &thread in threads {
                match counts.iter_mut().find(|(it, _)| *it == thread) {
                    Some((_, n)) => *n = *n + Count::ONE,
                    None => counts.push((thread, Count::ONE)),
                }
            }
            counts.sort_unstable();
            Counted { shared, holder, counts }
        };
        let holders: Vec<_> = views
            .iter()
            .filter(|view| view.shared == shared && view.flag == Flag::Mine)
            .map(|view| view.thread)
            .collect();
        for (at, &one) in inside.iter().enumerate() {
            // Unlocked, nobody is inside; locked, one is, and nobody is about to be.
            if values.is_empty() {
                never.push(state(None, &[one]));
                never.extend(holders.iter().map(|&holder| state(Some(holder), &[one])));
            } else {
                never.extend(inside[at..].iter().map(|&other| state(None, &[one, other])));
                never.push(state(Some(has_locked[0]), &[one]));
            }
        }
    }
    let proof = |never: &[Counted]| {
        let set = ThreadSet::Views { views: views.clone(), never: never.to_vec() };
        ThreadProof { set, ..bounded.clone() }
    };
    assert_eq!(verdict(&program, &proof(&never)), Ok(()));
    let read = Certificate::read(&Certificate::from(proof(&never)).print()).unwrap();
    assert!(certify(&program, &read, &Budget::unlimited()).is_ok());
    let any = ThreadProof { initial: Count::OMEGA, ..proof(&never) };
    assert_eq!(verdict(&program, &any), Ok(()));
    let mut n_refused = 0;
    for at in 0..never.len() {
        let mut fewer = never.clone();
        fewer.remove(at);
        n_refused += usize::from(refuses(&program, &proof(&fewer)));
    }
    assert!(n_refused >= 4, "{n_refused} of {}", never.len());
    // Calling what does occur unreachable.
    let mut forged = bounded.clone();
    for state in listed(&mut forged).iter() {
        let mut more = never.clone();
        more.push(state.clone());
        assert!(refuses(&program, &proof(&more)), "{state}");
    }
}

/// On random programs: the reachable states are accepted exactly if the program is safe, and nothing
/// derived from them proves an unsafe program.
#[test]
fn random_programs() {
    let mut counts = [0; 4];
    for (profile, seeds) in [(Profile::threads(), 0..250), (Profile::broadcast(), 0..150)] {
        for seed in seeds {
            let text = hardbop_bp::print(&random::program(seed, &profile));
            let program = program(&text);
            let (bound, initial) =
                (1 + seed as u32 % 3, 1 + (seed as u32 / 3) % (1 + seed as u32 % 3));
            let mut question = task(&program, bound, initial);
            if CounterExplicit.accepts(&question).is_err() {
                continue;
            }
            let budget = Budget::unlimited().with_time(std::time::Duration::from_millis(200));
            let claim = CounterExplicit.check(&question, &RunCtx::new(budget));
            match claim.answer {
                Verdict::Safe => {
                    let Some(certificate) = claim.certificate else { continue };
                    let checked = certify(&program, &certificate, &Budget::unlimited());
                    assert!(
                        checked.is_ok(),
                        "seed {seed} of {}: {checked:?}\n{text}",
                        profile.name
                    );
                    counts[0] += 1;
                }
                Verdict::Unsafe(_) => {
                    // The states of the program whose goal is a label it does not have.
                    question.goal = Goal::Label("nowhere".into());
                    question.exhaustive = true;
                    let budget =
                        Budget::unlimited().with_time(std::time::Duration::from_millis(200));
                    let claim = CounterExplicit.check(&question, &RunCtx::new(budget));
                    let Some(Certificate::Threads(states)) = claim.certificate else { continue };
                    assert_eq!(verdict(&program, &states), Ok(()), "seed {seed}");
                    let forged = ThreadProof { goal: Goal::Assert, ..states };
                    assert!(refuses(&program, &forged), "seed {seed} of {}\n{text}", profile.name);
                    assert!(refuses(&program, &saturated(&forged)), "seed {seed}");
                    let views = ThreadSet::Views { views: views_of(&forged), never: vec![] };
                    let views = ThreadProof { set: views, ..forged };
                    assert!(refuses(&program, &views), "seed {seed}");
                    counts[1] += 1;
                }
                Verdict::Unknown(_) => counts[2] += 1,
            }
        }
    }
    assert!(counts[0] > 60 && counts[1] > 60, "{counts:?}");
}

#[test]
fn tables_that_do_not_fit_the_program() {
    let program = program(LOCK);
    let whole = proof(&program, 2, 1).unwrap();
    let text = Certificate::from(whole).print();
    for (from, to) in [
        ("shared 0\n", "shared 7\n"),
        ("k0 = p0.l", "k0 = p9.l"),
        ("k0 = p0.l", "k0 = p0.l99"),
        ("k0 = p0.l", "k0 = p0.t0[] p0.l"),
    ] {
        let forged = text.replacen(from, to, 1);
        assert_ne!(forged, text);
        let refused = match Certificate::read(&forged) {
            Ok(read) => certify(&program, &read, &Budget::unlimited()).is_err(),
            Err(_) => true,
        };
        assert!(refused, "{to}");
    }
    assert_eq!(ThreadStates::default().stacks().len(), 0);
}

#[test]
fn the_budget_is_respected() {
    let program = program(LOCK);
    let whole = proof(&program, 6, 1).unwrap();
    let expired = Budget::unlimited().with_time(std::time::Duration::ZERO);
    let stopped = certify(&program, &whole.into(), &expired);
    assert!(matches!(stopped, Err(Rejected::Exhausted(_))), "{stopped:?}");
}

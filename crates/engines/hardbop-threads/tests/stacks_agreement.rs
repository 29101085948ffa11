//! `contexts-explicit` against enumeration of the reference semantics: visible states one by one, and errors.

use std::collections::VecDeque;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;
use hardbop_interp::semantics::{Bound, Config, Semantics};
use hardbop_threads::contexts::Contexts;
use hardbop_threads::stacks::ContextsExplicit;
use hardbop_threads::stacks::converge::{Found, Search, Why};
use hardbop_threads::stacks::overapproximation::overapproximate;
use hardbop_threads::stacks::programs::Programs;
use rustc_hash::FxHashSet;

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
}

/// The nearest configurations, and whether these are all.
fn enumerate(program: &Program, n_initial: u32, bound: Bound) -> (Vec<Config>, bool) {
    const MOST: usize = 3_000;
    let budget = Budget::unlimited();
    let mut meter = budget.meter(1024);
    let semantics = Semantics::new(program);
    let initial = semantics.initial(n_initial, &mut meter).expect("there is no limit");
    let mut seen: FxHashSet<Config> = initial.iter().cloned().collect();
    let mut todo = VecDeque::from(initial);
    while let Some(config) = todo.pop_front() {
        for thread in 0..config.threads.len() {
            let steps = semantics.successors(&config, thread, bound, &mut meter);
            for step in steps.expect("there is no limit").successors {
                let next = step.next.canonical();
                if seen.insert(next.clone()) {
                    todo.push_back(next);
                }
            }
        }
        if seen.len() > MOST {
            return (seen.into_iter().collect(), false);
        }
    }
    (seen.into_iter().collect(), true)
}

/// Where the visible states have converged they are exactly those of the reference, as far as it can see; and the
/// overapproximation has all of them.
#[test]
fn visible_states_are_those_of_the_reference() {
    let goal = Goal::Label("nowhere".into());
    let (mut n_closed, mut n_visible, mut n_open, mut n_endless) = (0, 0, 0, 0);
    for seed in 0..150_u64 {
        let text = hardbop_bp::print(&random::program(seed, &Profile::recursive_threads()));
        let program = load(&text);
        let limit = 1 + seed as u32 % 3;
        let (bound, n_initial) = (Bound::SkipAt(limit), 1 + (seed as u32 / 3) % limit);
        if program.has_broadcasts() {
            continue;
        }
        let budget = Budget::unlimited();
        let mut meter = budget.meter(1024);
        let mut system = Programs::new(&program, &goal, n_initial, bound);
        let z = overapproximate(&mut system, &mut meter).expect("there is no limit");
        let mut search = Search::new(&mut system);
        search.most_products = 150;
        let found = search.converge(z.as_ref(), 6, &RunCtx::default().progress, &mut meter);
        let seen = search.visible().expect("it is small").clone();
        let why = match found {
            Ok(Some(Found::Never(why))) => why,
            Ok(None) | Err(_) => {
                n_open += 1;
                continue;
            }
            other => panic!("seed {seed}: {other:?}\n{text}"),
        };
        match why {
            Why::Visible(_) => n_visible += 1,
            _ => n_closed += 1,
        }
        let (configs, is_all) = enumerate(&program, n_initial, bound);
        n_endless += usize::from(!is_all);
        let expected: FxHashSet<_> = configs.into_iter().map(|it| system.see(it)).collect();
        assert!(expected.is_subset(&seen), "{why:?}: too few, seed {seed}\n{text}");
        assert!(!is_all || expected == seen, "{why:?}: too many, seed {seed}\n{text}");
        if let Some(z) = z {
            assert!(seen.is_subset(&z.seen), "seed {seed}\n{text}");
        }
    }
    let counts = (n_closed, n_visible, n_open, n_endless);
    assert!(n_closed > 40 && n_endless > 5, "{counts:?}");
}

/// Errors are those of the reference, in as few contexts as `contexts` needs switches; a proof is contradicted by none.
#[test]
fn errors_are_those_of_the_reference() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 1000..1070_u64 {
        let text = hardbop_bp::print(&random::program(seed, &Profile::recursive_threads()));
        let program = load(&text);
        let what = format!("seed {seed}\n{text}");
        let limit = 1 + seed as u32 % 3;
        let task = Task {
            threads: Threads::AtMost(limit),
            initial_threads: InitialThreads::Count(1 + (seed as u32 / 3) % limit),
            contexts: Some(3),
            ..Task::new(&program)
        };
        if Contexts::BDD.accepts(&task).is_err() {
            continue;
        }
        let said = ContextsExplicit.check(&task, &RunCtx::default());
        let other = Contexts::BDD.check(&task, &RunCtx::default());
        match (&said.answer, &other.answer) {
            (Verdict::Unsafe(Reached { trace: Some(trace), .. }), Verdict::Unsafe(_)) => {
                replay(&program, &task.goal, task.threads, task.initial_threads, trace)
                    .unwrap_or_else(|error| panic!("{error}: {what}"));
                assert_eq!(said.stats.get("switches"), other.stats.get("switches"), "{what}");
                n_unsafe += 1;
            }
            (Verdict::Safe, Verdict::Unknown(Reason::Bounded(_)) | Verdict::Safe) => n_safe += 1,
            (Verdict::Unknown(Reason::Bounded(_)), Verdict::Unknown(Reason::Bounded(_))) => {}
            answers => panic!("{answers:?}: {what}"),
        }
    }
    assert!(n_safe > 15 && n_unsafe > 15, "{n_safe}, {n_unsafe}");
}

fn ask(text: &str, threads: Threads) -> Claim {
    let program = load(text);
    let task = Task { threads, ..Task::new(&program) };
    ContextsExplicit.accepts(&task).expect("it is for such programs");
    ContextsExplicit.check(&task, &RunCtx::default())
}

/// Both threads recurse to any depth and take turns on the way back.
#[test]
fn recursion_with_threads_is_proved() {
    let lock = "
        decl lock := F, bad := F;
        void main() begin start_thread work(); work(); end
        void work() begin
          if (*) then work(); fi
          atomic_begin; assume(!lock); lock := T; atomic_end;
          assert(!bad);
          bad := T;
          bad := F;
          lock := F;
        end";
    for threads in [Threads::AtMost(2), Threads::Unbounded] {
        let claim = ask(lock, threads);
        assert!(matches!(claim.answer, Verdict::Safe), "{:?}", claim.answer);
        assert_eq!(claim.scope.contexts, None);
    }
    let claim = ask(&lock.replace("lock := T;", "skip;"), Threads::Unbounded);
    assert!(matches!(claim.answer, Verdict::Unsafe(_)), "{:?}", claim.answer);
}

/// Threads without end: what holds for six of them is no proof.
#[test]
fn threads_that_are_left_out_prevent_a_proof() {
    let text = "
        decl a := F;
        void main() begin while (*) do start_thread f(); od end
        void f() begin if (*) then f(); fi assert(!a); end";
    let claim = ask(text, Threads::Unbounded);
    assert!(matches!(claim.answer, Verdict::Unknown(Reason::Bounded(_))), "{:?}", claim.answer);
    assert_eq!(claim.scope.threads, Some(6));
    let claim = ask(text, Threads::AtMost(2));
    assert!(matches!(claim.answer, Verdict::Safe), "{:?}", claim.answer);
}

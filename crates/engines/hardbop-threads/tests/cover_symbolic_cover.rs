//! The cover itself, not only the verdict: the products, written out and closed under steps, are exactly
//! the minimal coverability set that the enumerating tree finds, which has the textbook's cover.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::Program;
use hardbop_dd::{Limits, Manager};
use hardbop_encode::slots::{Order, Slots};
use hardbop_engine::{InitialThreads, RunCtx, Task, Threads};
use hardbop_gen::random::{self, Profile};
use hardbop_threads::cover::km::{Forward, Until};
use hardbop_threads::cover::system::{State, System};
use hardbop_threads::cover_symbolic::km_certificate::closed;
use hardbop_threads::cover_symbolic::km_search::KmSearch;
use hardbop_threads::symbolic::layout::Layout;
use hardbop_threads::symbolic::template::Template;

fn short() -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(500)))
}

fn load(text: impl Into<String>) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text.into())).0.expect("the program is right")
}

/// Runs the search and hands it over; `None` if it does not end in its time.
fn with_search<T>(task: &Task<'_>, then: impl FnOnce(&KmSearch<'_>) -> T) -> Option<T> {
    let slots = Slots::new(task.program, Order::Force);
    let layout = Layout::apart(task.program, &slots);
    let dd = Manager::new(layout.n_levels(), Limits::SMALL);
    let ctx = short();
    let mut search = KmSearch::new(Template::new(task.program, &dd, &slots, &layout), &ctx.budget);
    search.run(task.initial_threads, &task.goal, true, &ctx).ok()?;
    Some(then(&search))
}

fn sorted(forward: &Forward) -> Vec<State> {
    let mut states: Vec<_> = forward.cover().into_iter().cloned().collect();
    states.sort_unstable();
    states
}

/// Whether both searches came to an end.
fn same_cover(task: &Task<'_>, what: &str) -> bool {
    let ended = with_search(task, |search| {
        let (mut system, ours) = closed(search, task, Until::Everything, &short()).ok()?;
        let mut plain = Forward::new(system.targets());
        plain.explore(&mut system, Until::Everything, &short()).ok()?;
        assert_eq!(sorted(&ours), sorted(&plain), "{what}");
        Some(())
    });
    ended.flatten().is_some()
}

fn unbounded(program: &Program) -> Task<'_> {
    Task { threads: Threads::Unbounded, exhaustive: true, ..Task::new(program) }
}

#[test]
fn random_programs_have_the_cover_of_the_enumerating_tree() {
    let mut n_compared = 0;
    for (profile, seeds) in [(Profile::threads(), 0..250), (Profile::broadcast(), 0..60)] {
        for seed in seeds {
            let program = load(hardbop_bp::print(&random::program(seed, &profile)));
            if hardbop_threads::counted::inline::check_inlinable(&program).is_err() {
                continue;
            }
            let initial_threads = match seed % 3 {
                0 => InitialThreads::Unbounded,
                n => InitialThreads::Count(n as u32),
            };
            let task = Task { initial_threads, ..unbounded(&program) };
            n_compared += usize::from(same_cover(&task, &format!("seed {seed}")));
        }
    }
    println!("{n_compared} covers");
    assert!(n_compared > 200, "{n_compared}");
}

/// A replicated program in the manner of BOOM figure 8.1: `main` starts threads in a loop; each takes a lock
/// and gives it back. Free: any number waits or is done. Taken: one thread has the lock, never two.
#[test]
fn threads_started_in_a_loop_are_counted_as_any_number() {
    let program = load(
        "decl lock := 0;
         void main() begin while (*) do start_thread worker(); od end
         void worker() begin
           atomic_begin; assume(!lock); lock := 1; atomic_end;
           lock := 0;
         end",
    );
    let task = unbounded(&program);
    let mut counts = with_search(&task, |search| {
        let omega = search.maximal.iter().all(|it| !search.moves.sets.get(it.omega).is_empty());
        assert!(omega, "threads were started");
        // `main` can only start threads, and is counted once; so is the thread with the lock.
        search.maximal.iter().map(|it| it.threads.n_threads()).collect::<Vec<_>>()
    })
    .expect("it is small");
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    assert!(same_cover(&task, "by hand"));
}

/// A loop that comes back with fewer shared values must not be accelerated: the second round is not possible.
#[test]
fn a_loop_that_uses_up_what_it_needs_is_taken_once() {
    let program = load(
        "decl ready := *, spare := *;
         void main() begin
           while (*) do assume(ready); start_thread worker(); ready, spare := spare, 0; od
         end
         void worker() begin skip; end",
    );
    assert!(same_cover(&unbounded(&program), "by hand"));
    let program = load(
        "decl ready := *;
         void main() begin while (*) do assume(ready); start_thread worker(); ready := 0; od end
         void worker() begin decl x; x := ready; assume(!x); ready := ready; end",
    );
    assert!(same_cover(&unbounded(&program), "by hand"));
}

//! The listings of BOOM chapter 6: errors that a careless reduction loses, and programs whose states
//! show what each reduction is for.

use hardbop_base::SourceFile;
use hardbop_cfg::Program;
use hardbop_engine::{Engine, Reached, Reduction, RunCtx, Task, Threads, Verdict};
use hardbop_interp::replay;
use hardbop_threads::counted::{CounterExplicit, CounterSteps};

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("listing.bp", text)).0.expect("the listing is right")
}

/// With every reduction, the assertion fails, and the trace is a run.
fn is_found(text: &str) {
    let program = load(text);
    for reduction in Reduction::ALL {
        let task = Task { threads: Threads::AtMost(2), reduction, ..Task::new(&program) };
        match CounterExplicit.check(&task, &RunCtx::default()).answer {
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                replay(&program, &task.goal, task.threads, task.initial_threads, &trace)
                    .unwrap_or_else(|error| panic!("{reduction}: {error}"));
            }
            other => panic!("{reduction}: {other:?}"),
        }
    }
}

/// Listing 6.1: `assume(s)` must not run before `assume(!s)` has had its turn.
#[test]
fn an_assume_that_would_block_is_not_preferred() {
    is_found(
        "decl s; void main() begin s := *; start_thread goto P2; P1: assume(s); end_thread; \
         P2: assume(!s); assert(F); end",
    );
}

/// Listing 6.2: what follows the invisible `l := T` matters to the assertion.
#[test]
fn the_future_of_a_thread_counts() {
    is_found(
        "decl s; void main() begin decl l; s := T; start_thread goto P2; P1: l := T; s := F; \
         end_thread; P2: assert(s); end",
    );
}

/// A section that gets stuck stops all threads: to enter it first would hide the error.
#[test]
fn a_section_that_may_block_is_not_preferred() {
    is_found(
        "decl s; void main() begin decl l; s := T; l := F; start_thread goto P2; \
         atomic_begin; assume(l); atomic_end; end_thread; P2: assert(!s); end",
    );
}

/// A loop that concerns nobody must not keep the others waiting for ever.
#[test]
fn a_local_loop_does_not_starve_the_others() {
    is_found(
        "decl s; void main() begin decl l; s := T; start_thread goto P2; \
         loop: l := !l; goto loop; P2: assert(!s); end",
    );
}

/// Neither must threads that start each other in a circle.
#[test]
fn a_circle_of_starts_does_not_starve_the_others() {
    is_found(
        "decl s; void main() begin s := T; start_thread goto P2; \
         loop: start_thread goto loop; end_thread; P2: assert(!s); end",
    );
}

/// The end of a thread makes room: only then can the third one start.
#[test]
fn the_end_of_a_thread_matters_to_starts() {
    is_found(
        "decl s; void main() begin decl l; s := F; start_thread goto P2; l := F; \
         start_thread goto P3; end_thread; P2: end_thread; P3: assert(F); end",
    );
}

/// The states of all searches, exhaustively: step by step, by leaps, and with each reduction.
struct States {
    steps: u64,
    leaps: u64,
    ample: u64,
    persistent: u64,
    cartesian: u64,
    both: u64,
}

fn states(text: &str, threads: u32) -> States {
    let program = load(text);
    let mut goals = None;
    let mut count = |engine: &dyn Engine, reduction| {
        let task = Task {
            threads: Threads::AtMost(threads),
            reduction,
            exhaustive: true,
            want_trace: false,
            want_certificate: false,
            ..Task::new(&program)
        };
        let claim = engine.check(&task, &RunCtx::default());
        assert_eq!(*goals.get_or_insert(claim.goals.clone()), claim.goals, "{reduction}");
        claim.stats.get("states").expect("states are counted")
    };
    States {
        steps: count(&CounterSteps, Reduction::None),
        leaps: count(&CounterExplicit, Reduction::None),
        ample: count(&CounterExplicit, Reduction::Ample),
        persistent: count(&CounterExplicit, Reduction::Persistent),
        cartesian: count(&CounterExplicit, Reduction::Cartesian),
        both: count(&CounterExplicit, Reduction::AmpleCartesian),
    }
}

/// Listing 6.3: the loop of one thread and the flip of the other depend on each other only through
/// their futures. Cartesian vectors leave interleavings out that ample sets must keep.
#[test]
fn vectors_pass_a_loop_that_depends_on_the_future() {
    let it = states(
        "decl a, b, c; decl g; \
         void t1() begin while (!a | !b | !c) do if (!a) then a := 1; elsif (!b) then a, b := 0, 1; \
         elsif (!c) then a, b, c := 0, 0, 1; fi od assert(g); end \
         void t2() begin g := !g; assert(!(a & b & c)); end \
         void main() begin a, b, c, g := 0, 0, 0, 0; atomic_begin; ASYNC_1: t1(); ASYNC_2: t2(); \
         atomic_end; end",
        3,
    );
    assert!(it.cartesian < it.steps, "{} of {}", it.cartesian, it.steps);
    assert!(it.both < it.ample && it.ample < it.steps, "{}, {}", it.both, it.ample);
    assert!(it.leaps < it.steps, "{} of {}", it.leaps, it.steps);
}

/// Listing 6.4: two pairs of threads that depend on each other until each has read the other's
/// variable once. Persistent sets then split them, Cartesian vectors stay one step long.
#[test]
fn persistent_sets_split_threads_that_have_parted() {
    let thread = |name, mine, other| {
        format!(
            "void {name}() begin goto L1, L2; L1: {mine} := !{other}; {mine} := !{mine}; \
             {mine} := !{mine}; {mine} := !{mine}; L2: skip; end "
        )
    };
    let text = "decl x, y; ".to_string()
        + &thread("t1", "x", "y")
        + &thread("t2", "y", "x")
        + "void main() begin atomic_begin; ASYNC_1: t1(); ASYNC_2: t1(); ASYNC_3: t2(); \
           ASYNC_4: t2(); atomic_end; end";
    let it = states(&text, 5);
    assert!(it.persistent < it.cartesian, "{}, {}", it.persistent, it.cartesian);
    assert!(it.cartesian < it.steps && it.ample < it.steps, "{}, {}", it.cartesian, it.ample);
    assert!(it.both <= it.ample && it.leaps < it.steps, "{}, {}", it.both, it.leaps);
}

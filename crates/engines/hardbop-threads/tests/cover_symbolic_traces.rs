//! Traces, where states are too many to be followed one by one, and the fewest threads in them.

use std::fmt::Write as _;
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_engine::{Engine, InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_evidence::Trace;
use hardbop_interp::replay;
use hardbop_threads::cover::counterexample::{by_tree, with_fewest_threads};
use hardbop_threads::cover_symbolic::KarpMiller;

/// Two workers and 40 variables that may have any value; the thread that starts workers fails.
fn wide() -> String {
    let names: Vec<String> = (0..40).map(|i| format!("g{i}")).collect();
    let mut text = format!("decl once := 0, twice := 0, {};\n", names.join(", "));
    let all = names.join(" & ");
    write!(
        text,
        "void worker() begin
           atomic_begin; if (once) then twice := 1; fi once := 1; atomic_end; assume(0);
         end
         void main() begin
           while (*) do start_thread worker(); od
           assert(!(twice & {all}));
         end"
    )
    .expect("a string can be written to");
    text
}

fn trace_of(text: &str, initial_threads: InitialThreads) -> (Trace, bool) {
    let file = SourceFile::new("t.bp", text);
    let program = hardbop_bp::load(&file).0.expect("the program is right");
    let task = Task { threads: Threads::Unbounded, initial_threads, ..Task::new(&program) };
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(60)));
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = KarpMiller.check(&task, &ctx).answer
    else {
        panic!("the assertion can fail");
    };
    replay(&program, &task.goal, task.threads, task.initial_threads, &trace)
        .unwrap_or_else(|error| panic!("{error}"));
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(5)));
    (trace, with_fewest_threads(&task, &ctx).is_some() || by_tree(&task, &ctx).is_some())
}

fn n_threads(trace: &Trace) -> usize {
    let mut threads: Vec<_> = trace.steps.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    threads.len()
}

#[test]
fn a_wide_program_has_a_trace_with_the_fewest_threads() {
    let (trace, is_enumerable) = trace_of(&wide(), InitialThreads::Count(1));
    assert_eq!(n_threads(&trace), 3);
    assert!(!is_enumerable, "this is about programs that are too wide to be enumerated");
}

#[test]
fn any_number_of_first_threads_may_be_few() {
    let text = "decl once := 0;
        void main() begin atomic_begin; assert(!once); once := 1; atomic_end; end";
    let (trace, _) = trace_of(text, InitialThreads::Unbounded);
    assert_eq!(n_threads(&trace), 2);
}

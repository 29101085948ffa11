//! Families generate programs that load, and small ones have the verdict their first lines promise.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{Engine, InitialThreads, RunCtx, Task, Threads, Verdict};
use hardbop_gen::families;
use hardbop_interp::Explicit;

fn generate(call: &str) -> String {
    let mut words = call.split(' ');
    let name = words.next().expect("a family");
    let args: Vec<String> = words.map(str::to_string).collect();
    let family = families::find(name).unwrap_or_else(|| panic!("no family {name}"));
    (family.generate)(&args).unwrap_or_else(|wrong| panic!("{call}: {wrong}"))
}

fn load(call: &str, text: &str) -> Program {
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new(call, text));
    assert!(diagnostics.is_empty(), "{call}: {diagnostics:#?}\n{text}");
    let program = program.expect("no diagnostics, so there is a program");
    hardbop_cfg::verify::verify(&program).unwrap_or_else(|broken| panic!("{call}: {broken:?}"));
    program
}

fn setting<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// The explicit engine answers as the first lines say.
fn check(call: &str) {
    let text = generate(call);
    let program = load(call, &text);
    let mut task = Task::new(&program);
    if let Some(label) = setting(&text, "goal").and_then(|goal| goal.strip_prefix("label:")) {
        task.goal = Goal::Label(label.into());
    }
    if let Some(threads) = setting(&text, "threads").filter(|&threads| threads != "inf") {
        task.threads = Threads::AtMost(threads.parse().expect("a number of threads"));
    }
    if let Some(initial) = setting(&text, "initial-threads") {
        let initial = initial.parse().expect("a number of threads");
        task.initial_threads = InitialThreads::Count(initial);
        task.threads = Threads::AtMost(initial);
    }
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(10)));
    let answer = match Explicit.check(&task, &ctx).answer {
        Verdict::Safe => "safe".to_string(),
        Verdict::Unsafe(_) => "unsafe".to_string(),
        Verdict::Unknown(reason) => format!("{reason:?}"),
    };
    assert_eq!(Some(answer.as_str()), setting(&text, "expect"), "{call}\n{text}");
}

#[test]
fn sequential_families_keep_their_promise() {
    for call in [
        "bebop-t 1",
        "bebop-t 4",
        "many-globals 2",
        "drivers 3 4",
        "call-chain 1",
        "call-chain 5",
        "call-chain 6",
        "mutual-recursion 1",
        "mutual-recursion 3",
        "fan-in 1 1",
        "fan-in 3 11",
        "shared-callees 1 1",
        "shared-callees 1 3",
        "shared-callees 2 2",
        "shared-callees 3 3",
        "shared-callees 4 3",
        "counter 1",
        "counter 5",
        "straight 1",
        "straight 40",
        "adder 1",
        "adder 2",
        "adder 3",
        "comparator 1",
        "comparator 3",
    ] {
        for variant in ["safe", "unsafe"] {
            check(&format!("{call} {variant}"));
        }
    }
}

#[test]
fn thread_families_keep_their_promise() {
    for call in [
        "spin-lock 1 safe 2",
        "spin-lock 1 safe 3",
        "spin-lock 1 unsafe 2",
        "spin-lock 1 unsafe",
        "ticket-lock 1 safe 3",
        "ticket-lock 2 safe 3",
        "ticket-lock 1 unsafe 3",
        "ticket-lock 1 unsafe",
        "readers-writers 1 safe 3",
        "readers-writers 1 unsafe 2",
        "readers-writers 1 unsafe inf",
        "work-queue 1 safe 4",
        "work-queue 2 safe 3",
        "work-queue 1 unsafe 3",
        "work-queue 2 unsafe",
        "cas-stack 2 safe 3",
        "cas-stack 2 unsafe 3",
        "barrier 2 safe",
        "barrier 3 safe",
        "barrier 2 unsafe",
        "barrier 3 unsafe",
        "token-ring 2 safe",
        "token-ring 3 safe",
        "token-ring 2 unsafe",
        "token-ring 4 unsafe",
    ] {
        check(call);
    }
}

#[test]
fn the_bluetooth_driver_fails_from_three_threads_on() {
    for call in [
        "bluetooth",
        "bluetooth-fixed",
        "bluetooth 1 1",
        "bluetooth 2 0",
        "bluetooth 0 2",
        "bluetooth 2 1",
        "bluetooth 1 2",
        "bluetooth-fixed 2 1",
        "bluetooth-fixed 1 2",
    ] {
        check(call);
    }
    // The template with two threads is safe: both may add, both may stop, or one of each.
    let text = generate("bluetooth");
    let program = load("bluetooth", &text);
    let task = Task {
        goal: Goal::Label("SLIC_ERROR".into()),
        threads: Threads::AtMost(2),
        initial_threads: InitialThreads::Count(2),
        ..Task::new(&program)
    };
    assert!(matches!(Explicit.check(&task, &RunCtx::default()).answer, Verdict::Safe));
}

#[test]
fn large_members_load() {
    for call in [
        "bebop-t 5000",
        "many-globals 300 unsafe",
        "drivers 60 450 safe",
        "call-chain 5000",
        "mutual-recursion 5000 safe",
        "fan-in 10 1000",
        "shared-callees 20 20",
        "counter 64",
        "straight 20000",
        "adder 200",
        "comparator 400",
        "bluetooth 20 20",
        "spin-lock 16",
        "ticket-lock 8",
        "readers-writers 16",
        "work-queue 100",
        "cas-stack 20",
        "barrier 100",
        "token-ring 100",
    ] {
        load(call, &generate(call));
    }
}

#[test]
fn text_grows_linearly_to_the_size_the_benchmark_asks_for() {
    let (small, large) = (generate("bebop-t 1000").len(), generate("bebop-t 100000").len());
    assert!(large < 110 * small, "{small} {large}");
}

#[test]
fn wrong_arguments_are_told() {
    let family = families::find("ticket-lock").expect("it is in the table");
    let wrong = |args: &[&str]| {
        let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
        (family.generate)(&args).expect_err("these arguments are wrong")
    };
    assert_eq!(wrong(&[]), "BITS is missing");
    assert_eq!(wrong(&["x"]), "BITS must be a number from 1 to 16, not `x`");
    assert_eq!(wrong(&["1", "maybe"]), "the variant is `safe` or `unsafe`, not `maybe`");
    assert_eq!(wrong(&["1", "safe", "2", "3"]), "`3` is one argument too many");
    assert_eq!(wrong(&["2", "unsafe", "4"]), "with 2 bits the error needs 5 workers");
}

#[test]
fn names_are_unique_and_usage_is_told() {
    let mut names: Vec<&str> = families::all().iter().map(|family| family.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), families::all().len());
    assert!(families::all().iter().all(|family| !family.usage.is_empty()));
}

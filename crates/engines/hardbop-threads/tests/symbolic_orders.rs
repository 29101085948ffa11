//! Engines over diagrams that are begun again and again, with other variable orders and more nodes, say what they would have said.

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::Program;
use hardbop_engine::{
    Claim, Engine, InitialThreads, Order, Reached, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;
use hardbop_threads::counted::CounterExplicit;
use hardbop_threads::cover::KarpMillerExplicit;
use hardbop_threads::cover_symbolic::karp_miller;
use hardbop_threads::symbolic::{counter, plain, symbolic_pc};

fn program(seed: u64) -> (String, Program) {
    let text = hardbop_bp::print(&random::program(seed, &Profile::threads()));
    let program = hardbop_bp::load(&SourceFile::new("t.bp", text.clone())).0;
    (text, program.expect("it is right"))
}

/// A few nodes, and any order to begin with.
fn first(seed: u64) -> (usize, Option<Order>) {
    let nodes = [10, 40, 150, 600][seed as usize % 4];
    let order = [None, Some(Order::Declared), Some(Order::Reversed), Some(Order::Random(seed))];
    (nodes, order[seed as usize / 4 % 4])
}

/// Whether it says unsafe; the run is one, and the proof is accepted.
fn is_unsafe(task: &Task<'_>, claim: &Claim, what: &str) -> bool {
    match &claim.answer {
        Verdict::Safe => {
            if let Some(certificate) = &claim.certificate {
                hardbop_certify::certify(task.program, certificate, &Budget::unlimited())
                    .unwrap_or_else(|why| panic!("{why:?}: {what}"));
            }
            false
        }
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                .unwrap_or_else(|error| panic!("{error}: {what}"));
            true
        }
        other => panic!("{other:?}: {what}"),
    }
}

type Check = fn(&Task<'_>, &RunCtx, usize) -> Claim;

#[test]
fn at_most_so_many_threads() {
    let engines: [(&str, Check); 3] = [
        ("symbolic", plain::check_from),
        ("symbolic-pc", symbolic_pc::check_from),
        ("counter", counter::check_from),
    ];
    let (mut n_orders, mut n_unsafe) = (0, 0);
    for seed in 0..60 {
        let (text, program) = program(seed);
        let (nodes, order) = first(seed);
        let threads = Threads::AtMost(1 + seed as u32 % 3);
        let task = Task { threads, order, ..Task::new(&program) };
        let expected = CounterExplicit.check(&task, &RunCtx::default());
        let expected = is_unsafe(&task, &expected, &text);
        n_unsafe += usize::from(expected);
        for (name, check) in engines {
            if name == "symbolic-pc" && program.has_broadcasts() {
                continue;
            }
            let what = format!("{name}, seed {seed}\n{text}");
            let claim = check(&task, &RunCtx::default(), nodes);
            n_orders += claim.stats.get("orders").unwrap_or(0);
            assert_eq!(is_unsafe(&task, &claim, &what), expected, "{what}");
        }
    }
    assert!(n_orders > 40 && n_unsafe > 10, "{n_orders}, {n_unsafe}");
}

#[test]
fn any_number_of_threads() {
    let mut n_orders = 0;
    for seed in 200..280 {
        let (text, program) = program(seed);
        let (nodes, order) = first(seed);
        if program.has_broadcasts() {
            continue;
        }
        let initial_threads =
            if seed % 3 == 0 { InitialThreads::Unbounded } else { InitialThreads::Count(1) };
        let threads = Threads::Unbounded;
        let task = Task { threads, initial_threads, order, ..Task::new(&program) };
        let expected = KarpMillerExplicit.check(&task, &RunCtx::default());
        let expected = is_unsafe(&task, &expected, &text);
        let what = format!("seed {seed}\n{text}");
        let claim = karp_miller::check_from(&task, &RunCtx::default(), nodes);
        n_orders += claim.stats.get("orders").unwrap_or(0);
        assert_eq!(is_unsafe(&task, &claim, &what), expected, "{what}");
    }
    assert!(n_orders > 1, "{n_orders}");
}

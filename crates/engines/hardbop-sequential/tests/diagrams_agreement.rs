//! The engine against the reference on random programs: same verdict, same goals, traces that replay
//! and are as short, certificates that prove; with all its parts and with each of them left out.

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify;
use hardbop_cfg::Program;
use hardbop_encode::slots::Order;
use hardbop_engine::{Claim, Engine, Reached, RunCtx, Task, Verdict};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::{Explicit, replay};
use hardbop_sequential::diagrams::Bdd;

fn random_program(seed: u64, profile: &Profile) -> (String, Program) {
    let file = SourceFile::new("random.bp", hardbop_bp::print(&random::program(seed, profile)));
    let (program, diagnostics) = hardbop_bp::load(&file);
    (file.text, program.unwrap_or_else(|| panic!("seed {seed}: {diagnostics:?}")))
}

fn run(engine: &dyn Engine, task: &Task<'_>) -> Claim {
    engine.check(task, &RunCtx::new(Budget::unlimited()))
}

/// Whether the program is unsafe, after everything about it was compared.
#[track_caller]
fn agree(engine: &Bdd, program: &Program, what: &str) -> bool {
    let mut task = Task::new(program);
    let (expected, found) = (run(&Explicit, &task), run(engine, &task));
    task.exhaustive = true;
    let (all_expected, all_found) = (run(&Explicit, &task), run(engine, &task));
    assert_eq!(all_expected.goals, all_found.goals, "{what}");
    match (&expected.answer, &found.answer) {
        (Verdict::Safe, Verdict::Safe) => {
            let certificate = found.certificate.expect("a safe claim has a certificate");
            let accepted = certify(program, &certificate, &Budget::unlimited());
            assert!(accepted.is_ok(), "{accepted:?}\n{what}");
            false
        }
        (
            Verdict::Unsafe(Reached { trace: Some(shortest), .. }),
            Verdict::Unsafe(Reached { trace: Some(trace), .. }),
        ) => {
            let replayed = replay(program, &task.goal, task.threads, task.initial_threads, trace);
            assert!(replayed.is_ok(), "{replayed:?}\n{what}");
            if engine.shortest {
                assert_eq!(shortest.n_statements(), trace.n_statements(), "{what}");
            }
            true
        }
        (expected, found) => panic!("{found:?}, should be {expected:?}\n{what}"),
    }
}

#[test]
fn as_the_reference() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for profile in [Profile::sequential(), Profile::recursive()] {
        for seed in 0..400 {
            let (text, program) = random_program(seed, &profile);
            if agree(&Bdd::DEFAULT, &program, &format!("{} {seed}\n{text}", profile.name)) {
                n_unsafe += 1;
            } else {
                n_safe += 1;
            }
        }
    }
    assert!(n_safe > 100 && n_unsafe > 100, "{n_safe} safe, {n_unsafe} unsafe");
}

#[test]
fn with_each_part_left_out() {
    let variants = [
        Bdd { compress: false, ..Bdd::DEFAULT },
        Bdd { liveness: false, ..Bdd::DEFAULT },
        Bdd { modref: false, ..Bdd::DEFAULT },
        Bdd { order: Order::Declared, ..Bdd::DEFAULT },
        Bdd { block_nodes: 0, ..Bdd::DEFAULT },
        Bdd { block_nodes: 3, ..Bdd::DEFAULT },
        Bdd { shortest: false, ..Bdd::DEFAULT },
        Bdd { shortest: false, fold: true, ..Bdd::DEFAULT },
        Bdd {
            compress: false,
            liveness: false,
            modref: false,
            order: Order::Declared,
            ..Bdd::DEFAULT
        },
    ];
    for seed in 1000..1060 {
        let (text, program) = random_program(seed, &Profile::recursive());
        for engine in &variants {
            agree(engine, &program, &format!("{engine:?} {seed}\n{text}"));
        }
    }
}

/// Every order gives the same answer, and so does a run that is begun again at any moment: with so few nodes that it is,
/// the sample and the moment are as chance will have it.
#[test]
fn in_any_order_begun_again_at_any_moment() {
    let (mut n_again, mut rng) = (0, hardbop_base::rng::Rng::new(22));
    for seed in 2000..2150 {
        let (text, program) = random_program(seed, &Profile::recursive());
        let order = match rng.below(4) {
            0 => Order::Force,
            1 => Order::Declared,
            2 => Order::Reversed,
            _ => Order::Random(rng.next_u64()),
        };
        let engine = Bdd { order, patience: 8 << rng.below(4), ..Bdd::DEFAULT };
        agree(&engine, &program, &format!("{engine:?} {seed}\n{text}"));
        let claim = run(&engine, &Task::new(&program));
        n_again += u32::from(claim.stats.get("orders").is_some());
    }
    assert!(n_again > 10, "only {n_again} were begun again in another order");
}

/// Sums of two numbers are linear if their bits are neighbours: from an order as bad as can be, a good one is found.
#[test]
fn a_bad_order_is_left() {
    for order in [Order::Random(1), Order::Declared, Order::Reversed] {
        let program = family("adder", &["16", "safe"]);
        let mut task = Task::new(&program);
        (task.order, task.want_certificate) = (Some(order), false);
        let claim = run(&Bdd::DEFAULT, &task);
        assert!(matches!(claim.answer, Verdict::Safe), "{order}: {:?}", claim.answer);
        assert!(claim.stats.get("orders").is_some(), "{order} was good enough");
        assert!(claim.stats.get("dd_nodes") < Some(100_000), "{order}: {:?}", claim.stats);
    }
}

fn family(name: &str, args: &[&str]) -> Program {
    let family = hardbop_gen::families::find(name).expect("it is a family");
    let args: Vec<_> = args.iter().map(|arg| arg.to_string()).collect();
    let text = (family.generate)(&args).expect("its arguments are right");
    let (program, _) = hardbop_bp::load(&SourceFile::new("family.bp", text));
    program.expect("families are programs")
}

/// Wide programs with shallow errors: what is reached after exactly n statements has diagrams that are not
/// much larger than what is reached at all, because `main` tells no values at its entry.
#[test]
fn traces_of_wide_programs() {
    for (name, args) in [("drivers", &["100", "100", "unsafe"][..]), ("adder", &["12", "unsafe"])] {
        let program = family(name, args);
        for engine in [Bdd::DEFAULT, Bdd { shortest: false, ..Bdd::DEFAULT }] {
            let task = Task::new(&program);
            let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = run(&engine, &task).answer
            else {
                panic!("{name} has a trace");
            };
            let replayed = replay(&program, &task.goal, task.threads, task.initial_threads, &trace);
            assert!(replayed.is_ok(), "{name}: {replayed:?}");
        }
    }
}

#[test]
fn limits_are_answers() {
    let program = family("adder", &["64", "safe"]);
    let task = Task::new(&program);
    let budget = Budget::unlimited().with_time(std::time::Duration::ZERO);
    let claim = Bdd::DEFAULT.check(&task, &RunCtx::new(budget));
    assert!(matches!(claim.answer, Verdict::Unknown(_)), "{:?}", claim.answer);
    let budget = Budget::unlimited().with_memory(1);
    let claim = Bdd::DEFAULT.check(&task, &RunCtx::new(budget));
    assert!(matches!(claim.answer, Verdict::Unknown(_)), "{:?}", claim.answer);
}

//! Engines on programs that are long, deep, or too much for their budget, and the numbers they tell.

use std::time::Duration;

use hardbop_base::{Budget, Exhausted, SourceFile};
use hardbop_cfg::Program;
use hardbop_engine::{Claim, Engine, Reached, Reason, RunCtx, Task, Verdict};
use hardbop_interp::replay;
use hardbop_sequential::sat::{Lazy, Pdr, QbfSummaries, Universal};

const ENGINES: [&dyn Engine; 4] = [&QbfSummaries, &Universal, &Lazy, &Pdr];

fn family(name: &str, args: &[&str]) -> Program {
    let family = hardbop_gen::families::find(name).expect("it is one of the families");
    let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
    load(&(family.generate)(&args).expect("the arguments are right"))
}

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("test.bp", text)).0.expect("the program is well-formed")
}

fn check(engine: &dyn Engine, program: &Program, budget: Budget) -> Claim {
    let task = Task::new(program);
    let claim = engine.check(&task, &RunCtx::new(budget));
    if let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = &claim.answer {
        let replayed = replay(program, &task.goal, task.threads, task.initial_threads, trace);
        assert!(replayed.is_ok(), "{}: {replayed:?}", engine.name());
    }
    claim
}

#[test]
fn no_time_is_no_answer() {
    let program = family("counter", &["8", "unsafe"]);
    for engine in ENGINES {
        let claim = check(engine, &program, Budget::unlimited().with_time(Duration::ZERO));
        let Verdict::Unknown(Reason::Exhausted(Exhausted::Time(_))) = claim.answer else {
            panic!("{}: {:?}", engine.name(), claim.answer);
        };
    }
}

#[test]
fn a_hard_program_ends_with_its_time() {
    let program = family("counter", &["24", "unsafe"]);
    for engine in ENGINES {
        let claim =
            check(engine, &program, Budget::unlimited().with_time(Duration::from_millis(300)));
        assert!(
            matches!(claim.answer, Verdict::Unknown(Reason::Exhausted(_))),
            "{}",
            engine.name()
        );
    }
}

#[test]
fn long_code_and_deep_calls_are_no_matter_of_the_stack() {
    for program in
        [family("straight", &["5000", "unsafe"]), family("call-chain", &["300", "unsafe"])]
    {
        for engine in ENGINES {
            let claim = check(engine, &program, Budget::unlimited());
            assert!(matches!(claim.answer, Verdict::Unsafe(_)), "{}", engine.name());
        }
    }
}

#[test]
fn a_wide_driver_with_a_shallow_error_is_no_matter_of_its_flags() {
    let program = family("drivers", &["20", "400", "unsafe"]);
    for engine in ENGINES {
        let claim = check(engine, &program, Budget::unlimited().with_time(Duration::from_secs(20)));
        assert!(matches!(claim.answer, Verdict::Unsafe(_)), "{}", engine.name());
    }
}

/// Nothing is known of `noise` and nothing needs to be.
#[test]
fn lazy_tells_how_many_procedures_it_left_alone() {
    let safe = load(
        "decl g := 0, h;
         void noise() begin h := *; more(); end
         void more() begin h := !h; end
         void main() begin noise(); if (h) then g := 0; fi noise(); assert(!g); end",
    );
    let claim = check(&Lazy, &safe, Budget::unlimited());
    assert!(matches!(claim.answer, Verdict::Safe));
    assert_eq!(claim.stats.get("never_refined"), Some(2));
}

/// Each call within a call negates the flag, so calls repeat after two levels.
#[test]
fn shallow_recursion_has_a_universal_summary() {
    let program = load(
        "decl g;
         void flip() begin g := !g; if (*) then flip(); flip(); fi end
         void main() begin g := 0; flip(); assert(g); end",
    );
    let claim = check(&Universal, &program, Budget::unlimited());
    assert!(matches!(claim.answer, Verdict::Safe), "{:?}", claim.answer);
    assert_eq!(claim.stats.get("left_to_fixpoint"), Some(0));
    assert_eq!(claim.stats.get("qbf_calls"), Some(0));
}

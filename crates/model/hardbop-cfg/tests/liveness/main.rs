//! Forgetting dead variables must not let a program do more.
//!
//! Random programs are explored twice by a naive stepper: once as they are, and once with every
//! variable that is dead where a thread arrives set to both values, which is what an engine does when
//! it quantifies it out. Both must visit the same locations, read the same values and fail the same
//! assertions. (Values of live variables would be too much to ask: callers are not told apart, so
//! a variable may be dead at one call and, for the sake of another, live in the callee.)

mod stepper;

use hardbop_base::SourceFile;
use hardbop_cfg::Program;
use hardbop_cfg::analysis::{Live, Population};
use hardbop_gen::random::{self, Profile};

use stepper::{Dead, Limits, Stepper};

fn random_program(seed: u64, profile: &Profile) -> Program {
    let text = hardbop_bp::print(&random::program(seed, profile));
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("random", text));
    program.unwrap_or_else(|| panic!("seed {seed}: {diagnostics:?}"))
}

/// How many values were forgotten; nothing if the program is too large.
fn compare(name: &str, program: &Program, live: &Live, limits: &Limits) -> Option<usize> {
    let plain = Stepper::new(program, limits, live, Dead::Kept).explore()?;
    let forgetful = Stepper::new(program, limits, live, Dead::Forgotten).explore()?;
    assert_eq!(plain.reached, forgetful.reached, "{name}");
    Some(forgetful.n_forgotten)
}

fn check(profile: Profile, population: Population, limits: &Limits) {
    let (mut compared, mut forgotten) = (0, 0);
    for seed in 0..200 {
        let program = random_program(seed, &profile);
        let live = Live::of(&program, population);
        let name = format!("{} seed {seed}", profile.name);
        if let Some(n_forgotten) = compare(&name, &program, &live, limits) {
            compared += 1;
            forgotten += n_forgotten;
        }
    }
    println!("{}: {compared} programs compared, {forgotten} values forgotten", profile.name);
    assert!(compared > 75 && forgotten > 10_000, "{compared} {forgotten}");
}

#[test]
fn one_thread_with_calls() {
    let limits = Limits { initial_threads: 1, threads: 1, stack: 5, configs: 5_000 };
    check(Profile::sequential(), Population::One, &limits);
}

#[test]
fn one_thread_with_recursion() {
    let limits = Limits { initial_threads: 1, threads: 1, stack: 4, configs: 5_000 };
    check(Profile::recursive(), Population::One, &limits);
}

/// Random conditions to enforce are rarely broken later by a value that was forgotten.
#[test]
fn enforce_keeps_values_alive() {
    let text = "hardbop-cfg 1
shared g
main main
proc main()
  local x
  enforce g | x
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: x, g := false, true
  loc l2
    l2 -> l3: g := *
  loc l3
    l3 -> l0: assert g
end
";
    let program = hardbop_cfg::text::read(text).unwrap();
    let limits = Limits { initial_threads: 1, threads: 1, stack: 1, configs: 1_000 };
    for population in [Population::One, Population::Many] {
        let live = Live::of(&program, population);
        assert!(compare("enforce", &program, &live, &limits).is_some());
    }
}

#[test]
fn programs_that_start_threads() {
    let limits = Limits { initial_threads: 1, threads: 2, stack: 3, configs: 5_000 };
    check(Profile::threads(), Population::One, &limits);
}

#[test]
fn programs_that_broadcast() {
    let limits = Limits { initial_threads: 1, threads: 2, stack: 3, configs: 5_000 };
    check(Profile::broadcast(), Population::Many, &limits);
}

#[test]
fn replicated_main() {
    let limits = Limits { initial_threads: 2, threads: 2, stack: 2, configs: 5_000 };
    let small = Profile { globals: (1, 2), procs: (0, 1), ..Profile::sequential() };
    check(Profile { stmts: (2, 4), locals: (0, 1), ..small }, Population::Many, &limits);
}

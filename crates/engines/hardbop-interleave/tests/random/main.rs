//! Random programs of two and three threads, whose verdicts a reference of a few lines knows: it goes through
//! all interleavings of loads, stores and locks, and orders accesses by clocks. Errors, deadlocks and races. Engine `cegar` is asked
//! about errors, too, and about programs that start any number of the same threads.

mod programs;
mod reference;

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::interp::{Ending, run};
use hardbop_cir::{Class, Program};
use hardbop_engine::Verdict;
use hardbop_engine_c::{Options, Report};
use programs::{Step, random_thread, text, text_of, with_inputs, with_more};
use reference::{Expected, expected};

/// For predicates: what takes longer is not decided.
const PATIENCE: Duration = Duration::from_secs(1);

fn load(source: &str, class: Class) -> Program {
    let options = hardbop_c::Options { classes: vec![class], ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), source.into())], &options);
    loaded.expect("it is C").program
}

/// What the engine says, if anything; what it finds is shown by a run.
fn found(source: &str, class: Class, seed: u64) -> Option<bool> {
    let program = load(source, class);
    let options = Options { classes: vec![class], stop_at_first: true, ..Options::default() };
    let (report, _) = hardbop_interleave::check(&program, &options, &Budget::unlimited());
    judged(&program, &report, source, seed)
}

/// The same of engine `cegar`, about errors, in a short time.
fn found_by_predicates(source: &str, seed: u64) -> Option<bool> {
    let class = Class::Assert;
    let program = load(source, class);
    let options = Options { classes: vec![class], stop_at_first: true, ..Options::default() };
    let budget = Budget::unlimited().with_time(PATIENCE);
    let said = hardbop_cegar_threads::check(&program, &options, &budget, &mut |_| {});
    judged(&program, &said.report, source, seed)
}

fn judged(program: &Program, report: &Report, source: &str, seed: u64) -> Option<bool> {
    match report.overall() {
        Verdict::Safe => Some(false),
        Verdict::Unsafe(found) => {
            let violated = report.checks.iter().find(|it| it.1.is_unsafe());
            let &check = violated.expect("a check is violated").0;
            let shown = run(&found.program(program), &found.up_to(program, check));
            assert_eq!(shown.ending, Ending::Violation(check), "seed {seed}:\n{source}");
            Some(true)
        }
        Verdict::Unknown(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    /// With arbitrary numbers.
    Inputs,
    /// With pointers, swaps, an array by number, a condition variable and threads that start threads.
    More,
}

impl Kind {
    fn threads(self, n: usize, rng: &mut Rng) -> Vec<Vec<Step>> {
        let thread = |rng: &mut Rng| match self {
            Kind::Inputs => with_inputs(random_thread(rng), rng),
            Kind::Plain | Kind::More => random_thread(rng),
        };
        let mut threads: Vec<_> = (0..n).map(|_| thread(rng)).collect();
        if self == Kind::More {
            with_more(&mut threads, rng);
        }
        threads
    }
}

/// How many programs have each of the three mistakes.
fn compare(seeds: std::ops::Range<u64>, kind: Kind) -> [usize; 3] {
    let mut n_found = [0; 3];
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let n = rng.within((2, 3));
        let threads = kind.threads(n, &mut rng);
        let source = text(&threads);
        let Expected { is_wrong, is_dead, is_raced } = expected(&threads);
        let all = [(Class::Assert, is_wrong), (Class::Deadlock, is_dead), (Class::Race, is_raced)];
        for (at, (class, expected)) in all.into_iter().enumerate() {
            let said = found(&source, class, seed);
            // Which place is read depends on an input: that there is no race is not shown.
            // An exchange that fails orders nothing.
            let is_open =
                threads.iter().flatten().any(|it| matches!(it, Step::LoadBy | Step::Swap(..)));
            if !(class == Class::Race && is_open && said.is_none()) {
                assert_eq!(said, Some(expected), "seed {seed}: {class}\n{source}");
            }
            n_found[at] += usize::from(said == Some(true));
        }
    }
    n_found
}

#[test]
fn random_programs_have_the_verdicts_of_all_interleavings() {
    let n_found = compare(0..300, Kind::Plain);
    let is_mixed = |n_found: usize| n_found > 20 && n_found < 270;
    assert!(n_found.into_iter().all(is_mixed), "{n_found:?} of 300 are unsafe");
}

/// The reference tries each of the four numbers that an input makes; the engine has a term for all.
#[test]
fn random_programs_with_inputs_have_the_verdicts_of_all_interleavings_and_numbers() {
    let n_found = compare(1_000..1_200, Kind::Inputs);
    let is_mixed = |n_found: usize| n_found > 10 && n_found < 190;
    assert!(n_found.into_iter().all(is_mixed), "{n_found:?} of 200 are unsafe");
}

/// `HARDBOP_MORE` says how many are tried.
#[test]
fn random_programs_with_pointers_and_conditions_have_the_verdicts_of_all_interleavings() {
    let n = std::env::var("HARDBOP_MORE").ok().and_then(|it| it.parse().ok()).unwrap_or(200);
    let n_found = compare(2_000..2_000 + n, Kind::More);
    let is_mixed = |n_found: usize| n_found as u64 > n / 20 && (n_found as u64) < n - n / 20;
    assert!(n_found.into_iter().all(is_mixed), "{n_found:?} of {n} are unsafe");
}

/// How many are safe, unsafe and not decided by predicates. `HARDBOP_PREDICATES` says how many are tried.
fn compare_predicates(first: u64, n: u64, kind: Kind, are_many: bool) -> [usize; 3] {
    let n = std::env::var("HARDBOP_PREDICATES").ok().and_then(|it| it.parse().ok()).unwrap_or(n);
    let mut counts = [0; 3];
    for seed in first..first + n {
        let mut rng = Rng::new(seed);
        let least = if are_many { 1 } else { 2 };
        let n = rng.within((least, 3 - usize::from(are_many)));
        let threads = kind.threads(n, &mut rng);
        let said = found_by_predicates(&text_of(&threads, are_many), seed);
        let expected = match (are_many, &threads[..]) {
            (true, [one]) => (1..=3).any(|n| expected(&vec![one.clone(); n]).is_wrong),
            (true, [one, other]) => {
                let two = [one, other].into_iter();
                two.into_iter().any(|it| {
                    let three = vec![one.clone(), other.clone(), it.clone()];
                    let twice = vec![it.clone(); 2];
                    expected(&three).is_wrong || expected(&twice).is_wrong
                })
            }
            _ => expected(&threads).is_wrong,
        };
        match said {
            // Few threads may be too few for a mistake; what is found has been shown by a run.
            Some(true) if are_many => {}
            Some(said) => {
                let source = text_of(&threads, are_many);
                assert_eq!(said, expected, "seed {seed}\n{source}");
            }
            None => {}
        }
        counts[said.map_or(2, usize::from)] += 1;
    }
    println!("{counts:?} safe, unsafe, not decided");
    counts
}

#[test]
fn predicates_say_of_random_programs_what_all_interleavings_say() {
    let [n_safe, n_unsafe, _] = compare_predicates(0, 100, Kind::Plain, false);
    assert!(n_safe > 10 && n_unsafe > 3, "{n_safe} {n_unsafe}");
}

#[test]
fn predicates_say_of_random_programs_with_inputs_what_all_interleavings_say() {
    let [n_safe, n_unsafe, _] = compare_predicates(1_000, 60, Kind::Inputs, false);
    assert!(n_safe > 3 && n_unsafe > 2, "{n_safe} {n_unsafe}");
}

#[test]
fn predicates_say_of_random_programs_with_pointers_what_all_interleavings_say() {
    let [n_safe, n_unsafe, _] = compare_predicates(2_000, 60, Kind::More, false);
    // Few are decided in their second.
    assert!(n_safe + n_unsafe > 0, "{n_safe} {n_unsafe}");
}

/// What is proved for any number of threads is right for one, two and three.
#[test]
fn predicates_prove_nothing_of_any_number_that_three_threads_refute() {
    let [n_safe, n_unsafe, _] = compare_predicates(5_000, 100, Kind::Plain, true);
    assert!(n_safe > 5 && n_unsafe > 5, "{n_safe} {n_unsafe}");
}

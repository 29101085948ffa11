//! Both engines against the interpreter on all inputs of small random programs.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_cir::pass::Passes;
use hardbop_engine_c::{Finding, Options};

fn compare(seeds: std::ops::Range<u64>) {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
    let (mut n_compared, mut n_open, mut n_proved, mut n_violated, mut n_checks) = (0, 0, 0, 0, 0);
    let mut n_single = 0;
    for seed in seeds {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let Some(expected) = violated(&loaded.program, &classes) else { continue };
        n_compared += 1;
        let budget = || Budget::unlimited().with_time(Duration::from_secs(20));
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first: false };
        let report = hardbop_bmc::check(&loaded.program, &options, &budget());
        for (&check, verdict) in &report.checks {
            let info = &loaded.program.checks[check];
            let is_right = match verdict {
                Finding::Safe => !expected.contains(&check),
                Finding::Unsafe(_) => expected.contains(&check),
                Finding::Unknown(_) => true,
            };
            assert!(is_right, "seed {seed}: {verdict:?} for {}\n{text}", info.message);
            n_checks += 1;
            n_violated += usize::from(matches!(verdict, Finding::Unsafe(_)));
            n_open += usize::from(matches!(verdict, Finding::Unknown(_)));
        }
        let kind_budget = Budget::unlimited().with_time(Duration::from_millis(500));
        let (report, _) = hardbop_kind::check(&loaded.program, &options, &kind_budget);
        if report.overall() == Finding::Safe {
            assert!(expected.is_empty(), "seed {seed}: kind proves\n{text}");
            n_proved += 1;
        }
        for (check, _) in report.checks.iter().filter(|it| it.1.is_safe()) {
            let message = &loaded.program.checks[*check].message;
            assert!(!expected.contains(check), "seed {seed}: kind proves {message}\n{text}");
            n_single += usize::from(report.overall() != Finding::Safe);
        }
        // Where only assertions are asked about, more is cut away.
        let asserts = Options { classes: vec![Class::Assert], unwind: None, stop_at_first: true };
        let Some(expected) = violated(&loaded.program, &asserts.classes) else { continue };
        let (proof, _) = hardbop_kind::check(&loaded.program, &asserts, &kind_budget);
        for report in [hardbop_bmc::check(&loaded.program, &asserts, &budget()), proof] {
            let is_right = match report.overall() {
                Finding::Safe => expected.is_empty(),
                Finding::Unsafe(_) => !expected.is_empty(),
                Finding::Unknown(_) => true,
            };
            assert!(is_right, "seed {seed}: asserts {:?}\n{text}", report.overall());
        }
    }
    eprintln!(
        "{n_compared} programs, {n_checks} checks: {n_violated} violated, {n_open} open; \
         {n_proved} programs proved by kind, {n_single} checks of others"
    );
    assert!(n_single > 0);
    assert!(n_compared > 0 && n_open * 4 <= n_checks, "{n_open} of {n_checks} are open");
}

/// All passes, none, each alone, all but each.
fn choices() -> Vec<Passes> {
    let mut choices = vec![Passes::ALL, Passes::NONE];
    for at in 0..4 {
        let mut passes = [false; 4];
        passes[at] = true;
        choices.push(from_flags(passes));
        choices.push(from_flags(passes.map(|it| !it)));
    }
    choices
}

fn from_flags([propagate, inline, promote, slice]: [bool; 4]) -> Passes {
    Passes { propagate, inline, promote, slice }
}

/// A shrunk program violates the same checks on all its inputs, and `bmc` says the same of it as of
/// the whole one.
fn passes_keep_verdicts(seeds: std::ops::Range<u64>) {
    let all: Vec<Class> = Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
    let (mut n_compared, mut n_violated) = (0, 0);
    for seed in seeds {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: all.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        for classes in [all.clone(), vec![Class::Assert], vec![Class::Bounds, Class::Div]] {
            let Some(expected) = violated(&loaded.program, &classes) else { continue };
            n_violated += expected.len();
            for passes in choices() {
                let small = hardbop_engine_c::prepare(&loaded.program, &classes, passes);
                hardbop_cir::verify(&small)
                    .unwrap_or_else(|it| panic!("seed {seed}, {passes:?}: {it}\n{text}"));
                let found = violated(&small, &classes);
                assert_eq!(found.as_ref(), Some(&expected), "seed {seed}, {passes:?}\n{text}");
                n_compared += 1;
            }
            // Solving is slower than running: one choice a program.
            let passes = choices()[seed as usize % choices().len()];
            let options = Options { classes, unwind: None, stop_at_first: false };
            let budget = Budget::unlimited().with_time(Duration::from_secs(10));
            let report = hardbop_bmc::check_with(&loaded.program, &options, &budget, passes);
            for (check, verdict) in &report.checks {
                let is_right = match verdict {
                    Finding::Safe => !expected.contains(check),
                    Finding::Unsafe(_) => expected.contains(check),
                    Finding::Unknown(_) => true,
                };
                assert!(is_right, "seed {seed}, {passes:?}: {verdict:?}\n{text}");
            }
        }
    }
    eprintln!("{n_compared} comparisons, {n_violated} checks violated");
    assert!(n_compared > 0 && n_violated > 0);
}

fn n_seeds(default: u64) -> u64 {
    std::env::var("HARDBOP_RANDOM_C").ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[test]
fn every_pass_keeps_verdicts() {
    passes_keep_verdicts(0..n_seeds(40));
}

#[test]
fn engines_agree_with_all_runs() {
    compare(0..n_seeds(60));
}

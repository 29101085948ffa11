//! The engine against the interpreter on all inputs of small random programs, with calls inlined and
//! with calls kept, with each of its switches, whether it is asked for all violations or for the first. More of them: `hardbop-fuzz c --engine cegar`.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cegar::{Checker, Cutting, Following, Settings};
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_cir::pass::Passes;
use hardbop_engine_c::{Finding, Options};

fn compare(seeds: std::ops::Range<u64>, settings: Settings) {
    let all: Vec<Class> =
        Class::ALL.into_iter().filter(|it| !(it.is_of_heap() || *it == Class::Uninit)).collect();
    let (mut n_compared, mut n_safe, mut n_unsafe, mut n_open) = (0, 0, 0, 0);
    for seed in seeds {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: all.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        for (classes, stop_at_first) in [(all.clone(), false), (vec![Class::Assert], true)] {
            let Some(expected) = violated(&loaded.program, &classes) else { continue };
            n_compared += 1;
            let options = Options { classes, unwind: None, stop_at_first };
            let budget = Budget::unlimited().with_time(Duration::from_millis(400));
            let report =
                hardbop_cegar::check_with(&loaded.program, &options, &budget, settings).report;
            for (&check, verdict) in &report.checks {
                let info = &loaded.program.checks[check];
                let is_right = match verdict {
                    Finding::Safe => !expected.contains(&check),
                    Finding::Unsafe(_) => expected.contains(&check),
                    Finding::Unknown(_) => true,
                };
                assert!(is_right, "seed {seed}: {verdict:?} for {}\n{text}", info.message);
                match verdict {
                    Finding::Safe => n_safe += 1,
                    Finding::Unsafe(_) => n_unsafe += 1,
                    Finding::Unknown(_) => n_open += 1,
                }
            }
        }
    }
    eprintln!("{n_compared} questions: {n_safe} checks safe, {n_unsafe} violated, {n_open} open");
    assert!(n_safe > n_compared && n_unsafe > 0, "too little was decided to be a test");
}

#[test]
fn random_programs_with_calls_inlined() {
    compare(0..60, Settings::DEFAULT);
}

#[test]
fn random_programs_with_calls_kept() {
    compare(60..120, Settings::PROCEDURES);
}

#[test]
fn random_programs_as_they_are() {
    compare(120..160, Settings { passes: Passes::NONE, ..Settings::DEFAULT });
}

#[test]
fn random_programs_with_predicates_everywhere() {
    compare(160..180, Settings { following: Following::Everywhere, ..Settings::PROCEDURES });
}

#[test]
fn random_programs_with_predicates_that_share_variables() {
    compare(180..210, Settings { following: Following::Sharing, ..Settings::PROCEDURES });
}

#[test]
fn random_programs_statement_by_statement() {
    let settings = Settings { cutting: Cutting::Statements, ..Settings::PROCEDURES };
    compare(210..230, settings);
    compare(230..250, Settings { following: Following::Sharing, ..settings });
}

#[test]
fn random_programs_with_lemmas_kept() {
    compare(250..280, Settings { checker: Checker::Pdr, ..Settings::PROCEDURES });
}

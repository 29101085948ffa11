//! Against all runs of small random programs: every violation found is one of theirs, and most of
//! theirs are found.

use std::sync::Arc;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine_c::{Finding, Options};
use hardbop_runs::{Limits, Search};

#[test]
fn violations_are_those_of_all_runs() {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
    let (mut n_programs, mut n_violated, mut n_found, mut n_safe) = (0, 0, 0, 0);
    for seed in 0..200 {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let Some(expected) = violated(&loaded.program, &classes) else { continue };
        n_programs += 1;
        n_violated += expected.len();
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first: false };
        let mut search = Search::new(&Arc::new(loaded.program), &options);
        let limits = Limits { n_runs: 1_000, n_steps: 1_000_000 };
        search.go(limits, &Budget::unlimited(), &mut || {});
        let report = search.report();
        for (check, verdict) in &report.checks {
            let is_right = match verdict {
                Finding::Unsafe(_) => expected.contains(check),
                Finding::Safe => !expected.contains(check),
                Finding::Unknown(_) => true,
            };
            assert!(is_right, "seed {seed}: {verdict:?} for {check:?}\n{text}");
            n_found += usize::from(matches!(verdict, Finding::Unsafe(_)));
        }
        n_safe += usize::from(report.overall() == Finding::Safe);
    }
    eprintln!(
        "{n_programs} programs: {n_found} of {n_violated} violations found, {n_safe} programs with \
         one run"
    );
    assert!(n_programs >= 100 && n_violated >= 100);
    assert!(n_found * 100 >= n_violated * 97, "{n_found} of {n_violated}");
}

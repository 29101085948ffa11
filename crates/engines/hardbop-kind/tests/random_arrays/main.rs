//! What is proved by following cells holds on all inputs of small random programs, where arrays are
//! short enough to run them all.

mod generate;

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::interp::Ending;
use hardbop_cir::interp::all_runs;
use hardbop_cir::pass::Passes;
use hardbop_cir::{Class, Program};
use hardbop_engine_c::prepare;
use hardbop_kind::cells;

/// Whether some run violates a check or does something without a meaning; `None` if there are too many
/// runs to say.
fn goes_wrong(program: &Program, classes: &[Class]) -> Option<bool> {
    let mut is_wrong = false;
    let all = all_runs::for_each_run(program, classes, &mut |run| {
        is_wrong |= !run.violations.is_empty()
            || !matches!(run.ending, Ending::Exit(_) | Ending::Abort | Ending::TooLong);
        !is_wrong && run.ending != Ending::TooLong
    });
    (all || is_wrong).then_some(is_wrong)
}

fn compare(seeds: std::ops::Range<u64>) {
    let (mut n_proved, mut n_wrong, mut n_right) = (0, 0, 0);
    for seed in seeds {
        let text = generate::program(seed);
        let name = if seed % 3 == 0 { "all" } else { "unreach-call" };
        let classes: Vec<Class> = Class::select(name)
            .expect("a property")
            .into_iter()
            .filter(|it| *it != Class::Uninit)
            .collect();
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        // What is cut away cannot go wrong: the program the engine looks at is the one that is run.
        let passes = Passes { inline: seed % 4 != 0, ..Passes::ALL };
        let cut = prepare(&loaded.program, &classes, passes);
        let Some(is_wrong) = goes_wrong(&cut, &classes) else { continue };
        let budget = Budget::unlimited().with_time(Duration::from_millis(500));
        let found = cells::prove_prepared(cut, &classes, 2, &budget);
        let is_proved = matches!(found, Ok(Some(_)));
        assert!(!(is_proved && is_wrong), "seed {seed}, {passes:?}: proved\n{text}");
        if is_proved && let Some(violated) = all_runs::violated(&loaded.program, &classes) {
            assert!(violated.is_empty(), "seed {seed}: the whole program is wrong\n{text}");
        }
        n_proved += usize::from(is_proved);
        n_wrong += usize::from(is_wrong);
        n_right += usize::from(!is_wrong);
    }
    eprintln!("{n_wrong} programs go wrong, of {n_right} others {n_proved} are proved by cells");
    assert!(n_proved * 10 > n_right && n_wrong > 0, "too little is compared");
}

#[test]
fn what_cells_prove_holds_in_all_runs() {
    let n = std::env::var("HARDBOP_RANDOM_ARRAYS").ok().and_then(|it| it.parse().ok());
    compare(0..n.unwrap_or(200));
}

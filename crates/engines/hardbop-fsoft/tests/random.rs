//! The engine against the interpreter on all inputs of small random programs, by each method and
//! with each heuristic.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine_c::{Finding, Options as Task};
use hardbop_fsoft::{Encoding, Method, Options, check};

fn variants() -> Vec<Options> {
    let bmc = Options { method: Method::Bmc, depth: Some(200), ..Options::default() };
    let binary = Options { encoding: Encoding::Binary, ..bmc };
    vec![
        bmc,
        Options { method: Method::Bdd, nodes: 1 << 17, ..Options::default() },
        binary,
        Options { pc_first: true, predecessors: true, ..binary },
        Options { reachability: false, depth: Some(60), ..bmc },
        Options { reachability: false, predecessors: true, depth: Some(60), ..binary },
        Options { pc_first: true, ..bmc },
    ]
}

fn compare(seeds: std::ops::Range<u64>) {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
    let (mut n_compared, mut n_safe, mut n_unsafe, mut n_open) = (0, 0, 0, 0);
    for seed in seeds {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        for classes in [&classes[..], &[Class::Assert]] {
            let Some(expected) = violated(&loaded.program, classes) else { continue };
            n_compared += 1;
            // Each program by the first two and one of the others.
            let others = 2 + (seed as usize) % (variants().len() - 2);
            for at in [0, 1, others] {
                let options = variants()[at];
                let budget = Budget::unlimited().with_time(Duration::from_secs(3));
                let task = Task {
                    classes: classes.to_vec(),
                    unwind: None,
                    stop_at_first: seed.is_multiple_of(2),
                };
                let (report, _) = check(&loaded.program, &task, &options, &budget);
                for (&check, verdict) in &report.checks {
                    let is_right = match verdict {
                        Finding::Safe => !expected.contains(&check),
                        Finding::Unsafe(_) => expected.contains(&check),
                        Finding::Unknown(_) => true,
                    };
                    let message = &loaded.program.checks[check].message;
                    assert!(is_right, "seed {seed} {options:?}: {verdict:?}, {message}\n{text}");
                }
                match report.overall() {
                    Finding::Safe => {
                        assert!(expected.is_empty(), "seed {seed} {options:?}\n{text}");
                        n_safe += 1;
                    }
                    Finding::Unsafe(_) => n_unsafe += 1,
                    Finding::Unknown(why) => {
                        if std::env::var_os("HARDBOP_VERBOSE").is_some() {
                            eprintln!("seed {seed} {at}: {why}");
                        }
                        n_open += 1;
                    }
                }
            }
        }
    }
    eprintln!("{n_compared} questions: {n_safe} safe, {n_unsafe} unsafe, {n_open} open answers");
    assert!(n_safe > 0 && n_unsafe > 0, "{n_safe} {n_unsafe}");
    assert!(n_open * 3 <= n_safe + n_unsafe, "{n_open} are open");
}

#[test]
fn methods_and_heuristics_agree_with_all_runs() {
    let n = std::env::var("HARDBOP_RANDOM_C").ok().and_then(|it| it.parse().ok()).unwrap_or(30);
    compare(0..n);
}

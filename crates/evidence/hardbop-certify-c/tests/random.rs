//! Random programs against all their runs: what goes wrong for some input has no proof, whatever a certificate says.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, Rejected, certify};
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;

fn load(text: &str) -> CProgram {
    let options = hardbop_c::Options { classes: Class::ALL.to_vec(), ..Default::default() };
    hardbop_c::load_text(vec![("t.c".into(), text.into())], &options).expect("it is C")
}

/// What is read before it is written is not followed.
fn classes() -> Vec<Class> {
    Class::ALL.into_iter().filter(|it| !(it.is_of_heap() || *it == Class::Uninit)).collect()
}

#[test]
fn no_program_that_goes_wrong_has_a_proof() {
    let (mut n_wrong, mut n_accepted, mut n_safe) = (0, 0, 0);
    for seed in 0..150 {
        let text = hardbop_gen::c::program(seed);
        let loaded = load(&text);
        for classes in [classes(), vec![Class::Assert]] {
            let Some(violated) = violated(&loaded.program, &classes) else { continue };
            // Whatever is forged: the largest bounds prove the most.
            let forged = Certificate::new(&loaded.program, &classes, 64, 8);
            let budget = Budget::unlimited().with_time(Duration::from_secs(5));
            match certify(&loaded.program, &forged, &budget) {
                Ok(_) => {
                    assert!(violated.is_empty(), "seed {seed}, {classes:?}: {violated:?}\n{text}");
                    n_accepted += 1;
                }
                Err(Rejected::At(span, why)) if violated.is_empty() => {
                    eprintln!("seed {seed}: line {}: {why}", loaded.sources.position(span).line);
                }
                Err(other) if violated.is_empty() => eprintln!("seed {seed}: {other}"),
                Err(_) => {}
            }
            match violated.is_empty() {
                true => n_safe += 1,
                false => n_wrong += 1,
            }
        }
    }
    eprintln!("{n_accepted} of {n_safe} accepted, {n_wrong} wrong");
    assert!(n_wrong > 50, "{n_wrong}");
    assert!(n_accepted > 20, "{n_accepted}");
}

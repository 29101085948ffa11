//! Small runs of the random campaigns; `cargo run -p hardbop-smt --release --example campaign` for
//! long ones.

mod common;

use common::{agree, evaluate};
use hardbop_smt::Backend;

#[test]
fn random_terms_have_the_value_that_evaluation_gives() {
    evaluate::evaluation(11, 500, Backend::Batsat);
}

#[test]
#[cfg(feature = "cadical")]
fn random_terms_have_that_value_with_the_other_back_end_too() {
    evaluate::evaluation(12, 100, Backend::Cadical);
}

#[test]
fn random_queries_agree_with_an_outside_solver() {
    let Some(outside) = agree::outside_solver() else {
        eprintln!("SKIPPED: neither z3 nor cvc5 is installed, nothing was compared");
        return;
    };
    let tally = agree::agreement(13, 250, Backend::Adaptive, &outside);
    assert!(tally.n_sat > 50 && tally.n_unsat > 50, "{tally:?}");
}

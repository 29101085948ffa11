//! The random campaigns at any length, and the timings of the parts.
//!
//! ```text
//! campaign evaluate SEED N_TERMS      campaign agree SEED N_QUERIES      campaign timings
//! ```

#[path = "../../tests/common/mod.rs"]
mod common;
mod timings;

use std::time::Instant;

use common::{agree, evaluate};
use hardbop_smt::Backend;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let start = Instant::now();
    match words[..] {
        ["evaluate", seed, n] => {
            let (seed, n) = (number(seed), number(n) as usize);
            evaluate::evaluation(seed, n, Backend::Adaptive);
            println!("{n} terms evaluated as their circuits do, {:.1?}", start.elapsed());
        }
        ["agree", seed, n] => {
            let Some(outside) = agree::outside_solver() else {
                println!("SKIPPED: neither z3 nor cvc5 is installed");
                return;
            };
            let tally =
                agree::agreement(number(seed), number(n) as usize, Backend::Adaptive, &outside);
            println!("agreed with {}: {tally:?}, {:.1?}", outside[0], start.elapsed());
        }
        ["timings"] => timings::print(),
        _ => eprintln!("usage: campaign evaluate SEED N | agree SEED N | timings"),
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text} should be a number"))
}

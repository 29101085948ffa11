//! Random pushdown systems: rules of two threads (`.pds`), where they begin (`.init`) and what they must not reach (`.spec`).
//!
//! Three shared and three local states, stacks that may be empty, rules that push and pop: about as often safe as not, and a search over
//! whole stacks mostly ends.

use crate::rng::Rng;

/// The three texts of a random system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texts {
    pub rules: String,
    pub init: String,
    pub target: String,
}

pub fn random(rng: &mut Rng) -> Texts {
    let rules = rules(rng);
    let init = ["0|0,0", "0|1,0", "0|0 1,2", "1|-,2"][rng.below(4)].to_string();
    let tops = ["-", "0", "1", "2"];
    let (shared, one, two) = (rng.below(3), tops[rng.below(4)], tops[rng.below(4)]);
    Texts { rules, init, target: format!("{shared}|{one},{two}") }
}

fn rules(rng: &mut Rng) -> String {
    let mut text = String::from("3\n");
    for thread in 0..2 {
        text += "PDA 0 2\n";
        for _ in 0..5 + rng.below(4) {
            let top =
                if thread == 0 && rng.below(12) == 0 { "-" } else { ["0", "1", "2"][rng.below(3)] };
            let word = match rng.below(5) {
                0 => "-".to_string(),
                1 | 2 => format!("{} {}", rng.below(3), rng.below(3)),
                _ => rng.below(3).to_string(),
            };
            text += &format!("{} {top} -> {} {word}\n", rng.below(3), rng.below(3));
        }
    }
    text
}

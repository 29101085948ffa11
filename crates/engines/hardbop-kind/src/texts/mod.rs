//! Texts: loops that walk along bytes up to a 0 (`while (*p) p++`, `strlen`, `strtok`), and loops around these that
//! fill the memory anew each time (`while (fgets(line, …))`).
//!
//! Of memory that a loop writes to nothing is known at its head but what is said of it here: that a text begins
//! at a place, so that a 0 follows before its object ends; that a pointer is null or points into something that was there
//! before the loop; that what was allocated has been freed. Calls are gone into first, so that each walk is a loop of
//! its own, and walking pointers are split into a start and a distance.
//!
//! Reading order: [`crate::facts`], [`guess`].

pub mod guess;

use hardbop_base::Budget;
use hardbop_cir::analysis::Ranges;
use hardbop_cir::pass::Passes;
use hardbop_cir::{Class, Program};
use hardbop_engine::Reason;
use hardbop_engine_c::prepare;

use crate::candidates::{self, Guesses, Stage};
use crate::contracts::Kept;
use crate::engine::{Attempt, Proof, attempt};
use crate::facts::Fact;
use crate::loops::Loops;
use crate::points::Seen;
use crate::recheck::recheck;
use crate::sample::sampled;
use crate::texts::guess::facts;
use crate::walks::split::Walks;

/// What is guessed of registers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guessed {
    /// What memory holds is enough where every round begins with a text that was read anew.
    Nothing,
    Distances,
    All(Stage),
}

/// Rounds of each loop, and what is guessed of registers.
const TRIES: [(u32, Guessed); 5] = [
    (1, Guessed::Nothing),
    (1, Guessed::Distances),
    (1, Guessed::All(Stage::Single)),
    (1, Guessed::All(Stage::Pairs)),
    (2, Guessed::All(Stage::Single)),
];

/// Tries to prove all checks with facts about memory; `None` if no proof was found.
pub fn prove(
    original: &Program,
    classes: &[Class],
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    let mut program = prepare(original, classes, Passes::ALL);
    let first = program.vars.next_id();
    let walks = Walks::split(&mut program);
    hardbop_cir::expect_verified(&program, "walking pointers");
    let loops = Loops::with_pointers(&program);
    let memory = facts(&mut program, &loops);
    let says = |it: &Fact| matches!(it, Fact::Text(_) | Fact::Freed);
    if loops.irreducible.is_some() || !memory.values().flatten().any(says) {
        return Ok(None);
    }
    let ranges = Ranges::of(&program);
    let seen = Seen::of(&program, &loops, budget);
    let laws = sampled(&mut program, &loops, &seen);
    for (k, guessed) in TRIES {
        let mut guesses = match guessed {
            Guessed::Nothing => Guesses::new(),
            Guessed::Distances | Guessed::All(_) => walks.guess(&mut program, &loops, &seen),
        };
        if let Guessed::All(stage) = guessed {
            let others = candidates::guess(&mut program, &loops, &ranges, &seen, stage);
            for (head, list) in laws.iter().chain(&others) {
                guesses.entry(*head).or_default().extend(list);
            }
        }
        match attempt(&program, classes, &loops, &guesses, Some(&memory), k, budget)? {
            Attempt::Proved(invariants, memory) => {
                let cells = Some(walks.meaning(first));
                let memory = Some(memory);
                let (contracts, is_brief) = (Kept::default(), false);
                let proof = Proof { program, invariants, k, cells, memory, contracts, is_brief };
                return Ok(recheck(&proof, classes, budget)?.then_some(proof));
            }
            Attempt::Failed(..) => {}
            Attempt::Hopeless(_) => return Ok(None),
        }
    }
    Ok(None)
}

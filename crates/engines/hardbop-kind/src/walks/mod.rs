//! Pointers that walk: a register that a loop moves on by adding to it (`while (*p != 0) p++`).
//!
//! What a loop changes is forgotten at its head, and a pointer of which all is forgotten may point anywhere. So
//! such a register is split before: it keeps where the walk began, which the loop does not change; how many bytes it
//! has gone since is a number, of which all that is guessed of numbers is guessed; and how much room there was from the start of
//! the walk to the end of the object is a number that the loop does not change, to compare the other with.
//!
//! Soundness: the program with split registers does what the other did. Wherever `p` was read, start and
//! distance are added; wherever it was set, both are. Adding to a pointer twice is adding the sum.
//!
//! Reading order: [`split`], [`guess`], [`kept`].

pub mod guess;
pub mod kept;
pub mod split;

use hardbop_base::Budget;
use hardbop_cir::analysis::Ranges;
use hardbop_cir::pass::Passes;
use hardbop_cir::{Class, Program, VarId};
use hardbop_engine::Reason;
use hardbop_engine_c::prepare;

use crate::candidates::{self, Stage};
use crate::contracts::Kept;
use crate::engine::{Attempt, Proof, attempt};
use crate::loops::Loops;
use crate::points::Seen;
use crate::recheck::recheck;
use crate::sample::sampled;
use crate::walks::kept::keep_bytes;
use crate::walks::split::Walks;

/// Rounds of each loop, and how much is guessed of other registers, if anything.
type Try = (u32, Option<Stage>);

const TRIES: [Try; 4] =
    [(1, None), (1, Some(Stage::Single)), (1, Some(Stage::Pairs)), (2, Some(Stage::Single))];

/// Tries to prove all checks with walking pointers split; `None` if there are none, or no proof was found.
pub fn prove(
    original: &Program,
    classes: &[Class],
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    // Lengths are in the hands of the caller, walks are in the callee: calls are gone into first.
    let mut program = prepare(original, classes, Passes::ALL);
    let first = program.vars.next_id();
    let walks = Walks::split(&mut program);
    let loops = Loops::of(&program);
    if walks.walkers.is_empty() || loops.irreducible.is_some() {
        return Ok(None);
    }
    let mut kept = program.clone();
    let try_all = |program: Program, tries: &[Try]| {
        prove_split(program, &walks, tries, first, classes, budget)
    };
    if !keep_bytes(&mut kept, &walks, &loops) {
        return try_all(program, &TRIES);
    }
    match try_all(program, &TRIES[..2])? {
        Some(proof) => Ok(Some(proof)),
        None => try_all(kept, &TRIES),
    }
}

fn prove_split(
    mut program: Program,
    walks: &Walks,
    tries: &[Try],
    first: VarId,
    classes: &[Class],
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    hardbop_cir::expect_verified(&program, "walking pointers");
    let loops = Loops::of(&program);
    let ranges = Ranges::of(&program);
    let seen = Seen::of(&program, &loops, budget);
    let laws = sampled(&mut program, &loops, &seen);
    for &(k, stage) in tries {
        let mut guesses = walks.guess(&mut program, &loops, &seen);
        if let Some(stage) = stage {
            let others = candidates::guess(&mut program, &loops, &ranges, &seen, stage);
            for (head, list) in laws.iter().chain(&others) {
                guesses.entry(*head).or_default().extend(list);
            }
        }
        match attempt(&program, classes, &loops, &guesses, None, k, budget)? {
            Attempt::Proved(invariants, _) => {
                let cells = Some(walks.meaning(first));
                let proof = Proof {
                    program,
                    invariants,
                    k,
                    cells,
                    memory: None,
                    contracts: Kept::default(),
                    is_brief: false,
                };
                return Ok(recheck(&proof, classes, budget)?.then_some(proof));
            }
            Attempt::Failed(..) => {}
            Attempt::Hopeless(_) => return Ok(None),
        }
    }
    Ok(None)
}

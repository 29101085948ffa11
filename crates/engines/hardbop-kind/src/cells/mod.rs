//! Proofs about large arrays: of each array a few cells at arbitrary indices are followed, the others
//! are forgotten, and what is proved of the arbitrary index holds for every one (Monniaux and Gonnord,
//! "Cell morphing: from array programs to array-free Horn clauses", SAS 2016).
//!
//! **Which index.** A plan watches one or two *sites*: loads or stores of an array. Its indices `g`
//! are arbitrary at the start and never change. A check fails in the rewritten program only where each
//! watched site was last executed at its `g`, or never.
//!
//! **Why this is sound.** Take a run of the original program up to the first thing that goes wrong: a
//! check that fails, or an access outside its array. Choose for each `g` the index at which its site
//! was executed last in *this* run, any index of the array if it never was. The rewritten program
//! has a run with these `g` that goes through the same blocks with the same values in all registers of
//! the original:
//! * a cell's value is the content of the array at the cell's index (an expression over the `g`, so
//!   it is fixed): stores and fills at that index change both, entering makes both arbitrary;
//! * the recent cell's value is the content at the index that was read last, for the same reason;
//! * a load at one of these indices gets that content, at any other index an arbitrary value, which
//!   may be the one of the original run;
//! * what we assume holds in the original run: `g` lies in the array because the site checked its
//!   index, a fatal check that was passed held.
//!
//! At the end of this run every watched site was last executed at its `g`, so the check fails in the
//! rewritten program, too. Hence: no failing check there, none in the original. Each access is preceded
//! by a check that the index is inside; where bounds were not asked for, its failure means that nothing
//! is known of the run, and no proof is found. An index outside `[0, len)` whose byte offset
//! wraps around into the array counts as outside: that can only prevent a proof.
//!
//! Departures: the paper leaves the choice of the indices to the clauses' solver; a site as the source
//! of the index makes the rewritten program a plain one, for k-induction. Limits: elements are whole
//! numbers; properties of what happened at an index that no site remembers at the end (a flag set in
//! a loop) and sums are out of reach.
//!
//! Reading order: [`aliases`], [`arrays`], [`rewrite`], [`text`], [`mod@guess`], [`plan`].

pub mod aliases;
pub mod arrays;
pub mod guess;
pub mod plan;
pub mod rewrite;
pub mod text;

use hardbop_base::Budget;
use hardbop_cir::analysis::Ranges;
use hardbop_cir::pass::Passes;
use hardbop_cir::{Class, ExprId, ObjId, Program, VarId};
use hardbop_engine::Reason;
use hardbop_engine_c::prepare;

use crate::candidates::{Guesses, Stage, guess};
use crate::cells::arrays::Arrays;
use crate::cells::guess::Depth;
use crate::cells::plan::{has_one_start, plans};
use crate::cells::text::Text;
use crate::contracts::Kept;
use crate::engine::{Attempt, Proof, attempt};
use crate::loops::Loops;
use crate::points::Seen;
use crate::recheck::recheck;
use crate::sample::sampled;

/// Shorter arrays are followed as they are.
pub const LEAST: u64 = 16;
/// Rounds of each loop, and how much is guessed of cells and of other registers.
const TRIES: [(u32, Depth, Stage); 4] = [
    (1, Depth::Facts, Stage::Single),
    (1, Depth::Facts, Stage::Pairs),
    (1, Depth::Implications, Stage::Single),
    (2, Depth::Facts, Stage::Single),
];

/// What the registers of the rewritten program stand for.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// Registers from here on are not of the source.
    pub first: VarId,
    /// Arbitrary indices: what is proved of them holds for every index.
    pub indices: Vec<Index>,
    /// The cells that were followed; the names of their values are those of elements.
    pub elements: Vec<Element>,
    /// The walking pointers that were split.
    pub walks: Vec<Walk>,
    /// Calls were inlined: the loops are not those of the source's functions.
    pub is_inlined: bool,
}

/// An arbitrary index.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub var: VarId,
    /// It is below this number.
    pub below: Option<u64>,
}

/// A cell of an array.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub object: ObjId,
    /// Bits of an element.
    pub width: u8,
    /// Over the arbitrary indices.
    pub index: ExprId,
    pub value: VarId,
}

/// A walking pointer: its register holds where the walk began.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    pub start: VarId,
    /// Bytes from there.
    pub distance: VarId,
    /// Bytes from there to the end of the object.
    pub room: VarId,
}

impl Meaning {
    /// Of a program of which no cells are followed.
    pub fn without_cells(first: VarId, is_inlined: bool) -> Meaning {
        let (indices, elements, walks) = (Vec::new(), Vec::new(), Vec::new());
        Meaning { first, indices, elements, walks, is_inlined }
    }
}

/// A program with arrays that can be followed.
pub struct Followable {
    program: Program,
    least: u64,
    is_inlined: bool,
}

impl Followable {
    /// The program in which more arrays of at least `least` elements can be followed: as it is, or with
    /// calls inlined, where fewer addresses go through parameters. `None` if there are no such arrays.
    pub fn of(original: &Program, classes: &[Class], least: u64) -> Option<Followable> {
        let n_arrays = |program: &mut Program| Arrays::of(program, least).list.len();
        let mut plain = prepare(original, classes, Passes { inline: false, ..Passes::ALL });
        let mut inlined = prepare(original, classes, Passes::ALL);
        let (n_plain, n_inlined) = (n_arrays(&mut plain), n_arrays(&mut inlined));
        let is_inlined = n_inlined > n_plain;
        let program = if is_inlined { inlined } else { plain };
        (n_plain.max(n_inlined) > 0).then_some(Followable { program, least, is_inlined })
    }

    /// Tries to prove all checks by following cells of the arrays; `None` if no proof was found.
    pub fn prove(self, classes: &[Class], budget: &Budget) -> Result<Option<Proof>, Reason> {
        let mut proof = prove_prepared(self.program, classes, self.least, budget)?;
        if let Some(meaning) = proof.as_mut().and_then(|it| it.cells.as_mut()) {
            meaning.is_inlined = self.is_inlined;
        }
        Ok(proof)
    }
}

/// Of a program with calls resolved.
pub fn prove_prepared(
    mut program: Program,
    classes: &[Class],
    least: u64,
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    let arrays = Arrays::of(&mut program, least);
    if arrays.list.is_empty() {
        return Ok(None);
    }
    let loops = Loops::of(&program);
    if loops.irreducible.is_some() || !has_one_start(&program) {
        return Ok(None);
    }
    let seen = Seen::of(&program, &loops, budget);
    let laws = sampled(&mut program, &loops, &seen);
    let ranges = Ranges::of(&program);
    let first = program.vars.next_id();
    let text = Text::of(&mut program, &arrays);
    let plans = plans(&mut program, &arrays, &text, classes);
    for (k, depth, stage) in TRIES {
        for plan in &plans {
            let mut plan = plan.clone();
            let loops = Loops::of(&plan.program);
            let mut guesses: Guesses = guess(&mut plan.program, &loops, &ranges, &seen, stage);
            for (head, list) in laws.iter().chain(&plan.guess(&text, &loops, depth)) {
                guesses.entry(*head).or_default().extend(list);
            }
            match attempt(&plan.program, classes, &loops, &guesses, None, k, budget)? {
                Attempt::Proved(invariants, _) => {
                    let meaning = plan.meaning(first, &arrays);
                    let proof = Proof {
                        program: plan.program,
                        invariants,
                        k,
                        cells: Some(meaning),
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
    }
    Ok(None)
}

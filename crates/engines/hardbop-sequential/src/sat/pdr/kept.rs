//! Lemmas of another run, perhaps of another program: each is tried, and those that hold are lemmas here.
//!
//! Refinement of an abstraction takes executions away, so what was true of the program before mostly still is. Nothing
//! rests on that: a lemma is taken up at level 0 only if the solver shows it, and rises as all others do.

use hardbop_base::Exhausted;
use hardbop_cfg::{LocRef, ProcId};

use super::Search;
use super::cube::{Cube, Var};

/// Where a lemma speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// Of the path edges of a location.
    At(LocRef),
    /// Of the values a procedure is entered with.
    Context(ProcId),
}

/// These values do not come there together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lemma {
    pub spot: Spot,
    pub literals: Vec<(Var, bool)>,
}

/// Takes up the lemmas that hold at level 0; how many they are.
pub fn recall(search: &mut Search<'_, '_>, lemmas: &[Lemma]) -> Result<u64, Exhausted> {
    let mut n_taken = 0;
    for at in search.cuts.order.clone() {
        let known: Vec<Var> = search.cuts.vars(at).collect();
        let here = Spot::At(search.cuts.cuts[at].at);
        for cube in cubes(lemmas, here, &known) {
            if search.holds_at(at, &cube, 0)? {
                search.raise(at, &cube, 0);
                n_taken += 1;
            }
        }
    }
    for &proc in search.cuts.procs.iter().rev() {
        let known: Vec<Var> = search.cuts.context_vars(proc).collect();
        for cube in cubes(lemmas, Spot::Context(proc), &known) {
            if search.context_holds_at(proc, &cube, 0)? {
                search.raise_context(proc, &cube, 0);
                n_taken += 1;
            }
        }
    }
    Ok(n_taken)
}

/// What is said there of variables that matter; the empty cube would say that nothing comes there.
fn cubes(lemmas: &[Lemma], spot: Spot, known: &[Var]) -> Vec<Cube> {
    let here = lemmas.iter().filter(|it| it.spot == spot);
    let mut cubes: Vec<Cube> = here
        .filter(|it| it.literals.iter().all(|literal| known.contains(&literal.0)))
        .map(|it| {
            let mut cube = it.literals.clone();
            cube.sort_unstable();
            cube.dedup();
            cube
        })
        .collect();
    cubes.sort_unstable();
    cubes.dedup();
    cubes
}

/// All lemmas of a run.
pub fn lemmas(search: &Search<'_, '_>) -> Vec<Lemma> {
    let mut lemmas = Vec::new();
    for (at, cut) in search.cuts.cuts.iter_enumerated() {
        let cubes = search.frames.from_level(at, 0);
        lemmas.extend(cubes.map(|cube| Lemma { spot: Spot::At(cut.at), literals: cube.clone() }));
    }
    for &proc in &search.cuts.procs {
        let cubes = search.frames.contexts_from_level(proc, 0);
        let spot = Spot::Context(proc);
        lemmas.extend(cubes.map(|cube| Lemma { spot, literals: cube.clone() }));
    }
    lemmas
}

//! Lemmas and facts.

use hardbop_base::IndexVec;
use hardbop_cfg::ProcId;

use super::changes::Changes;
use super::cube::{Cube, is_within};
use super::cuts::{CutId, Cuts};
use super::derivation::StateAt;

/// The negation of a cube, true of all that is derived with at most `level` counted steps.
#[derive(Clone, Debug)]
struct Lemma {
    cube: Cube,
    level: usize,
    /// When it was last seen not to hold one level higher.
    tried: u64,
}

/// Values at entry and exit of a call that returns like this.
#[derive(Clone, Debug)]
pub struct Fact {
    pub cube: Cube,
    pub exit: StateAt,
}

#[derive(Debug)]
pub struct Frames {
    lemmas: IndexVec<CutId, Vec<Lemma>>,
    /// On the values procedures are entered with.
    contexts: IndexVec<ProcId, Vec<Lemma>>,
    /// How many lemmas were added, the one clock of a run; never 0.
    now: u64,
    changes: IndexVec<CutId, Changes>,
    context_changes: IndexVec<ProcId, Changes>,
    facts: IndexVec<ProcId, Vec<Fact>>,
}

impl Frames {
    pub fn new(cuts: &Cuts) -> Self {
        let n_procs = cuts.scopes.len();
        Frames {
            lemmas: IndexVec::from_elem(Vec::new(), cuts.cuts.len()),
            contexts: IndexVec::from_elem(Vec::new(), n_procs),
            now: 1,
            changes: IndexVec::from_elem(Changes::default(), cuts.cuts.len()),
            context_changes: IndexVec::from_elem(Changes::default(), n_procs),
            facts: IndexVec::from_elem(Vec::new(), n_procs),
        }
    }

    pub fn add(&mut self, at: CutId, cube: Cube, level: usize) {
        self.now += 1;
        self.changes[at].note(level, self.now);
        add(&mut self.lemmas[at], cube, level);
    }

    pub fn add_context(&mut self, proc: ProcId, cube: Cube, level: usize) {
        self.now += 1;
        self.context_changes[proc].note(level, self.now);
        add(&mut self.contexts[proc], cube, level);
    }

    /// When something of this level or more was last learned there.
    pub fn changed(&self, at: CutId, level: usize) -> u64 {
        self.changes[at].last(level)
    }

    pub fn contexts_changed(&self, proc: ProcId, level: usize) -> u64 {
        self.context_changes[proc].last(level)
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    /// A lemma does not hold one level higher, by all that was known then.
    pub fn tried(&mut self, at: CutId, cube: &Cube, then: u64) {
        tried(&mut self.lemmas[at], cube, then);
    }

    pub fn tried_context(&mut self, proc: ProcId, cube: &Cube, then: u64) {
        tried(&mut self.contexts[proc], cube, then);
    }

    pub fn add_fact(&mut self, proc: ProcId, fact: Fact) {
        self.facts[proc].push(fact);
    }

    pub fn facts(&self, proc: ProcId) -> &[Fact] {
        &self.facts[proc]
    }

    /// The lemmas of exactly this level, and when each was tried one level higher.
    pub fn at_level(&self, at: CutId, level: usize) -> Vec<(Cube, u64)> {
        at_level(&self.lemmas[at], level)
    }

    pub fn contexts_at_level(&self, proc: ProcId, level: usize) -> Vec<(Cube, u64)> {
        at_level(&self.contexts[proc], level)
    }

    /// The lemmas of this level or more.
    pub fn from_level(&self, at: CutId, level: usize) -> impl Iterator<Item = &Cube> {
        self.lemmas[at].iter().filter(move |lemma| lemma.level >= level).map(|lemma| &lemma.cube)
    }

    pub fn contexts_from_level(&self, proc: ProcId, level: usize) -> impl Iterator<Item = &Cube> {
        let lemmas = self.contexts[proc].iter();
        lemmas.filter(move |lemma| lemma.level >= level).map(|lemma| &lemma.cube)
    }

    /// Whether no lemma has exactly this level.
    pub fn is_empty_at(&self, level: usize) -> bool {
        let mut all = self.lemmas.iter().chain(&self.contexts).flatten();
        all.all(|lemma| lemma.level != level)
    }

    pub fn n_lemmas(&self) -> u64 {
        self.lemmas.iter().chain(&self.contexts).map(|lemmas| lemmas.len() as u64).sum()
    }

    pub fn n_facts(&self) -> u64 {
        self.facts.iter().map(|facts| facts.len() as u64).sum()
    }
}

/// Adds a lemma and drops those it makes superfluous.
fn add(lemmas: &mut Vec<Lemma>, cube: Cube, level: usize) {
    lemmas.retain(|old| old.level > level || !is_within(&cube, &old.cube));
    lemmas.push(Lemma { cube, level, tried: 0 });
}

fn at_level(lemmas: &[Lemma], level: usize) -> Vec<(Cube, u64)> {
    let here = lemmas.iter().filter(|lemma| lemma.level == level);
    here.map(|lemma| (lemma.cube.clone(), lemma.tried)).collect()
}

fn tried(lemmas: &mut [Lemma], cube: &Cube, then: u64) {
    if let Some(lemma) = lemmas.iter_mut().find(|lemma| lemma.cube == *cube) {
        lemma.tried = then;
    }
}

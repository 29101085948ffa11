//! Regions that no two of many threads are in at once, by facts about pairs of them.
//!
//! Predicates never speak of two threads, but mutual exclusion may rest on a fact that does: no two threads hold the same ticket. So
//! facts are guessed and dropped until what is left is inductive (Houdini: Flanagan, Leino, FME 2001; with Owicki and Gries'
//! proof of non-interference, 1976): for each cut of a role comparisons between a thread's variables and what is shared, for each pair of cuts that
//! variables of the two threads differ. Cuts at which the facts about a pair contradict each other make up the region. The model then
//! remembers whether somebody is inside: who enters finds nobody there, which is what was proved.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted, IndexVec};
use hardbop_smt::{Answer, Solver, TermId};
use rustc_hash::FxHashMap;

use crate::model::{CutId, Meaning, Model, RoleId, Start, Step, Target, Var, Variable};
use crate::terms::replaced;

/// More variables of a thread, or shared ones, are not compared.
const MAX_OWN: usize = 8;
const MAX_SHARED: usize = 8;

/// Adds to the model what is known of regions; whether there is one.
pub fn exclude(model: &mut Model, budget: &Budget) -> Result<bool, Exhausted> {
    let roles: Vec<RoleId> = model.entries.keys().copied().collect();
    let mut roles: Vec<RoleId> =
        roles.into_iter().filter(|&it| model.roles[it].is_many()).collect();
    roles.sort_unstable();
    let mut has_one = false;
    for role in roles {
        let mut facts = Facts::guess(model, role);
        facts.settle(model, budget)?;
        let region = facts.region(model, budget)?;
        if !region.is_empty() {
            remember(model, role, &region);
            has_one = true;
        }
    }
    Ok(has_one)
}

struct Facts {
    role: RoleId,
    cuts: Vec<CutId>,
    /// Of a thread at each cut, over its variables and what is shared.
    own: BTreeMap<CutId, BTreeSet<TermId>>,
    /// Of two threads, at the lesser and the greater cut: the first's variables, and copies of them that are the other's.
    pairs: BTreeMap<(CutId, CutId), BTreeSet<TermId>>,
    /// The variables of the other thread.
    other: FxHashMap<TermId, TermId>,
    solver: Solver,
}

fn pair(a: CutId, b: CutId) -> (CutId, CutId) {
    (a.min(b), a.max(b))
}

impl Facts {
    /// All that might be. At its beginning nothing is known of a thread.
    fn guess(model: &mut Model, role: RoleId) -> Self {
        let cuts: Vec<CutId> =
            model.cuts.iter_enumerated().filter(|it| it.1.role == role).map(|it| it.0).collect();
        let mut used: BTreeSet<Var> = BTreeSet::new();
        for step in model.steps.iter().filter(|it| model.cuts[it.from].role == role) {
            used.extend(model.support(step.guard));
            for &(var, value) in &step.updates {
                used.insert(var);
                used.extend(model.support(value));
            }
        }
        let is_number = |var: &Var| {
            let it = &model.vars[*var];
            let is_pointer = matches!(it.meaning, Meaning::Cell(cell) if cell.is_pointer);
            (8..=64).contains(&it.width) && !is_pointer && it.meaning != Meaning::Count
        };
        let used: Vec<Var> = used.into_iter().filter(is_number).collect();
        let is_own = |var: &&Var| model.vars[**var].role == Some(role);
        let own: Vec<Var> = used.iter().filter(is_own).take(MAX_OWN).copied().collect();
        let is_shared = |var: &&Var| model.vars[**var].role.is_none();
        let shared: Vec<Var> = used.iter().filter(is_shared).take(MAX_SHARED).copied().collect();
        let (mut single, mut double) = (BTreeSet::new(), BTreeSet::new());
        let mut other = FxHashMap::default();
        for (id, it) in model.vars.iter_enumerated() {
            if model.local_to(id) == Some(role) {
                other.insert(it.term, model.terms.var(&it.name, it.width));
            }
        }
        for &mine in &own {
            let (x, width) = (model.vars[mine].term, model.vars[mine].width);
            for &all in shared.iter().filter(|&&it| model.vars[it].width == width) {
                let s = model.vars[all].term;
                single.insert(model.terms.eq(x, s));
                single.insert(model.terms.ult(x, s));
                single.insert(model.terms.ule(x, s));
            }
            double.insert(model.terms.ne(x, other[&x]));
        }
        let mut facts = Facts {
            role,
            own: BTreeMap::new(),
            pairs: BTreeMap::new(),
            other,
            solver: Solver::default(),
            cuts,
        };
        let entry = model.entries[&role];
        for &cut in &facts.cuts {
            let is_entry = cut == entry;
            facts.own.insert(cut, if is_entry { BTreeSet::new() } else { single.clone() });
            for &second in facts.cuts.iter().filter(|&&it| it >= cut) {
                let is_entry = is_entry || second == entry;
                let all = if is_entry { BTreeSet::new() } else { double.clone() };
                facts.pairs.insert((cut, second), all);
            }
        }
        facts
    }

    /// Of the other thread.
    fn others(&self, model: &mut Model, fact: TermId) -> TermId {
        replaced(&mut model.terms, fact, &|it| self.other.get(&it).copied())
    }

    /// All that is known where one thread is here and another there.
    fn known(&self, model: &mut Model, here: CutId, there: CutId) -> Vec<TermId> {
        let mut all: Vec<TermId> = self.own[&here].iter().copied().collect();
        for &fact in &self.own[&there] {
            all.push(self.others(model, fact));
        }
        all.extend(&self.pairs[&pair(here, there)]);
        all
    }

    /// Drops what some step does not keep.
    fn settle(&mut self, model: &mut Model, budget: &Budget) -> Result<(), Exhausted> {
        let steps = after_a_start(model);
        loop {
            let mut has_dropped = false;
            for step in &steps {
                let is_its = model.cuts[step.from].role == self.role;
                if is_its {
                    has_dropped |= self.keeps_own(model, step, budget)?;
                }
                for there in self.cuts.clone() {
                    has_dropped |= self.keeps_others(model, step, there, is_its, budget)?;
                }
            }
            if !has_dropped {
                return Ok(());
            }
        }
    }

    /// What is said of the thread where the step leads to.
    fn keeps_own(
        &mut self,
        model: &mut Model,
        step: &Step,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let Target::Cut(to) = step.to else { return Ok(false) };
        let mut known: Vec<TermId> = self.own[&step.from].iter().copied().collect();
        known.push(step.guard);
        let facts: Vec<TermId> = self.own[&to].iter().copied().collect();
        let wrong = self.broken(model, step, &known, &facts, budget)?;
        let left = self.own.entry(to).or_default();
        left.retain(|it| !wrong.contains(it));
        Ok(!wrong.is_empty())
    }

    /// What is said of another thread, and of the two together.
    fn keeps_others(
        &mut self,
        model: &mut Model,
        step: &Step,
        there: CutId,
        is_its: bool,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let mut by_term: BTreeMap<TermId, TermId> = BTreeMap::new();
        for fact in self.own[&there].clone() {
            by_term.insert(self.others(model, fact), fact);
        }
        let mut known = match is_its {
            true => self.known(model, step.from, there),
            false => by_term.keys().copied().collect(),
        };
        known.push(step.guard);
        let facts: Vec<TermId> = by_term.keys().copied().collect();
        let mut has_dropped = false;
        for wrong in self.broken(model, step, &known, &facts, budget)? {
            has_dropped |= self.own.entry(there).or_default().remove(&by_term[&wrong]);
        }
        if let (true, Target::Cut(to)) = (is_its, &step.to) {
            let both = pair(*to, there);
            let facts: Vec<TermId> = self.pairs[&both].iter().copied().collect();
            for wrong in self.broken(model, step, &known, &facts, budget)? {
                has_dropped |= self.pairs.entry(both).or_default().remove(&wrong);
            }
        }
        Ok(has_dropped)
    }

    /// The facts that may not hold after the step.
    fn broken(
        &mut self,
        model: &mut Model,
        step: &Step,
        known: &[TermId],
        facts: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Exhausted> {
        let updates: FxHashMap<TermId, TermId> =
            step.updates.iter().map(|&(var, value)| (model.vars[var].term, value)).collect();
        let mut open: Vec<(TermId, TermId)> = Vec::new();
        for &fact in facts {
            let after = replaced(&mut model.terms, fact, &|it| updates.get(&it).copied());
            if !known.contains(&after) {
                open.push((fact, after));
            }
        }
        let mut wrong = Vec::new();
        while !open.is_empty() {
            let after: Vec<TermId> = open.iter().map(|it| it.1).collect();
            let all = model.terms.and_all(&after);
            let mut asked = known.to_vec();
            asked.push(model.terms.not(all));
            match self.solver.check(&mut model.terms, &asked, budget) {
                Answer::Unsat(_) => break,
                Answer::Unknown(limit) => return Err(limit),
                Answer::Sat => {
                    let mut values = self.solver.evaluator(&model.terms);
                    let (held, fell): (Vec<_>, Vec<_>) =
                        open.into_iter().partition(|it| values.value(it.1) != 0);
                    // One of them is false in the model, so this ends.
                    wrong.extend(fell.into_iter().map(|it| it.0));
                    open = held;
                }
            }
        }
        Ok(wrong)
    }

    /// Cuts of which no two threads are at any two, or at the same.
    fn region(&mut self, model: &mut Model, budget: &Budget) -> Result<Vec<CutId>, Exhausted> {
        let mut region: Vec<CutId> = Vec::new();
        for cut in self.cuts.clone() {
            let mut is_apart = true;
            for other in region.iter().copied().chain([cut]) {
                let known = self.known(model, cut, other);
                match self.solver.check(&mut model.terms, &known, budget) {
                    Answer::Unsat(_) => {}
                    Answer::Sat => is_apart = false,
                    Answer::Unknown(limit) => return Err(limit),
                }
            }
            if is_apart {
                region.push(cut);
            }
        }
        Ok(region)
    }
}

/// The steps that are taken while there may be other threads: not those of `main` before it has started one.
fn after_a_start(model: &Model) -> Vec<Step> {
    let is_mains = |cut: CutId| model.roles[model.cuts[cut].role].start == Start::Main;
    let target = |step: &Step| match step.to {
        Target::Cut(to) => Some(to),
        _ => None,
    };
    let started = model.steps.iter().filter(|it| !it.starts.is_empty());
    let mut todo: Vec<CutId> = started.filter_map(target).collect();
    let mut reached = BTreeSet::new();
    while let Some(cut) = todo.pop() {
        if reached.insert(cut) {
            todo.extend(model.steps.iter().filter(|it| it.from == cut).filter_map(target));
        }
    }
    let is_late = |it: &&Step| !is_mains(it.from) || reached.contains(&it.from);
    model.steps.iter().filter(is_late).cloned().collect()
}

/// A variable for whether somebody is inside.
fn remember(model: &mut Model, role: RoleId, region: &[CutId]) {
    let name = format!("inside {}", model.roles[role].name);
    let term = model.terms.var(&name, 1);
    let meaning = Meaning::Inside(role);
    let inside = model.vars.push(Variable { meaning, name, term, width: 1, role: None });
    model.by_term.insert(term, inside);
    let (yes, no) = (model.terms.bool(true), model.terms.bool(false));
    let free = model.terms.not(term);
    let mut steps: IndexVec<_, Step> = model.steps.clone();
    for step in steps.as_mut_slice() {
        let cut = &model.cuts[step.from];
        if cut.place.is_none() && model.roles[cut.role].start == Start::Main {
            step.updates.push((inside, no));
        }
        let leaves = region.contains(&step.from);
        let enters = matches!(&step.to, Target::Cut(to) if region.contains(to));
        if enters && !leaves {
            // Soundness: that nobody is there has been proved of every state in which a thread comes here.
            step.guard = model.terms.and(step.guard, free);
            step.updates.push((inside, yes));
        } else if leaves && !enters {
            step.updates.push((inside, no));
        }
    }
    model.steps = steps;
}

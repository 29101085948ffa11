//! What always holds at a cut, whatever the other threads do.
//!
//! Predicates that come from traces count up where loops do: `top == 0`, `top == 1`, … What such programs need are comparisons that hold
//! all the time, of a loop counter with what is shared, or of that with a constant. They are guessed for each cut, and dropped until what is
//! left is inductive (Houdini: Flanagan, Leino, FME 2001): kept by the thread's own steps, and by each step of another thread where
//! that may be (Owicki, Gries 1976). A lock is no notion here: that it is held, and by whom, are comparisons with constants,
//! and two threads that hold it contradict each other, so that neither disturbs the other.
//!
//! Invariant: a fact is only about what is shared and about one thread. What is left becomes part of the guards of the steps from that cut, after
//! it was proved once more by a fresh solver. The five functions to read: [`strengthen`], [`Facts::guess`], [`Facts::settle`],
//! [`Facts::keeps`], [`Facts::undisturbed`].

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted};
use hardbop_smt::{BinaryOp, Solver, TermId};
use rustc_hash::FxHashMap;

use crate::exclusion::{after_a_start, broken};
use crate::model::{CutId, Meaning, Model, RoleId, Start, Step, Target, Var};
use crate::terms::replaced;

/// More variables of a thread, shared ones, or constants are not compared.
const MAX_OWN: usize = 8;
const MAX_SHARED: usize = 8;
const MAX_CONSTANTS: usize = 8;

/// Puts what always holds at a cut into the guards of the steps from there; what that is.
pub fn strengthen(
    model: &mut Model,
    budget: &Budget,
) -> Result<Vec<(CutId, Vec<TermId>)>, Exhausted> {
    let mut facts = Facts::guess(model);
    facts.settle(model, budget)?;
    // Once more, by who has not seen the way here: nothing may fall.
    facts.solver = Solver::default();
    let n_facts = facts.count();
    facts.settle(model, budget)?;
    if facts.count() != n_facts {
        return Ok(Vec::new());
    }
    for step in model.steps.as_mut_slice() {
        let mut all: Vec<TermId> = facts.at[&step.from].iter().copied().collect();
        all.push(step.guard);
        // Soundness: the facts hold in every state in which a thread is at the cut.
        step.guard = model.terms.and_all(&all);
    }
    let known = facts.at.into_iter().map(|(cut, all)| (cut, all.into_iter().collect()));
    Ok(known.filter(|it: &(CutId, Vec<TermId>)| !it.1.is_empty()).collect())
}

struct Facts {
    at: BTreeMap<CutId, BTreeSet<TermId>>,
    /// The variables of another thread of the same role.
    other: FxHashMap<TermId, TermId>,
    /// Cuts at which a thread may be while others are.
    late: BTreeSet<CutId>,
    solver: Solver,
}

impl Facts {
    /// All that might be. Where a thread begins nothing is known of its own variables.
    fn guess(model: &mut Model) -> Self {
        let shared = shared(model);
        let constants = constants(model);
        let mut other = FxHashMap::default();
        for (id, it) in model.vars.iter_enumerated() {
            if model.local_to(id).is_some() {
                other.insert(it.term, model.terms.var(&it.name, it.width));
            }
        }
        let roles: Vec<RoleId> = model.entries.keys().copied().collect();
        let mut at = BTreeMap::new();
        for role in roles {
            let about_shared = with_constants(model, &shared, &constants);
            let own = own(model, role);
            let mut all = with_constants(model, &own, &constants);
            all.extend(&about_shared);
            for &x in &own {
                for &s in &shared {
                    all.extend(compared(model, model.vars[x].term, model.vars[s].term));
                }
            }
            let is_main = model.roles[role].start == Start::Main;
            let cuts: Vec<CutId> =
                model.cuts.ids().filter(|&it| model.cuts[it].role == role).collect();
            for cut in cuts {
                let is_entry = cut == model.entries[&role];
                let facts = match (is_entry, is_main) {
                    (true, true) => BTreeSet::new(),
                    (true, false) => about_shared.clone(),
                    (false, _) => all.clone(),
                };
                at.insert(cut, facts);
            }
        }
        Facts { at, other, late: late(model), solver: Solver::default() }
    }

    fn count(&self) -> usize {
        self.at.values().map(BTreeSet::len).sum()
    }

    /// Drops what some step does not keep.
    fn settle(&mut self, model: &mut Model, budget: &Budget) -> Result<(), Exhausted> {
        let all: Vec<Step> = model.steps.iter().cloned().collect();
        let late = after_a_start(model);
        // Soundness: what belongs to a thread may be changed by another one that knows where it is.
        let disturbs = |step: &&Step| {
            let role = Some(model.cuts[step.from].role);
            step.updates.iter().any(|it| model.vars[it.0].role != role)
        };
        let late: Vec<Step> = late.iter().filter(disturbs).cloned().collect();
        loop {
            let mut has_dropped = false;
            for step in &all {
                has_dropped |= self.keeps(model, step, budget)?;
            }
            for step in &late {
                for there in self.late.clone() {
                    has_dropped |= self.undisturbed(model, step, there, budget)?;
                }
            }
            if !has_dropped {
                return Ok(());
            }
        }
    }

    /// What is said of the thread where its step leads to, and of those that it starts.
    fn keeps(
        &mut self,
        model: &mut Model,
        step: &Step,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let mut reached: Vec<CutId> = step.starts.iter().map(|role| model.entries[role]).collect();
        if let Target::Cut(to) = step.to {
            reached.push(to);
        }
        let mut has_dropped = false;
        for to in reached {
            let mut known: Vec<TermId> = self.at[&step.from].iter().copied().collect();
            known.push(step.guard);
            has_dropped |= self.drops(model, step, &known, (to, false), budget)?;
        }
        Ok(has_dropped)
    }

    /// What is said of a thread while another one takes the step.
    fn undisturbed(
        &mut self,
        model: &mut Model,
        step: &Step,
        there: CutId,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let (role, mine) = (model.cuts[step.from].role, model.cuts[there].role);
        if role == mine && !model.roles[role].is_many() {
            return Ok(false);
        }
        let mut known: Vec<TermId> = self.at[&step.from].iter().copied().collect();
        known.push(step.guard);
        for fact in self.at[&there].clone() {
            known.push(self.others(model, fact, role == mine));
        }
        self.drops(model, step, &known, (there, role == mine), budget)
    }

    /// Drops facts at a cut that may not hold after the step; the last of the pair is whether they are about a copy of the variables.
    fn drops(
        &mut self,
        model: &mut Model,
        step: &Step,
        known: &[TermId],
        (cut, is_copy): (CutId, bool),
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let mut by_term: BTreeMap<TermId, TermId> = BTreeMap::new();
        for fact in self.at[&cut].clone() {
            by_term.insert(self.others(model, fact, is_copy), fact);
        }
        let facts: Vec<TermId> = by_term.keys().copied().collect();
        let wrong = broken(&mut self.solver, model, step, known, &facts, budget)?;
        let left = self.at.entry(cut).or_default();
        for it in &wrong {
            left.remove(&by_term[it]);
        }
        Ok(!wrong.is_empty())
    }

    /// Of another thread of the same role.
    fn others(&self, model: &mut Model, fact: TermId, is_copy: bool) -> TermId {
        match is_copy {
            true => replaced(&mut model.terms, fact, &|it| self.other.get(&it).copied()),
            false => fact,
        }
    }
}

/// Main's cuts before it has started a thread are left out: nobody is there who could disturb it.
fn late(model: &Model) -> BTreeSet<CutId> {
    let is_mains = |cut: CutId| model.roles[model.cuts[cut].role].start == Start::Main;
    let mut late: BTreeSet<CutId> = model.cuts.ids().filter(|&it| !is_mains(it)).collect();
    let started = model.steps.iter().filter(|it| !it.starts.is_empty());
    let cuts = after_a_start(model).into_iter().map(|it| (it.from, it.to));
    let reached = started.map(|it| (it.from, it.to.clone())).chain(cuts);
    for (_, to) in reached {
        if let Target::Cut(to) = to {
            late.insert(to);
        }
    }
    late
}

fn is_number(model: &Model, var: Var) -> bool {
    let it = &model.vars[var];
    let is_pointer = matches!(it.meaning, Meaning::Cell(cell) if cell.is_pointer);
    (8..=64).contains(&it.width) && !is_pointer && it.meaning != Meaning::Count
}

/// Memory of all that some step changes.
fn shared(model: &Model) -> Vec<Var> {
    let written = model.steps.iter().flat_map(|it| it.updates.iter().map(|it| it.0));
    let is_shared = |it: &Var| {
        let info = &model.vars[*it];
        info.role.is_none() && matches!(info.meaning, Meaning::Cell(_)) && is_number(model, *it)
    };
    let written: BTreeSet<Var> = written.filter(is_shared).collect();
    written.into_iter().take(MAX_SHARED).collect()
}

/// Variables of a thread that count, or that hold what was read.
fn own(model: &Model, role: RoleId) -> Vec<Var> {
    let mut own = BTreeSet::new();
    for step in model.steps.iter().filter(|it| model.cuts[it.from].role == role) {
        for &(var, value) in &step.updates {
            let support = model.support(value);
            let is_shared = |it: &Var| model.vars[*it].role.is_none();
            let counts = support.contains(&var) || support.iter().any(is_shared);
            if model.vars[var].role == Some(role) && is_number(model, var) && counts {
                own.insert(var);
            }
        }
    }
    own.into_iter().take(MAX_OWN).collect()
}

/// Of each width, those that stand in steps most often.
fn constants(model: &Model) -> BTreeMap<u32, Vec<u128>> {
    let mut often: BTreeMap<(u32, u128), usize> = BTreeMap::new();
    for step in model.steps.iter() {
        let mut roots = vec![step.guard];
        roots.extend(step.updates.iter().map(|it| it.1));
        for id in model.terms.cone(&roots) {
            if let Some(value) = model.terms.as_const(id) {
                *often.entry((model.terms.width(id), value)).or_default() += 1;
            }
        }
    }
    let mut sorted: Vec<_> = often.into_iter().collect();
    sorted.sort_by_key(|&(key, n)| (std::cmp::Reverse(n), key));
    let mut constants: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
    for ((width, value), _) in sorted {
        let all = constants.entry(width).or_default();
        if all.len() < MAX_CONSTANTS {
            all.push(value);
        }
    }
    constants
}

fn with_constants(
    model: &mut Model,
    vars: &[Var],
    constants: &BTreeMap<u32, Vec<u128>>,
) -> BTreeSet<TermId> {
    let mut facts = BTreeSet::new();
    for &var in vars {
        let (x, width) = (model.vars[var].term, model.vars[var].width);
        for &value in constants.get(&width).into_iter().flatten() {
            let k = model.terms.constant(width, value);
            facts.extend(compared(model, x, k));
            facts.insert(model.terms.ne(x, k));
        }
    }
    facts.retain(|&it| model.terms.as_const(it).is_none());
    facts
}

/// Comparisons of two terms, and with what comes after the first.
fn compared(model: &mut Model, x: TermId, y: TermId) -> Vec<TermId> {
    let width = model.terms.width(x);
    if model.terms.width(y) != width {
        return Vec::new();
    }
    let one = model.terms.constant(width, 1);
    let next = model.terms.binary(BinaryOp::Add, x, one);
    let terms = &mut model.terms;
    let facts = vec![
        terms.eq(x, y),
        terms.sle(x, y),
        terms.sle(y, x),
        terms.ule(x, y),
        terms.ule(y, x),
        terms.binary(BinaryOp::Slt, x, y),
        terms.binary(BinaryOp::Slt, y, x),
        terms.eq(next, y),
        terms.sle(y, next),
    ];
    facts.into_iter().filter(|&it| terms.as_const(it).is_none()).collect()
}

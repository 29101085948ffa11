//! Predicates against a trace that no execution takes.
//!
//! Candidates are the conditions of the steps carried backward (weakest preconditions), as far as they speak of shared variables or of one
//! thread. Then the path is cut between its steps, and the solver is asked which candidates, equal on both sides of each cut, make
//! it impossible: those of the core are followed from now on.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted};
use hardbop_smt::{Answer, Solver, TermId};
use rustc_hash::FxHashMap;

use crate::boolean::Move;
use crate::model::{Model, RoleId};
use crate::path::{Name, name, placed};
use crate::predicates::{Predicate, Predicates, atoms, predicate};
use crate::terms::replaced;

/// Conditions that are carried backward at once.
const MAX_ATOMS: usize = 400;

/// New predicates that exclude the moves; none if there are none.
pub fn refine(
    model: &mut Model,
    predicates: &Predicates,
    moves: &[Move],
    budget: &Budget,
) -> Result<Vec<Predicate>, Exhausted> {
    let candidates = candidates(model, predicates, moves, budget)?;
    let mut cuts = Cuts::new(model, moves);
    let mut solver = Solver::default();
    for at in 0..moves.len() {
        solver.assert(cuts.guards[at]);
    }
    for known in &predicates.all {
        let link = cuts.link(model, known);
        solver.assert(link);
    }
    let links: Vec<TermId> = candidates.iter().map(|it| cuts.link(model, it)).collect();
    let mut needed = match solver.check(&mut model.terms, &links, budget) {
        Answer::Sat => return Ok(Vec::new()),
        Answer::Unsat(core) => core,
        Answer::Unknown(limit) => return Err(limit),
    };
    let mut at = 0;
    while at < needed.len() {
        let mut fewer = needed.clone();
        fewer.remove(at);
        match solver.check(&mut model.terms, &fewer, budget) {
            Answer::Sat => at += 1,
            Answer::Unsat(core) => {
                needed.retain(|it| core.contains(it));
                at = at.min(needed.len());
            }
            Answer::Unknown(limit) => return Err(limit),
        }
    }
    let chosen = candidates.into_iter().zip(&links).filter(|(_, link)| needed.contains(link));
    Ok(chosen.map(|it| it.0).collect())
}

/// Conditions before each step, from the last one on.
fn candidates(
    model: &mut Model,
    predicates: &Predicates,
    moves: &[Move],
    budget: &Budget,
) -> Result<Vec<Predicate>, Exhausted> {
    let mut own: BTreeMap<(usize, crate::model::Var), TermId> = BTreeMap::new();
    let mut back: FxHashMap<TermId, (usize, TermId)> = FxHashMap::default();
    let mut found: Vec<Predicate> = Vec::new();
    let mut now: BTreeSet<TermId> = BTreeSet::new();
    for it in moves.iter().rev() {
        budget.check()?;
        let step = model.steps[it.step].clone();
        let mut chosen = FxHashMap::default();
        let mut of = |model: &mut Model, (thread, var): Name| match thread {
            None => model.vars[var].term,
            Some(thread) => *own.entry((thread, var)).or_insert_with(|| {
                let (width, term) = (model.vars[var].width, model.vars[var].term);
                let new = model.terms.var("own", width);
                back.insert(new, (thread, term));
                new
            }),
        };
        let guard = placed(model, step.guard, it.thread, &mut of, &mut chosen);
        let mut updates: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &(var, value) in &step.updates {
            let value = placed(model, value, it.thread, &mut of, &mut chosen);
            let at = name(model, it.thread, var);
            updates.insert(of(model, at), value);
        }
        let mut before = BTreeSet::new();
        for &atom in &now {
            let earlier = replaced(&mut model.terms, atom, &|it| updates.get(&it).copied());
            match earlier == atom {
                true => drop(before.insert(atom)),
                false => before.extend(atoms(model, earlier)),
            }
        }
        before.extend(atoms(model, guard));
        now = before.into_iter().take(MAX_ATOMS).collect();
        for &atom in &now {
            let threads: BTreeSet<usize> = model
                .terms
                .cone(&[atom])
                .iter()
                .filter_map(|it| back.get(it).map(|it| it.0))
                .collect();
            if threads.len() > 1 {
                continue;
            }
            let plain = replaced(&mut model.terms, atom, &|it| back.get(&it).map(|it| it.1));
            if let Some(new) = predicate(model, plain) {
                let is_known = |all: &[Predicate]| all.iter().any(|it| it.term == new.term);
                if !is_known(&predicates.all) && !is_known(&found) {
                    found.push(new);
                }
            }
        }
    }
    Ok(found)
}

/// The moves, each with variables of its own.
struct Cuts<'a> {
    moves: &'a [Move],
    before: FxHashMap<(usize, Name), TermId>,
    /// What each move changes.
    after: Vec<FxHashMap<Name, TermId>>,
    guards: Vec<TermId>,
    /// The threads of each of many.
    threads: BTreeMap<RoleId, BTreeSet<usize>>,
}

impl<'a> Cuts<'a> {
    fn new(model: &mut Model, moves: &'a [Move]) -> Self {
        let (before, threads) = (FxHashMap::default(), BTreeMap::new());
        let mut cuts = Cuts { moves, before, after: Vec::new(), guards: Vec::new(), threads };
        for (at, it) in moves.iter().enumerate() {
            let step = model.steps[it.step].clone();
            cuts.threads.entry(model.cuts[step.from].role).or_default().insert(it.thread);
            let mut chosen = FxHashMap::default();
            let before = &mut cuts.before;
            let mut of = |model: &mut Model, name: Name| var(before, model, at, name);
            cuts.guards.push(placed(model, step.guard, it.thread, &mut of, &mut chosen));
            let mut after = FxHashMap::default();
            for &(var, value) in &step.updates {
                let value = placed(model, value, it.thread, &mut of, &mut chosen);
                after.insert(name(model, it.thread, var), value);
            }
            cuts.after.push(after);
        }
        cuts
    }

    /// The predicate has one value on both sides of each cut, in each thread that has one.
    fn link(&mut self, model: &mut Model, predicate: &Predicate) -> TermId {
        let threads: Vec<usize> = match predicate.role {
            None => vec![usize::MAX],
            Some(role) => self.threads.get(&role).into_iter().flatten().copied().collect(),
        };
        let mut all = Vec::new();
        for thread in threads {
            for at in 1..self.moves.len() {
                let (earlier, before) = (&self.after[at - 1], &mut self.before);
                let mut of = |model: &mut Model, name: Name| match earlier.get(&name) {
                    Some(&value) => value,
                    None => var(before, model, at - 1, name),
                };
                let mut none = FxHashMap::default();
                let left = placed(model, predicate.term, thread, &mut of, &mut none);
                let mut of = |model: &mut Model, name: Name| var(before, model, at, name);
                let right = placed(model, predicate.term, thread, &mut of, &mut none);
                all.push(model.terms.eq(left, right));
            }
        }
        model.terms.and_all(&all)
    }
}

fn var(
    before: &mut FxHashMap<(usize, Name), TermId>,
    model: &mut Model,
    at: usize,
    name: Name,
) -> TermId {
    *before.entry((at, name)).or_insert_with(|| {
        let width = model.vars[name.1].width;
        model.terms.var("before", width)
    })
}

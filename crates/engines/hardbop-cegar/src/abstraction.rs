//! What the Boolean program says of each stretch: clauses over the predicates before and after it.
//!
//! A clause is learned when the solver has shown that no execution of the stretch violates it, so it
//! stays true whatever else is followed. Some are computed ahead: for each predicate at the end,
//! which cubes of predicates at the start make it true or false (Graf and Saïdi, CAV 1997; Ball et
//! al., PLDI 2001), up to a number of questions. The others are learned when a trace of the Boolean
//! program takes a step that no execution can take (the `constrain` of Ball et al., TACAS 2004).

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Exhausted;
use hardbop_cir::{ExprId, ExprPool};
use hardbop_smt::TermId;
use hardbop_symbolic::region::End;
use rustc_hash::FxHashSet;

use crate::cuts::Place;
use crate::families::Family;
use crate::regions::{Exit, Region};
use crate::relations::{About, Relation, Relations};

/// A stretch with one of its ends.
pub type Arrow = (Place, Exit);

/// A predicate or its negation.
pub type Literal = (ExprId, bool);

/// One of the literals holds, before or after the stretch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Clause {
    pub before: Vec<Literal>,
    pub after: Vec<Literal>,
}

/// What a stretch does to a predicate, as far as the terms show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// It keeps the value it has before.
    Same,
    Always(bool),
    /// What the clauses say.
    Open,
}

#[derive(Default)]
pub struct Abstraction {
    clauses: BTreeMap<Arrow, BTreeSet<Clause>>,
    relations: BTreeMap<Arrow, Relations>,
    /// Questions that were asked ahead.
    asked: FxHashSet<(Arrow, Option<Literal>, Vec<ExprId>)>,
    pub n_queries: u64,
}

/// Predicates at the start that are combined for one at the end.
const MAX_COMBINED: usize = 8;
/// Families of predicates whose values are listed together.
const MAX_FAMILIES: usize = 4;
/// Questions for one predicate at the end.
const MAX_QUESTIONS: usize = 40;

impl Abstraction {
    pub fn clauses(&self, arrow: Arrow) -> impl Iterator<Item = &Clause> {
        self.clauses.get(&arrow).into_iter().flatten()
    }

    pub fn relations(&self, arrow: Arrow) -> impl Iterator<Item = &Relation> {
        self.relations.get(&arrow).into_iter().flat_map(Relations::iter)
    }

    pub fn n_clauses(&self) -> usize {
        self.clauses.values().map(BTreeSet::len).sum()
    }

    /// No execution takes the stretch to this end.
    pub fn is_impossible(&self, arrow: Arrow) -> bool {
        self.clauses(arrow).any(|it| it.before.is_empty() && it.after.is_empty())
    }

    /// Forgets what was learned of where stretches go wrong.
    pub fn forget_errors(&mut self) {
        self.clauses.retain(|arrow, _| arrow.1 != Exit::Error);
        self.relations.retain(|arrow, _| arrow.1 != Exit::Error);
        self.asked.retain(|it| it.0.1 != Exit::Error);
    }

    fn learn(&mut self, arrow: Arrow, clause: Clause) {
        self.clauses.entry(arrow).or_default().insert(clause);
    }

    /// Computes ahead what these predicates say of each other.
    pub fn prepare(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        exit: Exit,
        before: &BTreeSet<ExprId>,
        after: &BTreeSet<ExprId>,
    ) -> Result<(), Exhausted> {
        let arrow = (region.place, exit);
        let guard = region.guard(exit);
        if self.is_impossible(arrow) {
            return Ok(());
        }
        self.ask(region, pool, arrow, &[guard], None, before)?;
        let Exit::To(end) = exit else { return Ok(()) };
        let mut listed: BTreeSet<Family> = BTreeSet::new();
        for &predicate in after {
            if update(region, pool, end, before, predicate) != Update::Open {
                continue;
            }
            let family = Family::of(pool, predicate);
            if is_large(family, pool, after) {
                if listed.insert(family) {
                    let about = (BTreeSet::from([family]), BTreeSet::from([family]));
                    self.relate(region, pool, exit, about, (before, after))?;
                }
                continue;
            }
            let holds = region.after(pool, end, predicate);
            let fails = region.executor.terms.not(holds);
            self.ask(region, pool, arrow, &[guard, fails], Some((predicate, true)), before)?;
            self.ask(region, pool, arrow, &[guard, holds], Some((predicate, false)), before)?;
        }
        Ok(())
    }

    /// Learns which cubes of predicates exclude what is fixed: then the literal holds.
    fn ask(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        arrow: Arrow,
        fixed: &[TermId],
        literal: Option<Literal>,
        before: &BTreeSet<ExprId>,
    ) -> Result<(), Exhausted> {
        let chosen = related(region, pool, fixed, before);
        if !self.asked.insert((arrow, literal, chosen.clone())) {
            return Ok(());
        }
        // What cannot be at the start need not be said of the end.
        let known = literal.map_or(Vec::new(), |_| self.excluded_at_start(arrow, &chosen));
        let n_known = known.len();
        let mut search = Cubes { n_questions: 0, excluded: known, possible: Vec::new() };
        let terms: Vec<TermId> = chosen.iter().map(|&it| region.before(pool, it)).collect();
        search.run(region, fixed, &terms, &mut Vec::new())?;
        self.n_queries += search.n_questions as u64;
        for cube in search.excluded.into_iter().skip(n_known) {
            let before = cube.into_iter().map(|(at, value)| (chosen[at], !value)).collect();
            let after = literal.into_iter().collect();
            self.learn(arrow, Clause { before, after });
        }
        Ok(())
    }

    /// The clauses about the start as cubes that are excluded.
    fn excluded_at_start(&self, arrow: Arrow, chosen: &[ExprId]) -> Vec<Cube> {
        let cube = |clause: &Clause| {
            let literals = clause.before.iter();
            let at = |it: &Literal| Some((chosen.iter().position(|&c| c == it.0)?, !it.1));
            literals.map(at).collect::<Option<Cube>>()
        };
        self.clauses(arrow).filter(|it| it.after.is_empty()).filter_map(cube).collect()
    }

    /// Whether an execution can take the step from these values to those. If not, the reason is
    /// learned.
    pub fn excludes(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        exit: Exit,
        before: &[Literal],
        after: &[Literal],
    ) -> Result<bool, Exhausted> {
        let arrow = (region.place, exit);
        let guard = region.guard(exit);
        let mut literals: Vec<(TermId, bool, Literal)> = Vec::new();
        for &(it, value) in before {
            let term = region.before(pool, it);
            literals.push((signed(region, term, value), false, (it, !value)));
        }
        if let Exit::To(end) = exit {
            for &(it, value) in after {
                let term = region.after(pool, end, it);
                literals.push((signed(region, term, value), true, (it, !value)));
            }
        }
        let mut assumed = vec![guard];
        assumed.extend(literals.iter().map(|it| it.0));
        self.n_queries += 1;
        let Some(core) = region.refute(&assumed)? else { return Ok(false) };
        literals.retain(|it| core.contains(&it.0));
        // A shorter clause excludes more.
        let mut at = 0;
        while at < literals.len() {
            let mut fewer = vec![guard];
            fewer.extend(literals.iter().enumerate().filter(|it| it.0 != at).map(|it| it.1.0));
            self.n_queries += 1;
            match region.refute(&fewer)? {
                None => at += 1,
                Some(core) => {
                    literals.remove(at);
                    literals.retain(|it| core.contains(&it.0));
                }
            }
        }
        let side = |is_after: bool| {
            let mut side: Vec<Literal> =
                literals.iter().filter(|it| it.1 == is_after).map(|it| it.2).collect();
            side.sort_unstable();
            side.dedup();
            side
        };
        let clause = Clause { before: side(false), after: side(true) };
        self.generalise(region, pool, exit, &clause, before, after)?;
        self.learn(arrow, clause);
        Ok(true)
    }

    /// What a clause says of some constants of registers, for all that are followed.
    fn generalise(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        exit: Exit,
        clause: &Clause,
        before: &[Literal],
        after: &[Literal],
    ) -> Result<(), Exhausted> {
        let families = |side: &[Literal]| {
            side.iter().map(|it| Family::of(pool, it.0)).collect::<BTreeSet<Family>>()
        };
        let about = (families(&clause.before), families(&clause.after));
        let followed = |side: &[Literal]| side.iter().map(|it| it.0).collect::<BTreeSet<ExprId>>();
        let (before, after) = (followed(before), followed(after));
        let is_worth_it = about.0.iter().any(|&it| is_large(it, pool, &before))
            || about.1.iter().any(|&it| is_large(it, pool, &after));
        if is_worth_it && about.0.len() + about.1.len() <= MAX_FAMILIES {
            self.relate(region, pool, exit, about, (&before, &after))?;
        }
        Ok(())
    }

    fn relate(
        &mut self,
        region: &mut Region,
        pool: &ExprPool,
        exit: Exit,
        about: About,
        followed: (&BTreeSet<ExprId>, &BTreeSet<ExprId>),
    ) -> Result<(), Exhausted> {
        let relations = self.relations.entry((region.place, exit)).or_default();
        relations.extend(region, pool, exit, about, followed, &mut self.n_queries)
    }
}

/// Whether the predicates of a family are many enough to be listed together.
fn is_large(family: Family, pool: &ExprPool, among: &BTreeSet<ExprId>) -> bool {
    !matches!(family, Family::Single(_)) && family.members(pool, among).len() > 2
}

fn signed(region: &mut Region, term: TermId, value: bool) -> TermId {
    if value { term } else { region.executor.terms.not(term) }
}

/// What the terms say without a question.
pub fn update(
    region: &mut Region,
    pool: &ExprPool,
    end: End,
    before: &BTreeSet<ExprId>,
    predicate: ExprId,
) -> Update {
    let after = region.after(pool, end, predicate);
    match region.executor.terms.as_const(after) {
        Some(value) => Update::Always(value == 1),
        None if before.contains(&predicate) && region.before(pool, predicate) == after => {
            Update::Same
        }
        None => Update::Open,
    }
}

/// The predicates that share a variable with what is fixed, those with most in common first.
fn related(
    region: &mut Region,
    pool: &ExprPool,
    fixed: &[TermId],
    before: &BTreeSet<ExprId>,
) -> Vec<ExprId> {
    let last = fixed.last().map_or(&[][..], std::slice::from_ref);
    let cone: FxHashSet<TermId> = variables(region, last);
    let mut scored: Vec<(usize, ExprId)> = Vec::new();
    for &predicate in before {
        let term = region.before(pool, predicate);
        let own = variables(region, &[term]);
        let shared = own.iter().filter(|it| cone.contains(it)).count();
        if shared > 0 {
            scored.push((own.len() - shared, predicate));
        }
    }
    scored.sort_unstable();
    let mut chosen: Vec<ExprId> = scored.into_iter().take(MAX_COMBINED).map(|it| it.1).collect();
    chosen.sort_unstable();
    chosen
}

fn variables(region: &Region, roots: &[TermId]) -> FxHashSet<TermId> {
    let terms = &region.executor.terms;
    let is_var = |it: &TermId| matches!(terms.node(*it), hardbop_smt::Term::Var(_));
    terms.cone(roots).into_iter().filter(is_var).collect()
}

/// A conjunction of predicates by position.
type Cube = Vec<(usize, bool)>;

/// Finds the cubes that exclude what is fixed, by trying values one predicate after the other.
struct Cubes {
    n_questions: usize,
    excluded: Vec<Cube>,
    possible: Vec<Vec<bool>>,
}

impl Cubes {
    fn run(
        &mut self,
        region: &mut Region,
        fixed: &[TermId],
        terms: &[TermId],
        prefix: &mut Vec<bool>,
    ) -> Result<(), Exhausted> {
        if self.n_questions >= MAX_QUESTIONS || self.is_excluded(prefix) {
            return Ok(());
        }
        if !self.possible.iter().any(|it| it.starts_with(prefix))
            && !self.is_possible(region, fixed, terms, prefix)?
        {
            return Ok(());
        }
        if prefix.len() == terms.len() {
            return Ok(());
        }
        for value in [false, true] {
            prefix.push(value);
            self.run(region, fixed, terms, prefix)?;
            prefix.pop();
        }
        Ok(())
    }

    fn is_excluded(&self, prefix: &[bool]) -> bool {
        let holds = |&(at, value): &(usize, bool)| prefix.get(at) == Some(&value);
        self.excluded.iter().any(|cube| cube.iter().all(holds))
    }

    fn is_possible(
        &mut self,
        region: &mut Region,
        fixed: &[TermId],
        terms: &[TermId],
        prefix: &[bool],
    ) -> Result<bool, Exhausted> {
        let mut assumed = fixed.to_vec();
        let literals: Vec<TermId> =
            prefix.iter().zip(terms).map(|(&value, &term)| signed(region, term, value)).collect();
        assumed.extend(&literals);
        self.n_questions += 1;
        match region.refute(&assumed)? {
            None => {
                let mut evaluator = region.executor.solver.evaluator(&region.executor.terms);
                self.possible.push(terms.iter().map(|&it| evaluator.value(it) == 1).collect());
                Ok(true)
            }
            Some(core) => {
                let needed = (0..prefix.len()).filter(|&at| core.contains(&literals[at]));
                self.excluded.push(needed.map(|at| (at, prefix[at])).collect());
                Ok(false)
            }
        }
    }
}

//! One stretch of the program from one cut to the next ones as bit-precise formulas, with a solver of
//! its own that is asked again and again.

use std::collections::BTreeMap;

use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::{CheckId, Class, ExprId, ExprPool, Ty, VarId};
use hardbop_smt::{Answer, Term, TermId};
use hardbop_symbolic::region::End;
use hardbop_symbolic::state::State;
use hardbop_symbolic::value::Value;
use hardbop_symbolic::{Executor, Knowledge};
use rustc_hash::FxHashMap;

use crate::cuts::{Cut, CutPoints, Effects, Known, Place};
use crate::normal::Normal;

/// How a stretch ends: at a cut, or where something goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exit {
    To(End),
    Error,
}

/// What all regions are made from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub normal: &'a Normal,
    pub effects: &'a Effects,
    pub cuts: &'a CutPoints,
    pub classes: &'a [Class],
    pub budget: &'a Budget,
}

impl<'a> Source<'a> {
    pub fn executor(&self, knowledge: Knowledge) -> Executor<'a> {
        Executor::new(&self.normal.program, self.classes, knowledge, self.budget)
    }

    /// What an execution may look like at a place; the executor's top frame is that of the function.
    pub fn anywhere(&self, executor: &mut Executor<'a>, ground: &State, place: Place) -> State {
        let at = place.start().unwrap_or_else(|| unreachable!("a stretch begins here"));
        let known = Known::at(&self.normal.program, self.effects, place.func, at);
        executor.anywhere(ground, place.func, &known)
    }
}

pub struct Region<'a> {
    source: Source<'a>,
    pub executor: Executor<'a>,
    pub place: Place,
    start: State,
    ends: BTreeMap<End, State>,
    pub fails: Vec<(CheckId, TermId)>,
    pub given_up: Vec<(Name, TermId)>,
    at_start: FxHashMap<ExprId, TermId>,
    at_end: FxHashMap<(End, ExprId), TermId>,
}

impl<'a> Region<'a> {
    pub fn new(source: Source<'a>, place: Place) -> Result<Region<'a>, Exhausted> {
        let knowledge = match place.cut {
            Cut::Start => Knowledge::Whole,
            _ => Knowledge::Partial,
        };
        let mut executor = source.executor(knowledge);
        let first = executor.begin();
        let start = match place.cut {
            Cut::Start => first,
            _ => {
                executor.forget_frame();
                source.anywhere(&mut executor, &first, place)
            }
        };
        let at = place.start().unwrap_or_else(|| unreachable!("a stretch begins here"));
        let stretch = executor.stretch(place.func, at, start.clone(), source.cuts)?;
        Ok(Region {
            source,
            executor,
            place,
            start,
            ends: stretch.ends,
            fails: stretch.fails,
            given_up: stretch.given_up,
            at_start: FxHashMap::default(),
            at_end: FxHashMap::default(),
        })
    }

    /// No longer asks about checks that are decided, nor, if told so, about paths that were given up.
    pub fn close(&mut self, is_open: impl Fn(CheckId) -> bool, keeps_given_up: bool) {
        self.fails.retain(|it| is_open(it.0));
        if !keeps_given_up {
            self.given_up.clear();
        }
    }

    /// The ends, and the error if there is one.
    pub fn exits(&self) -> Vec<Exit> {
        let mut exits: Vec<Exit> = self.ends.keys().map(|&end| Exit::To(end)).collect();
        if !self.fails.is_empty() || !self.given_up.is_empty() {
            exits.push(Exit::Error);
        }
        exits
    }

    /// The condition under which an execution of the stretch ends there.
    pub fn guard(&mut self, exit: Exit) -> TermId {
        match exit {
            Exit::To(end) => self.executor.guard(&self.ends[&end]),
            Exit::Error => {
                let fails = self.fails.iter().map(|it| it.1);
                let all: Vec<TermId> = fails.chain(self.given_up.iter().map(|it| it.1)).collect();
                self.executor.terms.or_all(&all)
            }
        }
    }

    pub fn before(&mut self, pool: &ExprPool, predicate: ExprId) -> TermId {
        if let Some(&term) = self.at_start.get(&predicate) {
            return term;
        }
        let term = self.executor.eval_of(pool, &self.start, predicate).bits();
        self.at_start.insert(predicate, term);
        term
    }

    pub fn after(&mut self, pool: &ExprPool, end: End, predicate: ExprId) -> TermId {
        if let Some(&term) = self.at_end.get(&(end, predicate)) {
            return term;
        }
        let term = self.executor.eval_of(pool, &self.ends[&end], predicate).bits();
        self.at_end.insert((end, predicate), term);
        term
    }

    /// `None` if all can hold together, otherwise those that contradict each other.
    pub fn refute(&mut self, assumed: &[TermId]) -> Result<Option<Vec<TermId>>, Exhausted> {
        match self.executor.solver.check(&mut self.executor.terms, assumed, self.source.budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat(core) => Ok(Some(core)),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }

    /// Which register each variable of the start state stands for.
    pub fn registers(&mut self, of: &[VarId]) -> FxHashMap<TermId, VarId> {
        registers(&mut self.executor, self.source.normal, &self.start, of)
    }
}

/// Numbers only: of other registers no predicate is made.
pub fn registers(
    executor: &mut Executor,
    normal: &Normal,
    state: &State,
    of: &[VarId],
) -> FxHashMap<TermId, VarId> {
    let numbers = of.iter().filter(|&&var| matches!(normal.program.vars[var].ty, Ty::Int(_)));
    let mut result = FxHashMap::default();
    for &var in numbers {
        let Value::Bits(term) = executor.register_of(state, var) else { continue };
        if matches!(executor.terms.node(term), Term::Var(_)) {
            result.insert(term, var);
        }
    }
    result
}

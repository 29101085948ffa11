//! One stretch of the program from one cut to the next ones as bit-precise formulas, with a solver of
//! its own that is asked again and again.

use std::collections::BTreeMap;

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::{BinOp, CheckId, Class, Expr, ExprId, ExprPool, UnOp, VarId};
use hardbop_smt::{Answer, Term, TermId};
use hardbop_symbolic::region::End;
use hardbop_symbolic::state::State;
use hardbop_symbolic::value::{Base, Value};
use hardbop_symbolic::{Executor, Knowledge};
use rustc_hash::FxHashMap;

use crate::bases::Bases;
use crate::cuts::{Cut, CutPoints, Effects, Known, Place};
use crate::normal::Normal;

/// How a stretch ends: at a cut, or where something goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exit {
    To(End),
    Error,
}

/// What may go wrong on a stretch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The check fails, or it is not known whether it does.
    Check(CheckId),
    /// The path is not followed, with the reason.
    GivenUp(Name),
}

/// What may go wrong, and when.
pub type Goals = Vec<(Goal, TermId)>;

pub fn goals(fails: Vec<(CheckId, TermId)>, given_up: Vec<(Name, TermId)>) -> Goals {
    let fails = fails.into_iter().map(|(check, term)| (Goal::Check(check), term));
    fails.chain(given_up.into_iter().map(|(why, term)| (Goal::GivenUp(why), term))).collect()
}

/// What all regions are made from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub normal: &'a Normal,
    pub effects: &'a Effects,
    pub cuts: &'a CutPoints,
    pub bases: &'a Bases,
    pub classes: &'a [Class],
    pub budget: &'a Budget,
}

impl<'a> Source<'a> {
    /// For a path from the start on, with the states it really has.
    pub fn whole(&self) -> Executor<'a> {
        Executor::new(&self.normal.program, self.classes, Knowledge::Whole, self.budget)
    }

    /// For stretches that begin anywhere. It goes on where it does not know whether a check holds, because
    /// that check may be one that is no longer asked about.
    pub fn partial(&self) -> Executor<'a> {
        Executor::new(&self.normal.program, self.classes, Knowledge::Partial, self.budget)
            .going_on()
    }

    /// What an execution may look like at a place; the executor's top frame is that of the function.
    pub fn anywhere(&self, executor: &mut Executor<'a>, ground: &State, place: Place) -> State {
        let at = place.start().unwrap_or_else(|| unreachable!("a stretch begins here"));
        let known = Known::at(&self.normal.program, self.effects, self.bases, place.func, at);
        executor.anywhere(ground, place.func, &known)
    }
}

pub struct Region<'a> {
    source: Source<'a>,
    pub executor: Executor<'a>,
    pub place: Place,
    start: State,
    ends: BTreeMap<End, State>,
    goals: Goals,
    /// Those that are asked about.
    open: Goals,
    at_start: FxHashMap<ExprId, TermId>,
    at_end: FxHashMap<(End, ExprId), TermId>,
}

impl<'a> Region<'a> {
    pub fn new(source: Source<'a>, place: Place) -> Result<Region<'a>, Exhausted> {
        let mut executor = match place.cut {
            Cut::Start => source.whole().going_on(),
            _ => source.partial(),
        };
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
        let goals = goals(stretch.fails, stretch.given_up);
        Ok(Region {
            source,
            executor,
            place,
            start,
            ends: stretch.ends,
            open: goals.clone(),
            goals,
            at_start: FxHashMap::default(),
            at_end: FxHashMap::default(),
        })
    }

    /// Asks about these from now on.
    pub fn ask(&mut self, is_asked: impl Fn(&Goal) -> bool) {
        self.open = self.goals.iter().filter(|it| is_asked(&it.0)).cloned().collect();
    }

    /// What is asked about.
    pub fn open(&self) -> &[(Goal, TermId)] {
        &self.open
    }

    /// The ends, and the error if there is one.
    pub fn exits(&self) -> Vec<Exit> {
        let mut exits: Vec<Exit> = self.ends.keys().map(|&end| Exit::To(end)).collect();
        if !self.open.is_empty() {
            exits.push(Exit::Error);
        }
        exits
    }

    /// The condition under which an execution of the stretch ends there.
    pub fn guard(&mut self, exit: Exit) -> TermId {
        match exit {
            Exit::To(end) => self.executor.guard(&self.ends[&end]),
            Exit::Error => {
                let all: Vec<TermId> = self.open.iter().map(|it| it.1).collect();
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
        let state = if is_on(Fault::ImageTooSmall) { &self.start } else { &self.ends[&end] };
        let term = self.executor.eval_of(pool, state, predicate).bits();
        self.at_end.insert((end, predicate), term);
        term
    }

    /// `None` if all can hold together, otherwise those that contradict each other.
    pub fn refute(&mut self, assumed: &[TermId]) -> Result<Option<Vec<TermId>>, Exhausted> {
        match self.executor.solver.check(&mut self.executor.terms, assumed, self.source.budget) {
            Answer::Sat if is_on(Fault::TracesInfeasible) => Ok(Some(assumed.to_vec())),
            Answer::Sat => Ok(None),
            Answer::Unsat(core) => Ok(Some(core)),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }

    /// What each variable of the start state stands for.
    pub fn registers(&mut self, of: &[VarId], pool: &mut ExprPool) -> Registers {
        registers(&mut self.executor, self.source.normal, &self.start, of, pool)
    }
}

/// What variables of a state stand for: a number that a register holds, whether a pointer is null, and how far into its
/// object it points.
pub type Registers = FxHashMap<TermId, ExprId>;

pub fn registers(
    executor: &mut Executor,
    normal: &Normal,
    state: &State,
    of: &[VarId],
    pool: &mut ExprPool,
) -> Registers {
    let mut result = Registers::default();
    for &var in of {
        let read = pool.var(var, normal.program.vars[var].ty);
        let mut name = |executor: &Executor, term: TermId, says: ExprId| {
            if matches!(executor.terms.node(term), Term::Var(_)) {
                result.insert(term, says);
            }
        };
        match executor.register_of(state, var) {
            Value::Bits(term) => name(executor, term, read),
            Value::Ptr(pointer) => {
                let null = pool.add(Expr::Null);
                let is_set = pool.binary(BinOp::Ne, read, null);
                let start = pool.add(Expr::Unary(UnOp::Start, read));
                let offset = pool.binary(BinOp::PtrDiff, read, start);
                let may_be_null = pointer.iter().any(|it| it.base == Base::None);
                for case in pointer.iter().filter(|it| matches!(it.base, Base::Instance(_))) {
                    name(executor, case.offset, offset);
                    if may_be_null && pointer.len() == 2 {
                        name(executor, case.cond, is_set);
                    }
                }
            }
        }
    }
    result
}

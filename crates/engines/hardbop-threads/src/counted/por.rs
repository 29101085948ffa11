//! Partial-order reduction: which threads need to be explored where (BOOM chapter 6).
//!
//! **For any engine** whose states say at which location each thread is. A [`Plan`] depends on these
//! locations alone, so it holds for every valuation at once: an engine that keeps sets of valuations
//! may use it like one that enumerates them. It keeps the answer to every question of the form "can
//! *some* thread be at this label, or see this assertion fail", so exhaustive runs may use it, too.
//! Visibility (C2) needs no test for such questions: a step that commutes with all that others do
//! neither makes nor spoils another thread's goal, and its own goals are met when it is taken.
//!
//! **Steps.** A step is one statement; an atomic section is one step, from `atomic_begin` to
//! `atomic_end`. Two steps are independent if neither writes what the other reads or writes; what
//! restricts (`assume`, `constrain`, `enforce`) writes what it reads (examples 6.1 and 6.2).
//!
//! Reading order: [`facts`], [`ample`], [`persistent`], [`cartesian`]; each says why it is right.

use std::rc::Rc;

use hardbop_base::{Bits, define_id};
use hardbop_cfg::{EdgeRef, Goal, LocRef, Program};
use hardbop_engine::{Reduction, Task};
use rustc_hash::FxHashMap;

use crate::counted::intern::Interner;

pub mod ample;
pub mod cartesian;
pub mod facts;
pub mod persistent;

use facts::Facts;

define_id!(
    /// A set of locations at which a thread of a Cartesian vector runs on.
    RegionId, "region"
);

/// What is to be explored from a state in which nobody holds the atomic flag. While somebody does,
/// only the holder moves and no plan is asked for. Threads are named by their positions in the list
/// the plan was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// The steps of every thread.
    All,
    /// The steps of this thread alone.
    One(usize),
    /// Groups that have nothing to do with each other: the state becomes one state for each group,
    /// from which the others have vanished for good. At least two.
    Groups(Vec<Vec<usize>>),
    /// The steps of every thread; after its step the thread runs on alone, statement by statement,
    /// as long as [`Por::runs_on`] says so. One region for each thread.
    Vectors(Vec<RegionId>),
}

/// A reduction for a program and a question.
#[derive(Debug)]
pub struct Por<'a> {
    facts: Facts<'a>,
    kind: Reduction,
    plans: FxHashMap<Box<[LocRef]>, Rc<Plan>>,
    /// By [`Facts::number`].
    regions: Interner<RegionId, Bits>,
}

impl<'a> Por<'a> {
    /// For tasks that stop at the first goal, `exhaustive` is false.
    pub fn new(program: &'a Program, goal: &Goal, exhaustive: bool, kind: Reduction) -> Self {
        Por {
            facts: Facts::of(program, goal, exhaustive),
            kind,
            plans: FxHashMap::default(),
            regions: Interner::default(),
        }
    }

    pub fn of_task(task: &Task<'a>) -> Self {
        Por::new(task.program, &task.goal, task.exhaustive, task.reduction)
    }

    /// What to explore where these are the locations of all threads, the top frame's for each,
    /// in increasing order.
    pub fn choose(&mut self, threads: &[LocRef]) -> Rc<Plan> {
        debug_assert!(threads.is_sorted());
        if self.kind == Reduction::None || threads.len() < 2 {
            return Rc::new(Plan::All);
        }
        if let Some(known) = self.plans.get(threads) {
            return known.clone();
        }
        let plan = Rc::new(self.plan(threads));
        self.plans.insert(threads.into(), plan.clone());
        plan
    }

    fn plan(&mut self, threads: &[LocRef]) -> Plan {
        let (ample, vectors) = match self.kind {
            Reduction::None => (false, false),
            Reduction::Ample => (true, false),
            Reduction::Persistent => return persistent::groups(&self.facts, threads),
            Reduction::Cartesian => (false, true),
            Reduction::AmpleCartesian => (true, true),
        };
        if ample && let Some(thread) = ample::thread(&self.facts, threads) {
            return Plan::One(thread);
        }
        if vectors && let Some(regions) = cartesian::regions(&self.facts, threads) {
            return Plan::Vectors(regions.into_iter().map(|it| self.regions.id(it)).collect());
        }
        Plan::All
    }

    /// Whether a thread of a vector that has just executed this edge runs on alone. After a return
    /// it does not.
    pub fn runs_on(&self, region: RegionId, edge: EdgeRef) -> bool {
        self.facts
            .runs_on_to(edge)
            .is_some_and(|to| self.regions.get(region).contains(self.facts.number(to)))
    }
}

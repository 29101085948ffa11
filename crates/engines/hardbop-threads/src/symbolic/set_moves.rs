//! What a thread of a set can do, given a set of shared values: all at once, as products.
//!
//! Computed once for each pair of sets. [`counter_search`](crate::symbolic::counter_search) says why products stay
//! exact, and what leaps are.

use std::rc::Rc;

use crate::counted::counters::LocalId;
use crate::counted::explore::AtBound;
use crate::counted::intern::Interner;
use crate::counted::moves::Broadcast;
use hardbop_base::{Budget, Exhausted, define_id};
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_dd::{Dd, OutOfNodes, Renaming};
use hardbop_engine::GoalSite;
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::symbolic::cut::cut;
use crate::symbolic::layout::{Copy, n_positions};
use crate::symbolic::relation::Relation;
use crate::symbolic::sets::{LocalSets, includes};
use crate::symbolic::step::{Effect, Step};
use crate::symbolic::template::{Pc, Template};

/// The threads of a program, in sets: their moves as far as they were asked for, and the goals met.
#[derive(Debug)]
pub struct SetMoves<'a> {
    pub template: Template<'a>,
    pub sets: LocalSets,
    pub follow: Follow,
    /// What a start does where there is no room.
    pub at_bound: AtBound,
    /// Whether the end of a thread concerns others: it makes room for a new one.
    pub(crate) ends_count: bool,
    /// Asked inside of long steps.
    pub(crate) budget: Budget,
    /// What each thread state has become after all steps that concern nobody else.
    pub(crate) rests: FxHashMap<(Pc, Dd), LocalId>,
    pub(crate) broadcasts: Interner<BroadcastId, Broadcast>,
    moves: FxHashMap<(Dd, LocalId, Standing), Rc<Moves>>,
    pub(crate) reactions: FxHashMap<(BroadcastId, LocalId), LocalId>,
    /// Started levels become those of a thread.
    born: Renaming,
    arrived: FxHashSet<Pc>,
    pub reached: Reached,
    pub found: Option<GoalSite>,
}

/// How far a thread is followed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    /// Statement by statement.
    Steps,
    /// From one step that concerns others to the next. No broadcasts.
    Leaps,
}

define_id!(
    /// A broadcast that was met.
    BroadcastId, "b"
);

/// What a thread of a set can do, given a set of shared values.
#[derive(Debug, Default)]
pub struct Moves {
    pub failures: Vec<EdgeRef>,
    pub moves: Vec<Move>,
}

/// What a thread's moves depend on, beside the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// It holds the atomic flag.
    pub held: bool,
    /// There are as many threads as there may be.
    pub is_full: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub struct Move {
    pub shared: Dd,
    /// `None`: the thread ends.
    pub to: Option<LocalId>,
    /// Takes or gives back the flag.
    pub flag: Option<bool>,
    pub started: Option<LocalId>,
    pub broadcast: Option<BroadcastId>,
    /// The shared values after are those before, for each of them.
    pub keeps_shared: bool,
}

impl Move {
    pub(crate) fn go(shared: Dd, to: LocalId) -> Self {
        Move { to: Some(to), ..Move::end(shared) }
    }

    pub(crate) fn end(shared: Dd) -> Self {
        let keeps_shared = false;
        Move { shared, to: None, flag: None, started: None, broadcast: None, keeps_shared }
    }
}

impl<'a> SetMoves<'a> {
    pub fn new(
        template: Template<'a>,
        follow: Follow,
        at_bound: AtBound,
        ends_count: bool,
        budget: &Budget,
    ) -> Self {
        let layout = template.layout;
        let locals =
            (0..n_positions(template.program)).filter(|&position| !layout.is_shared(position));
        let born = locals.map(|p| (layout.level(p, Copy::Started), layout.level(p, Copy::Now)));
        SetMoves {
            born: Renaming::new(born),
            template,
            sets: LocalSets::default(),
            follow,
            at_bound,
            ends_count,
            budget: budget.clone(),
            rests: FxHashMap::default(),
            broadcasts: Interner::default(),
            moves: FxHashMap::default(),
            reactions: FxHashMap::default(),
            arrived: FxHashSet::default(),
            reached: Reached::default(),
            found: None,
        }
    }

    /// The products a program starts in: shared values, and where each of the first threads is.
    pub fn initial(&mut self, goal: &Goal) -> Result<Vec<(Dd, LocalId)>, Exhausted> {
        let dd = self.template.dd;
        let initial = self.template.initial()?;
        let (locals, _) = self.template.layout.cuts();
        let products = cut(dd, &dd.and(&initial.shared, &initial.locals)?, locals)?;
        let come = |(shared, values)| Ok((shared, self.come(initial.pc, values, false, goal)?));
        products.into_iter().map(come).collect()
    }

    /// A thread is at a place: the goal, if that is one.
    pub fn arrive(&mut self, pc: Pc, goal: &Goal) -> Option<GoalSite> {
        if !self.arrived.insert(pc) {
            return None;
        }
        let at = self.template.loc(pc);
        if !self.reached.locs.insert(at) {
            return None;
        }
        label_site(self.template.program, goal, at)
    }

    pub fn moves_of(
        &mut self,
        shared: &Dd,
        local: LocalId,
        standing: Standing,
        goal: &Goal,
    ) -> Result<Rc<Moves>, Exhausted> {
        let key = (shared.clone(), local, standing);
        if let Some(known) = self.moves.get(&key) {
            return Ok(known.clone());
        }
        let dd = self.template.dd;
        let mut all = Moves::default();
        let points = self.sets.get(local);
        let leaps = self.follow == Follow::Leaps;
        for (pc, values) in points.iter() {
            if standing.held && leaps {
                self.section(*pc, dd.and(shared, values)?, standing, goal, &mut all)?;
                continue;
            }
            for step in self.template.steps(*pc)?.iter() {
                self.step(step, shared, values, standing, goal, &mut all)?;
            }
        }
        // Having fewer possibilities and nothing else is no progress.
        all.moves.retain(|it| {
            let is_plain = it.flag.is_none() && it.started.is_none() && it.broadcast.is_none();
            let is_less = it.to.is_some_and(|to| includes(dd, &points, &self.sets.get(to)));
            !(is_plain && is_less && dd.leq(&it.shared, shared))
        });
        let all = Rc::new(all);
        self.moves.insert(key, all.clone());
        Ok(all)
    }

    fn step(
        &mut self,
        step: &Step,
        shared: &Dd,
        values: &Dd,
        Standing { held, is_full }: Standing,
        goal: &Goal,
        all: &mut Moves,
    ) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        let relation = &step.relation;
        let keeps_shared = relation.writes.below(self.template.program.n_shared()).is_empty();
        match &step.effect {
            Effect::Violate => {
                if let Event::Violate(edge) = step.event
                    && !self.image(relation, shared, values)?.is_empty()
                {
                    all.failures.push(edge);
                }
            }
            Effect::End => {
                for (shared, _) in self.image(relation, shared, values)? {
                    all.moves.push(Move::end(shared));
                }
            }
            Effect::Flag(to, true) if self.follow == Follow::Leaps => {
                let before = dd.and(shared, values)?;
                let after = relation.post(dd, &before, relation.parts())?;
                self.section(*to, after, Standing { held, is_full }, goal, all)?;
            }
            Effect::Flag(to, holds) => {
                for (shared, values) in self.image(relation, shared, values)? {
                    let go = Move::go(shared, self.come(*to, values, *holds, goal)?);
                    all.moves.push(Move { flag: Some(*holds), ..go });
                }
            }
            Effect::Start { to, new, birth } if !is_full => {
                let before = dd.and(shared, values)?;
                for (shared, values, started) in self.births(relation, birth, &before)? {
                    let go = Move::go(shared, self.come(*to, values, held, goal)?);
                    let started = Some(self.come(*new, started, held, goal)?);
                    all.moves.push(Move { started, keeps_shared, ..go });
                }
            }
            Effect::Start { .. } if self.at_bound == AtBound::Cut => {}
            // At the bound a start is `skip`.
            Effect::Go(to) | Effect::Start { to, .. } => {
                for (shared, values) in self.image(relation, shared, values)? {
                    let go = Move::go(shared, self.come(*to, values, held, goal)?);
                    all.moves.push(Move { keeps_shared, ..go });
                }
            }
            Effect::Broadcast { to, proc, values: waves } => {
                let before = dd.and(shared, values)?;
                let (locals, _) = self.template.layout.cuts();
                for (states, broadcast) in self.cases(&before, *proc, waves)? {
                    let after = relation.post(dd, &states, relation.parts())?;
                    for (shared, values) in cut(dd, &after, locals)? {
                        let go = Move::go(shared, self.come(*to, values, held, goal)?);
                        all.moves.push(Move { broadcast: Some(broadcast), ..go });
                    }
                }
            }
        }
        Ok(())
    }

    /// The products after a step of a thread alone.
    fn image(
        &self,
        relation: &Relation,
        shared: &Dd,
        values: &Dd,
    ) -> Result<Vec<(Dd, Dd)>, OutOfNodes> {
        let dd = self.template.dd;
        if relation.is_splice() {
            let after = relation.post(dd, &dd.and(shared, values)?, relation.parts())?;
            return cut(dd, &after, self.template.layout.cuts().0);
        }
        let shared = relation.post(dd, shared, &relation.shared)?;
        let values = relation.post(dd, values, &relation.own)?;
        let is_empty = dd.is_false(&shared) || dd.is_false(&values);
        Ok(if is_empty { Vec::new() } else { vec![(shared, values)] })
    }

    /// The products after a step that starts a thread: shared, own, started.
    pub(crate) fn births(
        &self,
        relation: &Relation,
        birth: &[Dd],
        before: &Dd,
    ) -> Result<Vec<(Dd, Dd, Dd)>, OutOfNodes> {
        let dd = self.template.dd;
        let (locals, started) = self.template.layout.cuts();
        let after = relation.post(dd, before, relation.parts().chain(birth))?;
        let mut products = Vec::new();
        for (shared, pair) in cut(dd, &after, locals)? {
            for (values, new) in cut(dd, &pair, started)? {
                products.push((shared.clone(), values, dd.rename(&new, &self.born)?));
            }
        }
        Ok(products)
    }
}

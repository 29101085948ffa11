//! What a thread of a set can do, given a set of shared values: all at once, as products.
//!
//! Computed once for each pair of sets. [`counter_search`](crate::counter_search) says why this is
//! exact.

use std::rc::Rc;

use hardbop_base::{Exhausted, define_id};
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_conc::counters::LocalId;
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_evidence::Event;

use crate::counter_search::{CounterSearch, Way};
use crate::cut::cut;
use crate::relation::Relation;
use crate::sets::includes;
use crate::step::{Effect, Step};

define_id!(
    /// A broadcast that was met.
    BroadcastId, "b"
);

/// What a thread of a set can do, given a set of shared values.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    pub(crate) failures: Vec<EdgeRef>,
    pub(crate) moves: Vec<Move>,
}

/// What a thread's moves depend on, beside the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Standing {
    /// It holds the atomic flag.
    pub(crate) held: bool,
    /// There are as many threads as there may be.
    pub(crate) is_full: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) shared: Dd,
    /// `None`: the thread ends.
    pub(crate) to: Option<LocalId>,
    /// Takes or gives back the flag.
    pub(crate) flag: Option<bool>,
    pub(crate) started: Option<LocalId>,
    pub(crate) broadcast: Option<BroadcastId>,
}

impl Move {
    pub(crate) fn go(shared: Dd, to: LocalId) -> Self {
        Move { to: Some(to), ..Move::end(shared) }
    }

    pub(crate) fn end(shared: Dd) -> Self {
        Move { shared, to: None, flag: None, started: None, broadcast: None }
    }
}

impl CounterSearch<'_> {
    pub(crate) fn moves_of(
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
        let leaps = matches!(self.way, Way::Leaps);
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
            Effect::Flag(to, true) if matches!(self.way, Way::Leaps) => {
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
                    all.moves.push(Move { started, ..go });
                }
            }
            // At the bound a start is `skip`.
            Effect::Go(to) | Effect::Start { to, .. } => {
                for (shared, values) in self.image(relation, shared, values)? {
                    all.moves.push(Move::go(shared, self.come(*to, values, held, goal)?));
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

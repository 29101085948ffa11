//! What executing statements does, as relations between current and next values.
//!
//! A [`Transfer`] mentions only what it touches: the next values of the variables it writes, and
//! the current values it reads. Everything else stays as it is without being said. Transfers are
//! composed along straight-line code as long as they stay small, and each is built once however
//! many procedures contain the same statements.

use std::rc::Rc;

use hardbop_base::{Bits, Idx, IndexVec, define_id};
use hardbop_cfg::{Action, ExprId};
use hardbop_dd::{Dd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::encode::Encoder;
use crate::slots::Moment;

define_id!(
    /// A transfer of the table.
    TransferId, "r"
);

/// A relation between the current values and the next values of what is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    pub relation: Dd,
    /// Variables that get their next values; all others keep theirs.
    pub writes: Bits,
}

/// A transfer between two locations at which only some variables are carried.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub relation: Dd,
    /// Written and still carried afterwards.
    pub writes: Bits,
    /// Current values that are quantified: written, or not carried any more.
    pub gone: Bits,
}

/// All transfers of a program, each once.
#[derive(Debug)]
pub struct Transfers {
    /// A composed relation larger than this is not worth having: its parts are applied one after
    /// the other instead.
    max_nodes: usize,
    table: IndexVec<TransferId, Transfer>,
    ids: FxHashMap<Transfer, TransferId>,
    of_action: FxHashMap<(Action, Option<ExprId>), TransferId>,
    composed: FxHashMap<(TransferId, TransferId), Option<TransferId>>,
    arrows: FxHashMap<(TransferId, Bits, Bits), Rc<Arrow>>,
}

impl Transfers {
    pub fn new(max_nodes: usize) -> Self {
        Transfers {
            max_nodes,
            table: IndexVec::new(),
            ids: FxHashMap::default(),
            of_action: FxHashMap::default(),
            composed: FxHashMap::default(),
            arrows: FxHashMap::default(),
        }
    }

    pub fn get(&self, id: TransferId) -> &Transfer {
        &self.table[id]
    }

    fn add(&mut self, transfer: Transfer) -> TransferId {
        let table = &mut self.table;
        *self.ids.entry(transfer.clone()).or_insert_with(|| table.push(transfer))
    }

    /// The transfer of an action that stays in its procedure. States that arrive against `enforce`
    /// are left out.
    pub fn of_action(
        &mut self,
        enc: &mut Encoder<'_>,
        action: &Action,
        enforce: Option<ExprId>,
    ) -> Result<TransferId, OutOfNodes> {
        let key = (action.clone(), enforce);
        if let Some(&id) = self.of_action.get(&key) {
            return Ok(id);
        }
        let (conjuncts, writes) = conjuncts(enc, action, enforce)?;
        let mut relation = enc.dd.one().clone();
        for conjunct in &conjuncts {
            relation = enc.dd.and(&relation, conjunct)?;
        }
        let id = self.add(Transfer { relation, writes });
        self.of_action.insert(key, id);
        Ok(id)
    }

    /// First one, then the other; `None` if the result is too large.
    pub fn compose(
        &mut self,
        enc: &mut Encoder<'_>,
        first: TransferId,
        second: TransferId,
    ) -> Result<Option<TransferId>, OutOfNodes> {
        if let Some(&known) = self.composed.get(&(first, second)) {
            return Ok(known);
        }
        let (a, b) = (self.get(first).clone(), self.get(second).clone());
        // Soundness: behind nothing, a statement is itself, however large. It has no parts to be
        // applied one after the other, so it must not be refused.
        if a.writes.is_empty() && enc.dd.is_true(&a.relation) {
            return Ok(Some(second));
        }
        let mut twice = a.writes.clone();
        twice.intersect_with(&b.writes);
        let mut once = a.writes.clone();
        once.subtract(&b.writes);
        // The values in between: of what the second overwrites, in the entry copies, which no
        // transfer mentions; of what it only reads, already in their final place.
        let before = enc.shift(&a.relation, &twice, Moment::Next, Moment::Entry)?;
        let after = enc.shift(&b.relation, &twice, Moment::Now, Moment::Entry)?;
        let after = enc.shift(&after, &once, Moment::Now, Moment::Next)?;
        let between = enc.cube(&twice, Moment::Entry)?;
        let relation = enc.dd.and_exists(&before, &after, &between)?;
        let small = enc.dd.node_count(&relation) <= self.max_nodes;
        let composed = small.then(|| {
            let mut writes = a.writes;
            writes.union_with(&b.writes);
            self.add(Transfer { relation, writes })
        });
        self.composed.insert((first, second), composed);
        Ok(composed)
    }

    /// The transfer between locations that carry these variables.
    pub fn arrow(
        &mut self,
        enc: &mut Encoder<'_>,
        transfer: TransferId,
        from: &Bits,
        to: &Bits,
    ) -> Result<Rc<Arrow>, OutOfNodes> {
        let key = (transfer, from.clone(), to.clone());
        if let Some(arrow) = self.arrows.get(&key) {
            return Ok(arrow.clone());
        }
        let arrow = Rc::new(Arrow::new(enc, self.get(transfer), from, to)?);
        self.arrows.insert(key, arrow.clone());
        Ok(arrow)
    }
}

/// The relation of an action that stays in its procedure, as a conjunction: a part for each target,
/// then one for each condition. And what the action writes.
pub fn conjuncts(
    enc: &mut Encoder<'_>,
    action: &Action,
    enforce: Option<ExprId>,
) -> Result<(Vec<Dd>, Bits), OutOfNodes> {
    let mut all = Vec::new();
    let mut writes = Bits::new();
    match action {
        Action::Assume(expr) | Action::Assert(expr) => all.push(enc.may(*expr)?.be_true),
        Action::Assign(assign) => {
            for &(target, value) in &assign.targets {
                all.push(enc.takes(target, Moment::Next, value)?);
                writes.insert(target.index());
            }
            if let Some(expr) = assign.constrain {
                // A next value that is not written is the current one.
                let mut kept = enc.program.exprs.support(expr);
                kept.subtract(&writes);
                let holds = enc.may(expr)?.be_true;
                all.push(enc.shift(&holds, &kept, Moment::Next, Moment::Now)?);
            }
            if let Some(expr) = enforce {
                let holds = enc.may(expr)?.be_true;
                all.push(enc.shift(&holds, &writes, Moment::Now, Moment::Next)?);
            }
        }
        // What a flag or a new thread means for others is no matter of the one that moves.
        Action::Skip | Action::AtomicBegin | Action::AtomicEnd | Action::StartThread(_) => {}
        Action::Call(_) | Action::EndThread => {
            unreachable!("calls leave the procedure, and ends of threads have no successor")
        }
    }
    Ok((all, writes))
}

impl Arrow {
    pub fn new(
        enc: &mut Encoder<'_>,
        transfer: &Transfer,
        from: &Bits,
        to: &Bits,
    ) -> Result<Arrow, OutOfNodes> {
        let mut dead = transfer.writes.clone();
        dead.subtract(to);
        let relation = if dead.is_empty() {
            transfer.relation.clone()
        } else {
            let cube = enc.cube(&dead, Moment::Next)?;
            enc.dd.exists(&transfer.relation, &cube)?
        };
        let mut writes = transfer.writes.clone();
        writes.intersect_with(to);
        let mut gone = from.clone();
        gone.subtract(to);
        gone.union_with(&transfer.writes);
        // What is neither carried before nor after does not occur.
        let mut mentioned = from.clone();
        mentioned.union_with(to);
        gone.intersect_with(&mentioned);
        Ok(Arrow { relation, writes, gone })
    }

    /// The states after the arrow from those before it.
    pub fn post(&self, enc: &mut Encoder<'_>, states: &Dd) -> Result<Dd, OutOfNodes> {
        enc.image(states, &self.relation, &self.gone, &self.writes)
    }
}

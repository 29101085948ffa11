//! Broadcasts over sets of threads.
//!
//! The states of the thread that moves are split by which values are possible: then all threads of a
//! set get the same ones, and a choice, made anew for each of them, gives both.

use crate::counted::counters::{Counters, LocalId};
use crate::counted::moves::{Broadcast, Written};
use hardbop_cfg::ProcId;
use hardbop_dd::{Dd, OutOfNodes};

use crate::symbolic::history::threads;
use crate::symbolic::layout::Copy;
use crate::symbolic::set_moves::{BroadcastId, SetMoves};
use crate::symbolic::step::Wave;
use crate::symbolic::template::{Pc, Template};

impl SetMoves<'_> {
    /// The states of a mover, by what they write into the others.
    pub(crate) fn cases(
        &mut self,
        states: &Dd,
        proc: ProcId,
        waves: &[Wave],
    ) -> Result<Vec<(Dd, BroadcastId)>, OutOfNodes> {
        let dd = self.template.dd;
        let mut cases = vec![(states.clone(), Vec::new())];
        for Wave { var, may, .. } in waves {
            let parts = [
                (Written::One(true), dd.minus(&may.be_true, &may.be_false)?),
                (Written::One(false), dd.minus(&may.be_false, &may.be_true)?),
                (Written::Either, dd.and(&may.be_true, &may.be_false)?),
            ];
            let mut finer = Vec::new();
            for (states, writes) in cases {
                for (written, part) in &parts {
                    let states = dd.and(&states, part)?;
                    if !dd.is_false(&states) {
                        let mut writes: Vec<_> = writes.clone();
                        writes.push((*var, *written));
                        finer.push((states, writes));
                    }
                }
            }
            cases = finer;
        }
        let mut id = |writes| self.broadcasts.id(Broadcast { proc, writes });
        Ok(cases.into_iter().map(|(states, writes)| (states, id(writes))).collect())
    }

    /// The other threads after a broadcast.
    pub fn after_broadcast(
        &mut self,
        others: &Counters,
        broadcast: BroadcastId,
    ) -> Result<Counters, OutOfNodes> {
        let mut after = threads(None, Vec::new());
        for &(local, count) in &others.counts {
            let to = self.reaction(broadcast, local)?;
            after.add(to, count);
        }
        Ok(after)
    }

    /// What a broadcast makes of a set of threads, computed once.
    pub fn reaction(
        &mut self,
        broadcast: BroadcastId,
        local: LocalId,
    ) -> Result<LocalId, OutOfNodes> {
        if let Some(&known) = self.reactions.get(&(broadcast, local)) {
            return Ok(known);
        }
        let mut points = (*self.sets.get(local)).clone();
        for (pc, values) in &mut points {
            *values = self.react(broadcast, *pc, values)?;
        }
        let to = self.sets.id(self.template.dd, points);
        self.reactions.insert((broadcast, local), to);
        Ok(to)
    }

    fn react(&self, broadcast: BroadcastId, pc: Pc, values: &Dd) -> Result<Dd, OutOfNodes> {
        let mut values = values.clone();
        let wave = self.broadcasts.get(broadcast);
        let Template { dd, layout, ref contexts, .. } = self.template;
        let live = self.template.live(pc);
        let (context, _) = self.template.place(pc);
        for frame in contexts.frames(context).filter(|&it| contexts.proc(it) == wave.proc) {
            for &(var, written) in &wave.writes {
                let position = contexts.position(frame, var);
                if !live.contains(position) {
                    continue;
                }
                let level = layout.level(position, Copy::Now);
                values = dd.exists(&values, &dd.cube([level])?)?;
                if let Written::One(value) = written {
                    values = dd.and(&values, &dd.literal(level, value)?)?;
                }
            }
        }
        Ok(values)
    }
}

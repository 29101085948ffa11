//! A program with threads between two steps: it can be copied, moved on by a thread of one's choice, and told
//! from others.
//!
//! A thread is moved on to its next **point**: a step that depends on its order with what other threads may
//! still do. Any other step is a persistent set by itself (Godefroid 1996): nothing that others do before it
//! can tell the difference, so it need not be interleaved. An execution that ends in `assume`, or in an access
//! without meaning, is one in which that thread moves no more: the others are not disturbed by it.

use super::access::Access;
use super::encode::Live;
use super::follow::{Follow, Sight, Slot};
use super::layout::Layout;
use super::machine::Machine;
use super::memory::{Base, Fault, Pointer};
use super::run::{Config, Ending};
use super::schedule::Turn;
use super::value::Value;
use crate::analysis::footprint::{Act, Footprint, Footprints};
use crate::check::{CheckId, Class, Cond};
use crate::program::{BlockId, FuncId, ObjId, Op, Program, Source, Stop, Term, VarId};
use crate::thread::ThreadOp;
use crate::ty::Ty;

/// Steps of one thread without a point before others are asked, too: it may go round for ever.
const MAX_STEPS: u64 = 10_000;

#[derive(Clone)]
pub struct World<'a> {
    pub(super) machine: Machine<'a>,
    /// Threads that move no more, although they have not come to their end.
    pub(super) is_stuck: Vec<bool>,
    /// A thread whose next access conflicts with one that was made last.
    raced: Option<u32>,
}

/// The access that is a thread's next step, where that is a plain one.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    thread: u32,
    access: Access,
}

/// How far a thread came.
#[derive(Clone, PartialEq, Debug)]
pub enum Moved {
    /// To the next point, or to its end.
    Point,
    /// It took many steps that no other depends on. If it goes round in these for ever the others must move,
    /// too: this state is one to go on from by each thread.
    Long,
    /// To an arbitrary value, which [`World::choose`] is to give.
    /// Of no interest if the register is not read before it is set again: the last says.
    Choice(VarId, Source, bool),
    /// It waits: it has not moved.
    Waits,
    /// It moves no more.
    Stuck,
    Violation(CheckId),
    /// The program ended.
    Over,
    /// Its next step depends on more than values are now, see [`Follow`]: it has not been taken. The last is
    /// whether it would be the first of this move.
    Forks(bool),
    /// Something happened that is not followed.
    Lost(Ending),
}

impl<'a> World<'a> {
    pub fn start(
        program: &'a Program,
        layout: &'a Layout,
        config: &'a Config,
    ) -> Result<Self, Ending> {
        let mut machine = Machine::new(program, layout, config);
        // Where atomic accesses order less than they seem the state says what is ordered, too.
        if !program.has_weak_orders() || !config.classes.contains(&Class::Race) {
            machine.order = None;
        }
        machine.start()?;
        Ok(World { machine, is_stuck: vec![false], raced: None })
    }

    /// The check of deadlocks, if it is asked.
    pub fn deadlock_check(&self) -> Option<CheckId> {
        self.machine.watched.deadlock
    }

    pub fn race_check(&self) -> Option<CheckId> {
        self.machine.watched.race
    }

    /// Whether something happened that orders nothing although it may look so.
    pub fn is_unordered(&self) -> bool {
        self.machine.is_unordered
    }

    /// The thread whose next step is in a race with what was done since this was asked last.
    pub fn take_race(&mut self) -> Option<u32> {
        self.raced.take()
    }

    /// The plain accesses that threads would make next: two threads are in a race if, in some state, their
    /// next accesses conflict. That is so in some interleaving exactly if in some interleaving two such
    /// accesses are not ordered, since the first such pair can be moved together.
    pub fn pending(&mut self) -> Vec<Pending> {
        let mut all = Vec::new();
        // The clocks of the threads tell.
        if self.machine.order.is_some() {
            return all;
        }
        for thread in self.live() {
            self.machine.switch_to(thread);
            let Some(frame) = self.machine.frames.last() else { continue };
            let block = &self.machine.program.funcs[frame.func].blocks[frame.block];
            let Some(inst) = block.insts.get(frame.at) else { continue };
            let accesses = self.machine.accesses(&inst.op).into_iter();
            all.extend(accesses.map(|access| Pending { thread, access }));
        }
        all
    }

    /// Notes whether the next step accesses what another thread is about to access.
    fn note_race(&mut self, op: &Op, pending: &[Pending]) {
        if self.raced.is_some() || pending.is_empty() {
            return;
        }
        let current = self.machine.threads.current;
        let accesses = self.machine.accesses(op);
        let mut others = pending.iter().filter(|it| it.thread != current);
        let raced = others.find(|it| accesses.iter().any(|made| made.conflicts(&it.access)));
        self.raced = raced.map(|it| it.thread);
    }

    /// Those that have not ended.
    pub fn live(&self) -> Vec<u32> {
        let threads = self.machine.threads.all.iter().enumerate();
        let live = threads.filter(|(at, it)| it.end.is_none() && !self.is_stuck[*at]);
        live.map(|(at, _)| at as u32).collect()
    }

    pub fn has_stuck(&self) -> bool {
        self.is_stuck.iter().any(|&it| it)
    }

    /// Whether a value was taken that C does not determine and nobody chose, or an address was looked at.
    pub fn took_something(&self) -> bool {
        self.machine.took.has_values() || self.machine.took.has_addresses()
    }

    /// `main` included, and those that have ended.
    pub fn n_threads(&self) -> usize {
        self.is_stuck.len()
    }

    /// Checks that failed and let the execution go on, since this was asked last.
    pub fn take_violations(&mut self) -> Vec<CheckId> {
        std::mem::take(&mut self.machine.violations)
    }

    /// Gives the value the thread at hand asks for.
    pub fn choose(&mut self, thread: u32, value: u128, turns: &mut Vec<Turn>) {
        self.machine.switch_to(thread);
        self.count(turns);
        let Some(frame) = self.machine.frames.last_mut() else { return };
        let block = &self.machine.program.funcs[frame.func].blocks[frame.block];
        let Some(Op::Nondet { dst, .. }) = block.insts.get(frame.at).map(|it| &it.op) else {
            return;
        };
        frame.at += 1;
        let value = self.machine.as_value(*dst, value);
        self.machine.set(*dst, value);
    }

    fn count(&self, turns: &mut Vec<Turn>) {
        if self.machine.threads.are_many() {
            let thread = self.machine.threads.current;
            match turns.last_mut() {
                Some(turn) if turn.thread == thread => turn.n_steps += 1,
                _ => turns.push(Turn { thread, n_steps: 1 }),
            }
        }
    }

    /// What a follower sees.
    pub fn sight(&self) -> Sight<'_, 'a> {
        Sight(&self.machine)
    }

    /// Another value that a register of a thread stands for.
    pub fn set_register(&mut self, thread: u32, slot: Slot, bits: u128) {
        self.machine.switch_to(thread);
        let place = match slot {
            Slot::Global(at) => self.machine.globals.get_mut(at as usize),
            Slot::Local(call, at) => {
                let frame = self.machine.frames.get_mut(call as usize);
                frame.and_then(|it| it.vars.get_mut(at as usize))
            }
        };
        if let Some(place) = place {
            *place = Value::Int(bits);
        }
    }

    /// Other bytes that those of an instance stand for; nothing where it is dead.
    pub fn set_bytes(&mut self, instance: u32, offset: u64, bytes: &[u8]) {
        let pointer = Pointer { base: Base::Instance(instance), offset };
        // What was written is as it was: the places are those of numbers, which are written.
        let _dead = self.machine.memory.write(pointer, bytes);
    }

    /// Moves a thread on; `resumes` if it is in the middle of a move. What it does is added to the turns. Of
    /// races, only the first step and atomic sections are looked at: no other conflicts with anything.
    pub fn advance(
        &mut self,
        (thread, resumes): (u32, bool),
        facts: (&Footprints, &Live),
        pending: &[Pending],
        turns: &mut Vec<Turn>,
        follow: &mut dyn Follow,
    ) -> Moved {
        let (footprints, live) = facts;
        self.machine.switch_to(thread);
        self.machine.threads.all[thread as usize].waits = false;
        let mut is_first = !resumes;
        for _ in 0..MAX_STEPS {
            let Some(frame) = self.machine.frames.last() else { return Moved::Point };
            let (func, block, at) = (frame.func, frame.block, frame.at);
            let next = self.machine.program.funcs[func].blocks[block].insts.get(at);
            if let Some(Op::Nondet { dst, source }) = next.map(|it| &it.op)
                && source.input().is_some()
            {
                let is_read = live.is_read_after(frame, *dst);
                let Some(bits) = follow.input(&Sight(&self.machine), *dst, source, is_read) else {
                    return Moved::Choice(*dst, source.clone(), is_read);
                };
                self.choose(thread, bits, turns);
                is_first = false;
                continue;
            }
            // Soundness: before the step is asked what it touches.
            if !follow.prepare(&Sight(&self.machine)) {
                return Moved::Forks(is_first);
            }
            let is_free = self.machine.atomic.is_none();
            if !is_first && is_free && self.is_point(func, block, at, footprints) {
                return Moved::Point;
            }
            if let (Some(inst), true) = (next, is_first || !is_free) {
                self.note_race(&inst.op, pending);
                // Which bytes of what it is given it reads is not followed.
                let prints = matches!(inst.op, Op::Print { .. });
                if prints && self.is_point(func, block, at, footprints) {
                    self.machine.is_unordered = true;
                }
            }
            is_first = false;
            self.count(turns);
            follow.commit(&Sight(&self.machine));
            let stepped = self.machine.step();
            self.is_stuck.resize(self.machine.threads.all.len(), false);
            match stepped {
                Ok(None) if self.machine.threads.all[thread as usize].waits => return Moved::Waits,
                Ok(None) => {}
                Err(Ending::Violation(check)) => return Moved::Violation(check),
                Err(Ending::Deadlock) => return Moved::Waits,
                Ok(Some(Ending::Exit(_) | Ending::Abort)) => return Moved::Over,
                Err(ending @ Ending::Undefined(Fault::TooLarge, _)) => return Moved::Lost(ending),
                Err(Ending::AssumptionFailed(_) | Ending::Undefined(..)) => {
                    self.is_stuck[thread as usize] = true;
                    self.machine.atomic = None;
                    return Moved::Stuck;
                }
                Ok(Some(other)) | Err(other) => return Moved::Lost(other),
            }
        }
        Moved::Long
    }

    /// A thread whose next step may as well be the only one to take now.
    pub fn goes_alone(&mut self, footprints: &Footprints) -> Option<u32> {
        let live = self.live();
        live.into_iter().find(|&thread| {
            self.machine.switch_to(thread);
            let Some(frame) = self.machine.frames.last() else { return false };
            !self.is_point(frame.func, frame.block, frame.at, footprints)
        })
    }

    /// Whether the next step depends on its order with what others may do.
    fn is_point(&self, func: FuncId, block: BlockId, at: usize, footprints: &Footprints) -> bool {
        let program = self.machine.program;
        let it = &program.funcs[func].blocks[block];
        let conflicts = |ptr, act| match self.object(ptr) {
            Some(object) => self.others_touch(object, act, footprints),
            None => false,
        };
        let Some(inst) = it.insts.get(at) else {
            return match &it.term {
                Term::Stop(Stop::Thread(_)) => {
                    let objects = self.machine.frames.iter().flat_map(|it| &it.objects);
                    let mut objects = objects.chain(self.own());
                    objects.any(|it| self.others_touch(it.0, Act::End, footprints))
                }
                Term::Stop(_) => true,
                Term::Return(_) if self.machine.frames.len() == 1 => {
                    let mut own = self.own().iter();
                    self.machine.threads.current == 0
                        || self.takes_objects(footprints)
                        || own.any(|it| self.others_touch(it.0, Act::End, footprints))
                }
                Term::Return(_) => self.takes_objects(footprints),
                _ => false,
            };
        };
        match &inst.op {
            Op::Load { ptr, .. } | Op::Size { ptr, .. } => conflicts(*ptr, Act::Read),
            Op::Store { ptr, .. } | Op::Havoc { ptr } => conflicts(*ptr, Act::Write),
            Op::Free { ptr } => conflicts(*ptr, Act::End),
            Op::Fill { dst, .. } | Op::Repeat { dst, .. } => conflicts(*dst, Act::Write),
            Op::Copy { dst, src, .. } => conflicts(*dst, Act::Write) || conflicts(*src, Act::Read),
            Op::Enter { object, .. } | Op::Leave { object } => {
                self.others_touch(*object, Act::End, footprints)
            }
            Op::Check { cond: Cond::NoLeak(_), .. } => true,
            Op::Check { cond: Cond::Written { ptr, .. }, .. } => conflicts(*ptr, Act::Read),
            Op::Check { cond, .. } => {
                cond.pointer().is_some_and(|ptr| conflicts(ptr, Act::AskLife))
            }
            Op::Print { args, .. } => {
                let is_pointer = |arg: &&_| program.exprs.ty(**arg) == Ty::Ptr;
                args.iter().filter(is_pointer).any(|&arg| conflicts(arg, Act::Read))
            }
            Op::Thread(ThreadOp::Begin | ThreadOp::Spawn { .. }) => true,
            _ => false,
        }
    }

    /// What ends with the thread at hand.
    fn own(&self) -> &[(ObjId, u32)] {
        let threads = &self.machine.threads;
        &threads.all[threads.current as usize].own
    }

    fn takes_objects(&self, footprints: &Footprints) -> bool {
        let objects = self.machine.frames.last().into_iter().flat_map(|it| &it.objects);
        objects.into_iter().any(|it| self.others_touch(it.0, Act::End, footprints))
    }

    fn object(&self, ptr: crate::expr::ExprId) -> Option<ObjId> {
        match super::value::evaluate(&self.machine, ptr) {
            Value::Ptr(Pointer { base: Base::Instance(id), .. }) => {
                Some(self.machine.memory.instances[id as usize].object)
            }
            _ => None,
        }
    }

    fn others_touch(&self, object: ObjId, act: Act, footprints: &Footprints) -> bool {
        let current = self.machine.threads.current as usize;
        let threads = self.machine.threads.all.iter().enumerate();
        let others = threads.filter(|(at, it)| *at != current && it.end.is_none());
        let mut others = others.filter(|(at, _)| !self.is_stuck[*at]);
        others.any(|(_, it)| {
            let places = it.frames.iter().map(|it| (it.func, it.block, it.at));
            let mut prints = places.map(|(func, block, at)| footprints.from(func, block, at));
            prints.any(|it: &Footprint| it.conflicts(object, act))
        })
    }
}

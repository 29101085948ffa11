//! Who follows an execution beside the machine and knows more of its values than what they are now: of which
//! other values each stands for. The machine computes with numbers; what these depend on is the follower's.

use super::layout::Place;
use super::machine::Machine;
use super::memory::{Base, Pointer};
use super::value::{Value, evaluate};
use crate::expr::ExprId;
use crate::program::{Inst, Program, Source, Term, VarId};

/// Called by [`World::advance`](super::World::advance), and where a state is written as bytes.
pub trait Follow {
    /// The bits of an arbitrary value that one number stands for; `None` where values are to be tried.
    fn input(&mut self, at: &Sight, var: VarId, source: &Source, is_read: bool) -> Option<u128>;
    /// Before a step is looked at: false if what it does depends on more than its values now, so that it must
    /// not be taken.
    fn prepare(&mut self, at: &Sight) -> bool;
    /// The step that was prepared is taken.
    fn commit(&mut self, at: &Sight);
    /// A number for what stands in a register of a call, or in a global one.
    fn register(&self, thread: u32, slot: Slot) -> Option<u32>;
    /// Bytes of an instance that stand for more than they are: from, how many, a number for what they are.
    fn cells(&self, instance: u32) -> Vec<(u64, u64, u32)>;
    /// All that was found, by the place in the state: what it stands for, and what is known of it.
    fn describe(&self, marks: &[(usize, u32)], bytes: &mut Vec<u8>);
}

/// A register of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    Global(u32),
    /// Of the call so deep, counted from 0.
    Local(u32, u32),
}

/// The step that a thread takes next.
#[derive(Clone, Copy, Debug)]
pub enum Next<'a> {
    Inst(&'a Inst),
    End(&'a Term),
    /// The thread has ended.
    Nothing,
}

/// What a follower sees of the machine.
pub struct Sight<'m, 'a>(pub(super) &'m Machine<'a>);

impl<'a> Sight<'_, 'a> {
    pub fn program(&self) -> &'a Program {
        self.0.program
    }

    pub fn thread(&self) -> u32 {
        self.0.threads.current
    }

    /// How many calls the thread is in.
    pub fn n_calls(&self) -> usize {
        self.0.frames.len()
    }

    pub fn next(&self) -> Next<'a> {
        let Some(frame) = self.0.frames.last() else { return Next::Nothing };
        let block = &self.0.program.funcs[frame.func].blocks[frame.block];
        block.insts.get(frame.at).map_or(Next::End(&block.term), Next::Inst)
    }

    /// The register of the caller that gets the result of the running call.
    pub fn result(&self) -> Option<VarId> {
        self.0.frames.last().and_then(|it| it.result)
    }

    /// Whether other threads stand still.
    pub fn is_in_section(&self) -> bool {
        self.0.atomic.is_some()
    }

    pub fn value(&self, expr: ExprId) -> Value {
        evaluate(self.0, expr)
    }

    /// The register of the call `below` calls below the running one.
    pub fn slot(&self, var: VarId, below: usize) -> Slot {
        match self.0.layout.place(var) {
            Place::Global(slot) => Slot::Global(slot),
            Place::Local(slot) => {
                Slot::Local((self.n_calls().saturating_sub(1 + below)) as u32, slot)
            }
        }
    }

    /// The register of a call that is about to begin.
    pub fn slot_of_callee(&self, var: VarId) -> Slot {
        match self.0.layout.place(var) {
            Place::Global(slot) => Slot::Global(slot),
            Place::Local(slot) => Slot::Local(self.n_calls() as u32, slot),
        }
    }

    /// The live instance that holds so many bytes from the pointer on, and where.
    pub fn place(&self, pointer: Pointer, size: u64) -> Option<(u32, u64)> {
        match (self.0.memory.read(pointer, size), pointer.base) {
            (Ok(_), Base::Instance(id)) => Some((id, pointer.offset)),
            _ => None,
        }
    }

    pub fn byte(&self, instance: u32, offset: u64) -> u8 {
        self.0.memory.instances[instance as usize].bytes[offset as usize]
    }
}

//! The table of shared values, stacks and thread states that a thread certificate speaks in.
//!
//! Everything is in terms of the program as it was written: a stack is a list of frames, bottom
//! first, each waiting at a call but the top one. Equal things are one thing.

use hardbop_base::{Bits, IndexVec, define_id};
use hardbop_cfg::{EdgeId, Loc, ProcId};
use rustc_hash::FxHashMap;

define_id!(
    /// Values of the shared variables that are fixed.
    SharedValues, "v"
);
define_id!(
    /// A stack without values.
    StackShape, "k"
);
define_id!(
    /// A stack with the values of its locals that are fixed.
    ThreadState, "q"
);

/// Where a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FrameAt {
    /// Before the statement of a location, or at the exit. Only the top of a stack.
    Loc(Loc),
    /// Waiting for the call on this edge to return. Never the top of a stack.
    Call(EdgeId),
}

/// A frame without values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FrameShape {
    /// Whose frame it is.
    pub proc: ProcId,
    /// Where in it control is.
    pub at: FrameAt,
    /// The locals whose values a thread state fixes, by their positions in the scope (`VarId`).
    pub fixed: Bits,
}

/// See the module.
#[derive(Clone, Default, Debug)]
pub struct ThreadStates {
    /// The shared variables whose values are fixed.
    fixed_shared: Bits,
    shared: IndexVec<SharedValues, Bits>,
    shared_ids: FxHashMap<Bits, SharedValues>,
    stacks: IndexVec<StackShape, Vec<FrameShape>>,
    stack_ids: FxHashMap<Vec<FrameShape>, StackShape>,
    threads: IndexVec<ThreadState, (StackShape, Bits)>,
    thread_ids: FxHashMap<(StackShape, Bits), ThreadState>,
}

impl ThreadStates {
    /// A table for states that fix these shared variables.
    pub fn new(fixed_shared: Bits) -> Self {
        ThreadStates { fixed_shared, ..ThreadStates::default() }
    }

    /// The shared variables whose values are fixed.
    pub fn fixed_shared(&self) -> &Bits {
        &self.fixed_shared
    }

    /// The number of shared values; those of variables that are not fixed are left out.
    pub fn add_shared(&mut self, values: &Bits) -> SharedValues {
        let mut values = values.clone();
        values.intersect_with(&self.fixed_shared);
        *self.shared_ids.entry(values.clone()).or_insert_with(|| self.shared.push(values))
    }

    /// The number of a stack, bottom frame first. The same places should come with the same fixed
    /// locals each time: the certifier refuses a table that has two of them.
    pub fn add_stack(&mut self, frames: Vec<FrameShape>) -> StackShape {
        match self.stack_ids.get(&frames) {
            Some(&known) => known,
            None => {
                let id = self.stacks.push(frames.clone());
                self.stack_ids.insert(frames, id);
                id
            }
        }
    }

    /// The number of a thread state. `locals` gives, for the frame at a position of the stack, its
    /// locals at their positions in the scope; those that are not fixed are left out.
    pub fn add_thread(&mut self, stack: StackShape, locals: impl Fn(usize) -> Bits) -> ThreadState {
        let mut values = Bits::new();
        let mut n = 0;
        for (frame, shape) in self.stacks[stack].iter().enumerate() {
            let locals = locals(frame);
            for var in shape.fixed.iter() {
                values.set(n, locals.contains(var));
                n += 1;
            }
        }
        self.add_packed(stack, values)
    }

    /// The same with the values of the fixed locals in a row, frame by frame.
    pub fn add_packed(&mut self, stack: StackShape, values: Bits) -> ThreadState {
        let key = (stack, values);
        *self.thread_ids.entry(key.clone()).or_insert_with(|| self.threads.push(key))
    }

    /// At the positions of the variables.
    pub fn shared(&self, id: SharedValues) -> &Bits {
        &self.shared[id]
    }

    /// Bottom frame first.
    pub fn stack(&self, id: StackShape) -> &[FrameShape] {
        &self.stacks[id]
    }

    /// The stack, and the values of its fixed locals in a row, frame by frame.
    pub fn thread(&self, id: ThreadState) -> (StackShape, &Bits) {
        let (stack, values) = &self.threads[id];
        (*stack, values)
    }

    /// The locals of each frame, bottom first, at their positions in the scope.
    pub fn locals(&self, id: ThreadState) -> Vec<Bits> {
        let (stack, values) = self.thread(id);
        let mut n = 0;
        let mut frame = |shape: &FrameShape| {
            let numbered = shape.fixed.iter().zip(n..);
            n += shape.fixed.len();
            numbered.filter(|&(_, n)| values.contains(n)).map(|(var, _)| var).collect()
        };
        self.stack(stack).iter().map(&mut frame).collect()
    }

    /// How many locals a stack fixes.
    pub fn n_fixed(&self, id: StackShape) -> usize {
        self.stacks[id].iter().map(|frame| frame.fixed.len()).sum()
    }

    /// Shared values that are in the table.
    pub fn known_shared(&self, values: &Bits) -> Option<SharedValues> {
        self.shared_ids.get(values).copied()
    }

    /// A thread state that is in the table.
    pub fn known_thread(&self, stack: StackShape, values: &Bits) -> Option<ThreadState> {
        // The key is a pair: looking it up needs one.
        self.thread_ids.get(&(stack, values.clone())).copied()
    }

    /// All shared values.
    pub fn shared_values(&self) -> impl ExactSizeIterator<Item = (SharedValues, &Bits)> {
        self.shared.iter_enumerated()
    }

    /// All stacks.
    pub fn stacks(&self) -> impl ExactSizeIterator<Item = (StackShape, &[FrameShape])> {
        self.stacks.iter_enumerated().map(|(id, frames)| (id, frames.as_slice()))
    }

    /// All thread states.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = (ThreadState, &(StackShape, Bits))> {
        self.threads.iter_enumerated()
    }
}

//! Inlined threads in the words of a certificate: stacks of the program as it was written, and the
//! values that can still matter; all others are left open.
//!
//! [`Table`] serves every engine that counts inlined threads; [`bounded`] writes down what
//! `counter-explicit` has explored.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{EdgeId, Goal, Loc, Program};
use hardbop_evidence::threads::{
    Count, Counted, FrameAt, FrameShape, SharedValues, StackShape, ThreadState, ThreadStates,
};
use hardbop_evidence::{ThreadProof, ThreadSet};
use rustc_hash::FxHashMap;

use crate::counted::counters::{Counters, LocalId, SharedId};
use crate::counted::explore::Explorer;
use crate::counted::inline::{Context, Contexts, Local};

/// Larger certificates cost more than they are worth.
pub const MOST_STATES: usize = 2_000_000;

/// The states that a search found, all of them, as a certificate for its bound.
pub fn bounded(explorer: &Explorer<'_>, goal: &Goal, initial: u32) -> ThreadProof {
    let mut table = Table::new(explorer.threads.program, &explorer.threads.contexts);
    let shareds = (0..explorer.n_shareds()).map(SharedId::new);
    let shareds: Vec<_> = shareds.map(|id| table.shared(&explorer.shared(id))).collect();
    let locals = (0..explorer.n_locals()).map(LocalId::new);
    let locals: Vec<_> = locals.map(|id| table.thread(&explorer.local(id))).collect();
    let counted = |state: Counters| {
        let counts = state.counts.iter();
        let mut counts: Vec<_> =
            counts.map(|&(local, n)| (locals[local.index()], Count::finite(n))).collect();
        counts.sort_unstable();
        let holder = state.holder.map(|holder| locals[holder.index()]);
        Counted { shared: shareds[state.shared.index()], holder, counts }
    };
    let states = explorer.states().map(counted).collect();
    ThreadProof {
        goal: goal.clone(),
        initial: Count::finite(initial),
        states: table.states,
        set: ThreadSet::Bounded { bound: explorer.bound, states },
    }
}

/// Canonical inlined threads as thread states.
#[derive(Debug)]
pub struct Table<'a> {
    program: &'a Program,
    contexts: &'a Contexts<'a>,
    pub states: ThreadStates,
    stacks: FxHashMap<(Context, Loc), StackShape>,
}

impl<'a> Table<'a> {
    pub fn new(program: &'a Program, contexts: &'a Contexts<'a>) -> Self {
        // What is left of values that are all true are those that matter.
        let fixed = contexts.canonical_shared(&Bits::full(program.n_shared()));
        let states = ThreadStates::new(fixed);
        Table { program, contexts, states, stacks: FxHashMap::default() }
    }

    pub fn shared(&mut self, values: &Bits) -> SharedValues {
        self.states.add_shared(values)
    }

    pub fn thread(&mut self, local: &Local) -> ThreadState {
        let stack = match self.stacks.get(&(local.context, local.loc)) {
            Some(&known) => known,
            None => {
                let stack = self.states.add_stack(self.frames(local));
                self.stacks.insert((local.context, local.loc), stack);
                stack
            }
        };
        let contexts = self.contexts;
        let mut frames: Vec<_> = contexts.frames(local.context).collect();
        frames.reverse();
        self.states.add_thread(stack, |frame| contexts.locals(frames[frame], &local.values))
    }

    /// The frames of a thread, bottom first, with the locals that matter.
    fn frames(&self, local: &Local) -> Vec<FrameShape> {
        let contexts = self.contexts.frames(local.context);
        let widths = contexts.map(|it| self.program.procs[self.contexts.proc(it)].locals.len());
        let values = Bits::full(self.program.n_shared() + widths.sum::<usize>());
        let live = self.contexts.canonical(&Local { values, ..*local }).values;
        let mut above: Option<EdgeId> = None;
        let frame = |context: Context| {
            let at = above.map_or(FrameAt::Loc(local.loc), FrameAt::Call);
            above = self.contexts.caller(context).map(|(_, edge)| edge);
            let fixed = self.contexts.locals(context, &live);
            FrameShape { proc: self.contexts.proc(context), at, fixed }
        };
        let mut frames: Vec<_> = self.contexts.frames(local.context).map(frame).collect();
        frames.reverse();
        frames
    }
}

//! Steps in the numbers of the certificate: computed once for each pair of shared values and thread
//! state, whatever the other threads are.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Budget, define_id};
use hardbop_cfg::{Goal, LocRef, ProcId, Program, VarId};
use hardbop_evidence::ThreadProof;
use hardbop_evidence::threads::{FrameAt, SharedValues, StackShape, ThreadState};
use rustc_hash::FxHashMap;

use super::expr::May;
use super::fit::Places;
use super::open::Open;
use super::step::{Effect, Frame, Reader, Stack};
use crate::Rejected;

define_id!(
    /// A broadcast assignment with the values it gives.
    BroadcastId, "b"
);

/// What a thread can do with given shared values; `None` stands for what the tables do not have.
#[derive(Debug, Default)]
pub struct Known {
    /// An assertion that may fail.
    pub failure: Option<LocRef>,
    pub moves: Vec<Move>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    /// The statement.
    pub at: LocRef,
    pub shared: Option<SharedValues>,
    pub effect: Moved,
}

/// See [`Effect`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moved {
    Go(Option<ThreadState>),
    Flag(Option<ThreadState>, bool),
    End,
    Start(Option<ThreadState>, Vec<Option<ThreadState>>),
    Broadcast(Option<ThreadState>, BroadcastId),
}

/// The threads that may run `main` first, by the shared values they begin with, sorted.
pub type Initial = Vec<(SharedValues, Vec<ThreadState>)>;

type Broadcast = (ProcId, Vec<(VarId, May)>);

pub struct Moves<'a> {
    pub program: &'a Program,
    pub proof: &'a ThreadProof,
    pub meter: Meter<'a>,
    places: Places,
    reader: Reader<'a>,
    known: FxHashMap<(SharedValues, ThreadState), Rc<Known>>,
    broadcasts: Vec<Broadcast>,
    broadcast_ids: FxHashMap<Broadcast, BroadcastId>,
    reactions: FxHashMap<(BroadcastId, ThreadState), Rc<[Option<ThreadState>]>>,
}

impl<'a> Moves<'a> {
    pub fn new(
        program: &'a Program,
        proof: &'a ThreadProof,
        places: Places,
        budget: &'a Budget,
    ) -> Self {
        Moves {
            program,
            proof,
            meter: budget.meter(1024),
            places,
            reader: Reader::new(program),
            known: FxHashMap::default(),
            broadcasts: Vec::new(),
            broadcast_ids: FxHashMap::default(),
            reactions: FxHashMap::default(),
        }
    }

    pub fn tick(&mut self) -> Result<(), Rejected> {
        self.meter.tick().map_err(Rejected::Exhausted)
    }

    /// The shared values and threads the program may begin with; `Err` if the tables lack one.
    pub fn initial(&mut self) -> Result<Initial, Rejected> {
        let missing = || Rejected::At(super::entry_of_main(self.program), super::INITIAL.into());
        let mut all: std::collections::BTreeMap<_, Vec<_>> = Default::default();
        for (shared, stack) in self.reader.initial()? {
            for shared in self.shared_ids(&shared)? {
                for thread in self.thread_ids(&stack)? {
                    let threads = all.entry(shared.ok_or_else(missing)?).or_default();
                    threads.push(thread.ok_or_else(missing)?);
                }
            }
        }
        for threads in all.values_mut() {
            threads.sort_unstable();
            threads.dedup();
        }
        Ok(all.into_iter().collect())
    }

    pub fn of(&mut self, shared: SharedValues, thread: ThreadState) -> Result<Rc<Known>, Rejected> {
        if let Some(known) = self.known.get(&(shared, thread)) {
            return Ok(known.clone());
        }
        let states = &self.proof.states;
        let open = Open::new(states.fixed_shared().clone(), states.shared(shared).clone());
        let mut known = Known::default();
        for step in self.reader.steps(&open, &self.stack(thread))? {
            let effects = match step.effect {
                Effect::Fail => {
                    known.failure = Some(step.at);
                    continue;
                }
                Effect::End => vec![Moved::End],
                Effect::Go(to) => self.thread_ids(&to)?.into_iter().map(Moved::Go).collect(),
                Effect::Flag(to, takes) => {
                    let ids = self.thread_ids(&to)?;
                    ids.into_iter().map(|to| Moved::Flag(to, takes)).collect()
                }
                Effect::Start(to, started) => {
                    let mut new = Vec::new();
                    for stack in &started {
                        new.extend(self.thread_ids(stack)?);
                    }
                    new.sort_unstable();
                    new.dedup();
                    let ids = self.thread_ids(&to)?;
                    ids.into_iter().map(|to| Moved::Start(to, new.clone())).collect()
                }
                Effect::Broadcast(to, proc, writes) => {
                    let broadcast = self.broadcast_id((proc, writes));
                    let ids = self.thread_ids(&to)?;
                    ids.into_iter().map(|to| Moved::Broadcast(to, broadcast)).collect()
                }
            };
            for shared in self.shared_ids(&step.shared)? {
                let moves = effects.iter().cloned();
                known.moves.extend(moves.map(|effect| Move { at: step.at, shared, effect }));
            }
            self.tick()?;
        }
        known.moves.sort_unstable();
        known.moves.dedup();
        let known = Rc::new(known);
        self.known.insert((shared, thread), known.clone());
        Ok(known)
    }

    /// What a thread may become by another one's broadcast.
    pub fn reactions(
        &mut self,
        broadcast: BroadcastId,
        thread: ThreadState,
    ) -> Result<Rc<[Option<ThreadState>]>, Rejected> {
        if let Some(known) = self.reactions.get(&(broadcast, thread)) {
            return Ok(known.clone());
        }
        let mut stack = self.stack(thread);
        let (proc, writes) = &self.broadcasts[broadcast.as_u32() as usize];
        for frame in stack.iter_mut().filter(|frame| frame.proc == *proc) {
            for &(var, may) in writes {
                frame.locals.set(var.as_u32() as usize, may);
            }
        }
        let ids: Rc<[_]> = self.thread_ids(&stack)?.into();
        self.reactions.insert((broadcast, thread), ids.clone());
        Ok(ids)
    }

    /// The place of a thread whose top frame is at the label asked for.
    pub fn at_label(&self, thread: ThreadState) -> Option<LocRef> {
        let Goal::Label(name) = &self.proof.goal else { return None };
        let states = &self.proof.states;
        let top = states.stack(states.thread(thread).0).last()?;
        match top.at {
            FrameAt::Loc(loc) if self.program.procs[top.proc].locs[loc].has_label(name) => {
                Some(LocRef { proc: top.proc, loc })
            }
            _ => None,
        }
    }

    /// An assertion that may fail, if that is the goal.
    pub fn failure(&self, known: &Known) -> Option<LocRef> {
        known.failure.filter(|_| self.proof.goal == Goal::Assert)
    }

    fn stack(&self, thread: ThreadState) -> Stack {
        let states = &self.proof.states;
        let frames = states.stack(states.thread(thread).0).iter();
        let frame = |(shape, values): (&hardbop_evidence::threads::FrameShape, Bits)| Frame {
            proc: shape.proc,
            at: shape.at,
            locals: Open::new(shape.fixed.clone(), values),
        };
        frames.zip(states.locals(thread)).map(frame).collect()
    }

    /// The numbers of all shared values that are meant.
    fn shared_ids(&self, shared: &Open) -> Result<Vec<Option<SharedValues>>, Rejected> {
        let states = &self.proof.states;
        let known = |mut it: Open| {
            it.values.intersect_with(states.fixed_shared());
            states.known_shared(&it.values)
        };
        Ok(shared.closed_on(states.fixed_shared())?.into_iter().map(known).collect())
    }

    /// The numbers of all thread states that are meant.
    fn thread_ids(&self, stack: &Stack) -> Result<Vec<Option<ThreadState>>, Rejected> {
        let places: Vec<_> = stack.iter().map(|frame| (frame.proc, frame.at)).collect();
        let Some(&shape) = self.places.get(&places) else { return Ok(vec![None]) };
        let packed = self.packed(shape, stack);
        let all = packed.closed_on(&Bits::full(self.proof.states.n_fixed(shape)))?;
        Ok(all.iter().map(|it| self.proof.states.known_thread(shape, &it.values)).collect())
    }

    /// The fixed locals in a row.
    fn packed(&self, shape: StackShape, stack: &Stack) -> Open {
        let mut packed = Open::default();
        let mut n = 0;
        for (frame, shape) in stack.iter().zip(self.proof.states.stack(shape)) {
            for var in shape.fixed.iter() {
                packed.set(n, frame.locals.get(var));
                n += 1;
            }
        }
        packed
    }

    fn broadcast_id(&mut self, broadcast: Broadcast) -> BroadcastId {
        let next = BroadcastId::from_u32(self.broadcasts.len() as u32);
        let broadcasts = &mut self.broadcasts;
        *self.broadcast_ids.entry(broadcast.clone()).or_insert_with(|| {
            broadcasts.push(broadcast);
            next
        })
    }
}

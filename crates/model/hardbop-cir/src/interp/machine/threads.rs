//! Threads of a running machine. The one that runs has its calls and registers in the machine itself; those
//! of the others are kept here.

use std::mem::{replace, take};

use hardbop_base::Span;

use super::{Ending, Frame, Go, Machine};
use crate::interp::memory::{Base, Fault, Pointer};
use crate::interp::race::{Deed, Race, Strength};
use crate::interp::schedule::{Schedule, Scheduler, Turn};
use crate::interp::show;
use crate::interp::value::{Value, evaluate};
use crate::program::{BlockId, ObjId, Op};
use crate::thread::ThreadOp;
use crate::ty::Ty;

/// More than this and a run is given up.
const MAX_THREADS: usize = 10_000;

/// Where the thread was when it began to keep others out, and how often it has begun since.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::interp) struct Atomic {
    pub depth: u32,
    pub n_frames: usize,
    pub block: BlockId,
    pub at: usize,
}

/// A thread that does not run now.
#[derive(Clone, Default)]
pub(in crate::interp) struct Thread {
    pub frames: Vec<Frame>,
    pub globals: Vec<Value>,
    /// The objects it has to itself, with their instances, in the order it came to them.
    pub own: Vec<(ObjId, u32)>,
    pub end: Option<Option<Value>>,
    /// Nobody may wait for it.
    pub is_forgotten: bool,
    /// It waits, and nobody has moved since it found that it must.
    pub waits: bool,
}

#[derive(Clone)]
pub(in crate::interp) struct Threads {
    pub current: u32,
    /// By number; calls and registers of the one that runs are not here.
    pub all: Vec<Thread>,
    scheduler: Scheduler,
    /// What was scheduled.
    pub turns: Vec<Turn>,
}

impl Threads {
    pub fn new(schedule: &Schedule) -> Threads {
        let (all, scheduler) = (vec![Thread::default()], Scheduler::new(schedule));
        Threads { current: 0, all, scheduler, turns: Vec::new() }
    }

    pub fn are_many(&self) -> bool {
        self.all.len() > 1
    }

    fn get(&self, number: u128) -> Option<&Thread> {
        usize::try_from(number).ok().and_then(|it| self.all.get(it))
    }
}

impl Machine<'_> {
    pub(in crate::interp) fn switch_to(&mut self, thread: u32) {
        let from = replace(&mut self.threads.current, thread);
        if from != thread {
            let parked = &mut self.threads.all[from as usize];
            (parked.frames, parked.globals) = (take(&mut self.frames), take(&mut self.globals));
            let next = &mut self.threads.all[thread as usize];
            (self.frames, self.globals) = (take(&mut next.frames), take(&mut next.globals));
        }
    }

    /// Lets the scheduler choose; false if no thread can move.
    pub(super) fn choose_thread(&mut self) -> bool {
        let current = self.threads.current;
        let can_move: Vec<u32> = match self.atomic {
            Some(_) => vec![current],
            None => {
                let threads = self.threads.all.iter().enumerate();
                let live = threads.filter(|(_, it)| it.end.is_none() && !it.waits);
                live.map(|(at, _)| at as u32).collect()
            }
        };
        if can_move.is_empty() {
            return false;
        }
        let next = self.threads.scheduler.next(current, &can_move);
        match self.threads.turns.last_mut() {
            Some(turn) if turn.thread == next => turn.n_steps += 1,
            _ => self.threads.turns.push(Turn { thread: next, n_steps: 1 }),
        }
        self.switch_to(next);
        true
    }

    /// The thread at hand has taken a step that others may have waited for.
    pub(super) fn has_moved(&mut self) {
        let current = self.threads.current as usize;
        if self.atomic.is_none() && !self.threads.all[current].waits {
            self.threads.all.iter_mut().for_each(|it| it.waits = false);
        }
    }

    pub(super) fn thread(&mut self, op: &ThreadOp, span: Span) -> Go {
        match *op {
            ThreadOp::Spawn { dst, func, arg } => {
                let Pointer { base: Base::Func(func), offset: 0 } = self.pointer(func) else {
                    return Err(Ending::Undefined(Fault::Null, span));
                };
                let params = &self.program.funcs[func].params;
                let fits = match params[..] {
                    [] => true,
                    [param] => self.program.vars[param].ty == Ty::Ptr,
                    _ => false,
                };
                if !fits {
                    let what = "a thread that runs a function of another type";
                    return Err(Ending::Unsupported(what.into(), span));
                }
                if self.threads.all.len() >= MAX_THREADS {
                    return Err(Ending::TooLong);
                }
                let arg = evaluate(self, arg);
                let (by, number) = (self.threads.current, self.threads.all.len() as u32);
                if let Some(order) = &mut self.order {
                    order.starts(by, number);
                }
                self.set(dst, Value::Int(self.threads.all.len() as u128));
                self.spawn(func, arg)?;
            }
            ThreadOp::Current { dst } => {
                self.set(dst, Value::Int(u128::from(self.threads.current)));
            }
            ThreadOp::Exists { dst, thread } => {
                let found = self.threads.get(evaluate(self, thread).int());
                let exists = found.is_some_and(|it| !it.is_forgotten);
                self.set(dst, Value::Int(u128::from(exists)));
            }
            ThreadOp::Ended { dst, thread } => {
                let number = evaluate(self, thread).int();
                let has_ended = self.threads.get(number).is_some_and(|it| it.end.is_some());
                if let (true, Some(order)) = (has_ended, &mut self.order) {
                    order.sees_end(self.threads.current, number as u32);
                }
                self.set(dst, Value::Int(u128::from(has_ended)));
            }
            ThreadOp::Result { dst, thread } => {
                let ty = self.program.vars[dst].ty;
                let left = self.threads.get(evaluate(self, thread).int()).and_then(|it| it.end);
                let value = match (left.flatten(), ty) {
                    (Some(value @ Value::Ptr(_)), Ty::Ptr) => value,
                    (Some(Value::Int(it)), Ty::Int(width)) => {
                        Value::Int(it & crate::eval::mask(width))
                    }
                    _ => Value::zero(ty),
                };
                self.set(dst, value);
            }
            ThreadOp::Forget { thread } => {
                let number = usize::try_from(evaluate(self, thread).int()).unwrap_or(usize::MAX);
                if let Some(it) = self.threads.all.get_mut(number) {
                    it.is_forgotten = true;
                }
            }
            ThreadOp::Own { dst, object } => {
                let instance = self.own(object, span)?;
                let base = Base::Instance(instance);
                self.set(dst, Value::Ptr(Pointer { base, offset: 0 }));
            }
            ThreadOp::Begin => match &mut self.atomic {
                Some(it) => it.depth += 1,
                None => {
                    let n_frames = self.frames.len();
                    let Some(frame) = self.frames.last() else { return Ok(()) };
                    let (block, at) = (frame.block, frame.at - 1);
                    self.atomic = Some(Atomic { depth: 1, n_frames, block, at });
                    self.strength = Strength::FULL;
                    if let Some(order) = &mut self.order {
                        order.begins();
                    }
                }
            },
            ThreadOp::End => match &mut self.atomic {
                Some(it) if it.depth > 1 => it.depth -= 1,
                _ => self.atomic = None,
            },
            ThreadOp::Unordered => self.is_unordered = true,
            // Inside sections of the user all is as strong as these.
            ThreadOp::Orders { acquires, releases } => {
                if self.atomic.is_some_and(|it| it.depth == 1) {
                    self.strength = Strength { acquires, releases };
                    if let (Some(order), true) = (&mut self.order, acquires) {
                        order.acquires(self.threads.current);
                    }
                }
            }
            ThreadOp::Fence { acquires, releases } => {
                if let Some(order) = &mut self.order {
                    order.fence(self.threads.current, Strength { acquires, releases });
                }
            }
            ThreadOp::Wait { cond } => {
                if evaluate(self, cond).int() == 0 {
                    return self.set_back(span);
                }
            }
        }
        Ok(())
    }

    /// Soundness: only while there are several threads: all that was done before is ordered.
    pub(super) fn note_accesses(&mut self, op: &Op) -> Go {
        let Some(check) = self.watched.race.filter(|_| self.threads.are_many()) else {
            return Ok(());
        };
        if let Some(mut order) = self.order.take() {
            let thread = self.threads.current;
            let atomic = self.atomic.map(|_| self.strength);
            for access in self.accesses(op) {
                let stack = self.frames.iter().map(|frame| self.place(frame)).collect();
                let later = Deed { thread, is_write: access.is_write, stack };
                let Some(earlier) = order.accesses(&access, &later, atomic) else { continue };
                if self.race.is_none() {
                    let at = Pointer { base: Base::Instance(access.instance), offset: access.from };
                    let place = show::place(self.program, &self.memory, at);
                    self.race = Some(Race { place, earlier, later });
                }
            }
            self.is_unordered |= order.is_doubtful;
            self.order = Some(order);
        }
        match self.race {
            Some(_) if !self.seen.contains(&check) => self.fails(check),
            _ => Ok(()),
        }
    }

    /// No thread can move.
    pub(super) fn deadlock(&mut self) -> Go<Ending> {
        match self.watched.deadlock {
            Some(check) => self.fails(check).map(|()| Ending::Deadlock),
            None => Ok(Ending::Deadlock),
        }
    }

    fn spawn(&mut self, func: crate::program::FuncId, arg: Value) -> Go {
        let mut globals = self.layout.globals.clone();
        for (id, var) in self.program.vars.iter_enumerated() {
            if let (Some(init), super::Place::Global(at)) = (var.init, self.layout.place(id)) {
                globals[at as usize] = evaluate(self, init);
            }
        }
        let (frames, atomic) = (take(&mut self.frames), self.atomic.take());
        let done = self.call(func, vec![arg], None);
        let frames = replace(&mut self.frames, frames);
        self.atomic = atomic;
        self.threads.all.push(Thread { frames, globals, ..Thread::default() });
        done
    }

    /// The instance of the thread at hand.
    fn own(&mut self, object: ObjId, span: Span) -> Go<u32> {
        let current = self.threads.current as usize;
        if let Some(it) = self.threads.all[current].own.iter().find(|it| it.0 == object) {
            return Ok(it.1);
        }
        let (program, info) = (self.program, &self.program.objects[object]);
        let created = self.memory.create(program, object, info.size.unwrap_or(0));
        let pointer = self.access(created, span)?;
        for init in &info.init {
            let (value, ty) = (evaluate(self, init.value), program.exprs.ty(init.value));
            self.store(Pointer { offset: init.offset, ..pointer }, value, ty, span)?;
        }
        let Base::Instance(id) = pointer.base else { unreachable!("an instance was made") };
        self.threads.all[current].own.push((object, id));
        Ok(id)
    }

    /// To where the thread began to keep others out.
    fn set_back(&mut self, span: Span) -> Go {
        match self.atomic.take() {
            Some(Atomic { depth: 1, n_frames, block, at }) if n_frames == self.frames.len() => {
                if let Some(frame) = self.frames.last_mut() {
                    (frame.block, frame.at) = (block, at);
                }
                self.threads.all[self.threads.current as usize].waits = true;
                match self.threads.are_many() {
                    true => Ok(()),
                    false => self.deadlock().and_then(Err),
                }
            }
            _ => {
                let what = "waiting where no other thread may move";
                Err(Ending::Unsupported(what.into(), span))
            }
        }
    }

    /// All calls of the thread at hand end.
    pub(super) fn end_thread(&mut self, value: Option<Value>) -> Option<Ending> {
        for frame in take(&mut self.frames) {
            frame.objects.iter().for_each(|&(_, id)| self.memory.kill(id));
        }
        self.thread_ended(value)
    }

    pub(super) fn thread_ended(&mut self, value: Option<Value>) -> Option<Ending> {
        let current = self.threads.current as usize;
        (self.threads.all[current].end, self.atomic) = (Some(value), None);
        for (_, id) in take(&mut self.threads.all[current].own) {
            self.memory.kill(id);
        }
        self.threads.all.iter_mut().for_each(|it| it.waits = false);
        self.threads.all.iter().all(|it| it.end.is_some()).then_some(Ending::Exit(0))
    }
}

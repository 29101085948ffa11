//! The steps of one thread of a configuration.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::may::Possible;
use hardbop_cfg::{Action, Assign, Call, Edge, EdgeId, EdgeRef, Loc, ProcId, Spawn};
use hardbop_evidence::Event;

use super::Semantics;
use super::config::{At, Config, Frame, Thread};
use super::product::{allow, product};
use super::scope::may_stay;

/// What happens to `start_thread` when so many threads are alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It does nothing (design section 2, item 8): the meaning of a bound the user asked for.
    SkipAt(u32),
    /// It is not followed. What remains are runs of the program without a bound, which runs with
    /// `SkipAt` need not be: a start that `enforce` forbids would be skipped over.
    CutAt(u32),
}

/// The steps of one thread.
#[derive(Default, Debug)]
pub struct Steps {
    pub successors: Vec<Successor>,
    /// Whether a `start_thread` met the bound.
    pub hit_bound: bool,
}

/// One step and where it leads.
#[derive(Debug)]
pub struct Successor {
    pub event: Event,
    /// Threads keep their order; one that ended is taken out, one that was started is the last.
    /// After [`Event::Violate`] the configuration as it was.
    pub next: Config,
    pub ended: bool,
    pub started: bool,
}

impl Successor {
    /// The number of statements executed: returns are none.
    pub fn weight(&self) -> u64 {
        u64::from(self.event != Event::Return)
    }
}

impl Semantics<'_> {
    /// Every step the thread at position `thread` can do.
    pub fn successors(
        &self,
        config: &Config,
        thread: usize,
        bound: Bound,
        meter: &mut Meter<'_>,
    ) -> Result<Steps, Exhausted> {
        let mut steps = Steps::default();
        // Only the holder of the flag runs while it is held (item 9).
        if config.holder.is_some_and(|holder| holder != thread) {
            return Ok(steps);
        }
        let at = config.threads[thread].loc();
        let mover =
            Mover { semantics: self, config, thread, proc: at.proc, scope: config.scope(thread) };
        if !may_stay(self.program, at.proc, &mover.scope) {
            return Ok(steps);
        }
        let proc = &self.program.procs[at.proc];
        if at.loc == proc.exit {
            mover.leave_procedure(&mut steps);
        }
        for (id, edge) in proc.out_edges(at.loc) {
            mover.execute(id, edge, bound, &mut steps, meter)?;
        }
        Ok(steps)
    }
}

/// The thread that moves, in the configuration it moves in.
struct Mover<'a> {
    semantics: &'a Semantics<'a>,
    config: &'a Config,
    thread: usize,
    proc: ProcId,
    /// Of its top frame.
    scope: Bits,
}

/// A local variable of another thread.
struct Cell {
    thread: usize,
    frame: usize,
    var: usize,
}

impl Mover<'_> {
    fn execute(
        &self,
        id: EdgeId,
        edge: &Edge,
        bound: Bound,
        steps: &mut Steps,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let at = EdgeRef { proc: self.proc, edge: id };
        let take = |next| Successor { event: Event::Take(at), next, ended: false, started: false };
        match &edge.action {
            Action::Assert(condition) => {
                let exprs = &self.semantics.program.exprs;
                if exprs.eval(*condition, &self.scope, &self.scope).be_false {
                    let next = self.config.clone();
                    steps.successors.push(Successor { event: Event::Violate(at), ..take(next) });
                }
                for after in self.semantics.post(at, &self.scope, meter)? {
                    steps.successors.push(take(self.arrive(edge.to, &after)));
                }
            }
            Action::Assign(assign) => self.assign(at, assign, steps, meter)?,
            Action::Call(call) => {
                for entry in self.semantics.entries(call.callee, &call.args, &self.scope, meter)? {
                    steps.successors.push(take(self.enter(id, call, &entry)));
                }
            }
            Action::StartThread(spawn) => self.start(at, spawn, bound, steps, meter)?,
            Action::EndThread => {
                let event = Event::Take(at);
                let next = self.without_mover();
                steps.successors.push(Successor { event, next, ended: true, started: false });
            }
            Action::Skip | Action::Assume(_) | Action::AtomicBegin | Action::AtomicEnd => {
                for after in self.semantics.post(at, &self.scope, meter)? {
                    let mut next = self.arrive(edge.to, &after);
                    match edge.action {
                        Action::AtomicBegin => next.holder = Some(self.thread),
                        Action::AtomicEnd => next.holder = None,
                        _ => {}
                    }
                    steps.successors.push(take(next));
                }
            }
        }
        Ok(())
    }

    /// Parallel assignment with its broadcasts (item 11).
    fn assign(
        &self,
        at: EdgeRef,
        assign: &Assign,
        steps: &mut Steps,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let to = self.semantics.program.edge(at).to;
        let (cells, choices) = self.broadcast_cells(assign);
        let broadcasts = product(Bits::new(), &choices, meter)?;
        let own = self.semantics.post(at, &self.scope, meter)?;
        allow(own.len() * broadcasts.len())?;
        for after in &own {
            let moved = self.arrive(to, after);
            for values in &broadcasts {
                meter.tick()?;
                let mut next = moved.clone();
                for (cell, &Cell { thread, frame, var }) in cells.iter().enumerate() {
                    next.threads[thread].stack[frame].locals.set(var, values.contains(cell));
                }
                let event = Event::Take(at);
                steps.successors.push(Successor { event, next, ended: false, started: false });
            }
        }
        Ok(())
    }

    /// The variables of other threads that a broadcast reaches, and what each may become; a cell's
    /// position is its number among the choices.
    fn broadcast_cells(&self, assign: &Assign) -> (Vec<Cell>, Vec<(usize, Possible)>) {
        let (mut cells, mut choices) = (Vec::new(), Vec::new());
        let others = self.config.threads.iter().enumerate().filter(|&(i, _)| i != self.thread);
        for &(var, value) in &assign.broadcast {
            let exprs = &self.semantics.program.exprs;
            let possible = exprs.eval(value, &self.scope, &self.scope);
            for (thread, other) in others.clone() {
                for (frame, it) in other.stack.iter().enumerate() {
                    if it.proc == self.proc {
                        let matters = self.live_in(it).contains(var.index());
                        choices.push((cells.len(), self.semantics.choice(possible, matters)));
                        cells.push(Cell { thread, frame, var: var.index() });
                    }
                }
            }
        }
        (cells, choices)
    }

    fn live_in(&self, frame: &Frame) -> Bits {
        let Semantics { program, live } = self.semantics;
        match frame.at {
            At::Loc(loc) => live.at(frame.proc, loc).clone(),
            At::Calling(edge) => live.waiting(program, EdgeRef { proc: frame.proc, edge }),
        }
    }

    /// Starting a thread (items 7 and 8).
    fn start(
        &self,
        at: EdgeRef,
        spawn: &Spawn,
        bound: Bound,
        steps: &mut Steps,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let program = self.semantics.program;
        let n_alive = self.config.threads.len();
        let event = Event::Take(at);
        let (Bound::SkipAt(limit) | Bound::CutAt(limit)) = bound;
        let full = n_alive >= limit as usize;
        steps.hit_bound |= full;
        for after in self.semantics.post(at, &self.scope, meter)? {
            let moved = self.arrive(program.edge(at).to, &after);
            if full {
                if matches!(bound, Bound::SkipAt(_)) {
                    let next = moved;
                    steps.successors.push(Successor { event, next, ended: false, started: false });
                }
                continue;
            }
            for thread in self.started(spawn, meter)? {
                let mut next = moved.clone();
                next.threads.push(thread);
                steps.successors.push(Successor { event, next, ended: false, started: true });
            }
        }
        Ok(())
    }

    /// The threads a start may bring.
    fn started(&self, spawn: &Spawn, meter: &mut Meter<'_>) -> Result<Vec<Thread>, Exhausted> {
        let program = self.semantics.program;
        match spawn {
            // The start location is one of this procedure, whose `enforce` holds already.
            Spawn::Goto(loc) => Ok(vec![Thread::at(program, self.proc, *loc, &self.scope)]),
            Spawn::Call { callee, args } => {
                let entry = program.procs[*callee].entry;
                let scopes = self.semantics.entries(*callee, args, &self.scope, meter)?;
                Ok(scopes.iter().map(|it| Thread::at(program, *callee, entry, it)).collect())
            }
        }
    }

    /// From the exit to the caller, or the end of the thread.
    fn leave_procedure(&self, steps: &mut Steps) {
        let program = self.semantics.program;
        let stack = &self.config.threads[self.thread].stack;
        let event = Event::Return;
        let Some(below) = stack.len().checked_sub(2) else {
            let next = self.without_mover();
            steps.successors.push(Successor { event, next, ended: true, started: false });
            return;
        };
        let caller = &stack[below];
        let At::Calling(edge) = caller.at else {
            unreachable!("a frame below the top waits for its callee")
        };
        let edge = &program.procs[caller.proc].edges[edge];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are waited for") };
        let after = self.semantics.after_return(caller.proc, call, &caller.locals, &self.scope);
        if let Some(after) = after {
            let mut next = self.config.clone();
            next.threads[self.thread].stack.pop();
            set_top(&mut next, self.thread, edge.to, &after, program.n_shared());
            steps.successors.push(Successor { event, next, ended: false, started: false });
        }
    }

    /// The configuration after the thread moved on within its procedure.
    fn arrive(&self, to: Loc, after: &Bits) -> Config {
        let mut next = self.config.clone();
        set_top(&mut next, self.thread, to, after, self.semantics.program.n_shared());
        next
    }

    /// The configuration after the thread entered a procedure.
    fn enter(&self, edge: EdgeId, call: &Call, entry: &Bits) -> Config {
        let program = self.semantics.program;
        let mut next = self.config.clone();
        let stack = &mut next.threads[self.thread].stack;
        stack.last_mut().expect("a thread has a frame").at = At::Calling(edge);
        stack.push(Frame {
            proc: call.callee,
            at: At::Loc(program.procs[call.callee].entry),
            locals: entry.from(program.n_shared()),
        });
        next
    }

    /// The configuration after the thread ended; a holder gives the flag back.
    fn without_mover(&self) -> Config {
        let mut next = self.config.clone();
        next.threads.remove(self.thread);
        // Nobody but the holder moves while the flag is held.
        next.holder = None;
        next
    }
}

fn set_top(config: &mut Config, thread: usize, to: Loc, scope: &Bits, n_shared: usize) {
    let top = config.threads[thread].stack.last_mut().expect("a thread has a frame");
    top.at = At::Loc(to);
    top.locals = scope.from(n_shared);
    config.shared = scope.below(n_shared);
}

//! The checks of single steps.
//!
//! Invariant: locals have no bits of shared variables or beyond their procedure's locals; every
//! frame but the top of a stack waits for a call.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{
    Action, Assign, Call, Edge, EdgeRef, ExprId, LocRef, ProcId, Program, Spawn, VarId,
};
use hardbop_evidence::{Event, FrameUpdate, Initial, Passage, PassageId, Step, ThreadIx};

use super::Shown;
use crate::semantics::{At, Frame};

#[cfg(test)]
mod brute;

type Checked = Result<(), String>;

/// A running program whose threads have numbers.
#[derive(Clone)]
pub(super) struct Machine<'a> {
    program: &'a Program,
    /// Threads alive at once, at most.
    bound: Option<usize>,
    shared: Bits,
    /// Stacks by number; empty for threads that have ended.
    stacks: Vec<Vec<Frame>>,
    holder: Option<ThreadIx>,
    /// The thread the last step started.
    started: Option<ThreadIx>,
}

impl<'a> Machine<'a> {
    /// The initial state, checked.
    pub fn start(
        program: &'a Program,
        bound: Option<usize>,
        initial: &Initial,
    ) -> Result<Self, String> {
        let main = program.main;
        let shared = initial.shared.clone();
        ensure(
            shared.from(program.n_shared()).is_empty(),
            "the initial state has no such variable",
        )?;
        for &(var, expr) in &program.init {
            // It mentions only variables declared before, whose values are settled.
            let possible = program.exprs.eval(expr, &shared, &shared);
            if !possible.contains(shared.contains(var.index())) {
                return Err(format!("{} does not start so", program.shared[var.index()].name));
            }
        }
        let mut machine =
            Machine { program, bound, shared, stacks: Vec::new(), holder: None, started: None };
        for locals in &initial.locals {
            let at = At::Loc(program.procs[main].entry);
            machine.check_locals(main, locals)?;
            machine.stacks.push(vec![Frame { proc: main, at, locals: locals.clone() }]);
            machine.check_enforce(ThreadIx::new(machine.stacks.len() - 1))?;
        }
        Ok(machine)
    }

    /// One thread at the entry of a procedure.
    pub fn at_entry(program: &'a Program, proc: ProcId, scope: &Bits) -> Result<Self, String> {
        let n_shared = program.n_shared();
        let body = program.procs.get(proc).ok_or("no such procedure")?;
        let (shared, locals) = (scope.below(n_shared), scope.from(n_shared));
        let frame = Frame { proc, at: At::Loc(body.entry), locals };
        let (bound, stacks) = (Some(1), vec![vec![frame]]);
        let machine = Machine { program, bound, shared, stacks, holder: None, started: None };
        machine.check_locals(proc, &scope.from(n_shared))?;
        machine.check_enforce(ThreadIx::new(0))?;
        Ok(machine)
    }

    /// Where a thread is, for a person to read.
    pub fn show(&self, thread: ThreadIx) -> Result<Shown, String> {
        let (at, before) = self.top(thread)?;
        let depth = self.stacks[thread.index()].len() - 1;
        Ok(Shown { thread, depth, at, before, over: None })
    }

    pub fn just_started(&self) -> Option<ThreadIx> {
        self.started
    }

    /// Checks a step and does it. It may go over a call by one of the passages, which are known to be right.
    pub fn step(&mut self, step: &Step, passages: &[Passage]) -> Checked {
        let thread = step.thread;
        let (at, now) = self.top(thread)?;
        ensure(self.holder.is_none_or(|holder| holder == thread), "another thread is atomic")?;
        self.check_enforce(thread)?;
        self.started = None;
        match step.event {
            Event::Return => {
                ensure(at.loc == self.program.procs[at.proc].exit, "returns before the exit")?;
                ensure(step.others.is_empty(), "a return changes no other thread")?;
                self.give_back(step)
            }
            Event::Violate(edge) => {
                let Action::Assert(condition) = self.edge_at(edge, at)?.action else {
                    return Err("no assertion stands here".into());
                };
                ensure(self.possible(condition, &now, false), "the assertion holds")?;
                ensure(step.after == now && step.others.is_empty(), "a violation changes nothing")
            }
            Event::Take(edge) => {
                let taken = self.edge_at(edge, at)?;
                self.take(edge, taken, &now, step)
            }
            Event::Over(edge, id) => {
                let Action::Call(call) = &self.edge_at(edge, at)?.action else {
                    return Err("no call stands here".into());
                };
                ensure(step.others.is_empty(), "this changes no other thread")?;
                self.go_over(edge, call, &now, step, passage(passages, id)?)
            }
        }
    }

    /// Enters a callee, is at its exit as the passage leaves it, and returns.
    fn go_over(
        &mut self,
        at: EdgeRef,
        call: &Call,
        now: &Bits,
        step: &Step,
        passage: &Passage,
    ) -> Checked {
        ensure(passage.proc == call.callee, "another procedure is called")?;
        let entered = Step { event: Event::Take(at), after: passage.entry.clone(), ..step.clone() };
        self.enter(at, call, now, &entered)?;
        let exit = At::Loc(self.program.procs[call.callee].exit);
        self.set_top(step.thread, exit, passage.exit());
        self.check_enforce(step.thread)?;
        self.give_back(step)
    }

    fn take(&mut self, at: EdgeRef, edge: &'a Edge, now: &Bits, step: &Step) -> Checked {
        let thread = step.thread;
        let touches_others = match &edge.action {
            Action::Assign(assign) => !assign.broadcast.is_empty(),
            Action::StartThread(_) => true,
            _ => false,
        };
        ensure(touches_others || step.others.is_empty(), "this changes no other thread")?;
        match &edge.action {
            Action::Call(call) => return self.enter(at, call, now, step),
            Action::EndThread => {
                ensure(step.after == self.shared, "the end of a thread changes nothing")?;
                return self.end(thread);
            }
            Action::Assign(assign) => {
                self.check_assign(at.proc, assign, now, &step.after)?;
                self.broadcast(at.proc, assign, now, step)?;
            }
            Action::Assume(guard) | Action::Assert(guard) => {
                ensure(self.possible(*guard, now, true), "the condition cannot hold")?;
                ensure(step.after == *now, "a condition changes nothing")?;
            }
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd | Action::StartThread(_) => {
                ensure(step.after == *now, "this statement assigns nothing")?;
            }
        }
        match &edge.action {
            Action::AtomicBegin => self.holder = Some(thread),
            Action::AtomicEnd => self.holder = None,
            Action::StartThread(spawn) => self.begin_thread(at.proc, spawn, now, step)?,
            _ => {}
        }
        self.set_top(thread, At::Loc(edge.to), &step.after);
        self.check_enforce(thread)
    }

    /// Each target has a possible value, everything else its old one.
    fn check_assign(&self, proc: ProcId, assign: &Assign, now: &Bits, after: &Bits) -> Checked {
        ensure(after.from(self.program.scope_width(proc)).is_empty(), "no such variable")?;
        for var in self.program.scope(proc) {
            let value = after.contains(var.index());
            let allowed = match assign.targets.iter().find(|(target, _)| *target == var) {
                Some(&(_, expr)) => self.possible(expr, now, value),
                None => now.contains(var.index()) == value,
            };
            if !allowed {
                let name = &self.program.var_info(proc, var).name;
                return Err(format!("{name} cannot become {}", u8::from(value)));
            }
        }
        let exprs = &self.program.exprs;
        let holds = |constrain| exprs.eval(constrain, now, after).be_true;
        ensure(assign.constrain.is_none_or(holds), "the constraint cannot hold")
    }

    /// Every frame of the procedure in another thread has possible values for the variables that
    /// are broadcast and its old ones for the others.
    fn broadcast(&mut self, proc: ProcId, assign: &Assign, now: &Bits, step: &Step) -> Checked {
        let old = self.stacks.clone();
        for (index, update) in step.others.iter().enumerate() {
            ensure(update.thread != step.thread, "a broadcast reaches other threads")?;
            let twice = |it: &FrameUpdate| (it.thread, it.frame) == (update.thread, update.frame);
            ensure(!step.others[..index].iter().any(twice), "one frame is changed twice")?;
            let stack = self.stacks.get_mut(update.thread.index());
            match stack.and_then(|stack| stack.get_mut(update.frame)) {
                Some(frame) => frame.locals = update.locals.clone(),
                None => return Err("no such frame".into()),
            }
        }
        for (thread, frames) in old.iter().enumerate().filter(|&(i, _)| i != step.thread.index()) {
            for (before, after) in frames.iter().zip(&self.stacks[thread]) {
                let reached: &[(VarId, ExprId)] =
                    if before.proc == proc { &assign.broadcast } else { &[] };
                let mut kept = after.locals.clone();
                for &(var, expr) in reached {
                    let value = after.locals.contains(var.index());
                    ensure(self.possible(expr, now, value), "no such value is broadcast")?;
                    kept.set(var.index(), before.locals.contains(var.index()));
                }
                ensure(kept == before.locals, "a broadcast changes only what it names")?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, at: EdgeRef, call: &Call, now: &Bits, step: &Step) -> Checked {
        let program = self.program;
        ensure(step.after.below(program.n_shared()) == self.shared, "a call assigns nothing")?;
        let locals = step.after.from(program.n_shared());
        self.check_arguments(call.callee, &call.args, now, &locals)?;
        let stack = &mut self.stacks[step.thread.index()];
        if let Some(caller) = stack.last_mut() {
            caller.at = At::Calling(at.edge);
        }
        let entry = At::Loc(program.procs[call.callee].entry);
        stack.push(Frame { proc: call.callee, at: entry, locals });
        self.check_enforce(step.thread)
    }

    fn check_arguments(
        &self,
        callee: ProcId,
        args: &[ExprId],
        now: &Bits,
        locals: &Bits,
    ) -> Checked {
        self.check_locals(callee, locals)?;
        for (formal, &arg) in self.program.formals(callee).zip(args) {
            let passed = self.possible(arg, now, locals.contains(formal.index()));
            ensure(passed, "an argument cannot have this value")?;
        }
        Ok(())
    }

    /// Leaves the exit of a procedure.
    fn give_back(&mut self, step: &Step) -> Checked {
        let program = self.program;
        let stack = &mut self.stacks[step.thread.index()];
        let callee = stack.pop().ok_or("the thread has ended")?;
        let Some(caller) = stack.last() else {
            ensure(step.after == self.shared, "the end of a thread changes nothing")?;
            return self.end(step.thread);
        };
        let At::Calling(edge) = caller.at else { return Err("nobody waits for this".into()) };
        let edge = &program.procs[caller.proc].edges[edge];
        let Action::Call(call) = &edge.action else { return Err("nobody called".into()) };
        let mut expected = self.shared.clone();
        expected.union_with(&caller.locals);
        for (from, to) in program.returns(call.callee).zip(&call.results) {
            if let Some(to) = to {
                expected.set(to.index(), callee.locals.contains(from.index()));
            }
        }
        ensure(step.after == expected, "the results are others")?;
        self.set_top(step.thread, At::Loc(edge.to), &expected);
        self.check_enforce(step.thread)
    }

    fn begin_thread(&mut self, proc: ProcId, spawn: &Spawn, now: &Bits, step: &Step) -> Checked {
        let n_alive = self.stacks.iter().filter(|stack| !stack.is_empty()).count();
        if self.bound.is_some_and(|bound| n_alive >= bound) {
            return ensure(step.others.is_empty(), "no thread is started at the bound");
        }
        let new = ThreadIx::new(self.stacks.len());
        let [FrameUpdate { thread, frame: 0, locals }] = &step.others[..] else {
            return Err("exactly one thread is started, with one frame".into());
        };
        ensure(*thread == new, "a new thread has the next number")?;
        let (proc, loc) = match spawn {
            Spawn::Goto(loc) => {
                let copy = *locals == now.from(self.program.n_shared());
                ensure(copy, "the new thread has a copy of the locals")?;
                (proc, *loc)
            }
            Spawn::Call { callee, args } => {
                self.check_arguments(*callee, args, now, locals)?;
                (*callee, self.program.procs[*callee].entry)
            }
        };
        self.stacks.push(vec![Frame { proc, at: At::Loc(loc), locals: locals.clone() }]);
        self.started = Some(new);
        self.check_enforce(new)
    }

    /// The thread is gone, and with it its hold of the atomic flag.
    fn end(&mut self, thread: ThreadIx) -> Checked {
        self.stacks[thread.index()].clear();
        if self.holder == Some(thread) {
            self.holder = None;
        }
        Ok(())
    }

    /// Where a live thread is and its scope there.
    fn top(&self, thread: ThreadIx) -> Result<(LocRef, Bits), String> {
        let stack = self.stacks.get(thread.index()).ok_or("no such thread")?;
        let frame = stack.last().ok_or("the thread has ended")?;
        let At::Loc(loc) = frame.at else { return Err("the thread waits for a call".into()) };
        let mut scope = self.shared.clone();
        scope.union_with(&frame.locals);
        Ok((LocRef { proc: frame.proc, loc }, scope))
    }

    fn set_top(&mut self, thread: ThreadIx, at: At, scope: &Bits) {
        let n_shared = self.program.n_shared();
        self.shared = scope.below(n_shared);
        if let Some(frame) = self.stacks[thread.index()].last_mut() {
            frame.at = at;
            frame.locals = scope.from(n_shared);
        }
    }

    /// The edge, if it exists and leaves `from`.
    fn edge_at(&self, edge: EdgeRef, from: LocRef) -> Result<&'a Edge, String> {
        let proc = self.program.procs.get(edge.proc).ok_or("no such procedure")?;
        let it = proc.edges.get(edge.edge).ok_or("no such edge")?;
        ensure(LocRef { proc: edge.proc, loc: it.from } == from, "the thread is elsewhere")?;
        Ok(it)
    }

    fn possible(&self, expr: ExprId, now: &Bits, value: bool) -> bool {
        self.program.exprs.eval(expr, now, now).contains(value)
    }

    /// The `enforce` of the procedure the thread is in.
    fn check_enforce(&self, thread: ThreadIx) -> Checked {
        let (at, scope) = self.top(thread)?;
        let enforce = self.program.procs[at.proc].enforce;
        let holds = enforce.is_none_or(|enforce| self.possible(enforce, &scope, true));
        ensure(holds, "what is enforced cannot hold")
    }

    /// Only bits of the procedure's locals.
    fn check_locals(&self, proc: ProcId, locals: &Bits) -> Checked {
        let outside = !locals.below(self.program.n_shared()).is_empty()
            || !locals.from(self.program.scope_width(proc)).is_empty();
        ensure(!outside, "no such local variable")
    }
}

fn passage(passages: &[Passage], id: PassageId) -> Result<&Passage, String> {
    passages.get(id.index()).ok_or_else(|| "no such passage".into())
}

fn ensure(holds: bool, why: &str) -> Checked {
    if holds { Ok(()) } else { Err(why.into()) }
}

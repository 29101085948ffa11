//! The values of a run, where each was born and who read it.
//!
//! Variables hold value numbers instead of values while the run is walked once more; copying a
//! value (a result, the locals of a started thread) copies its number.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, Assign, EdgeRef, ExprId, ProcId, Program, Spawn};
use hardbop_evidence::{Event, Step, Trace};

use crate::replay::Replayed;

/// A value of the run. Those it was computed from have smaller numbers.
type ValueId = u32;

/// What is known of the values of a run.
pub(super) struct Values {
    /// The last line that used each, if any.
    used: Vec<Option<u32>>,
    settled: Vec<bool>,
    /// For each line the values of its scope.
    lines: Vec<Vec<ValueId>>,
}

struct Birth {
    /// Whether the values it was computed from leave no choice.
    forced: bool,
    from: Vec<ValueId>,
}

/// A value was read at a line: by a condition (`None`), or to compute another value.
struct Read {
    value: ValueId,
    line: u32,
    by: Option<ValueId>,
}

impl Values {
    pub fn of(program: &Program, trace: &Trace, replayed: &Replayed) -> Self {
        let mut walk = Walk::start(program, trace, replayed);
        for step in &trace.steps {
            walk.step(step);
        }
        if walk.lines.len() < replayed.shown.len() {
            // The arrival at a label, by the thread that is shown there.
            walk.show();
        }
        let Walk { births, reads, lines, .. } = walk;
        let mut used = vec![None; births.len()];
        // All reads of a value come after its birth, so backwards each reader is known already.
        for read in reads.iter().rev() {
            if read.by.is_none_or(|by| used[by as usize].is_some()) {
                let last = &mut used[read.value as usize];
                *last = (*last).max(Some(read.line));
            }
        }
        let mut settled = vec![false; births.len()];
        for (id, birth) in births.iter().enumerate() {
            let computed = birth.forced && birth.from.iter().all(|&it| settled[it as usize]);
            settled[id] = used[id].is_some() || computed;
        }
        Values { used, settled, lines }
    }

    pub fn settled(&self, line: usize) -> Bits {
        self.vars(line, |value| self.settled[value])
    }

    pub fn live(&self, line: usize) -> Bits {
        self.vars(line, |value| self.used[value].is_some_and(|last| last as usize >= line))
    }

    fn vars(&self, line: usize, holds: impl Fn(usize) -> bool) -> Bits {
        let scope = self.lines[line].iter().enumerate();
        scope.filter(|&(_, &value)| holds(value as usize)).map(|(var, _)| var).collect()
    }
}

/// The run under way.
struct Walk<'a> {
    program: &'a Program,
    replayed: &'a Replayed,
    births: Vec<Birth>,
    reads: Vec<Read>,
    lines: Vec<Vec<ValueId>>,
    shared: Vec<ValueId>,
    /// Stacks by thread number, bottom first.
    stacks: Vec<Vec<Activation>>,
}

struct Activation {
    proc: ProcId,
    locals: Vec<ValueId>,
    /// Where the results of the call it waits for go.
    call: Option<EdgeRef>,
}

impl<'a> Walk<'a> {
    fn start(program: &'a Program, trace: &Trace, replayed: &'a Replayed) -> Self {
        let (births, reads, lines) = (Vec::new(), Vec::new(), Vec::new());
        let (shared, stacks) = (Vec::new(), Vec::new());
        let mut walk = Walk { program, replayed, births, reads, lines, shared, stacks };
        walk.shared = program.shared_vars().map(|_| walk.fresh()).collect();
        for &(var, expr) in &program.init {
            let scope = walk.shared.clone();
            walk.shared[var.index()] = walk.compute(expr, &scope, &trace.initial.shared);
        }
        for _ in &trace.initial.locals {
            let locals = program.locals(program.main).map(|_| walk.fresh()).collect();
            walk.stacks.push(vec![Activation { proc: program.main, locals, call: None }]);
        }
        walk
    }

    fn step(&mut self, step: &Step) {
        let thread = step.thread.index();
        match step.event {
            Event::Return => self.give_back(thread),
            Event::Over(..) => unreachable!("a run with passages is not followed"),
            Event::Take(at) | Event::Violate(at) => {
                self.show();
                self.enforce(thread);
                self.execute(at, thread, step);
            }
        }
        self.enforce(thread);
    }

    /// Notes the scope of the next line.
    fn show(&mut self) {
        let shown = &self.replayed.shown[self.lines.len()];
        let scope = self.scope(shown.thread.index());
        self.lines.push(scope);
    }

    fn execute(&mut self, at: EdgeRef, thread: usize, step: &Step) {
        let program = self.program;
        let scope = self.scope(thread);
        let now = &self.replayed.shown[self.lines.len() - 1].before;
        match &program.edge(at).action {
            Action::Assume(guard) | Action::Assert(guard) => self.condition(*guard, &scope, &scope),
            Action::Assign(assign) => self.assign(at.proc, assign, thread, now),
            Action::Call(call) => {
                let locals = self.begin(call.callee, &call.args, &scope, now);
                if let Some(caller) = self.stacks[thread].last_mut() {
                    caller.call = Some(at);
                }
                self.stacks[thread].push(Activation { proc: call.callee, locals, call: None });
            }
            // At the bound nothing is started and nothing recorded.
            Action::StartThread(spawn) if !step.others.is_empty() => {
                let started = match &**spawn {
                    Spawn::Goto(_) => {
                        let locals = scope[program.n_shared()..].to_vec();
                        Activation { proc: at.proc, locals, call: None }
                    }
                    Spawn::Call { callee, args } => {
                        let locals = self.begin(*callee, args, &scope, now);
                        Activation { proc: *callee, locals, call: None }
                    }
                };
                self.stacks.push(vec![started]);
            }
            Action::EndThread => self.stacks[thread].clear(),
            Action::StartThread(_) | Action::Skip | Action::AtomicBegin | Action::AtomicEnd => {}
        }
    }

    fn assign(&mut self, proc: ProcId, assign: &Assign, thread: usize, now: &Bits) {
        let n_shared = self.program.n_shared();
        let before = self.scope(thread);
        let mut after = before.clone();
        for &(var, expr) in &assign.targets {
            after[var.index()] = self.compute(expr, &before, now);
        }
        if let Some(constrain) = assign.constrain {
            self.condition(constrain, &before, &after);
        }
        for &(var, expr) in &assign.broadcast {
            for other in (0..self.stacks.len()).filter(|&other| other != thread) {
                for frame in 0..self.stacks[other].len() {
                    if self.stacks[other][frame].proc == proc {
                        let value = self.compute(expr, &before, now);
                        self.stacks[other][frame].locals[var.index() - n_shared] = value;
                    }
                }
            }
        }
        self.set_scope(thread, after);
    }

    /// The locals of a new activation.
    fn begin(
        &mut self,
        callee: ProcId,
        args: &[ExprId],
        scope: &[ValueId],
        now: &Bits,
    ) -> Vec<ValueId> {
        let mut locals: Vec<_> = args.iter().map(|&arg| self.compute(arg, scope, now)).collect();
        let n_locals = self.program.procs[callee].locals.len();
        locals.extend((locals.len()..n_locals).map(|_| self.fresh()));
        locals
    }

    fn give_back(&mut self, thread: usize) {
        let program = self.program;
        let Some(callee) = self.stacks[thread].pop() else { return };
        let Some(at) = self.stacks[thread].last_mut().and_then(|caller| caller.call.take()) else {
            return;
        };
        let Action::Call(call) = &program.edge(at).action else { return };
        let mut scope = self.scope(thread);
        for (from, to) in program.returns(call.callee).zip(&call.results) {
            if let Some(to) = to {
                scope[to.index()] = callee.locals[from.index() - program.n_shared()];
            }
        }
        self.set_scope(thread, scope);
    }

    /// The values of the shared variables and the locals of a thread's top activation.
    fn scope(&self, thread: usize) -> Vec<ValueId> {
        let mut scope = self.shared.clone();
        if let Some(top) = self.stacks[thread].last() {
            scope.extend(&top.locals);
        }
        scope
    }

    fn set_scope(&mut self, thread: usize, mut scope: Vec<ValueId>) {
        let locals = scope.split_off(self.program.n_shared());
        self.shared = scope;
        if let Some(top) = self.stacks[thread].last_mut() {
            top.locals = locals;
        }
    }

    fn enforce(&mut self, thread: usize) {
        let proc = self.stacks[thread].last().map(|top| top.proc);
        if let Some(enforce) = proc.and_then(|proc| self.program.procs[proc].enforce) {
            let scope = self.scope(thread);
            self.condition(enforce, &scope, &scope);
        }
    }

    /// A value nothing determines.
    fn fresh(&mut self) -> ValueId {
        self.births.push(Birth { forced: false, from: Vec::new() });
        (self.births.len() - 1) as ValueId
    }

    /// The value of an expression, `now` being the valuation of the scope.
    fn compute(&mut self, expr: ExprId, scope: &[ValueId], now: &Bits) -> ValueId {
        let exprs = &self.program.exprs;
        let possible = exprs.eval(expr, now, now);
        let from: Vec<_> = exprs.support(expr).iter().map(|var| scope[var]).collect();
        let id = self.births.len() as ValueId;
        let line = self.line();
        self.reads.extend(from.iter().map(|&value| Read { value, line, by: Some(id) }));
        self.births.push(Birth { forced: possible.be_true != possible.be_false, from });
        id
    }

    fn condition(&mut self, expr: ExprId, scope: &[ValueId], next: &[ValueId]) {
        let (mut read, mut read_next) = (Bits::new(), Bits::new());
        self.program.exprs.mentions(expr, &mut read, &mut read_next);
        let line = self.line();
        let values = read.iter().map(|var| scope[var]).chain(read_next.iter().map(|var| next[var]));
        self.reads.extend(values.map(|value| Read { value, line, by: None }));
    }

    /// The line being executed.
    fn line(&self) -> u32 {
        self.lines.len().saturating_sub(1) as u32
    }
}

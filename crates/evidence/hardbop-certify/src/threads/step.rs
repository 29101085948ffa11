//! What one thread can do: design section 2, read off the control-flow graph, for values of which
//! some are open.
//!
//! A variable that a statement, a condition of its procedure (`enforce`) or a `constrain` reads is
//! tried with both values if it is open; one that is merely kept stays open; one that is assigned
//! by choice becomes open. So nothing is left out, and where no read variable is open nothing is
//! added.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{
    Action, Assign, Call, Edge, EdgeId, ExprId, LocRef, ProcId, Program, Spawn, VarId,
};
use hardbop_evidence::threads::FrameAt;

use super::expr::{Exprs, May};
use super::open::Open;
use crate::Rejected;

/// An activation of a procedure; its locals are at their positions in the scope.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub proc: ProcId,
    pub at: FrameAt,
    pub locals: Open,
}

/// Bottom first.
pub type Stack = Vec<Frame>;

/// One thing a thread can do.
#[derive(Debug)]
pub struct Step {
    /// The statement, for a message.
    pub at: LocRef,
    pub shared: Open,
    pub effect: Effect,
}

#[derive(Debug)]
pub enum Effect {
    /// Its assertion may fail.
    Fail,
    Go(Stack),
    /// Takes the atomic flag, or gives it back.
    Flag(Stack, bool),
    /// Ends, and gives the flag back.
    End,
    /// Goes on beside one of these new threads; alone where the bound is reached.
    Start(Stack, Vec<Stack>),
    /// Gives each frame of this procedure in other threads new values.
    Broadcast(Stack, ProcId, Vec<(VarId, May)>),
}

/// Reads the steps of a program.
pub struct Reader<'a> {
    pub program: &'a Program,
    exprs: Exprs<'a>,
}

impl<'a> Reader<'a> {
    pub fn new(program: &'a Program) -> Self {
        Reader { program, exprs: Exprs::new(&program.exprs) }
    }

    /// The values before anything runs (item 1): the shared variables, and the frame of a thread at
    /// the entry of `main`.
    pub fn initial(&mut self) -> Result<Vec<(Open, Stack)>, Rejected> {
        let mut all = vec![Open::default()];
        for &(var, expr) in &self.program.init {
            let flat = self.exprs.get(expr);
            let mut longer = Vec::new();
            for shared in all {
                for mut shared in shared.closed_on(&flat.reads)? {
                    shared.set(var.index(), flat.may(&shared.values, &shared.values));
                    longer.push(shared);
                }
            }
            all = longer;
        }
        let main = self.program.main;
        let mut starts = Vec::new();
        for shared in all {
            for scope in self.staying(main, shared)? {
                starts.push(self.alone(main, self.program.procs[main].entry, &scope));
            }
        }
        Ok(starts)
    }

    /// Every step of a thread.
    pub fn steps(&mut self, shared: &Open, stack: &Stack) -> Result<Vec<Step>, Rejected> {
        let top = stack.last().expect("a thread has a frame");
        let FrameAt::Loc(loc) = top.at else { unreachable!("the top of a stack does not wait") };
        let body = &self.program.procs[top.proc];
        let mut steps = Vec::new();
        for scope in self.staying(top.proc, shared.joined(&top.locals))? {
            if loc == body.exit {
                self.leave(stack, &scope, &mut steps)?;
            }
            for (id, edge) in body.out_edges(loc) {
                self.execute(stack, &scope, id, edge, &mut steps)?;
            }
        }
        Ok(steps)
    }

    /// The scopes in which the procedure's `enforce` may hold (item 5).
    fn staying(&mut self, proc: ProcId, scope: Open) -> Result<Vec<Open>, Rejected> {
        let Some(enforce) = self.program.procs[proc].enforce else { return Ok(vec![scope]) };
        let flat = self.exprs.get(enforce);
        let mut all = scope.closed_on(&flat.reads)?;
        all.retain(|scope| flat.may(&scope.values, &scope.values).be_true);
        Ok(all)
    }

    fn execute(
        &mut self,
        stack: &Stack,
        scope: &Open,
        id: EdgeId,
        edge: &Edge,
        steps: &mut Vec<Step>,
    ) -> Result<(), Rejected> {
        let n_shared = self.program.n_shared();
        let proc = stack.last().expect("a thread has a frame").proc;
        let at = LocRef { proc, loc: edge.from };
        for now in scope.closed_on(&self.reads(&edge.action))? {
            let mut push = |scope: &Open, effect| {
                steps.push(Step { at, shared: scope.below(n_shared), effect });
            };
            match &edge.action {
                Action::Skip => push(&now, Effect::Go(moved(stack, edge, &now, n_shared))),
                Action::AtomicBegin | Action::AtomicEnd => {
                    let takes = edge.action == Action::AtomicBegin;
                    push(&now, Effect::Flag(moved(stack, edge, &now, n_shared), takes));
                }
                Action::Assume(guard) | Action::Assert(guard) => {
                    let may = self.exprs.get(*guard).may(&now.values, &now.values);
                    if may.be_false && matches!(edge.action, Action::Assert(_)) {
                        push(&now, Effect::Fail);
                    }
                    if may.be_true {
                        push(&now, Effect::Go(moved(stack, edge, &now, n_shared)));
                    }
                }
                Action::Assign(assign) => {
                    let writes: Vec<_> = assign
                        .broadcast
                        .iter()
                        .map(|&(var, expr)| (var, self.may(expr, &now)))
                        .collect();
                    for after in self.assigned(proc, assign, &now)? {
                        let stack = moved(stack, edge, &after, n_shared);
                        let effect = match writes.is_empty() {
                            true => Effect::Go(stack),
                            false => Effect::Broadcast(stack, proc, writes.clone()),
                        };
                        push(&after, effect);
                    }
                }
                Action::Call(call) => {
                    for entry in self.entries(call.callee, &call.args, &now)? {
                        let mut stack = stack.clone();
                        let caller = stack.last_mut().expect("a thread has a frame");
                        caller.at = FrameAt::Call(id);
                        caller.locals = now.from(n_shared);
                        stack.push(self.entered(call.callee, &entry));
                        push(&entry, Effect::Go(stack));
                    }
                }
                Action::StartThread(spawn) => {
                    let started = match &**spawn {
                        Spawn::Goto(loc) => vec![self.alone(proc, *loc, &now).1],
                        Spawn::Call { callee, args } => {
                            let entries = self.entries(*callee, args, &now)?;
                            let entered = entries.iter().map(|it| self.entered(*callee, it));
                            entered.map(|frame| vec![frame]).collect()
                        }
                    };
                    push(&now, Effect::Start(moved(stack, edge, &now, n_shared), started));
                }
                Action::EndThread => push(&now, Effect::End),
            }
        }
        Ok(())
    }

    /// Parallel assignment, filtered by `constrain` and `enforce` (items 4 and 5).
    fn assigned(
        &mut self,
        proc: ProcId,
        assign: &Assign,
        now: &Open,
    ) -> Result<Vec<Open>, Rejected> {
        let mut after = now.clone();
        for &(var, expr) in &assign.targets {
            after.set(var.index(), self.may(expr, now));
        }
        let mut all = vec![after];
        if let Some(constrain) = assign.constrain {
            let flat = self.exprs.get(constrain);
            all = all[0].closed_on(&flat.next)?;
            all.retain(|next| flat.may(&now.values, &next.values).be_true);
        }
        let mut staying = Vec::new();
        for after in all {
            staying.extend(self.staying(proc, after)?);
        }
        Ok(staying)
    }

    /// The scopes in which a procedure may begin: formals from the arguments, all else fresh.
    fn entries(
        &mut self,
        callee: ProcId,
        args: &[ExprId],
        caller: &Open,
    ) -> Result<Vec<Open>, Rejected> {
        let mut entry = caller.below(self.program.n_shared());
        for (formal, &arg) in self.program.formals(callee).zip(args) {
            entry.set(formal.index(), self.may(arg, caller));
        }
        self.staying(callee, entry)
    }

    /// From the exit of a procedure to its caller, or the end of the thread.
    fn leave(
        &mut self,
        stack: &Stack,
        scope: &Open,
        steps: &mut Vec<Step>,
    ) -> Result<(), Rejected> {
        let n_shared = self.program.n_shared();
        let (top, below) = stack.split_last().expect("a thread has a frame");
        let exit = self.program.procs[top.proc].exit;
        let at = LocRef { proc: top.proc, loc: exit };
        let Some(caller) = below.last() else {
            steps.push(Step { at, shared: scope.below(n_shared), effect: Effect::End });
            return Ok(());
        };
        let FrameAt::Call(edge) = caller.at else { unreachable!("a frame below the top waits") };
        let edge = &self.program.procs[caller.proc].edges[edge];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are waited for") };
        let after = self.returned(call, &caller.locals, scope);
        for after in self.staying(caller.proc, after)? {
            let effect = Effect::Go(moved(below, edge, &after, n_shared));
            steps.push(Step { at, shared: after.below(n_shared), effect });
        }
        Ok(())
    }

    /// The scope of the caller after the call.
    fn returned(&self, call: &Call, caller: &Open, callee: &Open) -> Open {
        let mut after = callee.below(self.program.n_shared()).joined(caller);
        for (from, to) in self.program.returns(call.callee).zip(&call.results) {
            if let Some(to) = to {
                after.set(to.index(), callee.get(from.index()));
            }
        }
        after
    }

    fn may(&mut self, expr: ExprId, now: &Open) -> May {
        self.exprs.get(expr).may(&now.values, &now.values)
    }

    fn entered(&self, proc: ProcId, scope: &Open) -> Frame {
        let at = FrameAt::Loc(self.program.procs[proc].entry);
        Frame { proc, at, locals: scope.from(self.program.n_shared()) }
    }

    /// The shared variables and a thread of one frame, from its scope.
    fn alone(&self, proc: ProcId, loc: hardbop_cfg::Loc, scope: &Open) -> (Open, Stack) {
        let n_shared = self.program.n_shared();
        let frame = Frame { proc, at: FrameAt::Loc(loc), locals: scope.from(n_shared) };
        (scope.below(n_shared), vec![frame])
    }

    /// The variables whose values before the action its outcome depends on.
    fn reads(&mut self, action: &Action) -> Bits {
        let exprs: Vec<ExprId> = match action {
            Action::Assume(guard) | Action::Assert(guard) => vec![*guard],
            Action::Assign(assign) => {
                let values = assign.targets.iter().chain(&assign.broadcast);
                values.map(|&(_, expr)| expr).chain(assign.constrain).collect()
            }
            Action::Call(call) => call.args.clone(),
            Action::StartThread(spawn) => match &**spawn {
                Spawn::Goto(_) => Vec::new(),
                Spawn::Call { args, .. } => args.clone(),
            },
            Action::Skip | Action::EndThread | Action::AtomicBegin | Action::AtomicEnd => {
                Vec::new()
            }
        };
        let mut reads = Bits::new();
        for expr in exprs {
            reads.union_with(&self.exprs.get(expr).reads);
        }
        reads
    }
}

/// The stack after its top frame went on within its procedure.
fn moved(stack: &[Frame], edge: &Edge, after: &Open, n_shared: usize) -> Stack {
    let mut stack = stack.to_vec();
    let top = stack.last_mut().expect("a thread has a frame");
    top.at = FrameAt::Loc(edge.to);
    top.locals = after.from(n_shared);
    stack
}

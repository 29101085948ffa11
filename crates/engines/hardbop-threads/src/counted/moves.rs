//! What one thread can do, given the shared variables: design section 2 for inlined threads.
//!
//! A move of a thread depends on the shared variables and its own state alone. What it means for the
//! others is left open, because that depends on them: how many are alive ([`Effect::Start`]), or what
//! they are ([`Effect::Broadcast`]). So moves can be computed once for each pair of states.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted};
use hardbop_cfg::may::Possible;
use hardbop_cfg::{Action, Assign, Edge, EdgeId, EdgeRef, Loc, ProcId, Program, Spawn, VarId};
use hardbop_evidence::Event;
use hardbop_interp::semantics::Semantics;
use hardbop_interp::semantics::product::product;
use hardbop_interp::semantics::scope::may_stay;

use crate::counted::inline::{Contexts, Local};

/// One step of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    pub event: Event,
    /// The shared variables afterwards.
    pub shared: Bits,
    pub effect: Effect,
}

/// What becomes of the threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The thread goes on.
    Go(Local),
    /// The thread goes on, and takes or gives back the atomic flag.
    Flag(Local, bool),
    /// The thread ends, and gives back the atomic flag.
    End,
    /// The thread goes on. Below the bound on threads one of the others is started; at the bound
    /// none. An empty list: there is no step below the bound.
    Start(Local, Vec<Local>),
    /// The thread goes on, and every other changes.
    Broadcast(Local, Broadcast),
    /// An assertion fails.
    Violate,
}

/// Values for the locals of a procedure, in every frame of every other thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Broadcast {
    pub proc: ProcId,
    pub writes: Vec<(VarId, Written)>,
}

/// What is written: one value, or either one anew for each frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    One(bool),
    Either,
}

impl Move {
    /// The number of statements executed: returns are none.
    pub fn weight(&self) -> u32 {
        u32::from(self.event != Event::Return)
    }
}

/// A program whose threads have no stacks.
#[derive(Debug)]
pub struct ThreadProgram<'a> {
    pub program: &'a Program,
    semantics: Semantics<'a>,
    pub contexts: Contexts<'a>,
}

/// What a program starts with: the shared variables, and the states each first thread may have.
pub type Beginning = (Bits, Vec<Local>);

impl<'a> ThreadProgram<'a> {
    pub fn new(program: &'a Program) -> Self {
        let semantics = Semantics::new(program);
        ThreadProgram { program, semantics, contexts: Contexts::new(program) }
    }

    pub fn initial(&mut self, meter: &mut Meter<'_>) -> Result<Vec<Beginning>, Exhausted> {
        let main = self.program.main;
        let mut all = Vec::new();
        for shared in self.semantics.initial_shared(meter)? {
            let entries = self.semantics.main_entries(&shared, meter)?;
            let entry = self.program.procs[main].entry;
            let locals = entries.iter().map(|scope| self.begin(main, entry, scope)).collect();
            all.push((shared, locals));
        }
        Ok(all)
    }

    /// Everything a thread can do; nothing about whether another one holds the atomic flag.
    pub fn moves(
        &mut self,
        shared: &Bits,
        local: &Local,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Move>, Exhausted> {
        let at = self.contexts.place(local);
        let scope = self.contexts.scope(shared, local);
        let mut moves = Vec::new();
        if !may_stay(self.program, at.proc, &scope) {
            return Ok(moves);
        }
        let program = self.program;
        let proc = &program.procs[at.proc];
        if at.loc == proc.exit {
            moves.extend(self.leave(shared, local, &scope));
        }
        for (id, edge) in proc.out_edges(at.loc) {
            meter.tick()?;
            self.execute(
                local,
                &scope,
                EdgeRef { proc: at.proc, edge: id },
                edge,
                &mut moves,
                meter,
            )?;
        }
        Ok(moves)
    }

    /// The states a thread may have after another one's broadcast.
    pub fn reactions(
        &self,
        broadcast: &Broadcast,
        local: &Local,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Local>, Exhausted> {
        let mut base = local.values.clone();
        let mut choices = Vec::new();
        for frame in self.contexts.frames(local.context) {
            if self.contexts.proc(frame) != broadcast.proc {
                continue;
            }
            for &(var, written) in &broadcast.writes {
                let position = self.contexts.position(frame, var);
                match written {
                    Written::One(value) => base.set(position, value),
                    Written::Either => choices.push((position, Possible::EITHER)),
                }
            }
        }
        let all = product(base, &choices, meter)?;
        Ok(all.into_iter().map(|values| Local { values, ..*local }).collect())
    }

    /// A thread with one frame.
    fn begin(&mut self, proc: ProcId, loc: Loc, scope: &Bits) -> Local {
        let context = self.contexts.root(proc);
        Local { context, loc, values: self.contexts.with_top(context, &Bits::new(), scope) }
    }

    fn execute(
        &mut self,
        local: &Local,
        scope: &Bits,
        at: EdgeRef,
        edge: &Edge,
        moves: &mut Vec<Move>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let n_shared = self.program.n_shared();
        let here = scope.below(n_shared);
        let event = Event::Take(at);
        let effect: Box<dyn Fn(Local) -> Effect> = match &edge.action {
            Action::EndThread => {
                moves.push(Move { event, shared: here, effect: Effect::End });
                return Ok(());
            }
            Action::Call(call) => {
                for entry in self.semantics.entries(call.callee, &call.args, scope, meter)? {
                    let to = self.enter(local, at.edge, call.callee, &entry);
                    moves.push(Move { event, shared: here.clone(), effect: Effect::Go(to) });
                }
                return Ok(());
            }
            Action::Assert(condition) => {
                if self.program.exprs.eval(*condition, scope, scope).be_false {
                    let effect = Effect::Violate;
                    moves.push(Move { event: Event::Violate(at), shared: here, effect });
                }
                Box::new(Effect::Go)
            }
            Action::AtomicBegin => Box::new(|to| Effect::Flag(to, true)),
            Action::AtomicEnd => Box::new(|to| Effect::Flag(to, false)),
            Action::StartThread(spawn) => {
                let new = self.started(at.proc, spawn, scope, meter)?;
                Box::new(move |to| Effect::Start(to, new.clone()))
            }
            Action::Assign(assign) if !assign.broadcast.is_empty() => {
                let broadcast = self.broadcast(at.proc, assign, scope);
                Box::new(move |to| Effect::Broadcast(to, broadcast.clone()))
            }
            Action::Skip | Action::Assume(_) | Action::Assign(_) => Box::new(Effect::Go),
        };
        for after in self.semantics.post(at, scope, meter)? {
            let values = self.contexts.with_top(local.context, &local.values, &after);
            let to = Local { context: local.context, loc: edge.to, values };
            moves.push(Move { event, shared: after.below(n_shared), effect: effect(to) });
        }
        Ok(())
    }

    fn enter(&mut self, local: &Local, edge: EdgeId, callee: ProcId, entry: &Bits) -> Local {
        let context = self.contexts.call(local.context, edge, callee);
        let values = self.contexts.with_top(context, &local.values, entry);
        Local { context, loc: self.program.procs[callee].entry, values }
    }

    /// From the exit of a procedure to its caller, or the end of the thread.
    fn leave(&self, shared: &Bits, local: &Local, scope: &Bits) -> Option<Move> {
        let event = Event::Return;
        let Some((below, edge)) = self.contexts.caller(local.context) else {
            return Some(Move { event, shared: shared.clone(), effect: Effect::End });
        };
        let proc = self.contexts.proc(below);
        let edge = &self.program.procs[proc].edges[edge];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are waited for") };
        let waiting = self.contexts.locals(below, &local.values);
        let after = self.semantics.after_return(proc, call, &waiting, scope)?;
        let values = self.contexts.with_top(below, &local.values, &after);
        let effect = Effect::Go(Local { context: below, loc: edge.to, values });
        Some(Move { event, shared: after.below(self.program.n_shared()), effect })
    }

    /// The threads that a start may bring.
    fn started(
        &mut self,
        proc: ProcId,
        spawn: &Spawn,
        scope: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Local>, Exhausted> {
        match spawn {
            // The new thread is not inside any call its creator is in.
            Spawn::Goto(loc) => Ok(vec![self.begin(proc, *loc, scope)]),
            Spawn::Call { callee, args } => {
                let entry = self.program.procs[*callee].entry;
                let scopes = self.semantics.entries(*callee, args, scope, meter)?;
                Ok(scopes.iter().map(|scope| self.begin(*callee, entry, scope)).collect())
            }
        }
    }

    fn broadcast(&self, proc: ProcId, assign: &Assign, scope: &Bits) -> Broadcast {
        let written = |expr| {
            let possible = self.program.exprs.eval(expr, scope, scope);
            match possible.be_true && possible.be_false {
                true => Written::Either,
                false => Written::One(possible.be_true),
            }
        };
        let writes = assign.broadcast.iter().map(|&(var, expr)| (var, written(expr))).collect();
        Broadcast { proc, writes }
    }
}

//! The program of one thread, over diagrams: what BOOM calls the template (section 7.2).
//!
//! For every place a thread can be at (a context and a location of it), the [`Step`]s it can take
//! from there, each as a relation between the values before and after. The meaning is that of
//! `crate::counted::moves`, which enumerates values; here is the same for sets of them. Encoding of
//! expressions and assignments is that of the engine `bdd`.
//!
//! **Invariant.** A set of states mentions only values that can still matter at the threads' places:
//! a step forgets the others. Relations mention all they write, so that traces can have every value.

use std::rc::Rc;

use crate::counted::inline::{Context, Contexts};
use crate::counted::intern::Interner;
use hardbop_base::{Bits, Idx, IndexVec, define_id};
use hardbop_cfg::{Action, Edge, EdgeRef, ExprId, Loc, LocRef, May, ProcId, Program, Spawn, VarId};
use hardbop_dd::{Dd, Manager, OutOfNodes, Renaming};
use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::{Moment, Slots};
use hardbop_encode::transfer::conjuncts;
use hardbop_evidence::Event;
use rustc_hash::FxHashMap;

use crate::symbolic::layout::{Copy, Layout};
use crate::symbolic::relation::Relation;
use crate::symbolic::step::{Effect, Initial, Step, Wave};

define_id!(
    /// A place of a thread: a context and a location of its procedure.
    Pc, "pc"
);

/// The steps of a thread, place by place.
#[derive(Debug)]
pub struct Template<'a> {
    pub program: &'a Program,
    pub dd: &'a Manager,
    pub layout: &'a Layout,
    pub contexts: Contexts<'a>,
    slots: &'a Slots,
    enc: Encoder<'a>,
    places: Interner<Pc, (Context, Loc)>,
    /// Positions that can matter at each place, shared ones included.
    live: IndexVec<Pc, Rc<Bits>>,
    live_shared: Rc<Bits>,
    steps: FxHashMap<Pc, Rc<[Step]>>,
}

impl<'a> Template<'a> {
    pub fn new(
        program: &'a Program,
        dd: &'a Manager,
        slots: &'a Slots,
        layout: &'a Layout,
    ) -> Self {
        let contexts = Contexts::new(program);
        let live_shared = Rc::new(contexts.live_shared());
        Template {
            program,
            dd,
            layout,
            contexts,
            slots,
            enc: Encoder::new(program, dd, slots),
            places: Interner::default(),
            live: IndexVec::new(),
            live_shared,
            steps: FxHashMap::default(),
        }
    }

    pub fn pc(&mut self, context: Context, loc: Loc) -> Pc {
        let pc = self.places.id((context, loc));
        if pc.index() == self.live.len() {
            let mut live = self.contexts.live(context, loc);
            live.union_with(&self.live_shared);
            self.live.push(Rc::new(live));
        }
        pc
    }

    pub fn place(&self, pc: Pc) -> (Context, Loc) {
        *self.places.get(pc)
    }

    /// The location of a place.
    pub fn loc(&self, pc: Pc) -> LocRef {
        let (context, loc) = self.place(pc);
        LocRef { proc: self.contexts.proc(context), loc }
    }

    pub fn n_places(&self) -> usize {
        self.places.len()
    }

    /// The positions that can matter at a place: shared variables first, then locals.
    pub fn live(&self, pc: Pc) -> Rc<Bits> {
        self.live[pc].clone()
    }

    pub fn live_shared(&self) -> Rc<Bits> {
        self.live_shared.clone()
    }

    /// Every step from a place that was asked for so far.
    pub fn known_steps(&self) -> impl Iterator<Item = (Pc, &Rc<[Step]>)> {
        self.live.ids().filter_map(|pc| self.steps.get(&pc).map(|steps| (pc, steps)))
    }

    pub fn initial(&mut self) -> Result<Initial, OutOfNodes> {
        let main = self.program.main;
        let root = self.contexts.root(main);
        let mut every_shared = self.dd.one().clone();
        // An initial value depends only on variables declared before, so none changes afterwards.
        for &(var, value) in &self.program.init {
            let takes = self.enc.takes(var, Moment::Now, value)?;
            every_shared = self.dd.and(&every_shared, &takes)?;
        }
        let every_shared = self.move_to(&every_shared, root, root, Copy::Next)?;
        let dead = (0..self.program.n_shared()).filter(|&var| !self.live_shared.contains(var));
        let dead = self.dd.cube(dead.map(|var| self.layout.level(var, Copy::Now)))?;
        let shared = self.dd.exists(&every_shared, &dead)?;
        let pc = self.pc(root, self.program.procs[main].entry);
        let locals = self.enforced(main, root)?.unwrap_or_else(|| self.dd.one().clone());
        Ok(Initial { every_shared, shared, pc, locals })
    }

    /// The steps from a place.
    pub fn steps(&mut self, pc: Pc) -> Result<Rc<[Step]>, OutOfNodes> {
        if let Some(known) = self.steps.get(&pc) {
            return Ok(known.clone());
        }
        let (context, loc) = self.place(pc);
        let id = self.contexts.proc(context);
        let proc = &self.program.procs[id];
        let mut steps = Vec::new();
        if loc == proc.exit {
            steps.push(self.leave(pc, context)?);
        }
        for (edge, it) in proc.out_edges(loc) {
            self.execute(pc, context, EdgeRef { proc: id, edge }, it, &mut steps)?;
        }
        let steps: Rc<[Step]> = steps.into();
        self.steps.insert(pc, steps.clone());
        Ok(steps)
    }

    fn execute(
        &mut self,
        pc: Pc,
        context: Context,
        at: EdgeRef,
        edge: &Edge,
        steps: &mut Vec<Step>,
    ) -> Result<(), OutOfNodes> {
        let event = Event::Take(at);
        let stays = self.enforced(at.proc, context)?;
        match &edge.action {
            Action::EndThread => {
                let relation = Relation::new(self, stays, &Bits::new(), pc, None)?;
                steps.push(Step { event, relation, effect: Effect::End });
                return Ok(());
            }
            Action::Call(call) => {
                let to = self.contexts.call(context, at.edge, call.callee);
                let mut parts: Vec<Dd> = stays.into_iter().collect();
                self.enter(call.callee, &call.args, context, to, Copy::Next, &mut parts)?;
                let first = self.contexts.position(to, VarId::new(self.program.n_shared()));
                let n_locals = self.program.procs[call.callee].locals.len();
                let writes = (first..first + n_locals).collect();
                let entry = self.program.procs[call.callee].entry;
                let to = self.pc(to, entry);
                let relation = Relation::new(self, parts, &writes, pc, Some(to))?;
                steps.push(Step { event, relation, effect: Effect::Go(to) });
                return Ok(());
            }
            Action::Assert(condition) => {
                let fails = self.enc.may(*condition)?.be_false;
                let fails = self.move_to(&fails, context, context, Copy::Next)?;
                let parts = stays.iter().cloned().chain([fails]);
                let relation = Relation::new(self, parts, &Bits::new(), pc, Some(pc))?;
                let event = Event::Violate(at);
                steps.push(Step { event, relation, effect: Effect::Violate });
            }
            _ => {}
        }
        let enforce = self.program.procs[at.proc].enforce;
        let (parts, writes) = conjuncts(&mut self.enc, &edge.action, enforce)?;
        let mut moved: Vec<Dd> = stays.into_iter().collect();
        for part in &parts {
            moved.push(self.move_to(part, context, context, Copy::Next)?);
        }
        let writes = writes.iter().map(|var| self.position(context, VarId::new(var))).collect();
        let to = self.pc(context, edge.to);
        let effect = match &edge.action {
            Action::AtomicBegin => Effect::Flag(to, true),
            Action::AtomicEnd => Effect::Flag(to, false),
            Action::StartThread(spawn) => self.start(at.proc, context, to, spawn)?,
            Action::Assign(assign) if !assign.broadcast.is_empty() => {
                let mut values = Vec::new();
                for &(var, value) in &assign.broadcast {
                    let May { be_true, be_false } = self.enc.may(value)?;
                    let be_true = self.move_to(&be_true, context, context, Copy::Next)?;
                    let be_false = self.move_to(&be_false, context, context, Copy::Next)?;
                    values.push(Wave { var, value, may: May { be_true, be_false } });
                }
                Effect::Broadcast { to, proc: at.proc, values }
            }
            _ => Effect::Go(to),
        };
        let relation = Relation::new(self, moved, &writes, pc, Some(to))?;
        steps.push(Step { event, relation, effect });
        Ok(())
    }

    /// From the exit of a procedure to its caller, or the end of the thread.
    fn leave(&mut self, pc: Pc, context: Context) -> Result<Step, OutOfNodes> {
        let event = Event::Return;
        let callee = self.contexts.proc(context);
        let stays = self.enforced(callee, context)?;
        let Some((below, edge)) = self.contexts.caller(context) else {
            let relation = Relation::new(self, stays, &Bits::new(), pc, None)?;
            return Ok(Step { event, relation, effect: Effect::End });
        };
        let proc = self.contexts.proc(below);
        let edge = &self.program.procs[proc].edges[edge];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are waited for") };
        let mut parts: Vec<Dd> = stays.into_iter().collect();
        let mut targets = Bits::new();
        for (from, to) in self.program.returns(callee).zip(&call.results) {
            let Some(to) = *to else { continue };
            let from = self.enc.var(from, Moment::Now)?;
            let same = self.dd.iff(&from, &self.enc.var(to, Moment::Next)?)?;
            parts.push(self.move_to(&same, context, below, Copy::Next)?);
            targets.insert(to.index());
        }
        if let Some(enforce) = self.program.procs[proc].enforce {
            let holds = self.enc.may(enforce)?.be_true;
            let holds = self.enc.shift(&holds, &targets, Moment::Now, Moment::Next)?;
            parts.push(self.move_to(&holds, below, below, Copy::Next)?);
        }
        let writes = targets.iter().map(|var| self.position(below, VarId::new(var))).collect();
        let to = self.pc(below, edge.to);
        let relation = Relation::new(self, parts, &writes, pc, Some(to))?;
        Ok(Step { event, relation, effect: Effect::Go(to) })
    }

    fn start(
        &mut self,
        proc: ProcId,
        context: Context,
        to: Pc,
        spawn: &Spawn,
    ) -> Result<Effect, OutOfNodes> {
        let mut birth = Vec::new();
        let new = match spawn {
            Spawn::Goto(loc) => {
                // The new thread is not inside any call its creator is in.
                let root = self.contexts.root(proc);
                let new = self.pc(root, *loc);
                let live = self.live(new);
                for var in self.program.locals(proc) {
                    let position = self.position(root, var);
                    if live.contains(position) {
                        let from = self.position(context, var);
                        let from = self.dd.var(self.layout.level(from, Copy::Now))?;
                        let to = self.dd.var(self.layout.level(position, Copy::Started))?;
                        birth.push(self.dd.iff(&from, &to)?);
                    }
                }
                new
            }
            Spawn::Call { callee, args } => {
                let root = self.contexts.root(*callee);
                let new = self.pc(root, self.program.procs[*callee].entry);
                self.enter(*callee, args, context, root, Copy::Started, &mut birth)?;
                self.forget_dead(new, &mut birth)?;
                new
            }
        };
        Ok(Effect::Start { to, new, birth })
    }

    /// Formals get the values of arguments, other locals any, and the callee's `enforce` holds.
    fn enter(
        &mut self,
        callee: ProcId,
        args: &[ExprId],
        from: Context,
        to: Context,
        copy: Copy,
        parts: &mut Vec<Dd>,
    ) -> Result<(), OutOfNodes> {
        for (formal, &arg) in self.program.formals(callee).zip(args) {
            let takes = self.enc.takes(formal, Moment::Next, arg)?;
            parts.push(self.move_to(&takes, from, to, copy)?);
        }
        if let Some(enforce) = self.program.procs[callee].enforce {
            let holds = self.enc.may(enforce)?.be_true;
            let locals = self.program.locals(callee).map(Idx::index).collect();
            let holds = self.enc.shift(&holds, &locals, Moment::Now, Moment::Next)?;
            parts.push(self.move_to(&holds, from, to, copy)?);
        }
        Ok(())
    }

    /// Formals of a started thread that cannot matter: no other part mentions them, because what
    /// `enforce` mentions matters everywhere.
    fn forget_dead(&self, new: Pc, birth: &mut [Dd]) -> Result<(), OutOfNodes> {
        let (context, _) = self.place(new);
        let live = self.live(new);
        let dead = self.program.formals(self.contexts.proc(context));
        let dead = dead.map(|var| self.position(context, var)).filter(|&at| !live.contains(at));
        let cube = self.dd.cube(dead.map(|at| self.layout.level(at, Copy::Started)))?;
        if !cube.is_empty() {
            for part in birth {
                *part = self.dd.exists(part, &cube)?;
            }
        }
        Ok(())
    }

    /// Where the procedure's `enforce` may hold.
    fn enforced(&mut self, proc: ProcId, context: Context) -> Result<Option<Dd>, OutOfNodes> {
        let Some(enforce) = self.program.procs[proc].enforce else { return Ok(None) };
        let holds = self.enc.may(enforce)?.be_true;
        self.move_to(&holds, context, context, Copy::Next).map(Some)
    }

    pub fn position(&self, context: Context, var: VarId) -> usize {
        if self.program.is_shared(var) { var.index() } else { self.contexts.position(context, var) }
    }

    /// Where a broadcast to the frames of `proc` reaches a thread at a place.
    pub fn reached_by<'w>(
        &self,
        pc: Pc,
        proc: ProcId,
        waves: &'w [Wave],
    ) -> Vec<(usize, &'w Wave)> {
        let (context, _) = self.place(pc);
        let frames = self.contexts.frames(context).filter(|&it| self.contexts.proc(it) == proc);
        let at =
            |frame| waves.iter().map(move |wave| (self.contexts.position(frame, wave.var), wave));
        frames.flat_map(at).collect()
    }

    /// A function over a scope as one over positions: current locals are those of the frame of `now`,
    /// next ones those of the frame of `next`, as `copy`.
    fn move_to(&self, f: &Dd, now: Context, next: Context, copy: Copy) -> Result<Dd, OutOfNodes> {
        let place = |level| {
            let (var, moment) = self.slots.meaning(level);
            let to = match moment {
                Moment::Now => self.layout.level(self.position(now, var), Copy::Now),
                Moment::Next if self.program.is_shared(var) => {
                    self.layout.level(var.index(), Copy::Next)
                }
                Moment::Next => self.layout.level(self.position(next, var), copy),
                Moment::Entry => unreachable!("statements do not look back to the entry"),
            };
            (level, to)
        };
        self.dd.rename(f, &Renaming::new(self.dd.support(f).into_iter().map(place)))
    }
}

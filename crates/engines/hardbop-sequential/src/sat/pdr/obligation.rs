//! Obligations: is there anything in this cube, at this level?
//!
//! Worked on depth first, on a stack of our own. An obligation asks each flow into its cutpoint; a
//! flow that says yes gives a new obligation, further back or inside a callee, which either finds a
//! derivation or ends with a lemma, after which the flow is asked again. When all flows say no, the
//! reasons they give are the lemma.

use hardbop_base::Exhausted;
use hardbop_cfg::ProcId;
use hardbop_sat::{Model, Term};

use super::Search;
use super::cube::{Cube, Var, justify};
use super::cuts::{CutId, FlowId};
use super::derivation::{ContextAt, StateAt};
use super::frames::Fact;
use super::query::{Answer, Through, terms};
use crate::sat::state::WayId;

/// A goal to exclude.
#[derive(Clone, Copy)]
pub struct Goal {
    pub at: CutId,
    pub way: WayId,
}

/// What was found instead.
pub enum Reached {
    Goal { state: StateAt, context: ContextAt, model: Model },
}

/// A question about reachability.
#[derive(Clone, Debug)]
enum Obligation {
    /// Some path edge of the cutpoint, whoever calls.
    State { at: CutId, cube: Cube, level: usize },
    /// Some context of the procedure.
    Context { proc: ProcId, cube: Cube, level: usize },
}

/// How a question ended.
#[derive(Clone, Copy)]
enum Done {
    /// With a lemma.
    Blocked,
    State(StateAt),
    Context(ContextAt),
}

struct Frame {
    obligation: Obligation,
    /// The flow that is asked now.
    flow: usize,
    /// What the flows asked before rest on.
    core: Cube,
    waits_for: Option<WaitsFor>,
}

/// What another obligation is worked on for.
enum WaitsFor {
    /// The state before a flow; with a call, the exit that it takes.
    Before { flow: FlowId, model: Model, exit: Option<StateAt> },
    /// A way through the callee.
    Exit { callee: ProcId },
    /// The state before a call, to enter its callee.
    Caller { flow: FlowId, model: Model },
    /// The context of the caller.
    CallerContext { flow: FlowId, model: Model, caller: StateAt },
}

enum Next {
    Done(Done),
    Ask(Obligation),
    Again,
}

impl Search<'_, '_> {
    /// Excludes a goal at the top level; nothing if that is done.
    pub fn exclude(&mut self, goal: Goal) -> Result<Option<Reached>, Exhausted> {
        loop {
            let answer = self.solvers.ask_way(self.sim, self.cuts, goal.at, goal.way, self.top)?;
            let Answer::Open(model) = answer else { return Ok(None) };
            let guard = self.sim.arena.ways[goal.way].guard;
            let proc = self.cuts.cuts[goal.at].at.proc;
            let mut cube = self.lifted(goal.at, &model, &[guard]);
            self.keep_entry(proc, &model, &mut cube);
            let level = self.top;
            let asked = Obligation::State { at: goal.at, cube, level };
            let Done::State(state) = self.work(asked)? else { continue };
            let cube = self.context_of(proc, state);
            let Done::Context(context) = self.work(Obligation::Context { proc, cube, level })?
            else {
                continue;
            };
            return Ok(Some(Reached::Goal { state, context, model }));
        }
    }

    fn work(&mut self, first: Obligation) -> Result<Done, Exhausted> {
        let mut stack = vec![Frame::new(first)];
        let mut result = None;
        while let Some(mut frame) = stack.pop() {
            let next = match result.take() {
                Some(done) => self.resume(&mut frame, done)?,
                None => Next::Again,
            };
            let next = match next {
                Next::Again => match frame.obligation.clone() {
                    Obligation::State { at, cube, level } => {
                        self.ask_flows(&mut frame, at, &cube, level)?
                    }
                    Obligation::Context { proc, cube, level } => {
                        self.ask_calls(&mut frame, proc, &cube, level)?
                    }
                },
                next => next,
            };
            match next {
                Next::Done(done) => result = Some(done),
                Next::Ask(obligation) => stack.extend([frame, Frame::new(obligation)]),
                Next::Again => stack.push(frame),
            }
        }
        Ok(result.expect("the first obligation has its result"))
    }

    /// Goes on after the obligation that was waited for.
    fn resume(&mut self, frame: &mut Frame, done: Done) -> Result<Next, Exhausted> {
        let waited = frame.waits_for.take().expect("somebody waits for every obligation");
        Ok(match (waited, done) {
            (_, Done::Blocked) => Next::Again,
            (WaitsFor::Before { flow, model, exit }, Done::State(before)) => {
                let derivations = &mut self.derivations;
                let state = derivations.flow(self.sim, self.cuts, flow, before, model, exit);
                Next::Done(Done::State(state))
            }
            (WaitsFor::Exit { callee }, Done::State(exit)) => {
                let cube = self.fact_of(callee, exit);
                self.frames.add_fact(callee, Fact { cube, exit });
                Next::Again
            }
            (WaitsFor::Caller { flow, model }, Done::State(caller)) => {
                let Obligation::Context { level, .. } = frame.obligation else {
                    unreachable!("only contexts wait for callers")
                };
                let flow_ = &self.cuts.flows[flow];
                let is_counted = flow_.call.as_ref().is_some_and(|call| call.is_counted);
                let cube = self.context_of(flow_.proc, caller);
                frame.waits_for = Some(WaitsFor::CallerContext { flow, model, caller });
                let level = level - usize::from(is_counted);
                Next::Ask(Obligation::Context { proc: flow_.proc, cube, level })
            }
            (WaitsFor::CallerContext { flow, model, caller }, Done::Context(context)) => {
                let context = self.derivations.called(flow, caller, context, model);
                Next::Done(Done::Context(context))
            }
            _ => unreachable!("an obligation ends as what it was asked for"),
        })
    }

    /// One step of an obligation about states.
    fn ask_flows(
        &mut self,
        frame: &mut Frame,
        at: CutId,
        cube: &Cube,
        level: usize,
    ) -> Result<Next, Exhausted> {
        let Some(&id) = self.cuts.cuts[at].incoming.get(frame.flow) else {
            let cube =
                self.generalised(std::mem::take(&mut frame.core), level, |search, cube| {
                    search.core_of_flows(at, cube, level)
                })?;
            self.learn(at, cube, level)?;
            return Ok(Next::Done(Done::Blocked));
        };
        let flow = &self.cuts.flows[id];
        let Some(before) = level.checked_sub(usize::from(flow.is_counted)) else {
            frame.flow += 1;
            return Ok(Next::Again);
        };
        if let Some(call) = &flow.call
            && !self.frames.facts(call.callee).is_empty()
        {
            let facts = self.frames.facts(call.callee);
            let through = Through::Facts(facts);
            let answer = self.solvers.ask_flow(self.sim, self.cuts, id, before, through, cube)?;
            if let Answer::Open(model) = answer {
                return Ok(self.before_call(frame, id, model, cube, before));
            }
        }
        let answer = self.ask_above(id, level, cube)?;
        match answer {
            Answer::Blocked(core) => {
                frame.core = union(&frame.core, &core);
                frame.flow += 1;
                Ok(Next::Again)
            }
            Answer::Open(model) => Ok(self.before_flow(frame, id, model, cube, level)),
        }
    }

    /// The obligation that a flow leads back to.
    fn before_flow(
        &mut self,
        frame: &mut Frame,
        id: FlowId,
        model: Model,
        cube: &Cube,
        level: usize,
    ) -> Next {
        let flow = &self.cuts.flows[id];
        let Some(from) = flow.from else {
            let state = self.derivations.start(self.sim, self.cuts, id, &model);
            return Next::Done(Done::State(state));
        };
        if let Some(call) = &flow.call {
            let exit = self.cuts.scope(call.callee).exit.expect("a call without exit is blocked");
            let mut eval = model.eval();
            let value = |var| (var, eval.value(&self.sim.aig, call.term(var)));
            let mut inside: Cube = self.cuts.vars(exit).map(value).collect();
            inside.sort_unstable();
            let level = level - usize::from(call.is_counted);
            frame.waits_for = Some(WaitsFor::Exit { callee: call.callee });
            return Next::Ask(Obligation::State { at: exit, cube: inside, level });
        }
        let after = self.after(id, cube);
        let lifted = self.lifted(from, &model, &after);
        frame.waits_for = Some(WaitsFor::Before { flow: id, model, exit: None });
        let level = level - usize::from(flow.is_counted);
        Next::Ask(Obligation::State { at: from, cube: lifted, level })
    }

    /// The obligation before a call through which a fact leads.
    fn before_call(
        &mut self,
        frame: &mut Frame,
        id: FlowId,
        model: Model,
        cube: &Cube,
        level: usize,
    ) -> Next {
        let flow = &self.cuts.flows[id];
        let (from, call) = match (flow.from, &flow.call) {
            (Some(from), Some(call)) => (from, call),
            _ => unreachable!("facts are about calls"),
        };
        let mut eval = model.eval();
        let applies = |fact: &&Fact| {
            let mut literals = terms(&fact.cube, |var| call.term(var)).into_iter();
            literals.all(|term| eval.value(&self.sim.aig, term))
        };
        let fact = self.frames.facts(call.callee).iter().find(applies);
        let fact = fact.expect("one of the facts applies").clone();
        let mut after = self.after(id, cube);
        after.extend(terms(&fact.cube, |var| call.term(var)));
        let lifted = self.lifted(from, &model, &after);
        frame.waits_for = Some(WaitsFor::Before { flow: id, model, exit: Some(fact.exit) });
        Next::Ask(Obligation::State { at: from, cube: lifted, level })
    }

    /// One step of an obligation about contexts.
    fn ask_calls(
        &mut self,
        frame: &mut Frame,
        proc: ProcId,
        cube: &Cube,
        level: usize,
    ) -> Result<Next, Exhausted> {
        // The start of the program comes before the calls.
        if frame.flow == 0 && proc == self.sim.facts.program.main {
            match self.solvers.ask_start(self.sim, self.cuts, cube)? {
                Answer::Blocked(core) => frame.core = union(&frame.core, &core),
                Answer::Open(model) => {
                    let start = self.derivations.program_start(model);
                    return Ok(Next::Done(Done::Context(start)));
                }
            }
        }
        let Some(&id) = self.cuts.scope(proc).called_by.get(frame.flow) else {
            let cube =
                self.generalised(std::mem::take(&mut frame.core), level, |search, cube| {
                    search.core_of_calls(proc, cube, level)
                })?;
            self.learn_context(proc, cube, level)?;
            return Ok(Next::Done(Done::Blocked));
        };
        match self.ask_caller(id, level, cube)? {
            Answer::Blocked(core) => {
                frame.core = union(&frame.core, &core);
                frame.flow += 1;
                Ok(Next::Again)
            }
            Answer::Open(model) => {
                let flow = &self.cuts.flows[id];
                let (Some(from), Some(call)) = (flow.from, &flow.call) else {
                    unreachable!("a call comes from a cutpoint")
                };
                let guard = self.sim.arena.states[self.cuts.cuts[from].start].guard;
                let mut needed = terms(cube, |var| call.term(var));
                needed.push(guard);
                let mut lifted = self.lifted(from, &model, &needed);
                self.keep_entry(flow.proc, &model, &mut lifted);
                frame.waits_for = Some(WaitsFor::Caller { flow: id, model });
                Ok(Next::Ask(Obligation::State { at: from, cube: lifted, level }))
            }
        }
    }

    /// Whether a flow leads into a cube, summaries taken from above.
    fn ask_above(&mut self, id: FlowId, level: usize, cube: &Cube) -> Result<Answer, Exhausted> {
        let flow = &self.cuts.flows[id];
        let Some(before) = level.checked_sub(usize::from(flow.is_counted)) else {
            return Ok(Answer::Blocked(Vec::new()));
        };
        let inside = match &flow.call {
            None => Some(level),
            // A callee whose exit cannot be reached in its graph does not return.
            Some(call) if self.cuts.scope(call.callee).exit.is_none() => None,
            Some(call) => level.checked_sub(usize::from(call.is_counted)),
        };
        let Some(inside) = inside else { return Ok(Answer::Blocked(Vec::new())) };
        self.solvers.ask_flow(self.sim, self.cuts, id, before, Through::Lemmas(inside), cube)
    }

    fn ask_caller(&mut self, id: FlowId, level: usize, cube: &Cube) -> Result<Answer, Exhausted> {
        let call = self.cuts.flows[id].call.as_ref().expect("a call calls");
        let Some(outside) = level.checked_sub(usize::from(call.is_counted)) else {
            return Ok(Answer::Blocked(Vec::new()));
        };
        self.solvers.ask_call(self.sim, self.cuts, id, level, outside, cube)
    }

    /// The literals that keep all flows out of a cube; nothing if one leads in.
    fn core_of_flows(
        &mut self,
        at: CutId,
        cube: &Cube,
        level: usize,
    ) -> Result<Option<Cube>, Exhausted> {
        let mut all = Vec::new();
        for &id in &self.cuts.cuts[at].incoming {
            match self.ask_above(id, level, cube)? {
                Answer::Blocked(core) => all = union(&all, &core),
                Answer::Open(_) => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn core_of_calls(
        &mut self,
        proc: ProcId,
        cube: &Cube,
        level: usize,
    ) -> Result<Option<Cube>, Exhausted> {
        let mut all = Vec::new();
        if proc == self.sim.facts.program.main {
            match self.solvers.ask_start(self.sim, self.cuts, cube)? {
                Answer::Blocked(core) => all = core,
                Answer::Open(_) => return Ok(None),
            }
        }
        for &id in &self.cuts.scope(proc).called_by {
            match self.ask_caller(id, level, cube)? {
                Answer::Blocked(core) => all = union(&all, &core),
                Answer::Open(_) => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// Drops literals as long as the cube stays blocked.
    fn generalised(
        &mut self,
        cube: Cube,
        level: usize,
        core: impl Fn(&mut Self, &Cube) -> Result<Option<Cube>, Exhausted>,
    ) -> Result<Cube, Exhausted> {
        debug_assert!(level <= self.top);
        let mut cube = cube;
        let mut at = 0;
        while at < cube.len() {
            let mut smaller = cube.clone();
            // From the end: values at entry matter less often.
            smaller.remove(cube.len() - 1 - at);
            match core(self, &smaller)? {
                Some(core) => {
                    at = at.min(core.len());
                    cube = core;
                }
                None => at += 1,
            }
        }
        Ok(cube)
    }

    pub fn holds_at(&mut self, at: CutId, cube: &Cube, level: usize) -> Result<bool, Exhausted> {
        Ok(self.core_of_flows(at, cube, level)?.is_some())
    }

    pub fn context_holds_at(
        &mut self,
        proc: ProcId,
        cube: &Cube,
        level: usize,
    ) -> Result<bool, Exhausted> {
        Ok(self.core_of_calls(proc, cube, level)?.is_some())
    }

    /// When something was last learned on which it depends whether a lemma of the cutpoint holds at a level: never before time
    /// 1, so that a lemma that was not tried yet is.
    pub fn changed_before(&self, at: CutId, level: usize) -> u64 {
        let mut last = 1;
        for &id in &self.cuts.cuts[at].incoming {
            let flow = &self.cuts.flows[id];
            if let Some(from) = flow.from {
                let before = level.saturating_sub(usize::from(flow.is_counted));
                last = last.max(self.frames.changed(from, before));
            }
            if let Some(call) = &flow.call
                && let Some(exit) = self.cuts.scope(call.callee).exit
            {
                let inside = level.saturating_sub(usize::from(call.is_counted));
                last = last.max(self.frames.changed(exit, inside));
            }
        }
        last
    }

    /// The same for a lemma on the contexts of a procedure.
    pub fn changed_at_callers(&self, proc: ProcId, level: usize) -> u64 {
        let mut last = 1;
        for &id in &self.cuts.scope(proc).called_by {
            let flow = &self.cuts.flows[id];
            let call = flow.call.as_ref().expect("a call calls");
            let outside = level.saturating_sub(usize::from(call.is_counted));
            last = last.max(self.frames.contexts_changed(flow.proc, outside));
            if let Some(from) = flow.from {
                last = last.max(self.frames.changed(from, level));
            }
        }
        last
    }

    /// A new lemma, at the highest level it holds at.
    fn learn(&mut self, at: CutId, cube: Cube, level: usize) -> Result<(), Exhausted> {
        let mut level = level;
        // It may be a neighbour of itself: that it was learned is news, too.
        let before = self.frames.now();
        while level <= self.top && self.holds_at(at, &cube, level + 1)? {
            level += 1;
        }
        self.raise(at, &cube, level);
        if level <= self.top {
            self.frames.tried(at, &cube, before);
        }
        Ok(())
    }

    fn learn_context(&mut self, proc: ProcId, cube: Cube, level: usize) -> Result<(), Exhausted> {
        let mut level = level;
        let before = self.frames.now();
        while level <= self.top && self.context_holds_at(proc, &cube, level + 1)? {
            level += 1;
        }
        self.raise_context(proc, &cube, level);
        if level <= self.top {
            self.frames.tried_context(proc, &cube, before);
        }
        Ok(())
    }

    /// The lemma holds up to this level.
    pub fn raise(&mut self, at: CutId, cube: &Cube, level: usize) {
        self.frames.add(at, cube.clone(), level);
        self.solvers.add_lemma(self.sim, self.cuts, at, cube, level);
    }

    pub fn raise_context(&mut self, proc: ProcId, cube: &Cube, level: usize) {
        self.frames.add_context(proc, cube.clone(), level);
        self.solvers.add_context(self.sim, self.cuts, proc, cube, level);
    }

    /// What a flow must make true.
    fn after(&self, id: FlowId, cube: &Cube) -> Vec<Term> {
        let flow = &self.cuts.flows[id];
        let mut after = terms(cube, |var| self.cuts.term(self.sim, flow.proc, flow.after, var));
        after.push(self.sim.arena.states[flow.after].guard);
        after
    }

    /// The part of a state of a cutpoint that is enough, with the choices of the model, to make the
    /// terms true.
    fn lifted(&self, at: CutId, model: &Model, terms: &[Term]) -> Cube {
        let needed = justify(&self.sim.aig, &mut model.eval(), terms);
        let cut = &self.cuts.cuts[at];
        let literal = |var: Var| {
            let term = self.cuts.term(self.sim, cut.at.proc, cut.start, var);
            needed.contains(&term.node()).then(|| (var, model.value(term)))
        };
        let mut cube: Cube = self.cuts.vars(at).filter_map(literal).collect();
        cube.sort_unstable();
        cube
    }

    /// Adds all values at entry: a context is asked for them later.
    fn keep_entry(&self, proc: ProcId, model: &Model, cube: &mut Cube) {
        let entry = self.cuts.scope(proc).entry;
        for var in self.cuts.context_vars(proc) {
            cube.push((var, model.value(self.cuts.term(self.sim, proc, entry, var))));
        }
        cube.sort_unstable();
        cube.dedup();
    }

    fn context_of(&self, proc: ProcId, state: StateAt) -> Cube {
        let entry = self.derivations.entry(state);
        self.cuts.context_vars(proc).map(|var| (var, entry.contains(index(var)))).collect()
    }

    fn fact_of(&self, callee: ProcId, state: StateAt) -> Cube {
        let exit = self.cuts.scope(callee).exit.expect("the exit was reached");
        let (entry, now) = (self.derivations.entry(state), self.derivations.now(state));
        let value = |var| match var {
            Var::Entry(at) => (var, entry.contains(at)),
            Var::Now(at) => (var, now.contains(at)),
        };
        let mut cube: Cube = self.cuts.vars(exit).map(value).collect();
        cube.sort_unstable();
        cube
    }
}

impl Frame {
    fn new(obligation: Obligation) -> Self {
        Frame { obligation, flow: 0, core: Vec::new(), waits_for: None }
    }
}

fn index(var: Var) -> usize {
    match var {
        Var::Entry(at) | Var::Now(at) => at,
    }
}

fn union(a: &Cube, b: &Cube) -> Cube {
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all
}

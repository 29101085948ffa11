//! How states and contexts were reached, and the run that follows.
//!
//! A derivation records values only of what can matter. The run is played forward from the start
//! of the program with all values, the choices being those of the derivation.

use hardbop_base::{Bits, Budget, Exhausted, IndexVec, define_id};
use hardbop_cfg::{EdgeRef, ProcId};
use hardbop_evidence::{Event, PassageId};
use hardbop_sat::Model;
use rustc_hash::FxHashMap;

use super::Search;
use super::cuts::{Cuts, FlowId};
use super::obligation::Goal;
use crate::sat::concretize::{Ending, Env, Walk, ending};
use crate::sat::sim::Sim;
use crate::sat::state::StateId;

define_id!(
    /// A path edge that was reached.
    StateAt, "r"
);
define_id!(
    /// A context that was reached.
    ContextAt, "x"
);

#[derive(Default)]
pub struct Derivations {
    states: IndexVec<StateAt, State>,
    contexts: IndexVec<ContextAt, Context>,
}

struct State {
    entry: Bits,
    now: Bits,
    /// Nothing at the start of the procedure.
    how: Option<Flowed>,
}

struct Flowed {
    flow: FlowId,
    before: StateAt,
    /// The choices, among other values.
    model: Model,
    /// Of the callee, if the flow is a call.
    exit: Option<StateAt>,
}

enum Context {
    /// The program starts with these values.
    Start(Model),
    Called {
        flow: FlowId,
        caller: StateAt,
        context: ContextAt,
        model: Model,
    },
}

impl Derivations {
    pub fn entry(&self, state: StateAt) -> &Bits {
        &self.states[state].entry
    }

    pub fn now(&self, state: StateAt) -> &Bits {
        &self.states[state].now
    }

    /// A procedure starts.
    pub fn start(&mut self, sim: &Sim<'_>, cuts: &Cuts, flow: FlowId, model: &Model) -> StateAt {
        let entry = Env::new(model.eval()).scope(sim, cuts.scope(cuts.flows[flow].proc).entry);
        self.states.push(State { entry: entry.clone(), now: entry, how: None })
    }

    /// A flow from a state, with the choices of a model.
    pub fn flow(
        &mut self,
        sim: &Sim<'_>,
        cuts: &Cuts,
        flow: FlowId,
        before: StateAt,
        model: Model,
        exit: Option<StateAt>,
    ) -> StateAt {
        let State { entry, now, .. } = &self.states[before];
        let env = before_flow(sim, cuts, flow, model.clone(), entry, now);
        let now = env.scope(sim, cuts.flows[flow].after);
        let entry = entry.clone();
        self.states.push(State { entry, now, how: Some(Flowed { flow, before, model, exit }) })
    }

    pub fn program_start(&mut self, model: Model) -> ContextAt {
        self.contexts.push(Context::Start(model))
    }

    pub fn called(
        &mut self,
        flow: FlowId,
        caller: StateAt,
        context: ContextAt,
        model: Model,
    ) -> ContextAt {
        self.contexts.push(Context::Called { flow, caller, context, model })
    }

    /// From the start of the procedure.
    fn path(&self, state: StateAt) -> Vec<StateAt> {
        let mut path = vec![state];
        let mut at = state;
        while let Some(flowed) = &self.states[at].how {
            at = flowed.before;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The values of locals at the start of the procedure.
    fn first_locals(&self, state: StateAt, n_known: usize) -> Bits {
        let first = self.path(state)[0];
        self.states[first].entry.from(n_known)
    }
}

/// The values before a flow, with all values of the activation.
fn before_flow(
    sim: &Sim<'_>,
    cuts: &Cuts,
    flow: FlowId,
    model: Model,
    entry: &Bits,
    now: &Bits,
) -> Env {
    let from = cuts.flows[flow].from.expect("a start is no flow from a state");
    let cut = &cuts.cuts[from];
    Env::new(at_cut(sim, cuts, cut.at.proc, cut.start, model, entry, now).eval())
}

fn at_cut(
    sim: &Sim<'_>,
    cuts: &Cuts,
    proc: ProcId,
    start: StateId,
    mut model: Model,
    entry: &Bits,
    now: &Bits,
) -> Model {
    // The entry last: what is constant has one variable for both.
    let inputs = sim.arena.states[start].values.iter().enumerate();
    inputs.for_each(|(var, &input)| model.set(input, now.contains(var)));
    let inputs = sim.arena.states[cuts.scope(proc).entry].values.iter().enumerate();
    inputs.for_each(|(var, &input)| model.set(input, entry.contains(var)));
    model
}

/// Passages by the derivation of their exit and the scope at their entry.
type Played = FxHashMap<(StateAt, Bits), PassageId>;

/// An activation that is being played.
struct Activation {
    /// Of a passage; `None` at the bottom.
    proc: Option<ProcId>,
    end: StateAt,
    path: Vec<StateAt>,
    /// How much of the path is done.
    done: usize,
    entry: Bits,
    now: Bits,
}

impl Search<'_, '_> {
    /// Where a way from a state ends.
    pub fn ending(&self, state: StateAt, goal: Goal, model: &Model) -> Ending {
        let (entry, now) = (self.derivations.entry(state), self.derivations.now(state));
        let env = self.at_goal(goal, model, entry, now);
        ending(self.sim, goal.way, &env).expect("a goal is in the procedure of its cutpoint")
    }

    /// The values on the way to a goal.
    fn at_goal(&self, goal: Goal, model: &Model, entry: &Bits, now: &Bits) -> Env {
        let cut = &self.cuts.cuts[goal.at];
        let (proc, start) = (cut.at.proc, cut.start);
        Env::new(at_cut(self.sim, self.cuts, proc, start, model.clone(), entry, now).eval())
    }

    /// The run to a goal: from a state of a context on a way. Also the values `main` starts with.
    pub fn walk<'b>(
        &self,
        state: StateAt,
        context: ContextAt,
        goal: Goal,
        model: Model,
        budget: &'b Budget,
    ) -> Result<(Env, Walk<'b>), Exhausted> {
        let mut stack = vec![(state, None)];
        let mut at = context;
        let start = loop {
            match &self.derivations.contexts[at] {
                Context::Start(model) => break model,
                Context::Called { flow, caller, context, model } => {
                    stack.push((*caller, Some((*flow, model))));
                    at = *context;
                }
            }
        };
        let main = self.cuts.scope(self.sim.facts.program.main).entry;
        let known = self.n_known(main);
        let mut entry = Env::new(start.eval()).scope(self.sim, main).below(known);
        let (bottom, _) = stack[stack.len() - 1];
        entry.union_with(&self.derivations.first_locals(bottom, known));
        let main = Env::new(self.entry_model(main, &entry).eval());
        let mut walk = Walk::new(budget);
        let mut played = Played::default();
        while let Some((state, call)) = stack.pop() {
            let now = self.play(&mut walk, &mut played, state, entry.clone())?;
            let Some((flow, called)) = call else {
                walk.way(self.sim, goal.way, self.at_goal(goal, &model, &entry, &now))?;
                break;
            };
            let env = before_flow(self.sim, self.cuts, flow, called.clone(), &entry, &now);
            let (inside, _) = stack[stack.len() - 1];
            entry = self.entered(&env, flow, inside);
            walk.step(Event::Take(self.call_edge(flow)), entry.clone())?;
        }
        Ok((main, walk))
    }

    /// How many variables of a scope a caller passes.
    fn n_known(&self, entry: StateId) -> usize {
        let program = self.sim.facts.program;
        program.n_shared() + program.procs[self.sim.arena.states[entry].proc].n_formals
    }

    fn entry_model(&self, entry: StateId, scope: &Bits) -> Model {
        let mut model = Model::default();
        let inputs = self.sim.arena.states[entry].values.iter().enumerate();
        inputs.for_each(|(var, &input)| model.set(input, scope.contains(var)));
        model
    }

    /// The scope with which a callee is entered that will be in the derivation `inside`.
    fn entered(&self, env: &Env, flow: FlowId, inside: StateAt) -> Bits {
        let flow = &self.cuts.flows[flow];
        let call = flow.call.as_ref().expect("only calls enter");
        let known = self.n_known(self.cuts.scope(call.callee).entry);
        let mut scope: Bits =
            (0..call.passed.len()).filter(|&var| env.value(self.sim, call.passed[var])).collect();
        scope.union_with(&self.derivations.first_locals(inside, known));
        scope
    }

    fn callee(&self, flow: FlowId) -> ProcId {
        self.cuts.flows[flow].call.as_ref().expect("it makes a call").callee
    }

    fn call_edge(&self, flow: FlowId) -> EdgeRef {
        let flow = &self.cuts.flows[flow];
        let call = flow.call.as_ref().expect("it makes a call");
        EdgeRef { proc: flow.proc, edge: call.edge }
    }

    /// Writes the steps of a derivation from an entry; returns the scope at its end. A call that was played
    /// before is gone over.
    fn play(
        &self,
        walk: &mut Walk<'_>,
        played: &mut Played,
        state: StateAt,
        entry: Bits,
    ) -> Result<Bits, Exhausted> {
        let begin = |proc: Option<ProcId>, end: StateAt, entry: Bits| {
            let path = self.derivations.path(end);
            Activation { proc, end, path, done: 1, now: entry.clone(), entry }
        };
        let mut stack = vec![begin(None, state, entry)];
        loop {
            let top = stack.last_mut().expect("the bottom is returned from");
            let Some(&at) = top.path.get(top.done) else {
                let ended = stack.pop().expect("it was just there");
                let Some(proc) = ended.proc else { return Ok(ended.now) };
                let passage = walk.end_passage(proc, ended.entry.clone());
                played.insert((ended.end, ended.entry), passage);
                continue;
            };
            let flowed = self.derivations.states[at].how.as_ref();
            let flowed = flowed.expect("only the first has no flow");
            let model = flowed.model.clone();
            let env = before_flow(self.sim, self.cuts, flowed.flow, model, &top.entry, &top.now);
            let Some(exit) = flowed.exit else {
                let after = self.cuts.flows[flowed.flow].after;
                walk.up_to(self.sim, after, env.clone())?;
                top.now = env.scope(self.sim, after);
                top.done += 1;
                continue;
            };
            let entry = self.entered(&env, flowed.flow, exit);
            match played.get(&(exit, entry.clone())) {
                Some(&passage) => {
                    let (program, edge) = (self.sim.facts.program, self.call_edge(flowed.flow));
                    top.now = walk.go_over(program, edge, passage, &top.now)?;
                    top.done += 1;
                }
                None => {
                    walk.begin_passage();
                    stack.push(begin(Some(self.callee(flowed.flow)), exit, entry));
                }
            }
        }
    }
}

//! From a model of a way to a goal to a run of the program, written out in full.
//!
//! A model fixes all choices, hence every value of every symbolic state on the way. Inside a call
//! the callee's variables have the values of their copies. A call that goes as one did before is gone over by
//! the same passage.

use std::cell::RefCell;
use std::rc::Rc;

use hardbop_base::{Bits, Budget, Exhausted, Idx, IndexVec};
use hardbop_cfg::{Action, EdgeId, EdgeRef, LocRef, ProcId, Program};
use hardbop_evidence::{Event, Initial, Passage, PassageId, Step, ThreadIx, Trace};
use hardbop_sat::{Eval, Term};
use rustc_hash::FxHashMap;

use crate::sat::sim::Sim;
use crate::sat::state::{How, Instance, Origin, State, StateId, WayId};

/// Values of the choice variables in one activation.
#[derive(Clone)]
pub struct Env(Rc<RefCell<Eval>>);

impl Env {
    pub fn new(eval: Eval) -> Self {
        Env(Rc::new(RefCell::new(eval)))
    }

    pub fn value(&self, sim: &Sim<'_>, term: Term) -> bool {
        self.0.borrow_mut().value(&sim.aig, term)
    }

    /// Inside an instance.
    pub fn inside<T>(&self, sim: &Sim<'_>, instance: &Instance<T>) -> Env {
        let mut eval = Eval::new();
        for (input, value) in self.inputs(sim, instance) {
            eval.set(input, value);
        }
        Env::new(eval)
    }

    /// What determines everything inside an instance.
    fn inputs<T>(&self, sim: &Sim<'_>, instance: &Instance<T>) -> Vec<(Term, bool)> {
        let inputs = instance.copy.inputs(&sim.aig);
        inputs.map(|(input, copy)| (input, self.value(sim, copy))).collect()
    }

    /// The scope of a state.
    pub fn scope(&self, sim: &Sim<'_>, state: StateId) -> Bits {
        let values = sim.arena.states[state].values.iter().enumerate();
        values.filter(|&(_, &value)| self.value(sim, value)).map(|(var, _)| var).collect()
    }
}

/// Where a way ends, and what was met on it.
#[derive(Debug)]
pub struct Ending {
    pub at: LocRef,
    /// The assertion that fails, if it is not the location that matters.
    pub fails: Option<EdgeId>,
}

/// Where a way ends under the values of `env`; `None` if it ends inside a call of which nothing is known.
pub fn ending(sim: &Sim<'_>, way: WayId, env: &Env) -> Option<Ending> {
    let (mut way, mut env) = (way, env.clone());
    loop {
        way = match &sim.arena.ways[way].how {
            How::Any(ways) => taken(sim, ways, &env),
            How::Here { state, edge } => {
                let State { proc, loc, .. } = sim.arena.states[*state];
                return Some(Ending { at: LocRef { proc, loc }, fails: *edge });
            }
            How::Inside { through, .. } => {
                env = env.inside(sim, through);
                through.what
            }
            How::Unknown { .. } => return None,
        };
    }
}

/// The way of a union that is taken.
fn taken(sim: &Sim<'_>, ways: &[WayId], env: &Env) -> WayId {
    let taken = ways.iter().find(|&&way| env.value(sim, sim.arena.ways[way].guard));
    *taken.expect("the guard of a union is true where one of its parts is")
}

/// Steps of a run, or why it is none. A run can be far longer than what it was derived from, so the
/// budget is asked now and then.
#[derive(Debug)]
pub struct Walk<'b> {
    budget: &'b Budget,
    /// The steps of the run, and above them those of passages under way.
    steps: Vec<Vec<Step>>,
    n_steps: usize,
    passages: IndexVec<PassageId, Passage>,
    /// The passage to an exit under the values of an instance.
    known: FxHashMap<(StateId, Vec<(Term, bool)>), PassageId>,
    pub ending: Option<Ending>,
    /// Procedures of calls on the way of which nothing was known.
    pub unknown: Vec<ProcId>,
}

enum Part {
    Way(WayId, Env),
    UpTo(StateId, Env),
    Step(Event, Bits),
    /// A call on the way to a state: which is made there, and how it goes.
    Call {
        to: StateId,
        env: Env,
    },
    /// The end of the passage for that call.
    End {
        to: StateId,
        env: Env,
    },
}

/// Steps between two looks at the budget.
const STEPS_PER_CHECK: usize = 1024;

impl<'b> Walk<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Walk {
            budget,
            steps: vec![Vec::new()],
            n_steps: 0,
            passages: IndexVec::new(),
            known: FxHashMap::default(),
            ending: None,
            unknown: Vec::new(),
        }
    }

    /// The run that was written.
    pub fn trace(mut self, initial: Initial) -> Trace {
        let steps = self.steps.pop().unwrap_or_default();
        assert!(self.steps.is_empty(), "every passage was ended");
        Trace { initial, steps, passages: self.passages }.readable()
    }

    /// From now on the steps of a passage are written.
    pub fn begin_passage(&mut self) {
        self.steps.push(Vec::new());
    }

    /// Ends the passage that was begun last.
    pub fn end_passage(&mut self, proc: ProcId, entry: Bits) -> PassageId {
        let steps = self.steps.pop().expect("a passage was begun");
        self.passages.push(Passage { proc, entry, steps })
    }

    /// Goes over a call; returns the scope of the caller afterwards, which was `now` before.
    pub fn go_over(
        &mut self,
        program: &Program,
        edge: EdgeRef,
        passage: PassageId,
        now: &Bits,
    ) -> Result<Bits, Exhausted> {
        let after = returned(program, edge, self.passages[passage].exit(), now);
        self.step(Event::Over(edge, passage), after.clone())?;
        Ok(after)
    }

    /// Appends a way from the entry of its procedure to the goal.
    pub fn way(&mut self, sim: &Sim<'_>, way: WayId, env: Env) -> Result<(), Exhausted> {
        self.run(sim, vec![Part::Way(way, env)])
    }

    /// Appends the steps from the entry of a procedure to a state.
    pub fn up_to(&mut self, sim: &Sim<'_>, state: StateId, env: Env) -> Result<(), Exhausted> {
        self.run(sim, vec![Part::UpTo(state, env)])
    }

    pub fn step(&mut self, event: Event, after: Bits) -> Result<(), Exhausted> {
        let thread = ThreadIx::from_u32(0);
        let steps = self.steps.last_mut().expect("the run is at the bottom");
        steps.push(Step { thread, event, after, others: Vec::new() });
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(STEPS_PER_CHECK) { self.budget.check() } else { Ok(()) }
    }

    /// The last part is written first.
    fn run(&mut self, sim: &Sim<'_>, mut todo: Vec<Part>) -> Result<(), Exhausted> {
        while let Some(part) = todo.pop() {
            match part {
                Part::Step(event, after) => self.step(event, after)?,
                Part::Way(way, env) => self.open_way(sim, way, env, &mut todo),
                Part::UpTo(state, env) => self.open_state(sim, state, env, &mut todo),
                Part::Call { to, env } => self.call(sim, to, env, &mut todo)?,
                Part::End { to, env } => self.end(sim, to, &env),
            }
        }
        Ok(())
    }

    /// Goes over the call before a state if it is known how; else its passage is written first.
    fn call(
        &mut self,
        sim: &Sim<'_>,
        to: StateId,
        env: Env,
        todo: &mut Vec<Part>,
    ) -> Result<(), Exhausted> {
        let (edge, through) = call_before(sim, to);
        let key = (through.what, env.inputs(sim, through));
        if let Some(&passage) = self.known.get(&key) {
            return self.step(Event::Over(edge, passage), env.scope(sim, to));
        }
        let inside = env.inside(sim, through);
        todo.push(Part::Call { to, env: env.clone() });
        todo.push(Part::End { to, env });
        todo.push(Part::UpTo(through.what, inside));
        self.begin_passage();
        Ok(())
    }

    fn end(&mut self, sim: &Sim<'_>, to: StateId, env: &Env) {
        let (_, through) = call_before(sim, to);
        let proc = sim.arena.states[through.what].proc;
        let entry = sim.known_entry(proc).expect("a summary begins at the entry of the callee");
        let scope = env.inside(sim, through).scope(sim, entry);
        let passage = self.end_passage(proc, scope);
        self.known.insert((through.what, env.inputs(sim, through)), passage);
    }

    fn open_way(&mut self, sim: &Sim<'_>, way: WayId, env: Env, todo: &mut Vec<Part>) {
        match &sim.arena.ways[way].how {
            How::Any(ways) => {
                todo.push(Part::Way(taken(sim, ways, &env), env));
            }
            How::Here { state, edge } => {
                let State { proc, loc, .. } = sim.arena.states[*state];
                if let Some(edge) = *edge {
                    let at = EdgeRef { proc, edge };
                    todo.push(Part::Step(Event::Violate(at), env.scope(sim, *state)));
                }
                todo.push(Part::UpTo(*state, env));
                self.ending = Some(Ending { at: LocRef { proc, loc }, fails: *edge });
            }
            How::Inside { from, edge, through } => {
                let inside = env.inside(sim, through);
                todo.push(Part::Way(through.what, inside.clone()));
                self.enter(sim, *from, *edge, env, &inside, todo);
            }
            How::Unknown { from, edge } => {
                self.unknown.extend(sim.callee(*from, *edge));
                todo.push(Part::UpTo(*from, env));
            }
        }
    }

    fn open_state(&mut self, sim: &Sim<'_>, state: StateId, env: Env, todo: &mut Vec<Part>) {
        let proc = sim.arena.states[state].proc;
        match &sim.arena.states[state].origin {
            Origin::Entry => {}
            Origin::Join(parts) => {
                let taken = parts.iter().find(|&&(term, _)| env.value(sim, term));
                let taken = taken.expect("the guard of a join is true where one of its parts is");
                todo.push(Part::UpTo(taken.1, env));
            }
            Origin::Step { from, edge } => {
                let edge = EdgeRef { proc, edge: *edge };
                todo.push(Part::Step(Event::Take(edge), env.scope(sim, state)));
                todo.push(Part::UpTo(*from, env));
            }
            Origin::Call { from, .. } => {
                todo.push(Part::Call { to: state, env: env.clone() });
                todo.push(Part::UpTo(*from, env));
            }
            Origin::Unknown { from, edge } => {
                self.unknown.extend(sim.callee(*from, *edge));
                todo.push(Part::UpTo(*from, env));
            }
        }
    }

    /// The steps up to a call and into it.
    fn enter(
        &mut self,
        sim: &Sim<'_>,
        from: StateId,
        edge: EdgeId,
        env: Env,
        inside: &Env,
        todo: &mut Vec<Part>,
    ) {
        let entry = sim.callee(from, edge).and_then(|callee| sim.known_entry(callee));
        let entry = entry.expect("a summary begins at the entry of the callee");
        let at = EdgeRef { proc: sim.arena.states[from].proc, edge };
        todo.push(Part::Step(Event::Take(at), inside.scope(sim, entry)));
        todo.push(Part::UpTo(from, env));
    }
}

/// The call by which a state was reached.
fn call_before<'s>(sim: &'s Sim<'_>, state: StateId) -> (EdgeRef, &'s Instance<StateId>) {
    let State { proc, origin, .. } = &sim.arena.states[state];
    let Origin::Call { edge, through, .. } = origin else {
        unreachable!("only a state after a call is asked for its call")
    };
    (EdgeRef { proc: *proc, edge: *edge }, through)
}

/// The scope of a caller after a call that was left with `exit`.
fn returned(program: &Program, edge: EdgeRef, exit: &Bits, now: &Bits) -> Bits {
    let Action::Call(call) = &program.edge(edge).action else {
        unreachable!("only a call returns")
    };
    let mut after = exit.below(program.n_shared());
    after.union_with(&now.from(program.n_shared()));
    for (result, target) in program.returns(call.callee).zip(&call.results) {
        if let Some(target) = target {
            after.set(target.index(), exit.contains(result.index()));
        }
    }
    after
}

//! From a model of a way to a goal to a run of the program, written out in full.
//!
//! A model fixes all choices, hence every value of every symbolic state on the way. Inside a call
//! the callee's variables have the values of their copies.

use std::cell::RefCell;
use std::rc::Rc;

use hardbop_base::{Bits, Budget, Exhausted};
use hardbop_cfg::{EdgeId, EdgeRef, LocRef, ProcId};
use hardbop_evidence::{Event, Step, ThreadIx};
use hardbop_sat::{Eval, Term};

use crate::sim::Sim;
use crate::state::{How, Instance, Origin, State, StateId, WayId};

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
        for (input, copy) in instance.copy.inputs(&sim.aig) {
            eval.set(input, self.value(sim, copy));
        }
        Env::new(eval)
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

/// Steps of a run, or why it is none. A run can be far longer than what it was derived from, so the
/// budget is asked now and then.
#[derive(Debug)]
pub struct Walk<'b> {
    budget: &'b Budget,
    pub steps: Vec<Step>,
    pub ending: Option<Ending>,
    /// Procedures of calls on the way of which nothing was known.
    pub unknown: Vec<ProcId>,
}

enum Part {
    Way(WayId, Env),
    UpTo(StateId, Env),
    Step(Event, Bits),
}

/// Steps between two looks at the budget.
const STEPS_PER_CHECK: usize = 1024;

impl<'b> Walk<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Walk { budget, steps: Vec::new(), ending: None, unknown: Vec::new() }
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
        self.steps.push(Step { thread, event, after, others: Vec::new() });
        if self.steps.len().is_multiple_of(STEPS_PER_CHECK) { self.budget.check() } else { Ok(()) }
    }

    /// The last part is written first.
    fn run(&mut self, sim: &Sim<'_>, mut todo: Vec<Part>) -> Result<(), Exhausted> {
        while let Some(part) = todo.pop() {
            match part {
                Part::Step(event, after) => self.step(event, after)?,
                Part::Way(way, env) => self.open_way(sim, way, env, &mut todo),
                Part::UpTo(state, env) => self.open_state(sim, state, env, &mut todo),
            }
        }
        Ok(())
    }

    fn open_way(&mut self, sim: &Sim<'_>, way: WayId, env: Env, todo: &mut Vec<Part>) {
        match &sim.arena.ways[way].how {
            How::Any(ways) => {
                let taken = ways.iter().find(|&&way| env.value(sim, sim.arena.ways[way].guard));
                let taken = *taken.expect("the guard of a union is true where one of its parts is");
                todo.push(Part::Way(taken, env));
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
            Origin::Call { from, edge, through } => {
                let inside = env.inside(sim, through);
                todo.push(Part::Step(Event::Return, env.scope(sim, state)));
                todo.push(Part::UpTo(through.what, inside.clone()));
                self.enter(sim, *from, *edge, env, &inside, todo);
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

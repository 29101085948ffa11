//! The values a procedure is entered with in reachable states, and the calls that bring them.
//!
//! A context of a procedure is a condition on the variables of its entry. Path edges hold for all
//! values at entry, so contexts only say which of them are worth exploring, and where a run to them
//! comes from.

use std::rc::Rc;

use hardbop_base::{Exhausted, IndexVec, define_id};
use hardbop_cfg::{EdgeId, EdgeRef};
use hardbop_evidence::Event;
use hardbop_sat::{Copy, Model, Term};

use crate::sat::concretize::{Env, Walk};
use crate::sat::sim::Sim;
use crate::sat::state::StateId;

define_id!(
    /// A context.
    ContextId, "c"
);

#[derive(Clone, Debug)]
pub struct Context {
    /// On the entry of its procedure, with variables of its own for the run up to there.
    pub condition: Term,
    /// The call that brings it; nothing for the start of the program.
    pub by: Option<Rc<ByCall>>,
}

/// A call. If the callee may call the caller, which would mix up their variables, the condition
/// speaks of a renamed copy of the caller's.
#[derive(Debug)]
pub struct ByCall {
    pub from: StateId,
    pub edge: EdgeId,
    /// In the caller's own variables.
    pub passed: Vec<Term>,
    pub copy: Option<Copy>,
    /// The contexts of the caller, one of which holds.
    pub parents: Vec<ContextId>,
}

/// One activation on the stack of a run.
struct Activation {
    /// Values of the procedure's variables.
    model: Model,
    by: Option<Rc<ByCall>>,
}

/// Writes the run from the start of the program into the procedure of a context, which holds in
/// `model`. Returns the values in `main` and in the procedure.
pub fn lead_in(
    sim: &Sim<'_>,
    contexts: &IndexVec<ContextId, Context>,
    context: ContextId,
    model: Model,
    walk: &mut Walk<'_>,
) -> Result<(Env, Env), Exhausted> {
    let mut stack = vec![Activation { model, by: contexts[context].by.clone() }];
    while let Some(Activation { model, by: Some(by) }) = stack.last() {
        let env = Env::new(model.eval());
        let caller = match &by.copy {
            None => model.clone(),
            Some(copy) => {
                let mut caller = Model::default();
                for (input, copied) in copy.inputs(&sim.aig) {
                    caller.set(input, env.value(sim, copied));
                }
                caller
            }
        };
        let outer = Env::new(caller.eval());
        let holds = |parent: &&ContextId| outer.value(sim, contexts[**parent].condition);
        let parent = by.parents.iter().find(holds).expect("the call was made in a context");
        let by = contexts[*parent].by.clone();
        stack.push(Activation { model: caller, by });
    }
    let bottom = stack.pop().expect("a run begins in main");
    let main = Env::new(bottom.model.eval());
    let mut env = main.clone();
    while let Some(Activation { mut model, by }) = stack.pop() {
        let by = by.expect("only the bottom was not called");
        walk.up_to(sim, by.from, env.clone())?;
        let (entry, edge) = sim.call_at(by.from, by.edge);
        // The condition leaves open what cannot matter to the callee.
        for (&input, &passed) in sim.arena.states[entry].values.iter().zip(&by.passed) {
            model.set(input, env.value(sim, passed));
        }
        env = Env::new(model.eval());
        walk.step(Event::Take(edge), env.scope(sim, entry))?;
    }
    Ok((main, env))
}

impl Sim<'_> {
    /// The entry of the callee, and the call as an edge of the program.
    fn call_at(&self, from: StateId, edge: EdgeId) -> (StateId, EdgeRef) {
        let proc = self.arena.states[from].proc;
        let entry = self.callee(from, edge).and_then(|callee| self.known_entry(callee));
        (entry.expect("a context begins at the entry of the callee"), EdgeRef { proc, edge })
    }
}

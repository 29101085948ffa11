//! What may hold at the head of a loop: a formula over registers, or something about memory that no formula
//! over registers says.
//!
//! A fact has two sides. As an obligation it must follow from what is known of the state; as an assumption it says no more than
//! what follows from it. Where the executor cannot tell, the first is false and the second true.

use std::collections::BTreeMap;

use hardbop_cir::{ExprId, VarId};
use hardbop_smt::TermId;
use hardbop_symbolic::state::State;
use hardbop_symbolic::{Executor, LoopId};

use crate::loops::Loops;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// An `i1` over registers of the loop's function and global ones.
    Holds(ExprId),
    /// The pointer is that of a text: it points into a live object, in which a 0 follows.
    Text(ExprId),
    /// The same, or it is null.
    NullOrText(ExprId),
    /// The pointer is null or points into an object that was there when the loop was reached.
    Known(VarId),
    /// What was allocated since the loop was reached has been freed.
    Freed,
}

/// Of each loop.
pub type Facts = BTreeMap<LoopId, Vec<Fact>>;

impl Fact {
    /// Where this holds, the fact does. `entry` is the state in which the loop was reached.
    pub fn surely(
        self,
        executor: &mut Executor,
        loops: &Loops,
        head: LoopId,
        state: &mut State,
        entry: Option<&State>,
    ) -> TermId {
        match self {
            Fact::Holds(expr) => executor.eval_bits(state, expr),
            Fact::Text(ptr) => {
                let value = executor.value(state, ptr);
                executor.surely_text(state, &value)
            }
            Fact::NullOrText(ptr) => {
                let value = executor.value(state, ptr);
                let text = executor.surely_text(state, &value);
                let null = executor.is_null(&value);
                executor.terms.or(null, text)
            }
            Fact::Known(var) => {
                let objects = loops.changes.get(&head).and_then(|it| it.pointers.get(&var));
                match (objects, entry) {
                    (Some(objects), Some(entry)) => {
                        executor.surely_known(state, var, objects, entry)
                    }
                    _ => executor.terms.bool(false),
                }
            }
            Fact::Freed => match entry {
                Some(entry) => executor.surely_freed(state, entry),
                None => executor.terms.bool(false),
            },
        }
    }

    /// This holds where the fact does.
    pub fn follows(self, executor: &mut Executor, state: &mut State) -> TermId {
        match self {
            Fact::Holds(expr) => executor.eval_bits(state, expr),
            Fact::Text(ptr) => {
                let value = executor.value(state, ptr);
                executor.perhaps_text(state, &value)
            }
            Fact::NullOrText(ptr) => {
                let value = executor.value(state, ptr);
                let text = executor.perhaps_text(state, &value);
                let null = executor.is_null(&value);
                executor.terms.or(null, text)
            }
            Fact::Known(var) => executor.perhaps_known(state, var),
            // What it is for is what the state does not know of, see `Executor::forget_made`.
            Fact::Freed => executor.terms.bool(true),
        }
    }
}

//! Whether a trace of the Boolean program is one of the C program: its path is executed bit by bit,
//! with the memory it really has.

use hardbop_base::{Exhausted, Name};
use hardbop_cir::CheckId;
use hardbop_engine::Reason;
use hardbop_engine_c::{Counterexample, Replay};
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::Executor;
use hardbop_symbolic::model::holding;

use crate::boolean::Move;
use crate::regions::Source;
use crate::walk::Walk;

pub enum Outcome {
    /// No execution goes this way.
    Spurious,
    /// A check fails; with the run that shows one, if the interpreter agrees.
    Violation { claimed: CheckId, shown: Option<(CheckId, Counterexample)> },
    /// An execution comes to something that is not modelled.
    GivenUp(Name),
    /// The solver's model is none: our mistake.
    Broken(Reason),
}

pub struct Simulation<'s, 'a> {
    pub source: Source<'a>,
    pub replay: Replay<'s>,
    pub is_open: &'s dyn Fn(CheckId) -> bool,
    pub asks_given_up: bool,
}

impl Simulation<'_, '_> {
    pub fn run(&self, moves: &[Move]) -> Result<Outcome, Exhausted> {
        let walk = Walk { source: self.source };
        match walk.run(moves, &mut |_, _, _| {})? {
            None => Ok(Outcome::Spurious),
            Some((mut executor, last)) => self.ask(&mut executor, last.fails, last.given_up),
        }
    }

    fn ask(
        &self,
        executor: &mut Executor,
        fails: Vec<(CheckId, TermId)>,
        given_up: Vec<(Name, TermId)>,
    ) -> Result<Outcome, Exhausted> {
        let open: Vec<_> = fails.into_iter().filter(|it| (self.is_open)(it.0)).collect();
        if self.is_possible(executor, &open)? {
            return Ok(match holding(&executor.solver, &executor.terms, &open) {
                Err(reason) => Outcome::Broken(reason),
                Ok(held) => Outcome::Violation { claimed: *held[0], shown: self.show(executor) },
            });
        }
        if self.asks_given_up && self.is_possible(executor, &given_up)? {
            return Ok(match holding(&executor.solver, &executor.terms, &given_up) {
                Err(reason) => Outcome::Broken(reason),
                Ok(held) => Outcome::GivenUp(held[0].clone()),
            });
        }
        Ok(Outcome::Spurious)
    }

    /// The run of the interpreter on the inputs of the model.
    fn show(&self, executor: &Executor) -> Option<(CheckId, Counterexample)> {
        [false, true].into_iter().find_map(|all| {
            self.replay.confirm(&executor.values_of_model(all), self.is_open, self.source.budget)
        })
    }

    fn is_possible<T>(
        &self,
        executor: &mut Executor,
        guarded: &[(T, TermId)],
    ) -> Result<bool, Exhausted> {
        let guards: Vec<TermId> = guarded.iter().map(|it| it.1).collect();
        let any = executor.terms.or_all(&guards);
        if executor.terms.as_const(any) == Some(0) {
            return Ok(false);
        }
        match executor.solver.check(&mut executor.terms, &[any], self.source.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }
}

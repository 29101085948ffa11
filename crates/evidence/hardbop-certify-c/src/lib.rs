//! The certifier of proofs about C: is this certificate a proof that no check of this program fails?
//!
//! ```text
//! Program, Certificate ─ exec: a symbolic executor of its own ─► obligations ─ prove: bits, clauses,
//!   unsliced             loops and recursion as far as the       what must not   a solver, and a checker
//!                        certificate says                        happen          of its refutations
//! ```
//! It knows no engine and shares no code with them. Trusted are: the front end and its IR; the terms of
//! `hardbop-smt` with the rules that simplify them, and its bit-blaster; the clauses that `hardbop-sat` makes of circuits;
//! and the checker of refutations, a page. The solver is not.
//!
//! Where something cannot be told exactly it may be anything: what is read through pointers nobody knows, what is
//! written at places nobody knows. So the executions looked at are all that there are, and more. Where that is not
//! enough, the certificate is not accepted, and the place is named.
//!
//! Reading order: [`certificate`](Certificate), `value`, `memory`, `guard`, `state`, `expr`, `access`, `ops`, `loops`,
//! `exec`, `prove`.

mod access;
mod certificate;
mod exec;
mod expr;
mod guard;
mod loops;
mod memory;
mod ops;
mod prove;
mod state;
mod value;

use std::fmt;

use hardbop_base::{Budget, Exhausted, Span};
use hardbop_cir::Program;

pub use certificate::{Certificate, hash};

/// A certificate that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// Conditions that cannot hold.
    pub n_obligations: usize,
    /// Steps of refutations that were followed.
    pub n_steps: usize,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// Something may happen at this place of the source, or cannot be told.
    At(Span, String),
    /// It is about another program.
    Unfit(String),
    /// A limit was reached first.
    Exhausted(Exhausted),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::At(_, why) | Rejected::Unfit(why) => f.write_str(why),
            Rejected::Exhausted(limit) => limit.fmt(f),
        }
    }
}

impl From<Exhausted> for Rejected {
    fn from(limit: Exhausted) -> Self {
        Rejected::Exhausted(limit)
    }
}

/// The stack of the executor, which enters calls of calls.
const STACK: usize = 256 << 20;

/// Checks that the certificate proves its properties of the program.
pub fn certify(
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    // Soundness: bounds of another program say nothing of this one.
    if certificate.program != hash(program) {
        return Err(Rejected::Unfit("it is about another program, or another version of it".into()));
    }
    hardbop_base::stack::grow(STACK, || {
        let mut executor = exec::Executor::new(program, certificate, budget);
        executor.run()?;
        let bad: Vec<_> = executor.obligations.iter().map(|it| it.bad).collect();
        match executor.prover.possible(&bad, budget)? {
            None => Ok(Accepted { n_obligations: bad.len(), n_steps: executor.prover.n_steps() }),
            Some(holds) => {
                let mut broken = executor.obligations.iter().zip(holds).filter(|it| it.1);
                let (span, what) = broken
                    .next()
                    .map_or((Span::default(), "a condition fails"), |(it, _)| (it.span, &it.what));
                Err(Rejected::At(span, what.into()))
            }
        }
    })
}

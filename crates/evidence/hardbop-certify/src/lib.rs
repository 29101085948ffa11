//! The certifier: is this certificate a proof that this program is safe?
//!
//! It reads the control-flow graph by itself, knows no engine and no decision diagram, and puts
//! each of its questions to a SAT solver of its own. Read [`sequential`] first; [`query`] is how a
//! question is written down, [`frame`] the one fact that is checked by looking.

mod frame;
mod nets;
mod query;
mod sequential;
mod threads;

use std::fmt;

use hardbop_base::{Budget, Exhausted};
use hardbop_cfg::{LocRef, Program};
use hardbop_evidence::Certificate;

pub use nets::certify_net;

/// A certificate that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// How many entailments were asked.
    pub n_obligations: usize,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// An obligation fails, at this location.
    At(LocRef, String),
    /// An obligation fails, at this rule of a net.
    AtRule(usize, String),
    /// It is about another program, or outside what certificates can say.
    Unfit(String),
    /// A limit was reached first.
    Exhausted(Exhausted),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::At(at, why) => write!(f, "at {} of procedure {}: {why}", at.loc, at.proc),
            Rejected::AtRule(rule, why) => write!(f, "at rule {}: {why}", rule + 1),
            Rejected::Unfit(why) => f.write_str(why),
            Rejected::Exhausted(limit) => limit.fmt(f),
        }
    }
}

/// Checks every obligation of the certificate against the program.
pub fn certify(
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    match certificate {
        Certificate::Sequential(invariants) => sequential::check(program, invariants, budget),
        Certificate::Threads(proof) => threads::check(program, proof, budget),
        Certificate::Net(_) => Err(Rejected::Unfit("it is about a net, not a program".into())),
    }
}

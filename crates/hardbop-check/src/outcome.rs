//! The tool's say.

use hardbop_base::Exhausted;
use hardbop_certify::{Accepted, Rejected};
use hardbop_cfg::Goal;
use hardbop_engine::{Reason, Scope, Stats};
use hardbop_evidence::Certificate;

use crate::shown::{ShownGoal, ShownStep};

/// The answer to the question asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The goal cannot be reached, within the scope that was asked for.
    Safe,
    /// The goal is reached.
    Unsafe,
    /// Nothing is claimed.
    Unknown(Unknown),
}

/// Why nothing is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// One word for machines, see `docs/formats/result-json.md`.
    pub reason: &'static str,
    /// A sentence for people, with numbers.
    pub detail: String,
}

/// Where the goal is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Line in the source, where there is one.
    pub line: Option<u32>,
    /// `assertion` or `label NAME`.
    pub what: String,
}

/// A verdict with everything worth telling.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The bounds it is relative to.
    pub scope: Scope,
    /// Whether no bound on threads applied although the program starts threads.
    pub unbounded_threads: bool,
    /// Whether separate code has confirmed the evidence.
    pub certified: bool,
    /// The engine that answered.
    pub engine: &'static str,
    /// What was asked of a program.
    pub goal: Goal,
    /// What was asked of a net instead: the states to be covered.
    pub target: Option<String>,
    /// For an unsafe verdict.
    pub violation: Option<Violation>,
    /// For an unsafe verdict, unless no trace was wanted: one entry a statement.
    pub trace: Option<Vec<ShownStep>>,
    /// For a safe verdict of an engine that writes one, unless none was wanted.
    pub certificate: Option<Certificate>,
    /// Why the evidence that was asked for is missing or unchecked; the verdict stands without it.
    pub lacks: Option<String>,
    /// For an exhaustive run: every assert and label.
    pub goals: Vec<ShownGoal>,
    /// The engine's numbers.
    pub stats: Stats,
    /// Wall-clock time of the engine and of the confirmation.
    pub time: std::time::Duration,
}

impl Outcome {
    /// Notes what the certifier says of the certificate of a safe verdict.
    /// Soundness: a refused one takes the verdict back; one not checked leaves it uncertified.
    pub fn prove_by(&mut self, certificate: Certificate, checked: Result<Accepted, Rejected>) {
        match checked {
            Ok(accepted) => {
                self.certified = true;
                self.stats.set("obligations", accepted.n_obligations as u64);
            }
            Err(Rejected::Exhausted(_)) => {
                self.lacks = Some("the certificate was not checked in time".into());
            }
            Err(rejected) => {
                let why = Reason::NotConfirmed(format!("the certificate fails {rejected}"));
                self.verdict = Verdict::Unknown(why.into());
            }
        }
        self.certificate = Some(certificate);
    }
}

/// Why evidence of a kind is missing, as a sentence; `None`: there is none that could be written down.
pub(crate) fn missing(kind: &str, why: Option<Reason>) -> String {
    let Some(why) = why else { return format!("no {kind} was found that could be written down") };
    match why {
        Reason::Exhausted(Exhausted::Time(_)) => format!("no {kind} was found in time"),
        Reason::Exhausted(Exhausted::States(limit)) => {
            format!("no {kind} was found: it needs more than {limit} states")
        }
        other => format!("no {kind} was found: {}", Unknown::from(other).detail),
    }
}

impl From<Reason> for Unknown {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Exhausted(limit) => Unknown {
                reason: match limit {
                    Exhausted::Time(_) => "time",
                    Exhausted::Memory(_) => "memory",
                    Exhausted::Nodes(_) => "nodes",
                    Exhausted::States(_) => "states",
                    Exhausted::Cancelled => "interrupted",
                },
                detail: limit.to_string(),
            },
            Reason::Bounded => Unknown {
                reason: "bounded",
                detail: "no violation up to the bound; beyond it nothing is known".into(),
            },
            Reason::Unsupported(why) => Unknown { reason: "unsupported", detail: why },
            Reason::NotConfirmed(why) => Unknown {
                reason: "not-confirmed",
                detail: format!("the engine's claim was not confirmed: {why}"),
            },
            Reason::Internal(why) => Unknown { reason: "internal", detail: why },
        }
    }
}

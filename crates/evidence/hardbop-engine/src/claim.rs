//! What an engine says.

use hardbop_base::Name;
use hardbop_cfg::{EdgeRef, LocRef};
use hardbop_evidence::{Certificate, Trace};

use crate::reason::Reason;
use crate::verdict::Verdict;

/// An engine's say, with its evidence and its numbers, of a Boolean program unless the parameters say otherwise.
/// `V` is what comes with a violation: a goal that is [`Reached`], a target of a net that is covered. `P` is a
/// proof, `G` what is said of single goals.
#[derive(Clone, Debug)]
pub struct Claim<V = Reached, P = Certificate, G = Vec<GoalStatus>> {
    /// What is claimed. It becomes the tool's verdict when separate code has confirmed the evidence.
    pub answer: Verdict<V>,
    /// Why a safe answer is right, if the engine writes that down and it was wanted.
    pub certificate: Option<P>,
    /// Why the evidence that was wanted is missing, where it is: the answer stands without it.
    pub lacks: Option<Reason>,
    /// How far the answer reaches.
    pub scope: Scope,
    /// Of a Boolean program, for an exhaustive task that was finished: every assert and every label, in order of
    /// appearance. Of a C program: every check that was asked about.
    pub goals: G,
    /// The numbers of the run.
    pub stats: Stats,
}

/// The goal of a Boolean program can be reached.
#[derive(Clone, Debug)]
pub struct Reached {
    /// Where.
    pub site: GoalSite,
    /// How, if that was wanted and found.
    pub trace: Option<Trace>,
}

/// The bounds an answer is relative to; `None` where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Scope {
    /// Threads alive at once.
    pub threads: Option<u32>,
    /// Switches from one thread to another.
    pub contexts: Option<u32>,
    /// Steps, or rounds of loops.
    pub depth: Option<u32>,
}

/// A place whose reachability is asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GoalSite {
    /// An assert, which may fail.
    Assert(EdgeRef),
    /// A location with a label.
    Label(LocRef, Name),
}

/// Whether a place is reached, in an exhaustive run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoalStatus {
    /// The place.
    pub site: GoalSite,
    /// Whether it is reached; of an assert, whether it can fail.
    pub reachable: bool,
}

/// Named numbers of a run, in the order they were noted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats(Vec<(&'static str, u64)>);

impl Stats {
    /// Notes a number, replacing an earlier one of the same name.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// The number of this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().copied()
    }
}

impl<V, P, G: Default> Claim<V, P, G> {
    /// A claim without certificate, bounds, goals and numbers.
    pub fn new(answer: Verdict<V>) -> Self {
        Claim {
            answer,
            certificate: None,
            lacks: None,
            scope: Scope::default(),
            goals: G::default(),
            stats: Stats::default(),
        }
    }

    /// Nothing is claimed.
    pub fn unknown(reason: Reason) -> Self {
        Claim::new(Verdict::Unknown(reason))
    }
}

impl Claim {
    /// The goal is reached at `site`, with the trace or why there is none. A limit that ends the search for
    /// the trace does not end what is known.
    pub fn reaches(&mut self, site: GoalSite, trace: Result<Trace, Reason>) {
        self.lacks = None;
        match trace {
            Ok(trace) => {
                self.stats.set("trace_statements", trace.n_statements());
                self.answer = Verdict::Unsafe(Reached { site, trace: Some(trace) });
            }
            Err(limit @ Reason::Exhausted(_)) => {
                self.answer = Verdict::Unsafe(Reached { site, trace: None });
                self.lacks = Some(limit);
            }
            // Soundness: a way that is not found again may never have been one.
            Err(reason) => self.answer = Verdict::Unknown(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_base::Exhausted;
    use hardbop_cfg::{EdgeId, EdgeRef, ProcId};

    use super::{Claim, GoalSite, Reached, Reason, Verdict};

    fn site() -> GoalSite {
        GoalSite::Assert(EdgeRef { proc: ProcId::from_u32(0), edge: EdgeId::from_u32(0) })
    }

    #[test]
    fn a_limit_takes_the_trace_and_leaves_the_verdict() {
        let mut claim = Claim::new(Verdict::Safe);
        let limit = Reason::Exhausted(Exhausted::Time(Duration::from_secs(5)));
        claim.reaches(site(), Err(limit.clone()));
        assert!(matches!(claim.answer, Verdict::Unsafe(Reached { trace: None, .. })));
        assert_eq!(claim.lacks, Some(limit));
    }

    #[test]
    fn a_way_that_is_not_found_again_is_no_verdict() {
        let mut claim = Claim::new(Verdict::Safe);
        claim.reaches(site(), Err(Reason::of_lost(Ok(()), "lost")));
        assert!(matches!(claim.answer, Verdict::Unknown(Reason::Internal(_))));
    }
}

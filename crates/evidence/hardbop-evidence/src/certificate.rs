//! Why a program is safe, in one of several kinds, and the text form all kinds share.
//!
//! A certificate is a set of states, written down so that three things can be checked without
//! search: it holds the initial states, no step leaves it, and the goal is not in it. The crate
//! `hardbop-certify` checks just that. The text form is described in `docs/formats/certificate.md`.

use hardbop_cfg::Goal;

use crate::lines::Lines;
use crate::nets::NetProof;
use crate::sequential::Invariants;
use crate::threads::ThreadProof;

/// A proof that the goal is unreachable.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// One thread, with recursion.
    Sequential(Invariants),
    /// Several threads.
    Threads(ThreadProof),
    /// A net.
    Net(NetProof),
}

/// The first words of every certificate; the kind follows.
const VERSION: &str = "hardbop-certificate 1";

impl Certificate {
    /// What it excludes in a program.
    pub fn goal(&self) -> Option<&Goal> {
        match self {
            Certificate::Sequential(it) => Some(&it.goal),
            Certificate::Threads(it) => Some(&it.goal),
            Certificate::Net(_) => None,
        }
    }

    /// The versioned text form.
    pub fn print(&self) -> String {
        let kind = match self {
            Certificate::Sequential(_) => "sequential",
            Certificate::Threads(it) => it.set.kind(),
            Certificate::Net(it) => it.kind(),
        };
        let mut out = format!("{VERSION} {kind}\n");
        match self {
            Certificate::Sequential(it) => it.print(&mut out),
            Certificate::Threads(it) => it.print(&mut out),
            Certificate::Net(it) => it.print(&mut out),
        }
        out
    }

    /// Reads the text form; `Err` names the line.
    pub fn read(text: &str) -> Result<Certificate, String> {
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        let kind = first.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix(' '));
        let Some(kind) = kind else {
            return Err(format!("line 1: expected `{VERSION}` and a kind"));
        };
        if kind == "sequential" {
            return Invariants::read(Lines(lines)).map(Certificate::Sequential);
        }
        match NetProof::read(kind, Lines(lines.clone())) {
            Some(proof) => proof.map(Certificate::Net),
            None => ThreadProof::read(kind, Lines(lines)).map(Certificate::Threads),
        }
    }
}

impl From<Invariants> for Certificate {
    fn from(invariants: Invariants) -> Self {
        Certificate::Sequential(invariants)
    }
}

impl From<NetProof> for Certificate {
    fn from(proof: NetProof) -> Self {
        Certificate::Net(proof)
    }
}

impl From<ThreadProof> for Certificate {
    fn from(proof: ThreadProof) -> Self {
        Certificate::Threads(proof)
    }
}

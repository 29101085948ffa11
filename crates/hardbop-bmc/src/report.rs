//! What an engine has found out about the checks of a program.

use std::collections::BTreeMap;
use std::fmt;

use hardbop_base::{Exhausted, Name, Span};
use hardbop_cir::{CheckId, Class, FuncId, Op, Program};

use crate::counterexample::Counterexample;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The bound cut executions at a loop or recursion of this function.
    Bounded {
        func: FuncId,
        /// The head of the loop; `None` for recursion.
        head: Option<Span>,
        bound: u32,
    },
    /// Executions of more blocks than this were not looked at.
    Depth(u32),
    /// Something on the way is not modelled.
    Unsupported(Name),
    /// The same, with the place.
    UnsupportedAt(Name, Span),
    /// The solver has a violation that the interpreter does not show.
    Unconfirmed,
    /// The search ended with the first violation, as asked.
    Stopped,
    /// Some runs were executed, which says nothing about the others.
    Runs(Runs),
    Exhausted(Exhausted),
    /// An engine failed: our mistake.
    Internal(Name),
}

impl Reason {
    /// The solver called a question satisfiable and its model answers no part of it.
    pub fn not_a_model() -> Reason {
        Reason::Internal("the solver's model does not satisfy what was asked".into())
    }
}

impl From<Exhausted> for Reason {
    fn from(limit: Exhausted) -> Reason {
        Reason::Exhausted(limit)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Bounded { head: Some(_), bound, .. } => {
                write!(f, "a loop goes on after {bound} rounds")
            }
            Reason::Bounded { head: None, bound, .. } => {
                write!(f, "a function calls itself more than {bound} times")
            }
            Reason::Depth(depth) => write!(f, "executions go on after {depth} blocks"),
            Reason::Unsupported(what) | Reason::UnsupportedAt(what, _) => f.write_str(what),
            Reason::Unconfirmed => f.write_str("the violation is not confirmed by a run"),
            Reason::Stopped => f.write_str("the search ended with another violation"),
            Reason::Runs(it) => it.fmt(f),
            Reason::Exhausted(it) => it.fmt(f),
            Reason::Internal(why) => f.write_str(why),
        }
    }
}

/// What was executed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Runs {
    pub n_runs: u64,
    pub n_steps: u64,
    /// Blocks that some run has come to, of all that were not cut away.
    pub n_covered: usize,
    pub n_blocks: usize,
    /// The limit that ended them, if one did.
    pub limit: Option<Exhausted>,
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Runs { n_runs, n_steps, n_covered, n_blocks, limit } = self;
        if let Some(limit) = limit {
            write!(f, "{limit}; ")?;
        }
        write!(f, "{n_runs} runs of {n_steps} steps came to {n_covered} of {n_blocks} blocks")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Unsafe(Counterexample),
    Unknown(Reason),
}

#[derive(Clone, Debug)]
pub struct Report {
    /// Every check of the classes asked for that the program contains.
    pub checks: BTreeMap<CheckId, Verdict>,
    /// Why the search was not complete, if it was not: it also holds of a program without checks.
    pub incomplete: Option<Reason>,
    /// The last bound that was unrolled to the end.
    pub bound: u32,
}

impl Report {
    /// Every check of the classes with the verdict found for it, the others with that of the rest:
    /// safe, unless the search was not complete.
    pub fn new(
        program: &Program,
        classes: &[Class],
        found: BTreeMap<CheckId, Verdict>,
        incomplete: Option<Reason>,
        bound: u32,
    ) -> Report {
        let rest = incomplete.clone().map_or(Verdict::Safe, Verdict::Unknown);
        let mut checks = found;
        for (_, _, inst) in program.insts() {
            if let Op::Check { check, .. } = inst.op
                && classes.contains(&program.checks[check].class)
            {
                checks.entry(check).or_insert_with(|| rest.clone());
            }
        }
        Report { checks, incomplete, bound }
    }

    /// Nothing was found out.
    pub fn unknown(program: &Program, classes: &[Class], reason: Reason) -> Report {
        Report::new(program, classes, BTreeMap::new(), Some(reason), 0)
    }

    /// The verdict on all checks together: a violation before doubt before safety.
    pub fn overall(&self) -> Verdict {
        let find = |wanted: fn(&Verdict) -> bool| self.checks.values().find(|it| wanted(it));
        find(|it| matches!(it, Verdict::Unsafe(_)))
            .or_else(|| find(|it| matches!(it, Verdict::Unknown(_))))
            .cloned()
            .or_else(|| self.incomplete.clone().map(Verdict::Unknown))
            .unwrap_or(Verdict::Safe)
    }
}

//! Why there is no answer. Every engine, for programs, nets and C, has the same reasons.

use std::fmt;

use hardbop_base::{Exhausted, Name, Span};

/// Why nothing is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A limit was reached.
    Exhausted(Exhausted),
    /// No violation up to a bound; beyond it nothing is known.
    Bounded(Horizon),
    /// The engine cannot take such programs, or something on the way is not modelled; the text says what.
    Unsupported(String),
    /// The same, with the place.
    UnsupportedAt(String, Span),
    /// The engine has a violation that no run of the interpreter shows: something it depends on is not
    /// modelled exactly.
    NotShown,
    /// The search ended with another violation, as asked.
    Stopped,
    /// A violation that there is only if functions without a body return what nothing says they do: what
    /// they returned.
    DependsOn(Vec<String>),
    /// Some runs were executed, which says nothing about the others.
    Runs(Runs),
    /// A claim was made and separate code did not confirm it: our mistake, never the user's.
    NotConfirmed(String),
    /// Engines contradict each other: our mistake. What each of them claimed.
    Contradiction(Vec<Claimed>),
    /// An engine failed in a way it should not.
    Internal(String),
}

/// What cut the executions that were not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// The bounds in the scope of the claim.
    Scope,
    /// Rounds of the loop with this head.
    Loop {
        /// Where the loop begins.
        head: Span,
        /// How many were followed.
        rounds: u32,
    },
    /// Calls of a function inside itself.
    Recursion {
        /// Its name.
        func: Name,
        /// How many were followed.
        calls: u32,
    },
    /// Basic blocks of an execution.
    Blocks(u32),
}

/// What was executed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Runs {
    /// How many executions.
    pub n_runs: u64,
    /// Of all of them together.
    pub n_steps: u64,
    /// Blocks that some run has come to.
    pub n_covered: usize,
    /// All blocks that were not cut away.
    pub n_blocks: usize,
    /// The limit that ended them, if one did.
    pub limit: Option<Exhausted>,
}

/// One of several claims that cannot all be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// Whose claim it is.
    pub engine: &'static str,
    /// Whether it says safe; otherwise unsafe.
    pub is_safe: bool,
}

impl Reason {
    /// Two claims of which one says safe and the other unsafe.
    pub fn contradiction(safe: &'static str, other: &'static str) -> Reason {
        Reason::Contradiction(vec![
            Claimed { engine: safe, is_safe: true },
            Claimed { engine: other, is_safe: false },
        ])
    }

    /// The solver called a question satisfiable and its model answers no part of it.
    pub fn not_a_model() -> Reason {
        Reason::Internal("the solver's model does not satisfy what was asked".into())
    }

    /// Why a second search has not found what the first one has: a limit, or else our mistake.
    pub fn of_lost(searched: Result<(), Exhausted>, mistake: &str) -> Self {
        match searched {
            Ok(()) => Reason::Internal(mistake.into()),
            Err(limit) => Reason::Exhausted(limit),
        }
    }

    /// One word for machines, see `docs/formats/result-json.md`.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Exhausted(limit) | Reason::Runs(Runs { limit: Some(limit), .. }) => match limit
            {
                Exhausted::Time(_) => "time",
                Exhausted::Memory(_) => "memory",
                Exhausted::Nodes(_) => "nodes",
                Exhausted::States(_) => "states",
                Exhausted::Cancelled => "interrupted",
            },
            Reason::Runs(Runs { limit: None, .. }) => "runs",
            Reason::Bounded(_) => "bounded",
            Reason::Unsupported(_) | Reason::UnsupportedAt(..) => "unsupported",
            Reason::NotShown => "not-shown",
            Reason::Stopped => "stopped",
            Reason::DependsOn(_) => "depends",
            Reason::NotConfirmed(_) => "not-confirmed",
            Reason::Contradiction(_) | Reason::Internal(_) => "internal",
        }
    }

    /// Whether the mistake is ours: the command then ends with a code of its own.
    pub fn is_our_mistake(&self) -> bool {
        matches!(self, Reason::NotConfirmed(_) | Reason::Contradiction(_) | Reason::Internal(_))
    }

    /// Whether it is only that another violation came first.
    pub fn is_stopped(&self) -> bool {
        *self == Reason::Stopped
    }

    /// A sentence for people, with numbers; `place` says where something is.
    pub fn told(&self, place: impl Fn(Span) -> String) -> String {
        match self {
            Reason::Bounded(Horizon::Loop { head, rounds }) => format!(
                "the loop at {} can go on after {rounds} rounds; `--unwind` gives it more",
                place(*head)
            ),
            Reason::UnsupportedAt(what, at) => format!("{what}, at {}", place(*at)),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Exhausted(limit) => limit.fmt(f),
            Reason::Bounded(bound) => bound.fmt(f),
            Reason::Unsupported(what) | Reason::UnsupportedAt(what, _) => f.write_str(what),
            Reason::NotShown => f.write_str("the violation is not confirmed by a run"),
            Reason::Stopped => f.write_str("the search ended with another violation"),
            Reason::DependsOn(results) => write!(
                f,
                "there is a violation if {}, which nothing says of a function without a body",
                results.join(" and ")
            ),
            Reason::Runs(runs) => runs.fmt(f),
            Reason::NotConfirmed(why) => {
                write!(f, "the engine's claim was not confirmed: {why}")
            }
            Reason::Contradiction(claims) => {
                let claims: Vec<_> = claims.iter().map(ToString::to_string).collect();
                write!(f, "engines contradict each other: {}", claims.join(", "))
            }
            Reason::Internal(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Horizon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Horizon::Scope => {
                f.write_str("no violation up to the bound; beyond it nothing is known")
            }
            Horizon::Loop { rounds, .. } => write!(f, "a loop goes on after {rounds} rounds"),
            Horizon::Recursion { func, calls } => write!(
                f,
                "`{func}` can call itself more than {calls} times; `--unwind` gives it more"
            ),
            Horizon::Blocks(depth) => write!(f, "executions go on after {depth} blocks"),
        }
    }
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

impl fmt::Display for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.is_safe { "safe" } else { "unsafe" };
        write!(f, "{} says {answer}", self.engine)
    }
}

impl From<Exhausted> for Reason {
    fn from(limit: Exhausted) -> Reason {
        Reason::Exhausted(limit)
    }
}

//! The tool's say.

use std::fmt;
use std::time::Duration;

use hardbop_base::Exhausted;
use hardbop_base::progress::Seen;
use hardbop_c::CProgram;
use hardbop_certify::{Accepted, Rejected};
use hardbop_cfg::Goal;
use hardbop_cir::Class;
use hardbop_engine::{Reason, Scope, Stats, Verdict};
use hardbop_evidence::Certificate;

use crate::c::{Coverage, Evidence, Property, Round, Run};
use crate::cube::Part;
use crate::explain::Invariant;
use crate::shown::{ShownGoal, ShownPassage, ShownStep};

/// What was asked of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Of a Boolean program: what must not be reached.
    Goal(Goal),
    /// Of a net: the states that must not be covered.
    Targets(String),
    /// Of a C program: the classes of properties.
    Properties(Vec<Class>),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Goal(goal) => goal.fmt(f),
            Asked::Targets(targets) => write!(f, "target:{targets}"),
            Asked::Properties(classes) => {
                let names: Vec<_> = classes.iter().map(|it| it.name()).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

/// Where the goal is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The file; `None` if it is the one that was checked.
    pub file: Option<String>,
    /// Line in the source, where there is one.
    pub line: Option<u32>,
    /// `assertion` or `label NAME`; for C the class and a message.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " at {file}:{line}"),
            (None, Some(line)) => write!(f, " at line {line}"),
            (_, None) => Ok(()),
        }
    }
}

/// A verdict with everything worth telling.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer; an unsafe one says where.
    pub verdict: Verdict<Violation>,
    /// For an unknown verdict a sentence with places and numbers.
    pub detail: Option<String>,
    /// The bounds it is relative to.
    pub scope: Scope,
    /// Whether no bound on threads applied although the program starts threads.
    pub unbounded_threads: bool,
    /// Whether separate code has confirmed the evidence.
    pub certified: bool,
    /// The engine that answered.
    pub engine: &'static str,
    /// What was asked.
    pub asked: Asked,
    /// Of a C program: a violation that there is only if functions without a body return what nothing says.
    pub depending: Option<Violation>,
    /// For an unsafe verdict, unless no trace was wanted: one entry a statement.
    pub trace: Option<Vec<ShownStep>>,
    /// The same for C.
    pub run: Option<Run>,
    /// What the calls that the trace goes over stand for, each once; inner ones first.
    pub passages: Vec<ShownPassage>,
    /// For a safe verdict of an engine that writes one, unless none was wanted.
    pub certificate: Option<Certificate>,
    /// The same of a C program: what the certifier has accepted.
    pub c_certificate: Option<hardbop_certify_c::Certificate>,
    /// Why the evidence that was asked for is missing or unchecked; the verdict stands without it.
    pub lacks: Option<String>,
    /// Whether everything was to be explored.
    pub is_exhaustive: bool,
    /// For an exhaustive run: every assert and label.
    pub goals: Vec<ShownGoal>,
    /// Every check of a C program, in order of position.
    pub properties: Vec<Property>,
    /// Why it is safe, place by place, once somebody has asked: see [`crate::reasons`].
    pub invariants: Vec<Invariant>,
    /// Of a C program that engine `cegar` has looked at, if somebody has asked: the Boolean programs it made.
    pub rounds: Vec<Round>,
    /// Who worked on it, and what each has said.
    pub engines: Vec<Seen>,
    /// Which lines executions reach, once somebody has asked: see [`crate::coverage`].
    pub coverage: Coverage,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// What a reader should not miss.
    pub warnings: Vec<String>,
    /// The values that show a violation of a C program, or why it has none.
    pub evidence: Option<Evidence>,
    /// The C program the evidence is about, where that is not the one that was checked but one with fewer
    /// executions.
    pub program: Option<Box<CProgram>>,
    /// Where only some executions were asked about: which, and what is said of them.
    pub part: Option<Part>,
    /// The engine's numbers.
    pub stats: Stats,
    /// Wall-clock time of the engine and of the confirmation.
    pub time: Duration,
}

impl Outcome {
    /// Nothing but a verdict.
    pub(crate) fn new(asked: Asked, verdict: Verdict<Violation>) -> Outcome {
        Outcome {
            verdict,
            detail: None,
            scope: Scope::default(),
            unbounded_threads: false,
            certified: false,
            engine: "auto",
            asked,
            depending: None,
            trace: None,
            run: None,
            passages: Vec::new(),
            certificate: None,
            c_certificate: None,
            lacks: None,
            is_exhaustive: false,
            goals: Vec::new(),
            properties: Vec::new(),
            invariants: Vec::new(),
            rounds: Vec::new(),
            engines: Vec::new(),
            coverage: Coverage::new(),
            assumptions: Vec::new(),
            warnings: Vec::new(),
            evidence: None,
            program: None,
            part: None,
            stats: Stats::default(),
            time: Duration::ZERO,
        }
    }

    /// Why nothing is claimed, or why the evidence is missing, in a sentence.
    pub fn detail(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Unknown(reason) => {
                Some(self.detail.clone().unwrap_or_else(|| reason.to_string()))
            }
            Verdict::Safe | Verdict::Unsafe(_) => self.lacks.clone(),
        }
    }

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
                self.verdict = Verdict::Unknown(why);
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
        other => format!("no {kind} was found: {other}"),
    }
}

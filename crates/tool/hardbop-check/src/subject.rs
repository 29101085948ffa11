//! One way for everything that can be checked.

use std::sync::Arc;

use hardbop_base::SourceFile;
use hardbop_c::CProgram;
use hardbop_cfg::Program;
use hardbop_engine::RunCtx;
use hardbop_evidence::Certificate;

use crate::engines::Kind;
use crate::explain::{Invariant, Topic};
use crate::nets::NetSubject;
use crate::outcome::Outcome;
use crate::run::Request;
use crate::{c, cover, cube, explain, nets, run};

/// What is checked.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A Boolean program.
    Program {
        /// The program.
        program: &'a Arc<Program>,
        /// The text it was read from, if there is one: lines and statements are shown in its words.
        source: Option<&'a SourceFile>,
    },
    /// A net.
    Net(NetSubject<'a>),
    /// A C program, read with the checks of the classes that the request names.
    C(&'a CProgram),
}

impl Subject<'_> {
    /// What it is.
    pub fn kind(&self) -> Kind {
        match self {
            Subject::Program { .. } => Kind::Program,
            Subject::Net(_) => Kind::Net,
            Subject::C(_) => Kind::C,
        }
    }
}

/// Decides a request. An engine that panics makes the verdict unknown, never anything else.
pub fn check(subject: Subject<'_>, request: &Request, ctx: &RunCtx) -> Outcome {
    let mut outcome = match request.cube {
        Some(cube) => cube::check(subject, cube, request, ctx),
        None => whole(subject, request, ctx),
    };
    outcome.engines = ctx.progress.rivals();
    outcome
}

/// All executions.
pub(crate) fn whole(subject: Subject<'_>, request: &Request, ctx: &RunCtx) -> Outcome {
    match subject {
        Subject::Program { program, source } => run::check(program, source, request, ctx),
        Subject::Net(net) => nets::check(&net, request, ctx),
        Subject::C(program) => c::check(program, request, ctx),
    }
}

/// Why a subject is safe, in words: read off the certificate, or off the proof about a C program. `Err` says why
/// nothing can be told.
pub fn reasons(
    subject: Subject<'_>,
    outcome: &Outcome,
    topic: &Topic,
) -> Result<Vec<Invariant>, String> {
    let nothing = || format!("engine {} tells no reasons", outcome.engine);
    if let Subject::C(loaded) = subject {
        return match &outcome.evidence {
            Some(c::Evidence::Proof(proof)) => about(c::invariants(loaded, proof), topic),
            Some(c::Evidence::Cover(cover)) => about(c::of_threads(loaded, cover), topic),
            _ => Err(nothing()),
        };
    }
    match (outcome.certificate.as_ref().ok_or_else(nothing)?, subject) {
        (Certificate::Sequential(it), Subject::Program { program, source }) => {
            explain::invariants(program, source, it, topic)
        }
        (Certificate::Threads(it), Subject::Program { program, source }) => {
            about(cover::of_threads(program, source, it), topic)
        }
        (Certificate::Net(it), _) => about(cover::of_net(it), topic),
        _ => Err(nothing()),
    }
}

/// Those that are about a place.
fn about(list: Vec<Invariant>, topic: &Topic) -> Result<Vec<Invariant>, String> {
    let (what, wanted): (String, Vec<Invariant>) = match topic {
        Topic::Everything | Topic::EveryLine => return Ok(list),
        Topic::Line(line) => {
            let here = list.into_iter().filter(|it| it.line == Some(*line));
            (format!("line {line}"), here.collect())
        }
        Topic::Procedure(name) => {
            let here = list.into_iter().filter(|it| it.proc.as_deref() == Some(name));
            (name.clone(), here.collect())
        }
    };
    if wanted.is_empty() { Err(format!("the proof says nothing of {what}")) } else { Ok(wanted) }
}

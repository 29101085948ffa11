//! One way for everything that can be checked.

use std::sync::Arc;

use hardbop_base::SourceFile;
use hardbop_c::CProgram;
use hardbop_cfg::Program;
use hardbop_engine::RunCtx;

use crate::engines::Kind;
use crate::nets::NetSubject;
use crate::outcome::Outcome;
use crate::run::Request;
use crate::{c, nets, run};

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
    match subject {
        Subject::Program { program, source } => run::check(program, source, request, ctx),
        Subject::Net(net) => nets::check(&net, request, ctx),
        Subject::C(program) => c::check(program, request, ctx),
    }
}

//! The facade: a subject and a request go in, a verdict with its evidence comes out.
//!
//! [`check`] chooses engines, lets them race, and turns the winner's claim into an [`Outcome`] only after
//! separate code has confirmed the evidence: a trace is replayed by the reference semantics, a certificate
//! is re-checked, a violation of a C program is shown again by the interpreter. Nothing a
//! request can say raises a verdict. No input or output happens here.
//!
//! A Boolean program:
//! ```
//! use std::sync::Arc;
//! use hardbop_check::{Request, Subject, check};
//! use hardbop_engine::RunCtx;
//!
//! let source = hardbop_base::SourceFile::new("p.bp", "decl g; void main() begin assert(g); end");
//! let program = Arc::new(hardbop_bp::load(&source).0.expect("it is a program"));
//! let subject = Subject::Program { program: &program, source: Some(&source) };
//! let outcome = check(subject, &Request::default(), &RunCtx::default());
//! assert!(outcome.verdict.is_unsafe());
//! assert!(outcome.certified, "the trace was replayed");
//! ```
//! A net, here one whose one rule starts threads; two of them in one place are asked about:
//! ```
//! use std::sync::Arc;
//! use hardbop_check::{NetSubject, Request, Subject, check};
//! use hardbop_engine::RunCtx;
//! use hardbop_net::{Question, query, tts};
//!
//! let source = hardbop_base::SourceFile::new("n.tts", "1 2\n0 0 +> 0 1\n");
//! let net = Arc::new(tts::parse(&source).expect("it is a net"));
//! let initial = query::initial("0|0").expect("it is a state");
//! let targets = query::targets("0|1,1").expect("it is a state");
//! let question = Arc::new(Question { initial, targets });
//! let subject = Subject::Net(NetSubject { net: &net, question: &question, source: &source });
//! let outcome = check(subject, &Request::default(), &RunCtx::default());
//! assert!(outcome.verdict.is_unsafe());
//! assert!(outcome.certified, "the run was replayed");
//! ```
//! A C program:
//! ```
//! use hardbop_check::{Request, Subject, check};
//! use hardbop_engine::RunCtx;
//!
//! let text = "int nondet(void); int main(void) { int a[3]; int i = nondet(); if (i < 0 || i > 3) return 0; return a[i]; }";
//! let request = Request::default();
//! let options = hardbop_c::Options { classes: request.c.classes.clone(), ..Default::default() };
//! let program = hardbop_c::load_text(vec![("p.c".into(), text.into())], &options).expect("it is C");
//! let outcome = check(Subject::C(&program), &request, &RunCtx::default());
//! let violation = outcome.verdict.violation().expect("a[3] is outside");
//! assert!(violation.what.starts_with("bounds: "));
//! ```
#![warn(missing_docs)]

pub mod c;
mod contest;
mod cover;
mod cube;
mod engines;
mod explain;
mod fewest;
mod goals;
mod nets;
mod outcome;
mod processor;
mod proof;
mod race;
pub mod render;
mod run;
mod shown;
mod start;
mod subject;

pub use c::{CEngine, CRequest, coverage};
pub use cube::{Cube, Fixed, Part};
pub use engines::{EngineEntry, Kind, engine_named, entries, entry_named, program_engines};
pub use explain::{Invariant, Topic};
pub use hardbop_engine::Verdict;
pub use nets::NetSubject;
pub use outcome::{Asked, Outcome, Violation};
pub use race::{Judge, Rival, Worth, race};
pub use run::Request;
pub use shown::{Shown, ShownGoal, ShownOver, ShownPassage, ShownStep};
pub use start::StartingLine;
pub use subject::{Subject, check, reasons};

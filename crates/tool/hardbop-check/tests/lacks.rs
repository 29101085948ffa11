//! A verdict that comes without its evidence is a verdict, and says why the evidence is missing.

use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Exhausted, SourceFile};
use hardbop_check::render::{self, Report};
use hardbop_check::{Outcome, Request, Subject, check};
use hardbop_engine::{Claim, Engine, Reason, RunCtx, Task, Verdict, goals};

const PROGRAM: &str = "void main() begin assert(F); end";

/// Knows the answer and finds no evidence in time.
struct OutOfTime {
    is_safe: bool,
}

impl Engine for OutOfTime {
    fn name(&self) -> &'static str {
        "out-of-time"
    }

    fn about(&self) -> &'static str {
        "for this test"
    }

    fn accepts(&self, _: &Task<'_>) -> Result<(), String> {
        Ok(())
    }

    fn check(&self, task: &Task<'_>, _: &RunCtx) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        let limit = Reason::Exhausted(Exhausted::Time(Duration::from_secs(5)));
        if self.is_safe {
            claim.lacks = Some(limit);
        } else {
            let site = goals::sites(task.program).remove(0);
            claim.reaches(site, Err(limit));
        }
        claim
    }
}

fn outcome(engine: &'static dyn Engine) -> Outcome {
    let source = SourceFile::new("t.bp", PROGRAM);
    let program = Arc::new(hardbop_bp::load(&source).0.expect("the program is right"));
    let request = Request { engine: Some(engine.into()), ..Request::default() };
    let subject = Subject::Program { program: &program, source: Some(&source) };
    check(subject, &request, &RunCtx::default())
}

fn says(outcome: &Outcome, verdict: &str, lacks: &str) {
    assert!(!outcome.certified);
    let report = Report { file: "t.bp", outcome };
    let text = render::human(report, None);
    assert!(text.contains(lacks), "{text}");
    let object = render::json(report);
    assert_eq!((&object["verdict"], &object["detail"]), (&verdict.into(), &lacks.into()));
    assert!(object["reason"].is_null() && object["certified"] == false);
}

#[test]
fn unsafe_without_a_trace() {
    let outcome = outcome(&OutOfTime { is_safe: false });
    assert_eq!(outcome.verdict.violation().map(|it| it.line), Some(Some(1)));
    says(&outcome, "unsafe", "no trace was found in time");
}

#[test]
fn safe_without_a_certificate() {
    let outcome = outcome(&OutOfTime { is_safe: true });
    assert_eq!(outcome.verdict, Verdict::Safe);
    says(&outcome, "safe", "no certificate was found in time");
}

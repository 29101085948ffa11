//! Questions about a Boolean program that starts no thread: engines for threads answer them, too, and what says
//! nothing about it is told.

use std::sync::Arc;

use hardbop_base::SourceFile;
use hardbop_check::{Outcome, Request, Subject, check, entry_named};
use hardbop_engine::{RunCtx, Threads, Verdict};

fn ask(text: &str, request: Request) -> Outcome {
    let source = SourceFile::new("t.bp", text);
    let program = Arc::new(hardbop_bp::load(&source).0.expect("the program is right"));
    let subject = Subject::Program { program: &program, source: Some(&source) };
    check(subject, &request, &RunCtx::default())
}

#[test]
fn engines_for_threads_take_it() {
    let text = |value| format!("decl g; void main() begin g := T; assert({value}); end");
    for name in ["counter-explicit", "counter", "symbolic", "karp-miller", "backward", "cutoff"] {
        let request = || Request { engine: entry_named(name), ..Request::default() };
        let safe = ask(&text("g"), request());
        assert_eq!((&safe.verdict, safe.certified), (&Verdict::Safe, true), "{name}");
        let unsafe_ = ask(&text("!g"), request());
        assert!(unsafe_.verdict.violation().is_some() && unsafe_.certified, "{name}");
        assert_eq!((safe.warnings.len(), unsafe_.warnings.len()), (0, 0), "{name}");
    }
}

#[test]
fn what_says_nothing_is_told() {
    let empty = "decl g; void main() begin g := T; end";
    let outcome = ask(empty, Request::default());
    assert_eq!(outcome.verdict, Verdict::Safe);
    assert!(outcome.warnings[0].starts_with("there is nothing to check"), "{outcome:?}");

    let bounded = Request { threads: Some(Threads::AtMost(2)), ..Request::default() };
    let outcome = ask("void main() begin assert(T); end", bounded);
    assert_eq!(outcome.warnings.len(), 1, "{outcome:?}");
    assert!(outcome.warnings[0].contains("--initial-threads"), "{outcome:?}");
}

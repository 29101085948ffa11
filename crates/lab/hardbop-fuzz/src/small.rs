//! Shrinking a failing program, with an end to it.

use std::time::{Duration, Instant};

use hardbop_bp::ast::Program;

use crate::campaign::{Failure, FailureKind};
use crate::caught::catch;

/// How long a failing program is made smaller.
const LIMIT: Duration = Duration::from_secs(60);

/// The text of the smallest program found for which `check` fails in the same way.
pub fn shrunk_text(
    program: &Program,
    kind: FailureKind,
    check: &dyn Fn(&Program) -> Result<(), Failure>,
) -> String {
    let start = Instant::now();
    let small = hardbop_gen::shrink(program, &mut |candidate| {
        start.elapsed() < LIMIT
            && match catch(|| check(candidate)) {
                Ok(outcome) => outcome.is_err_and(|failure| failure.kind == kind),
                Err(_) => kind == FailureKind::Panic,
            }
    });
    // The printer may be what fails.
    catch(|| hardbop_bp::print(&small)).unwrap_or_else(|_| format!("{small:#?}"))
}

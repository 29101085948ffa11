//! How engine `runs` takes its part in `auto`: a short stretch ahead of the others, then in turns with them.
//!
//! The stretch is counted in steps and runs, so that what it finds does not depend on the machine.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use hardbop_base::{Budget, CancelToken};
use hardbop_cir::Program;
use hardbop_engine_c::{Options, Report};
use hardbop_runs::{Limits, Search};

use crate::start::StartingLine;

/// Before the others begin.
const STRETCH: Limits = Limits { n_runs: 300, n_steps: 200_000 };
/// What is granted when the others have ended without a verdict.
const ALONE: Duration = Duration::from_secs(1);

/// Runs of a program whose other engines wait behind the line.
pub(super) fn runs(
    program: &Arc<Program>,
    options: &Options,
    budget: &Budget,
    line: &StartingLine,
) -> Report {
    let mut search = Search::new(program, options);
    if search.go(STRETCH, budget, &mut || {}) {
        return search.report();
    }
    line.open();
    let enough = CancelToken::default();
    let own = budget.clone().with_cancel(enough.clone());
    let here = ThreadTime::now();
    let mut pace = || {
        if budget.check().is_err() || line.is_alone() && here.elapsed() > ALONE {
            enough.cancel();
        }
    };
    search.go(Limits::default(), &own, &mut pace);
    search.report()
}

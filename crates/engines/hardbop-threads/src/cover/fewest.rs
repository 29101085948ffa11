//! A run with the fewest threads: backward with at most 1, 2, … threads until a target is covered.

use hardbop_base::Exhausted;
use hardbop_engine::RunCtx;

use crate::cover::backward::Backward;
use crate::cover::modular::Modular;
use crate::cover::run::Run;
use crate::cover::system::{State, System};

/// Elements looked at for each number of threads.
const MOST_ELEMENTS: usize = 50_000;

/// `None` if the targets cannot be covered, or if that takes too long to find.
pub fn fewest_threads(
    system: &mut dyn System,
    targets: &[State],
    ctx: &RunCtx,
) -> Result<Option<Run>, Exhausted> {
    let mut meter = ctx.budget.meter(256);
    let modular = Modular::new(system, &mut meter)?;
    let least = targets.iter().map(|target| target.counts.total()).min().unwrap_or(0);
    for n_threads in least.max(1).. {
        let mut backward = Backward::new(system, &modular, &mut meter)?;
        (backward.max_threads, backward.max_elements) = (n_threads, MOST_ELEMENTS);
        match backward.search(system, targets, ctx) {
            Ok(Some(_)) => return backward.run(system, ctx),
            Ok(None) if backward.is_complete() => return Ok(None),
            Ok(None) => {}
            Err(Exhausted::States(_)) => return Ok(None),
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

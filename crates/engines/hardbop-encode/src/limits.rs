//! How many nodes the diagrams of a run may have.

use hardbop_base::memory;
use hardbop_dd::Limits;
use hardbop_engine::RunCtx;

/// What a run may use for diagrams, by its memory and by its time.
pub fn limits_of(ctx: &RunCtx) -> Limits {
    limits_now(limits(ctx), ctx)
}

/// One operation on diagrams cannot be interrupted by the clock, but it ends when the nodes do: allow
/// no more of them than can be made in the time that is left.
pub fn limits_now(limits: Limits, ctx: &RunCtx) -> Limits {
    const NODES_PER_SECOND: f64 = 5e6;
    match ctx.budget.time_left() {
        None => limits,
        Some(left) => {
            let affordable = (left.as_secs_f64() * NODES_PER_SECOND) as usize;
            limits.with_nodes(limits.nodes.min(affordable.max(100_000)))
        }
    }
}

/// Memory for diagrams: what the limit leaves, less what the process uses already.
fn limits(ctx: &RunCtx) -> Limits {
    match ctx.budget.memory_limit() {
        None => Limits::NORMAL,
        Some(limit) => {
            let used = memory::resident_bytes().unwrap_or(0);
            Limits::of_memory(limit.saturating_sub(used))
        }
    }
}

//! The small interface between the tool and its engines. No algorithm lives here.
//!
//! An [`Engine`] is given a [`Task`] and a [`RunCtx`] and makes a [`Claim`]. A claim is not a
//! verdict: traces are replayed and certificates re-checked before anything is printed. Engines of C have
//! an interface of their own, `hardbop-engine-c`: what knows no C does not wait for its IR.
#![warn(missing_docs)]

mod claim;
pub mod goals;
mod order;
mod reason;
mod reduction;
mod task;
mod verdict;

pub use claim::{Claim, GoalSite, GoalStatus, Reached, Scope, Stats};
pub use order::Order;
pub use reason::{Claimed, Horizon, Reason, Runs};
pub use reduction::Reduction;
pub use task::{EVIDENCE, Exchange, InitialThreads, RunCtx, Task, Threads};
pub use verdict::Verdict;

/// One way to decide tasks.
pub trait Engine: Send + Sync {
    /// As on the command line.
    fn name(&self) -> &'static str;

    /// One line for `hardbop engines`: the programs it takes and the algorithm.
    fn about(&self) -> &'static str;

    /// Whether it looks only at executions with a bounded number of switches between threads: then it finds errors
    /// and proves nothing.
    fn bounds_switches(&self) -> bool {
        false
    }

    /// `Err` says, in words for the user, why this engine cannot take the task.
    fn accepts(&self, task: &Task<'_>) -> Result<(), String>;

    /// Decides the task as far as the budget goes. Called only for accepted tasks.
    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim;
}

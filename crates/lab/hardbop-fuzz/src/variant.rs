//! Engines as a user never has them: with a tiny first manager, or for programs that others are for.
//!
//! `symbolic:40` begins with a manager of 40 nodes, so nearly every run is begun again with another variable order and more
//! of them. `contexts-explicit` takes programs without recursion, too, where there are engines to compare it with.

use hardbop_engine::{Claim, Engine, InitialThreads, RunCtx, Task};
use hardbop_sequential::diagrams::Bdd;
use hardbop_threads::contexts::Contexts;
use hardbop_threads::cover_symbolic::karp_miller;
use hardbop_threads::stacks::ContextsExplicit;
use hardbop_threads::symbolic::{counter, plain, symbolic_pc};

/// The engine of that name with a first manager of so many nodes.
pub fn with_first_nodes(name: &str, nodes: usize) -> Result<&'static dyn Engine, String> {
    let check: Check = match name {
        "bdd" => |task, ctx, patience| Bdd { patience, ..Bdd::DEFAULT }.check(task, ctx),
        "symbolic" => plain::check_from,
        "symbolic-pc" => symbolic_pc::check_from,
        "counter" => counter::check_from,
        "karp-miller" => karp_miller::check_from,
        _ => return Err(format!("`{name}` has no first manager; bdd, symbolic, … have")),
    };
    let inner = hardbop_check::engine_named(name).ok_or("there is no such engine")?;
    // As long as the process: a few of them, named on the command line.
    Ok(Box::leak(Box::new(Small { inner, nodes, check })))
}

type Check = fn(&Task<'_>, &RunCtx, usize) -> Claim;

struct Small {
    inner: &'static dyn Engine,
    nodes: usize,
    check: Check,
}

impl Engine for Small {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn about(&self) -> &'static str {
        self.inner.about()
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        self.inner.accepts(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        (self.check)(task, ctx, self.nodes)
    }
}

/// `contexts-explicit`, also without recursion.
pub struct AnyStacks;

impl Engine for AnyStacks {
    fn name(&self) -> &'static str {
        ContextsExplicit.name()
    }

    fn about(&self) -> &'static str {
        ContextsExplicit.about()
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        if task.initial_threads == InitialThreads::Unbounded {
            return ContextsExplicit.accepts(task);
        }
        Contexts::BDD.accepts(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        ContextsExplicit.check(task, ctx)
    }
}

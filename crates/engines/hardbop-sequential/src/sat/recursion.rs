//! Universal summaries of procedures that call each other.
//!
//! BOOM section 4.4, theorem 4.5: it is enough to unfold calls up to a depth at which the pairs of
//! values at entry and exit of nested calls must repeat, because a call nested in an equal one can
//! be cut out. Likewise for calls that have not returned when a goal is reached: there equal values
//! at entry are enough. A run to a goal has both, returned calls below open ones, so the two depths
//! add up.
//!
//! **How the depth is found.** One body of each procedure is unrolled with calls of the component
//! left open, which allows more runs than there are. Copies of these bodies are chained, the values
//! of each level being those of an open call of the level above, all different from each other. If
//! no chain of n levels exists, n - 1 levels of calls suffice. SAT alone decides this.
//!
//! **Limits.** Bodies with open calls may nest deeper than real ones. Past [`MOST_LEVELS`] we give up,
//! and the fixpoint takes over.

use hardbop_base::IndexVec;
use hardbop_cfg::ProcId;
use hardbop_sat::{Copy, Term, Unmapped};

use crate::sat::sim::Sim;
use crate::sat::unroll::{Known, Limits, Stopped, Summary, Unrolled, unroll};

/// Of nested calls.
const MOST_LEVELS: usize = 5;

/// Exact summaries of the procedures of a component of the call graph, in its order, as far as
/// what is known of their other callees is.
pub fn summarise(
    sim: &mut Sim<'_>,
    component: &[ProcId],
    known: &IndexVec<ProcId, Known>,
    limits: Limits,
) -> Result<Vec<Summary>, Stopped> {
    let mut known = known.clone();
    set(&mut known, component, |_| Known::Nothing);
    let mut bodies = Vec::new();
    for &proc in component {
        let mut body = unroll(sim, proc, &known, limits)?;
        body.open_calls.retain(|call| component.contains(&call.callee));
        bodies.push(body);
    }
    let returned = n_levels(sim, component, &bodies, Chain::Returned)?;
    let open = n_levels(sim, component, &bodies, Chain::Open)?;
    set(&mut known, component, |_| Known::Blocked);
    let mut summaries = Vec::new();
    for _ in 0..returned + open {
        summaries.clear();
        for &proc in component {
            summaries.push(unroll(sim, proc, &known, limits)?.summary);
        }
        set(&mut known, component, |at| Known::Summary(summaries[at].clone()));
    }
    Ok(summaries)
}

fn set(known: &mut IndexVec<ProcId, Known>, component: &[ProcId], value: impl Fn(usize) -> Known) {
    for (at, &proc) in component.iter().enumerate() {
        known[proc] = value(at);
    }
}

/// Which calls are nested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    /// Calls that return: they differ in entry or exit.
    Returned,
    /// Calls on the stack: they differ in their entry.
    Open,
}

/// How many levels of nested calls there can be before one repeats.
fn n_levels(
    sim: &mut Sim<'_>,
    component: &[ProcId],
    bodies: &[Unrolled],
    chain: Chain,
) -> Result<usize, Stopped> {
    let mut levels: Vec<Level> = Vec::new();
    let mut all = Vec::new();
    for n in 0..=MOST_LEVELS {
        let level = Level::new(sim, component, bodies, chain);
        all.push(level.feasible);
        if let Some(outer) = levels.last() {
            all.push(outer.leads_to(sim, component, &level));
        }
        for earlier in &levels {
            all.push(earlier.differs(sim, &level));
        }
        levels.push(level);
        if !sim.oracle.is_satisfiable(&sim.aig, &all)? {
            return Ok(n);
        }
    }
    Err(Stopped::TooLarge)
}

/// A call of some procedure of the component.
struct Level {
    /// That one procedure is picked, and what must hold of it.
    feasible: Term,
    members: Vec<Member>,
}

/// A copy of the body of a procedure.
struct Member {
    picked: Term,
    /// Entry, and for calls that return exit: what tells calls apart. By variable.
    entry: Vec<(usize, Term)>,
    exit: Vec<(usize, Term)>,
    calls: Vec<Nested>,
}

/// An open call of a body.
struct Nested {
    callee: ProcId,
    made: Term,
    passed: Vec<Term>,
    left: Vec<(usize, Term)>,
}

impl Level {
    fn new(sim: &mut Sim<'_>, component: &[ProcId], bodies: &[Unrolled], chain: Chain) -> Self {
        let mut members = Vec::new();
        let (mut feasible, mut none) = (Vec::new(), Term::TRUE);
        for (&proc, body) in component.iter().zip(bodies) {
            let picked = sim.aig.input();
            let mut copy = Copy::new(Unmapped::Fresh);
            let exit = body.summary.exit.map(|exit| sim.arena.states[exit].clone());
            let guard = match (chain, &exit) {
                (Chain::Open, _) => Term::TRUE,
                (Chain::Returned, None) => Term::FALSE,
                (Chain::Returned, Some(exit)) => copy.apply(&mut sim.aig, exit.guard),
            };
            feasible.push(sim.aig.implies(picked, guard));
            let others = sim.aig.and(picked, !none);
            feasible.push(!others);
            none = sim.aig.and(none, !picked);
            members.push(member(sim, proc, body, chain, picked, &mut copy));
        }
        feasible.push(!none);
        Level { feasible: sim.aig.all(&feasible), members }
    }

    /// Some call of the picked procedure is the other level.
    fn leads_to(&self, sim: &mut Sim<'_>, component: &[ProcId], inner: &Level) -> Term {
        let mut ways = Vec::new();
        for member in &self.members {
            for call in &member.calls {
                let at = component.iter().position(|&proc| proc == call.callee);
                let callee = &inner.members[at.expect("open calls are of the component")];
                let mut link = vec![member.picked, call.made, callee.picked];
                for &(var, value) in &callee.entry {
                    link.push(sim.aig.iff(value, call.passed[var]));
                }
                for &(var, value) in &callee.exit {
                    // A result that is dropped, or overwritten by another, may be anything.
                    if let Some(&(_, left)) = call.left.iter().find(|&&(it, _)| it == var) {
                        link.push(sim.aig.iff(value, left));
                    }
                }
                ways.push(sim.aig.all(&link));
            }
        }
        sim.aig.any(&ways)
    }

    fn differs(&self, sim: &mut Sim<'_>, other: &Level) -> Term {
        let mut all = Vec::new();
        for (a, b) in self.members.iter().zip(&other.members) {
            let values = |it: &Member| -> Vec<Term> {
                it.entry.iter().chain(&it.exit).map(|&(_, value)| value).collect()
            };
            let equal = sim.aig.equal(&values(a), &values(b));
            all.push(!sim.aig.all(&[a.picked, b.picked, equal]));
        }
        sim.aig.all(&all)
    }
}

fn member(
    sim: &mut Sim<'_>,
    proc: ProcId,
    body: &Unrolled,
    chain: Chain,
    picked: Term,
    copy: &mut Copy,
) -> Member {
    let start = sim.entry(proc);
    let start = sim.arena.states[start].clone();
    let mut read = |vars: Vec<usize>, values: &[Term], sim: &mut Sim<'_>| -> Vec<(usize, Term)> {
        vars.into_iter().map(|var| (var, copy.apply(&mut sim.aig, values[var]))).collect()
    };
    let entry = read(sim.facts.entry_vars(proc), &start.values, sim);
    let exit = match (chain, body.summary.exit) {
        (Chain::Returned, Some(exit)) => {
            let exit = sim.arena.states[exit].clone();
            read(sim.facts.exit_vars(proc), &exit.values, sim)
        }
        _ => Vec::new(),
    };
    let mut calls = Vec::new();
    for call in &body.open_calls {
        let made = copy.apply(&mut sim.aig, sim.arena.states[call.from].guard);
        let passed = call.passed.iter().map(|&it| copy.apply(&mut sim.aig, it)).collect();
        let left = call.left.iter().map(|&(var, it)| (var, copy.apply(&mut sim.aig, it))).collect();
        calls.push(Nested { callee: call.callee, made, passed, left });
    }
    Member { picked, entry, exit, calls }
}

//! Unrolls a procedure until states repeat: its universal summary.
//!
//! SUM figures 2 and 3, definition 7; BOOM sections 4.2 and 10.5. States wait at their locations,
//! the first location of the weak topological order is expanded next, and what waits there is
//! merged, so that no state passes a join before all others have caught up.
//!
//! **Invariant.** The choices determine the run: where several edges of a location are enabled
//! together, new variables pick one. So under given choices exactly one waiting state is reached
//! (or none, if the run has ended), and states merge without further variables.
//!
//! **Where we depart.** SUM's test (9) for recurrence asks for choices under which *all* states met
//! so far at a location are reached and differ. With nested loops a run need not pass all of them,
//! and the test gives up too early. We ask whether under some choices the new state is reached and
//! differs from each earlier one *that the same run has passed*. Because a state's guard says
//! whether the run passes it, that is: guard ∧ ⋀ⱼ (guardⱼ → values ≠ valuesⱼ). If there are none, all
//! runs to the new state repeat an earlier one and add nothing: the shortest run to any state does
//! not repeat. Only live variables are compared, and only heads of loops are tested.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Exhausted, IndexVec};
use hardbop_cfg::{Action, EdgeId, Loc, LocRef, ProcId};
use hardbop_sat::Term;
use rustc_hash::FxHashMap;

use crate::sat::sim::Sim;
use crate::sat::state::{How, State, StateId, WayId};

/// What a procedure does, for all values at its entry.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// The state at its exit, if it ever gets there.
    pub exit: Option<StateId>,
    /// The ways to goals in it or below it, by group.
    pub ways: Vec<(usize, WayId)>,
    /// All states that were expanded.
    pub states: Rc<[StateId]>,
}

/// What is known of a callee.
#[derive(Clone, Debug)]
pub enum Known {
    Summary(Summary),
    /// It may do anything it can do to its variables, and reach any goal below it.
    Nothing,
    /// Treat it as if it never returned and reached no goal.
    Blocked,
}

/// An unrolled procedure.
#[derive(Debug)]
pub struct Unrolled {
    pub summary: Summary,
    /// Calls of procedures of which nothing was known.
    pub open_calls: Vec<OpenCall>,
}

/// A call of which nothing was known.
#[derive(Debug)]
pub struct OpenCall {
    pub from: StateId,
    pub callee: ProcId,
    pub passed: Vec<Term>,
    /// What it leaves of the callee's variables.
    pub left: Vec<(usize, Term)>,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Visits of one loop head.
    pub visits: usize,
    /// New nodes of formulas.
    pub nodes: usize,
}

/// Why unrolling ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// At one of the [`Limits`].
    TooLarge,
    Exhausted(Exhausted),
}

impl From<Exhausted> for Stopped {
    fn from(limit: Exhausted) -> Self {
        Stopped::Exhausted(limit)
    }
}

/// Unrolls a procedure from its entry, with any values.
pub fn unroll(
    sim: &mut Sim<'_>,
    proc: ProcId,
    known: &IndexVec<ProcId, Known>,
    limits: Limits,
) -> Result<Unrolled, Stopped> {
    let entry = sim.entry(proc);
    unroll_from(sim, entry, known, limits, Goals::Collect)
}

/// Unrolls `main` from the initial states. With `Goals::Meet` it ends as soon as the ways found so
/// far can be taken.
pub fn unroll_main(
    sim: &mut Sim<'_>,
    known: &IndexVec<ProcId, Known>,
    limits: Limits,
    goals: Goals,
) -> Result<Unrolled, Stopped> {
    let initial = sim.initial();
    let entry = sim.entry(sim.facts.program.main);
    let start = sim.restricted(entry, initial);
    unroll_from(sim, start, known, limits, goals)
}

/// What to do about goals on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goals {
    Collect,
    /// Stop when one is reached.
    Meet,
}

fn unroll_from(
    sim: &mut Sim<'_>,
    start: StateId,
    known: &IndexVec<ProcId, Known>,
    limits: Limits,
    goals: Goals,
) -> Result<Unrolled, Stopped> {
    let proc = sim.arena.states[start].proc;
    let most_nodes = sim.aig.n_nodes() + limits.nodes;
    let mut unroller = Unroller {
        proc,
        known,
        waiting: BTreeMap::new(),
        visits: FxHashMap::default(),
        ways: BTreeMap::new(),
        unasked: Vec::new(),
        open_calls: Vec::new(),
    };
    unroller.wait(sim, Some(start));
    let (mut exit, mut states) = (None, Vec::new());
    while let Some((_, parts)) = unroller.waiting.pop_first() {
        if sim.aig.n_nodes() > most_nodes {
            return Err(Stopped::TooLarge);
        }
        let state = sim.join_disjoint(&parts);
        let is_head = sim.facts.is_head(LocRef { proc, loc: sim.arena.states[state].loc });
        if is_head && goals == Goals::Meet && unroller.meets_goal(sim)? {
            break;
        }
        if unroller.is_new(sim, state, limits)? {
            unroller.expand(sim, state);
            states.push(state);
            if sim.arena.states[state].loc == sim.facts.program.procs[proc].exit {
                exit = Some(state);
            }
        }
    }
    let ways = unroller.ways.into_iter().filter_map(|(group, ways)| {
        let guards: Vec<Term> = ways.iter().map(|&way| sim.arena.ways[way].guard).collect();
        let guard = sim.aig.any(&guards);
        let way = if let [only] = ways[..] { Some(only) } else { sim.way(guard, How::Any(ways)) };
        way.map(|way| (group, way))
    });
    let summary = Summary { exit, ways: ways.collect(), states: states.into() };
    Ok(Unrolled { summary, open_calls: unroller.open_calls })
}

struct Unroller<'k> {
    proc: ProcId,
    known: &'k IndexVec<ProcId, Known>,
    /// By position in the weak topological order.
    waiting: BTreeMap<u32, Vec<StateId>>,
    /// The states expanded at the heads of loops.
    visits: FxHashMap<Loc, Vec<StateId>>,
    /// By group.
    ways: BTreeMap<usize, Vec<WayId>>,
    /// The guards of ways found since goals were last asked for.
    unasked: Vec<Term>,
    open_calls: Vec<OpenCall>,
}

impl Unroller<'_> {
    fn add_way(&mut self, sim: &Sim<'_>, group: usize, way: Option<WayId>) {
        self.ways.entry(group).or_default().extend(way);
        self.unasked.extend(way.map(|way| sim.arena.ways[way].guard));
    }

    fn meets_goal(&mut self, sim: &mut Sim<'_>) -> Result<bool, Exhausted> {
        let any = sim.aig.any(&std::mem::take(&mut self.unasked));
        sim.oracle.is_satisfiable(&sim.aig, &[any])
    }

    fn wait(&mut self, sim: &Sim<'_>, state: Option<StateId>) {
        let Some(state) = state else { return };
        let order = &sim.facts.order[self.proc];
        let position = order.position(sim.arena.states[state].loc);
        let position = position.expect("a reached location is reachable in the graph");
        self.waiting.entry(position).or_default().push(state);
    }

    /// Whether some run reaches the state without having passed an equal one.
    fn is_new(
        &mut self,
        sim: &mut Sim<'_>,
        state: StateId,
        limits: Limits,
    ) -> Result<bool, Stopped> {
        let loc = sim.arena.states[state].loc;
        let at = LocRef { proc: self.proc, loc };
        if !sim.facts.is_head(at) {
            return Ok(true);
        }
        let earlier = self.visits.entry(loc).or_default();
        let live: Vec<usize> = sim.facts.live_at(at).collect();
        let project = |sim: &Sim<'_>, state: StateId| -> Vec<Term> {
            live.iter().map(|&var| sim.arena.states[state].values[var]).collect()
        };
        let values = project(sim, state);
        let mut fresh = vec![sim.arena.states[state].guard];
        for &old in earlier.iter() {
            let old_values = project(sim, old);
            let equal = sim.aig.equal(&values, &old_values);
            fresh.push(!sim.aig.and(sim.arena.states[old].guard, equal));
        }
        if !sim.oracle.is_satisfiable(&sim.aig, &fresh)? {
            return Ok(false);
        }
        earlier.push(state);
        if earlier.len() > limits.visits {
            return Err(Stopped::TooLarge);
        }
        Ok(true)
    }

    fn expand(&mut self, sim: &mut Sim<'_>, state: StateId) {
        for (site, way) in sim.ways_here(state) {
            self.add_way(sim, sim.facts.group(site), Some(way));
        }
        let State { loc, .. } = sim.arena.states[state];
        let body = &sim.facts.program.procs[self.proc];
        let edges: Vec<_> = body.out_edges(loc).collect();
        let enabled: Vec<Term> = edges.iter().map(|(_, edge)| sim.enabled(state, edge)).collect();
        let picks = picks(sim, &enabled);
        for (&(id, edge), pick) in edges.iter().zip(picks) {
            let Action::Call(call) = &edge.action else {
                let next = sim.step(state, id, edge, pick);
                self.wait(sim, next);
                continue;
            };
            let from = sim.restricted(state, pick);
            self.call(sim, from, id, call.callee);
        }
    }

    fn call(&mut self, sim: &mut Sim<'_>, from: StateId, id: EdgeId, callee: ProcId) {
        let edge = &sim.facts.program.procs[self.proc].edges[id];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are called") };
        match &self.known[callee] {
            Known::Blocked => {}
            Known::Nothing => {
                let passed = sim.passed(from, call);
                for group in sim.facts.groups_below(callee) {
                    let guard = sim.arena.states[from].guard;
                    let way = sim.way(guard, How::Unknown { from, edge: id });
                    self.add_way(sim, group, way);
                }
                let (after, left) = sim.returned_somehow(from, id, edge);
                self.open_calls.push(OpenCall { from, callee, passed, left });
                self.wait(sim, after);
            }
            Known::Summary(summary) => {
                let passed = sim.passed(from, call);
                for &(group, way) in &summary.ways {
                    let way = sim.ways_inside(from, id, callee, &passed, way);
                    self.add_way(sim, group, way);
                }
                let after =
                    summary.exit.and_then(|exit| sim.returned(from, id, edge, &passed, exit));
                self.wait(sim, after);
            }
        }
    }
}

/// Edges of one location that are compared with each other.
const MOST_COMPARED: usize = 8;

/// Conditions that make the edges of a location exclude each other.
pub(crate) fn picks(sim: &mut Sim<'_>, enabled: &[Term]) -> Vec<Term> {
    let n = enabled.len();
    let is_many = n > MOST_COMPARED;
    let mut excludes = |i: usize, j: usize| sim.aig.and(enabled[i], enabled[j]) == Term::FALSE;
    let overlaps: Vec<bool> =
        (0..n).map(|i| is_many || (0..n).any(|j| j != i && !excludes(i, j))).collect();
    let n_overlapping = overlaps.iter().filter(|&&overlaps| overlaps).count();
    let (mut rest, mut seen) = (Term::TRUE, 0);
    let mut picks = Vec::with_capacity(enabled.len());
    for overlaps in overlaps {
        if !overlaps {
            picks.push(Term::TRUE);
            continue;
        }
        seen += 1;
        if seen == n_overlapping {
            picks.push(rest);
            continue;
        }
        let choice = sim.choice();
        picks.push(sim.aig.and(rest, choice));
        rest = sim.aig.and(rest, !choice);
    }
    picks
}

//! From rings back to a run: which statements, and which values of live variables.
//!
//! Starting from a state that meets the goal, each step looks for a predecessor one statement
//! earlier in the rings. A return is undone by going over the call: the way through the callee is looked
//! for once for each pair of values at its entry and its exit, however often the run goes it.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx, IndexVec, define_id};
use hardbop_cfg::{EdgeId, LocRef, ProcId, VarId};
use hardbop_dd::{Dd, Level, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::diagrams::rings::{Met, RingId, Rings, call_of};
use hardbop_encode::slots::Moment;

define_id!(
    /// A way through a callee.
    WayId, "way"
);

/// A run in outline.
#[derive(Debug)]
pub struct Outline {
    /// From the start of the program to the goal, in order of execution.
    pub stops: Vec<Stop>,
    /// From the entry of a procedure to its exit.
    pub ways: IndexVec<WayId, Vec<Stop>>,
}

/// A location on the run with the values of what is live there.
#[derive(Clone, Debug)]
pub struct Stop {
    pub at: LocRef,
    pub values: Bits,
    /// How the run goes on from here.
    pub leave: Leave,
}

/// The way from one stop to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// By a statement of the procedure.
    Edge(EdgeId),
    /// Into a callee in which the run ends.
    Call(EdgeId),
    /// Over a call, which goes this way.
    Over(EdgeId, WayId),
    /// By failing an assertion.
    Fail(EdgeId),
    /// The label is reached, or the exit of a callee.
    Done,
}

/// A pair of a ring: values at entry and now.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    ring: RingId,
    entry: Bits,
    now: Bits,
}

/// Ways through callees by their last pair.
#[derive(Default)]
struct Ways {
    known: FxHashMap<Pair, WayId>,
    /// In order of their numbers; those without stops are still to be walked.
    ends: IndexVec<WayId, Pair>,
}

impl Ways {
    fn to(&mut self, exit: Pair) -> WayId {
        let Ways { known, ends } = self;
        *known.entry(exit.clone()).or_insert_with(|| ends.push(exit))
    }
}

/// Walks back from where the goal was met, then through the callees on the way.
pub fn backtrack(
    rings: &mut Rings<'_, '_>,
    met: Met,
    meter: &mut Meter<'_>,
) -> Result<Outline, Exhausted> {
    let mut ways = Ways::default();
    let leave = match met.assert {
        Some(edge) => Leave::Fail(edge),
        None => Leave::Done,
    };
    let target = goal(rings, met)?;
    let pair = pick(rings, met.ring, &target).expect("the goal was met in this ring");
    let stops = walk(rings, pair, leave, To::Start, &mut ways, meter)?;
    let mut through = IndexVec::new();
    while let Some(exit) = ways.ends.get(through.next_id()).cloned() {
        through.push(walk(rings, exit, Leave::Done, To::Entry, &mut ways, meter)?);
    }
    Ok(Outline { stops, ways: through })
}

/// The path edges of a ring that meet the goal.
fn goal(rings: &mut Rings<'_, '_>, met: Met) -> Result<Dd, OutOfNodes> {
    let target = rings.rings[met.ring].edges.clone();
    let Some(edge) = met.assert else { return Ok(target) };
    let proc = rings.visits[rings.rings[met.ring].visit].proc;
    let hardbop_cfg::Action::Assert(expr) = rings.program.procs[proc].edges[edge].action else {
        return Ok(target);
    };
    let fails = rings.enc.may(expr)?.be_false;
    rings.enc.dd.and(&target, &fails)
}

/// How far back to walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    /// Of the procedure.
    Entry,
    /// Of the program.
    Start,
}

/// Walks back from a pair; the stops come in order of execution.
fn walk(
    rings: &mut Rings<'_, '_>,
    mut pair: Pair,
    mut leave: Leave,
    to: To,
    ways: &mut Ways,
    meter: &mut Meter<'_>,
) -> Result<Vec<Stop>, Exhausted> {
    let mut stops = Vec::new();
    loop {
        meter.tick()?;
        stops.push(Stop { at: place(rings, pair.ring), values: pair.now.clone(), leave });
        let ring = &rings.rings[pair.ring];
        let at_entry = ring.time == rings.visits[ring.visit].begin
            && ring.loc == rings.program.procs[rings.visits[ring.visit].proc].entry
            && ring.by.is_none();
        if at_entry {
            let caller = if to == To::Start { caller(rings, &pair)? } else { None };
            let Some((call, edge)) = caller else { break };
            (pair, leave) = (call, Leave::Call(edge));
        } else if let Some((before, edge)) = before_edge(rings, &pair)? {
            (pair, leave) = (before, Leave::Edge(edge));
        } else {
            let (call, edge, exit) = before_return(rings, &pair)?;
            (pair, leave) = (call, Leave::Over(edge, ways.to(exit)));
        }
    }
    stops.reverse();
    Ok(stops)
}

fn place(rings: &Rings<'_, '_>, ring: RingId) -> LocRef {
    let ring = &rings.rings[ring];
    LocRef { proc: rings.visits[ring.visit].proc, loc: ring.loc }
}

/// Some pair of a ring inside `edges`.
fn pick(rings: &Rings<'_, '_>, ring: RingId, edges: &Dd) -> Option<Pair> {
    let (entry, now) = rings.vars(ring);
    let mut levels = levels(rings, &entry, Moment::Entry);
    levels.extend(self::levels(rings, &now, Moment::Now));
    let values = rings.enc.dd.pick_assignment(edges, &levels)?;
    let (at_entry, at_now) = values.split_at(entry.len());
    Some(Pair { ring, entry: chosen(&entry, at_entry), now: chosen(&now, at_now) })
}

fn levels(rings: &Rings<'_, '_>, vars: &Bits, moment: Moment) -> Vec<Level> {
    vars.iter().map(|var| rings.enc.slots.level(VarId::new(var), moment)).collect()
}

fn chosen(vars: &Bits, values: &[bool]) -> Bits {
    vars.iter().zip(values).filter(|&(_, &value)| value).map(|(var, _)| var).collect()
}

/// The product that says these variables have these values at a moment.
fn fixed(rings: &Rings<'_, '_>, vars: &Bits, values: &Bits, moment: Moment) -> Vec<(Level, bool)> {
    let literal = |var| (rings.enc.slots.level(VarId::new(var), moment), values.contains(var));
    vars.iter().map(literal).collect()
}

/// A predecessor by a statement of the same procedure.
fn before_edge(
    rings: &mut Rings<'_, '_>,
    pair: &Pair,
) -> Result<Option<(Pair, EdgeId)>, OutOfNodes> {
    let (visit, time) = (rings.rings[pair.ring].visit, rings.rings[pair.ring].time);
    let at = place(rings, pair.ring);
    let Some(earlier) = time.checked_sub(1) else { return Ok(None) };
    for edge in rings.edges_into(at) {
        let it = &rings.program.procs[at.proc].edges[edge];
        if matches!(it.action, hardbop_cfg::Action::Call(_)) || !it.falls_through() {
            continue;
        }
        let from = it.from;
        for ring in rings.rings_at(visit, from, earlier) {
            let arrow = rings.arrow(at.proc, edge)?;
            if let Some(before) = before(rings, pair, ring, &arrow)? {
                return Ok(Some((before, edge)));
            }
        }
    }
    Ok(None)
}

/// A pair of `ring` that the arrow leads to `pair` from.
fn before(
    rings: &mut Rings<'_, '_>,
    pair: &Pair,
    ring: RingId,
    arrow: &hardbop_encode::transfer::Arrow,
) -> Result<Option<Pair>, OutOfNodes> {
    let (entry, now) = rings.vars(pair.ring);
    let mut kept = now.clone();
    kept.subtract(&arrow.writes);
    let mut after = fixed(rings, &entry, &pair.entry, Moment::Entry);
    after.extend(fixed(rings, &arrow.writes, &pair.now, Moment::Next));
    after.extend(fixed(rings, &kept, &pair.now, Moment::Now));
    let after = rings.enc.dd.product(&after)?;
    let edges = rings.enc.dd.and(&rings.rings[ring].edges, &after)?;
    let edges = rings.enc.dd.and(&edges, &arrow.relation)?;
    Ok(pick(rings, ring, &edges))
}

/// The call and the callee's exit that a return came from.
fn before_return(
    rings: &mut Rings<'_, '_>,
    pair: &Pair,
) -> Result<(Pair, EdgeId, Pair), OutOfNodes> {
    const FOUND: &str = "every pair of a ring has a predecessor";
    let (call, edge, exit) = rings.rings[pair.ring].by.expect(FOUND);
    let proc = place(rings, pair.ring).proc;
    let arrow = rings.call_arrow(proc, edge, exit)?;
    let caller = before(rings, pair, call, &arrow)?.expect(FOUND);
    let left = callee_exit(rings, &caller, edge, exit, pair)?.expect(FOUND);
    Ok((caller, edge, left))
}

/// The pair at a callee's exit that fits a call and what it returned to.
fn callee_exit(
    rings: &mut Rings<'_, '_>,
    caller: &Pair,
    edge: EdgeId,
    exit: RingId,
    after: &Pair,
) -> Result<Option<Pair>, OutOfNodes> {
    let program = rings.program;
    let proc = place(rings, caller.ring).proc;
    let call = call_of(&program.procs[proc].edges[edge]);
    let n_shared = program.n_shared();
    let (entry, now) = rings.vars(exit);
    let (_, caller_now) = rings.vars(caller.ring);
    let (_, after_now) = rings.vars(after.ring);
    let mut passed = entry.below(n_shared);
    passed.intersect_with(&caller_now);
    let mut known = fixed(rings, &passed, &caller.now, Moment::Entry);
    // What the callee modified and is live after the call, results apart, is known.
    let mut left = now.below(n_shared);
    left.intersect_with(&after_now);
    left.intersect_with(rings.calls.modified(call.callee));
    for target in call.results.iter().flatten() {
        left.remove(target.index());
    }
    known.extend(fixed(rings, &left, &after.now, Moment::Now));
    for (result, target) in program.returns(call.callee).zip(&call.results) {
        if let Some(target) = target
            && after_now.contains(target.index())
            && now.contains(result.index())
        {
            let value = after.now.contains(target.index());
            known.push((rings.enc.slots.level(result, Moment::Now), value));
        }
    }
    let mut edges = rings.enc.dd.product(&known)?;
    edges = rings.enc.dd.and(&edges, &rings.rings[exit].edges)?;
    for (formal, &arg) in program.formals(call.callee).zip(&call.args) {
        if entry.contains(formal.index()) {
            let may = program.exprs.eval(arg, &caller.now, &caller.now);
            let is = rings.enc.var(formal, Moment::Entry)?;
            let fits = match (may.be_true, may.be_false) {
                (true, true) => continue,
                (true, false) => is,
                _ => rings.enc.dd.not(&is),
            };
            edges = rings.enc.dd.and(&edges, &fits)?;
        }
    }
    Ok(pick(rings, exit, &edges))
}

/// The call that began the visit with these entry values; `None` for the start of the program.
fn caller(rings: &mut Rings<'_, '_>, pair: &Pair) -> Result<Option<(Pair, EdgeId)>, OutOfNodes> {
    let visit = rings.rings[pair.ring].visit;
    let callee = rings.visits[visit].proc;
    let Some((ring, edge)) = rings.visits[visit].caller else { return Ok(None) };
    let call = caller_in(rings, pair, callee, ring, edge)?;
    Ok(Some((call.expect("a call began the visit with these values"), edge)))
}

fn caller_in(
    rings: &mut Rings<'_, '_>,
    pair: &Pair,
    callee: ProcId,
    ring: RingId,
    edge: EdgeId,
) -> Result<Option<Pair>, OutOfNodes> {
    let program = rings.program;
    let proc = place(rings, ring).proc;
    let call = call_of(&program.procs[proc].edges[edge]);
    let (entry, _) = rings.vars(pair.ring);
    let (_, caller_now) = rings.vars(ring);
    let mut passed = entry.below(program.n_shared());
    passed.intersect_with(&caller_now);
    let known = fixed(rings, &passed, &pair.entry, Moment::Now);
    let mut edges = rings.enc.dd.product(&known)?;
    edges = rings.enc.dd.and(&edges, &rings.rings[ring].edges)?;
    for (formal, &arg) in program.formals(callee).zip(&call.args) {
        if entry.contains(formal.index()) {
            let may = rings.enc.may(arg)?;
            let fits = if pair.entry.contains(formal.index()) { may.be_true } else { may.be_false };
            edges = rings.enc.dd.and(&edges, &fits)?;
        }
    }
    Ok(pick(rings, ring, &edges))
}

//! From rings back to a run: which statements, and which values of live variables.
//!
//! Starting from a state that meets the goal, each step asks what led to its ring, and looks for a predecessor in the
//! ring it came from. A return is undone by going over the call: the way through the callee is looked
//! for once for each pair of values at its entry and its exit, however often the run goes it.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx, IndexVec, define_id};
use hardbop_cfg::{EdgeId, LocRef, VarId};
use hardbop_dd::{Dd, Level, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::diagrams::past::{By, Met, Past, RingId, call_of};
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::Arrow;

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
    past: &mut Past<'_, '_>,
    met: Met,
    meter: &mut Meter<'_>,
) -> Result<Outline, Exhausted> {
    let mut ways = Ways::default();
    let leave = match met.assert {
        Some(edge) => Leave::Fail(edge),
        None => Leave::Done,
    };
    let target = goal(past, met)?;
    let pair = pick(past, met.ring, &target).expect("the goal was met in this ring");
    let stops = walk(past, pair, leave, To::Start, &mut ways, meter)?;
    let mut through = IndexVec::new();
    while let Some(exit) = ways.ends.get(through.next_id()).cloned() {
        through.push(walk(past, exit, Leave::Done, To::Entry, &mut ways, meter)?);
    }
    Ok(Outline { stops, ways: through })
}

/// The path edges of a ring that meet the goal.
fn goal(past: &mut Past<'_, '_>, met: Met) -> Result<Dd, OutOfNodes> {
    let target = past.rings[met.ring].edges.clone();
    let Some(edge) = met.assert else { return Ok(target) };
    let proc = past.rings[met.ring].at.proc;
    let hardbop_cfg::Action::Assert(expr) = past.program.procs[proc].edges[edge].action else {
        return Ok(target);
    };
    let fails = past.enc.may(expr)?.be_false;
    past.enc.dd.and(&target, &fails)
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
    past: &mut Past<'_, '_>,
    mut pair: Pair,
    mut leave: Leave,
    to: To,
    ways: &mut Ways,
    meter: &mut Meter<'_>,
) -> Result<Vec<Stop>, Exhausted> {
    let mut stops = Vec::new();
    loop {
        meter.tick()?;
        let at = past.rings[pair.ring].at;
        stops.push(Stop { at, values: pair.now.clone(), leave });
        if to == To::Entry && is_entry(past, &pair) {
            break;
        }
        match back(past, &pair, ways)? {
            Some(before) => (pair, leave) = before,
            None => break,
        }
    }
    stops.reverse();
    Ok(stops)
}

/// Whether nothing has happened since the procedure was entered.
fn is_entry(past: &Past<'_, '_>, pair: &Pair) -> bool {
    let at = past.rings[pair.ring].at;
    let mut now = pair.now.clone();
    now.intersect_with(&past.calls.entry_vars(at.proc));
    at.loc == past.program.procs[at.proc].entry && now == pair.entry
}

/// A pair one step earlier, and the step; `None` at the start of the program.
fn back(
    past: &mut Past<'_, '_>,
    pair: &Pair,
    ways: &mut Ways,
) -> Result<Option<(Pair, Leave)>, OutOfNodes> {
    let proc = past.rings[pair.ring].at.proc;
    for by in past.rings[pair.ring].by.clone() {
        match by {
            By::Start(states) => {
                let (_, now) = past.vars(pair.ring);
                let here = past.enc.dd.product(&fixed(past, &now, &pair.now, Moment::Now))?;
                if is_entry(past, pair) && !past.enc.dd.disjoint(&here, &states) {
                    return Ok(None);
                }
            }
            By::Edge(ring, edge) => {
                let arrow = past.arrow(proc, edge)?;
                if let Some(before) = before(past, pair, ring, &arrow)? {
                    return Ok(Some((before, Leave::Edge(edge))));
                }
            }
            By::Call(ring, edge) => {
                if is_entry(past, pair)
                    && let Some(call) = caller(past, pair, ring, edge)?
                {
                    return Ok(Some((call, Leave::Call(edge))));
                }
            }
            By::Return(call, edge, exit) => {
                let arrow = past.call_arrow(proc, edge, exit)?;
                if let Some(caller) = before(past, pair, call, &arrow)? {
                    let left = callee_exit(past, &caller, edge, exit, pair)?;
                    let left = left.expect("a return came from the callee's exit");
                    return Ok(Some((caller, Leave::Over(edge, ways.to(left)))));
                }
            }
        }
    }
    unreachable!("something led to every path edge of a ring")
}

/// Some pair of a ring inside `edges`.
fn pick(past: &Past<'_, '_>, ring: RingId, edges: &Dd) -> Option<Pair> {
    let (entry, now) = past.vars(ring);
    let mut levels = levels(past, &entry, Moment::Entry);
    levels.extend(self::levels(past, &now, Moment::Now));
    let values = past.enc.dd.pick_assignment(edges, &levels)?;
    let (at_entry, at_now) = values.split_at(entry.len());
    Some(Pair { ring, entry: chosen(&entry, at_entry), now: chosen(&now, at_now) })
}

fn levels(past: &Past<'_, '_>, vars: &Bits, moment: Moment) -> Vec<Level> {
    vars.iter().map(|var| past.enc.slots.level(VarId::new(var), moment)).collect()
}

fn chosen(vars: &Bits, values: &[bool]) -> Bits {
    vars.iter().zip(values).filter(|&(_, &value)| value).map(|(var, _)| var).collect()
}

/// The product that says these variables have these values at a moment.
fn fixed(past: &Past<'_, '_>, vars: &Bits, values: &Bits, moment: Moment) -> Vec<(Level, bool)> {
    let literal = |var| (past.enc.slots.level(VarId::new(var), moment), values.contains(var));
    vars.iter().map(literal).collect()
}

/// A pair of `ring` that the arrow leads to `pair` from.
fn before(
    past: &mut Past<'_, '_>,
    pair: &Pair,
    ring: RingId,
    arrow: &Arrow,
) -> Result<Option<Pair>, OutOfNodes> {
    let (entry, now) = past.vars(pair.ring);
    let mut kept = now.clone();
    kept.subtract(&arrow.writes);
    let mut after = fixed(past, &entry, &pair.entry, Moment::Entry);
    after.extend(fixed(past, &arrow.writes, &pair.now, Moment::Next));
    after.extend(fixed(past, &kept, &pair.now, Moment::Now));
    let after = past.enc.dd.product(&after)?;
    let edges = past.enc.dd.and(&past.rings[ring].edges, &after)?;
    let edges = past.enc.dd.and(&edges, &arrow.relation)?;
    Ok(pick(past, ring, &edges))
}

/// The pair at a callee's exit that fits a call and what it returned to.
fn callee_exit(
    past: &mut Past<'_, '_>,
    caller: &Pair,
    edge: EdgeId,
    exit: RingId,
    after: &Pair,
) -> Result<Option<Pair>, OutOfNodes> {
    let program = past.program;
    let proc = past.rings[caller.ring].at.proc;
    let call = call_of(&program.procs[proc].edges[edge]);
    let n_shared = program.n_shared();
    let (entry, now) = past.vars(exit);
    let (_, caller_now) = past.vars(caller.ring);
    let (_, after_now) = past.vars(after.ring);
    let mut passed = entry.below(n_shared);
    passed.intersect_with(&caller_now);
    let mut known = fixed(past, &passed, &caller.now, Moment::Entry);
    // What the callee modified and is live after the call, results apart, is known.
    let mut left = now.below(n_shared);
    left.intersect_with(&after_now);
    left.intersect_with(past.calls.modified(call.callee));
    for target in call.results.iter().flatten() {
        left.remove(target.index());
    }
    known.extend(fixed(past, &left, &after.now, Moment::Now));
    for (result, target) in program.returns(call.callee).zip(&call.results) {
        if let Some(target) = target
            && after_now.contains(target.index())
            && now.contains(result.index())
        {
            let value = after.now.contains(target.index());
            known.push((past.enc.slots.level(result, Moment::Now), value));
        }
    }
    let mut edges = past.enc.dd.product(&known)?;
    edges = past.enc.dd.and(&edges, &past.rings[exit].edges)?;
    for (formal, &arg) in program.formals(call.callee).zip(&call.args) {
        if entry.contains(formal.index()) {
            let may = program.exprs.eval(arg, &caller.now, &caller.now);
            let is = past.enc.var(formal, Moment::Entry)?;
            let fits = match (may.be_true, may.be_false) {
                (true, true) => continue,
                (true, false) => is,
                _ => past.enc.dd.not(&is),
            };
            edges = past.enc.dd.and(&edges, &fits)?;
        }
    }
    Ok(pick(past, exit, &edges))
}

/// A pair of the ring at which the call enters the procedure with the entry values of `pair`.
fn caller(
    past: &mut Past<'_, '_>,
    pair: &Pair,
    ring: RingId,
    edge: EdgeId,
) -> Result<Option<Pair>, OutOfNodes> {
    let program = past.program;
    let proc = past.rings[ring].at.proc;
    let call = call_of(&program.procs[proc].edges[edge]);
    let (entry, _) = past.vars(pair.ring);
    let (_, caller_now) = past.vars(ring);
    let mut passed = entry.below(program.n_shared());
    passed.intersect_with(&caller_now);
    let known = fixed(past, &passed, &pair.entry, Moment::Now);
    let mut edges = past.enc.dd.product(&known)?;
    edges = past.enc.dd.and(&edges, &past.rings[ring].edges)?;
    for (formal, &arg) in program.formals(call.callee).zip(&call.args) {
        if entry.contains(formal.index()) {
            let may = past.enc.may(arg)?;
            let fits = if pair.entry.contains(formal.index()) { may.be_true } else { may.be_false };
            edges = past.enc.dd.and(&edges, &fits)?;
        }
    }
    Ok(pick(past, ring, &edges))
}

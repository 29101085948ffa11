//! Rings: which path edges are first reached after how many statements.
//!
//! BEB section 3.2, made exact. Bebop's rings count a jump over a call as one step; ours count the
//! statements inside, so that the trace read off them is a shortest one. Time is the number of
//! statements executed since the program started. A procedure that is entered with values it was
//! not entered with before begins a *visit*. A ring is what a visit first reaches at a location at
//! one time.
//!
//! *Why it is exact.* Let a call happen at time t with entry values s. If s is new, its visit
//! begins at t+1. If not, the visit of s began at some k ≤ t+1, and its way to the exit in w
//! statements is known by time k+w ≤ t+1+w, which is when this call returns. So going through time
//! in order, everything that happens at a time is known when the time comes.
//!
//! Returning to a caller is no statement and takes no time.
//!
//! Times can be exponential in the size of the program. Where they leave the numbers we have, the rings are counted by
//! [`Clock::Height`] instead: any run is then as good as the shortest, and each ring needs a predecessor only.
//!
//! Read: [`Rings::search`], [`Rings::arrive`], [`Rings::exited`], [`Rings::called`].

use std::collections::{BTreeMap, VecDeque};

use hardbop_base::{Bits, Budget, Exhausted, IndexVec, define_id};
use hardbop_cfg::analysis::{Live, Preds};
use hardbop_cfg::{Action, Call, EdgeId, Goal, Loc, LocRef, ProcId, Program};
use hardbop_dd::{Dd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::diagrams::calls::Calls;
use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::{Arrow, Transfers};

define_id!(
    /// A visit of a procedure.
    VisitId, "visit"
);
define_id!(
    /// A ring.
    RingId, "ring"
);

/// When something happens, by a [`Clock`].
pub type Time = u64;

/// Nothing happens later than this, so that times can be added.
const END_OF_TIME: Time = Time::MAX / 2;

/// What time is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// The number of statements since the program started: the goal is met in the shortest time.
    Statements,
    /// The height of the derivation: a call returns one after the later of the two, the call and the callee's
    /// exit. At most as large as the number of rings.
    Height,
}

/// Entries of a procedure that no earlier visit had.
#[derive(Debug)]
pub struct Visit {
    pub proc: ProcId,
    pub begin: Time,
    /// The call that led here, one statement earlier; none for the initial states.
    pub caller: Option<(RingId, EdgeId)>,
}

/// Path edges first reached at one location at one time.
#[derive(Debug)]
pub struct Ring {
    pub visit: VisitId,
    pub loc: Loc,
    pub time: Time,
    pub edges: Dd,
    /// The return that led here: the ring of the call, its edge, and the ring of the callee's exit.
    pub by: Option<(RingId, EdgeId, RingId)>,
}

/// Where the goal was met.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub ring: RingId,
    /// The assertion that fails; `None` for a label.
    pub assert: Option<EdgeId>,
}

/// Something that happens at a known time.
enum Event {
    Enter { proc: ProcId, states: Dd, caller: Option<(RingId, EdgeId)> },
    Arrive { visit: VisitId, loc: Loc, edges: Dd, by: Option<(RingId, EdgeId, RingId)> },
    Return { call: RingId, edge: EdgeId, exit: RingId },
}

/// The tools the fixpoint was computed with, and the rings found so far.
pub struct Rings<'a, 'b> {
    pub program: &'a Program,
    pub live: &'a Live,
    pub enc: &'b mut Encoder<'a>,
    pub transfers: &'b mut Transfers,
    pub calls: &'b mut Calls<'a>,
    pub visits: IndexVec<VisitId, Visit>,
    pub rings: IndexVec<RingId, Ring>,
    /// The rings of a visit at a location, by time.
    at: FxHashMap<(VisitId, Loc), Vec<RingId>>,
    events: BTreeMap<Time, VecDeque<Event>>,
    /// All entries of each procedure so far, over current values.
    entered: FxHashMap<ProcId, Dd>,
    /// All path edges of each location so far.
    reached: FxHashMap<LocRef, Dd>,
    /// The rings at which a procedure was called.
    calls_of: FxHashMap<ProcId, Vec<(RingId, EdgeId)>>,
    /// The rings at the exit of each procedure.
    exits_of: FxHashMap<ProcId, Vec<RingId>>,
    preds: FxHashMap<ProcId, Preds>,
    clock: Clock,
    /// Whether something would have happened after the end of time.
    pub too_late: bool,
}

impl<'a, 'b> Rings<'a, 'b> {
    pub fn new(
        live: &'a Live,
        enc: &'b mut Encoder<'a>,
        transfers: &'b mut Transfers,
        calls: &'b mut Calls<'a>,
        clock: Clock,
    ) -> Self {
        Rings {
            program: enc.program,
            live,
            enc,
            transfers,
            calls,
            visits: IndexVec::new(),
            rings: IndexVec::new(),
            at: FxHashMap::default(),
            events: BTreeMap::new(),
            entered: FxHashMap::default(),
            reached: FxHashMap::default(),
            calls_of: FxHashMap::default(),
            exits_of: FxHashMap::default(),
            preds: FxHashMap::default(),
            clock,
            too_late: false,
        }
    }

    /// Goes through time until the goal is met; `None` if it never is, or [too late](Self::too_late).
    pub fn search(
        &mut self,
        initial: Dd,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Option<Met>, Exhausted> {
        let mut meter = budget.meter(4);
        self.at_time(0, Event::Enter { proc: self.program.main, states: initial, caller: None });
        while let Some((time, event)) = self.next() {
            meter.tick()?;
            match event {
                Event::Enter { proc, states, caller } => self.enter(time, proc, states, caller)?,
                Event::Return { call, edge, exit } => self.returns(time, call, edge, exit)?,
                Event::Arrive { visit, loc, edges, by } => {
                    if let Some(met) = self.arrive(time, visit, loc, edges, by, goal)? {
                        return Ok(Some(met));
                    }
                }
            }
            self.enc.dd.maybe_gc();
        }
        Ok(None)
    }

    /// The rings of a visit at a location at a time.
    pub fn rings_at(&self, visit: VisitId, loc: Loc, time: Time) -> Vec<RingId> {
        let rings = self.at.get(&(visit, loc)).map_or(&[][..], Vec::as_slice);
        let start = rings.partition_point(|&ring| self.rings[ring].time < time);
        let same = rings[start..].iter().take_while(|&&ring| self.rings[ring].time == time);
        same.copied().collect()
    }

    /// The edges that lead to a location.
    pub fn edges_into(&mut self, at: LocRef) -> Vec<EdgeId> {
        let body = &self.program.procs[at.proc];
        let preds = self.preds.entry(at.proc).or_insert_with(|| Preds::of(body));
        preds.edges(at.loc).to_vec()
    }

    /// The arrow of an edge that stays in its procedure.
    pub fn arrow(&mut self, proc: ProcId, edge: EdgeId) -> Result<Arrow, OutOfNodes> {
        let body = &self.program.procs[proc];
        let edge = &body.edges[edge];
        let transfer = self.transfers.of_action(self.enc, &edge.action, body.enforce)?;
        let carried = |loc| self.live.at(LocRef { proc, loc });
        self.transfers.arrow(self.enc, transfer, carried(edge.from), carried(edge.to))
    }

    /// The arrow of a call by a ring of its callee's exit.
    pub fn call_arrow(
        &mut self,
        proc: ProcId,
        edge: EdgeId,
        exit: RingId,
    ) -> Result<Arrow, OutOfNodes> {
        let edge = &self.program.procs[proc].edges[edge];
        let at = |loc| LocRef { proc, loc };
        let summary = self.rings[exit].edges.clone();
        self.calls.arrow(self.enc, at(edge.from), call_of(edge), at(edge.to), &summary)
    }

    fn at_time(&mut self, time: Time, event: Event) {
        if time > END_OF_TIME {
            self.too_late = true;
            return;
        }
        self.events.entry(time).or_default().push_back(event);
    }

    fn next(&mut self) -> Option<(Time, Event)> {
        let mut first = self.events.first_entry()?;
        let time = *first.key();
        match first.get_mut().pop_front() {
            Some(event) => Some((time, event)),
            None => {
                first.remove();
                self.next()
            }
        }
    }

    fn enter(
        &mut self,
        time: Time,
        proc: ProcId,
        states: Dd,
        caller: Option<(RingId, EdgeId)>,
    ) -> Result<(), OutOfNodes> {
        let dd = self.enc.dd;
        let known = self.entered.entry(proc).or_insert_with(|| dd.zero().clone());
        let new = dd.minus(&states, known)?;
        if dd.is_false(&new) {
            return Ok(());
        }
        *known = dd.or(known, &new)?;
        let vars = self.calls.entry_vars(proc);
        let same = self.enc.equal(&vars, Moment::Entry, Moment::Now)?;
        let edges = dd.and(&new, &same)?;
        let visit = self.visits.push(Visit { proc, begin: time, caller });
        let loc = self.program.procs[proc].entry;
        self.at_time(time, Event::Arrive { visit, loc, edges, by: None });
        Ok(())
    }

    fn arrive(
        &mut self,
        time: Time,
        visit: VisitId,
        loc: Loc,
        edges: Dd,
        by: Option<(RingId, EdgeId, RingId)>,
        goal: &Goal,
    ) -> Result<Option<Met>, OutOfNodes> {
        let dd = self.enc.dd;
        let proc = self.visits[visit].proc;
        let at = LocRef { proc, loc };
        let known = self.reached.entry(at).or_insert_with(|| dd.zero().clone());
        let new = dd.minus(&edges, known)?;
        if dd.is_false(&new) {
            return Ok(None);
        }
        *known = dd.or(known, &new)?;
        let ring = self.rings.push(Ring { visit, loc, time, edges: new.clone(), by });
        self.at.entry((visit, loc)).or_default().push(ring);

        let body = &self.program.procs[proc];
        if let Goal::Label(name) = goal
            && body.locs[loc].has_label(name)
        {
            return Ok(Some(Met { ring, assert: None }));
        }
        for (id, edge) in body.out_edges(loc) {
            if let Action::Assert(expr) = edge.action
                && *goal == Goal::Assert
                && !dd.disjoint(&new, &self.enc.may(expr)?.be_false)
            {
                return Ok(Some(Met { ring, assert: Some(id) }));
            }
            match &edge.action {
                Action::EndThread => continue,
                Action::Call(call) => {
                    self.called(ring, id, at, call, &new)?;
                    continue;
                }
                _ => {}
            }
            let edges = self.arrow(proc, id)?.post(self.enc, &new)?;
            self.at_time(time + 1, Event::Arrive { visit, loc: edge.to, edges, by: None });
        }
        if loc == body.exit {
            self.exited(ring, proc);
        }
        Ok(None)
    }

    /// A call at a ring: enter the callee, and return as its known visits do.
    fn called(
        &mut self,
        ring: RingId,
        edge: EdgeId,
        at: LocRef,
        call: &Call,
        new: &Dd,
    ) -> Result<(), OutOfNodes> {
        let time = self.rings[ring].time + 1;
        let states = self.calls.enter(self.enc, at, call, new)?;
        let caller = Some((ring, edge));
        self.at_time(time, Event::Enter { proc: call.callee, states, caller });
        self.calls_of.entry(call.callee).or_default().push((ring, edge));
        for exit in self.exits_of.get(&call.callee).cloned().unwrap_or_default() {
            self.will_return(ring, edge, exit);
        }
        Ok(())
    }

    /// A visit's way to the exit: every call that may have entered it returns.
    fn exited(&mut self, exit: RingId, proc: ProcId) {
        self.exits_of.entry(proc).or_default().push(exit);
        for (ring, edge) in self.calls_of.get(&proc).cloned().unwrap_or_default() {
            self.will_return(ring, edge, exit);
        }
    }

    fn will_return(&mut self, call: RingId, edge: EdgeId, exit: RingId) {
        let Ring { visit, time, .. } = self.rings[exit];
        let begin = self.visits[visit].begin;
        let entered = self.rings[call].time + 1;
        // A call before the visit began entered with other values.
        if entered >= begin {
            let returned = match self.clock {
                Clock::Statements => entered + (time - begin),
                Clock::Height => entered.max(time),
            };
            self.at_time(returned, Event::Return { call, edge, exit });
        }
    }

    fn returns(
        &mut self,
        time: Time,
        call: RingId,
        edge: EdgeId,
        exit: RingId,
    ) -> Result<(), OutOfNodes> {
        let Ring { visit, .. } = self.rings[call];
        let proc = self.visits[visit].proc;
        let before = self.rings[call].edges.clone();
        let mut edges = self.call_arrow(proc, edge, exit)?.post(self.enc, &before)?;
        let body = &self.program.procs[proc];
        if let Some(expr) = body.enforce {
            let holds = self.enc.may(expr)?.be_true;
            edges = self.enc.dd.and(&edges, &holds)?;
        }
        let loc = body.edges[edge].to;
        if !self.enc.dd.is_false(&edges) {
            self.at_time(time, Event::Arrive { visit, loc, edges, by: Some((call, edge, exit)) });
        }
        Ok(())
    }

    /// The variables whose values a ring tells: at entry, and now.
    pub fn vars(&self, ring: RingId) -> (Bits, Bits) {
        let Ring { visit, loc, .. } = self.rings[ring];
        let proc = self.visits[visit].proc;
        (self.calls.entry_vars(proc), self.live.at(LocRef { proc, loc }).clone())
    }
}

/// The call on an edge that is one.
pub fn call_of(edge: &hardbop_cfg::Edge) -> &Call {
    match &edge.action {
        Action::Call(call) => call,
        other => unreachable!("{other:?} is no call"),
    }
}

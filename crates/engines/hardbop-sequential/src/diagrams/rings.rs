//! Rings in the order of time: which path edges are first reached after how many statements.
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
//! *Limits.* What is reached after exactly n statements can have large diagrams where what is reached at all has
//! small ones, and times can be exponential in the size of the program. [`sweep`](crate::diagrams::sweep) then
//! finds a trace that is not the shortest.
//!
//! Read: [`Rings::search`], [`Rings::arrive`], [`Rings::exited`], [`Rings::called`].

use std::collections::{BTreeMap, VecDeque};

use hardbop_base::{Budget, Exhausted, IndexVec, define_id};
use hardbop_cfg::{Action, Call, EdgeId, Goal, Loc, LocRef, ProcId};
use hardbop_dd::{Dd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::diagrams::past::{By, Met, Past, Ring, RingId};

define_id!(
    /// A visit of a procedure.
    VisitId, "visit"
);

/// Statements since the program started.
pub type Time = u64;

/// Nothing happens later than this, so that times can be added.
const END_OF_TIME: Time = Time::MAX / 2;

/// Entries of a procedure that no earlier visit had.
struct Visit {
    proc: ProcId,
    begin: Time,
}

/// Something that happens at a known time.
enum Event {
    Enter { proc: ProcId, states: Dd, by: By },
    Arrive { visit: VisitId, loc: Loc, edges: Dd, by: By },
    Return { call: RingId, edge: EdgeId, exit: RingId },
}

/// The rings found so far, with their times.
pub struct Rings<'p, 'a, 'b> {
    past: &'p mut Past<'a, 'b>,
    visits: IndexVec<VisitId, Visit>,
    /// When, and in which visit, each ring was found.
    found: IndexVec<RingId, (Time, VisitId)>,
    events: BTreeMap<Time, VecDeque<Event>>,
    /// All entries of each procedure so far, over current values.
    entered: FxHashMap<ProcId, Dd>,
    /// All path edges of each location so far.
    reached: FxHashMap<LocRef, Dd>,
    /// The rings at which a procedure was called.
    calls_of: FxHashMap<ProcId, Vec<(RingId, EdgeId)>>,
    /// The rings at the exit of each procedure.
    exits_of: FxHashMap<ProcId, Vec<RingId>>,
    /// Whether something would have happened after the end of time.
    pub too_late: bool,
}

impl<'p, 'a, 'b> Rings<'p, 'a, 'b> {
    pub fn new(past: &'p mut Past<'a, 'b>) -> Self {
        Rings {
            past,
            visits: IndexVec::new(),
            found: IndexVec::new(),
            events: BTreeMap::new(),
            entered: FxHashMap::default(),
            reached: FxHashMap::default(),
            calls_of: FxHashMap::default(),
            exits_of: FxHashMap::default(),
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
        let by = By::Start(initial.clone());
        self.at_time(0, Event::Enter { proc: self.past.program.main, states: initial, by });
        while let Some((time, event)) = self.next() {
            meter.tick()?;
            match event {
                Event::Enter { proc, states, by } => self.enter(time, proc, states, by)?,
                Event::Return { call, edge, exit } => self.returns(time, call, edge, exit)?,
                Event::Arrive { visit, loc, edges, by } => {
                    if let Some(met) = self.arrive(time, visit, loc, edges, by, goal)? {
                        return Ok(Some(met));
                    }
                }
            }
            self.past.enc.dd.maybe_gc();
        }
        Ok(None)
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

    fn enter(&mut self, time: Time, proc: ProcId, states: Dd, by: By) -> Result<(), OutOfNodes> {
        let dd = self.past.enc.dd;
        let known = self.entered.entry(proc).or_insert_with(|| dd.zero().clone());
        let new = dd.minus(&states, known)?;
        if dd.is_false(&new) {
            return Ok(());
        }
        *known = dd.or(known, &new)?;
        let edges = self.past.entering(proc, &new)?;
        let visit = self.visits.push(Visit { proc, begin: time });
        let loc = self.past.program.procs[proc].entry;
        self.at_time(time, Event::Arrive { visit, loc, edges, by });
        Ok(())
    }

    fn arrive(
        &mut self,
        time: Time,
        visit: VisitId,
        loc: Loc,
        edges: Dd,
        by: By,
        goal: &Goal,
    ) -> Result<Option<Met>, OutOfNodes> {
        let dd = self.past.enc.dd;
        let proc = self.visits[visit].proc;
        let at = LocRef { proc, loc };
        let known = self.reached.entry(at).or_insert_with(|| dd.zero().clone());
        let new = dd.minus(&edges, known)?;
        if dd.is_false(&new) {
            return Ok(None);
        }
        *known = dd.or(known, &new)?;
        let ring = self.past.rings.push(Ring { at, edges: new.clone(), by: vec![by] });
        self.found.push((time, visit));
        if let Some(assert) = self.past.meets(at, &new, goal)? {
            return Ok(Some(Met { ring, assert }));
        }
        let body = &self.past.program.procs[proc];
        for (id, edge) in body.out_edges(loc) {
            match &edge.action {
                Action::EndThread => {}
                Action::Call(call) => self.called(ring, id, call, &new)?,
                _ => {
                    let (edges, by) = (self.past.post(proc, id, &new)?, By::Edge(ring, id));
                    self.at_time(time + 1, Event::Arrive { visit, loc: edge.to, edges, by });
                }
            }
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
        call: &Call,
        new: &Dd,
    ) -> Result<(), OutOfNodes> {
        let time = self.found[ring].0 + 1;
        let Past { calls, enc, rings, .. } = &mut *self.past;
        let states = calls.enter(enc, rings[ring].at, call, new)?;
        let by = By::Call(ring, edge);
        self.at_time(time, Event::Enter { proc: call.callee, states, by });
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
        let (time, visit) = self.found[exit];
        let begin = self.visits[visit].begin;
        let entered = self.found[call].0 + 1;
        // A call before the visit began entered with other values.
        if entered >= begin {
            self.at_time(entered + (time - begin), Event::Return { call, edge, exit });
        }
    }

    fn returns(
        &mut self,
        time: Time,
        call: RingId,
        edge: EdgeId,
        exit: RingId,
    ) -> Result<(), OutOfNodes> {
        let edges = self.past.returned(call, edge, exit)?;
        if !self.past.enc.dd.is_false(&edges) {
            let visit = self.found[call].1;
            let loc = self.past.program.procs[self.visits[visit].proc].edges[edge].to;
            let by = By::Return(call, edge, exit);
            self.at_time(time, Event::Arrive { visit, loc, edges, by });
        }
        Ok(())
    }
}

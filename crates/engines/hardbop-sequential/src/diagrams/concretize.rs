//! From the outline of a run to the run itself: values for everything, dead variables included.
//!
//! The stops tell the values of live variables. The others cannot change the way, so any possible
//! value will do, as long as each step is one the program can take. A way through a callee becomes a passage
//! for each scope it is entered with.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx, IndexVec};
use hardbop_cfg::analysis::Live;
use hardbop_cfg::{Action, Assign, EdgeRef, Program, VarId};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_evidence::{Event, Initial, Passage, PassageId, Step, ThreadIx, Trace};
use rustc_hash::FxHashMap;

use crate::diagrams::backtrack::{Leave, Outline, Stop, WayId};
use crate::diagrams::past::call_of;
use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::Transfers;

/// The run through the stops. `initial` are the initial states over all shared variables.
pub fn concretize(
    enc: &mut Encoder<'_>,
    initial: &Dd,
    outline: &Outline,
    live: &Live,
    meter: &mut Meter<'_>,
) -> Result<Trace, Exhausted> {
    let n_shared = enc.program.n_shared();
    let first = &outline.stops[0];
    let shared = initial_values(enc, initial, &first.values.below(n_shared), live.at(first.at))?;
    let locals = first.values.from(n_shared);
    let start = joined(&shared, &locals);
    let writer = Writer {
        enc,
        outline,
        live,
        passages: IndexVec::new(),
        written: FxHashMap::default(),
        waiting: Vec::new(),
    };
    let (steps, passages) = writer.write(start, meter)?;
    Ok(Trace { initial: Initial { shared, locals: vec![locals] }, steps, passages })
}

/// Writes stops down, with its own stack: calls may nest deeper than ours.
struct Writer<'e, 'a, 'o> {
    enc: &'e mut Encoder<'a>,
    outline: &'o Outline,
    live: &'o Live,
    passages: IndexVec<PassageId, Passage>,
    /// The passage of a way, by the scope it is entered with.
    written: FxHashMap<(WayId, Bits), PassageId>,
    /// Parts whose next step goes over a call that is being written, the innermost last.
    waiting: Vec<Part<'o>>,
}

/// The run, or a way through a callee, as far as it is written.
struct Part<'o> {
    /// The way, and the scope it is entered with; `None` for the run.
    way: Option<(WayId, Bits)>,
    stops: &'o [Stop],
    /// The next stop to leave.
    at: usize,
    now: Bits,
    steps: Vec<Step>,
}

/// What comes after a stop was left.
enum Next<'o> {
    Stop,
    /// A callee is to be written first.
    Callee(Part<'o>),
    End,
}

impl<'o> Writer<'_, '_, 'o> {
    fn write(
        mut self,
        start: Bits,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<Step>, IndexVec<PassageId, Passage>), Exhausted> {
        let stops = &self.outline.stops;
        let mut part = Part { way: None, stops, at: 0, now: start, steps: Vec::new() };
        loop {
            meter.tick()?;
            match self.leave(&mut part)? {
                Next::Stop => part.at += 1,
                Next::Callee(callee) => self.waiting.push(std::mem::replace(&mut part, callee)),
                Next::End => match self.end(part) {
                    Ok(caller) => part = caller,
                    Err(steps) => return Ok((steps, self.passages)),
                },
            }
        }
    }

    /// Writes the step that leaves a stop.
    fn leave(&mut self, part: &mut Part<'o>) -> Result<Next<'o>, OutOfNodes> {
        let program = self.enc.program;
        let stop = &part.stops[part.at];
        let edge_at = |edge| EdgeRef { proc: stop.at.proc, edge };
        let next = || part.stops.get(part.at + 1).expect("a statement leads to a stop");
        let event = match stop.leave {
            Leave::Done => return Ok(Next::End),
            Leave::Fail(edge) => Event::Violate(edge_at(edge)),
            Leave::Edge(edge) => {
                let (at, next) = (edge_at(edge), next());
                if let Action::Assign(assign) = &program.edge(at).action {
                    let live = self.live.at(next.at);
                    part.now = assigned(self.enc, at, assign, &part.now, &next.values, live)?;
                }
                Event::Take(at)
            }
            Leave::Call(edge) => {
                part.now = self.entered(edge_at(edge), &part.now, next());
                Event::Take(edge_at(edge))
            }
            Leave::Over(edge, way) => {
                let stops = self.outline.ways[way].as_slice();
                let entry = self.entered(edge_at(edge), &part.now, &stops[0]);
                let key = (way, entry.clone());
                let Some(&passage) = self.written.get(&key) else {
                    let (at, steps) = (0, Vec::new());
                    return Ok(Next::Callee(Part { way: Some(key), stops, at, now: entry, steps }));
                };
                let caller = part.now.from(program.n_shared());
                let exit = self.passages[passage].exit();
                part.now = returned(program, edge_at(edge), exit, &caller);
                Event::Over(edge_at(edge), passage)
            }
        };
        let (thread, after) = (ThreadIx::from_u32(0), part.now.clone());
        part.steps.push(Step { thread, event, after, others: Vec::new() });
        Ok(if matches!(event, Event::Violate(_)) { Next::End } else { Next::Stop })
    }

    /// The scope at the entry of a callee.
    fn entered(&self, at: EdgeRef, now: &Bits, entry: &Stop) -> Bits {
        let program = self.enc.program;
        let locals = passed(program, at, now, &entry.values, self.live.at(entry.at));
        joined(&now.below(program.n_shared()), &locals)
    }

    /// A part is written: goes on with the one that waits for it, or gives the steps of the run.
    fn end(&mut self, part: Part<'o>) -> Result<Part<'o>, Vec<Step>> {
        let Some((way, entry)) = part.way else { return Err(part.steps) };
        let proc = part.stops[0].at.proc;
        let passage = Passage { proc, entry: entry.clone(), steps: part.steps };
        let id = self.passages.push(passage);
        self.written.insert((way, entry), id);
        Ok(self.waiting.pop().expect("a callee has a caller"))
    }
}

fn joined(shared: &Bits, locals: &Bits) -> Bits {
    let mut scope = shared.clone();
    scope.union_with(locals);
    scope
}

/// Values for all shared variables that agree with the live ones and with the initialisers.
fn initial_values(
    enc: &mut Encoder<'_>,
    initial: &Dd,
    values: &Bits,
    live: &Bits,
) -> Result<Bits, OutOfNodes> {
    let program = enc.program;
    let level = |var: VarId| enc.slots.level(var, Moment::Now);
    let known: Vec<_> = program
        .shared_vars()
        .filter(|var| live.contains(var.index()))
        .map(|var| (level(var), values.contains(var.index())))
        .collect();
    let known = enc.dd.product(&known)?;
    let states = enc.dd.and(initial, &known)?;
    let levels: Vec<_> = program.shared_vars().map(level).collect();
    let values = enc.dd.pick_assignment(&states, &levels).expect("the trace starts somewhere");
    Ok((0..values.len()).filter(|&var| values[var]).collect())
}

/// The scope after an assignment: live targets as told, the others as the statement allows.
fn assigned(
    enc: &mut Encoder<'_>,
    at: EdgeRef,
    assign: &Assign,
    now: &Bits,
    told: &Bits,
    live: &Bits,
) -> Result<Bits, OutOfNodes> {
    let program = enc.program;
    let targets = || assign.targets.iter().map(|&(target, _)| target);
    let mut next = now.clone();
    if targets().all(|target| live.contains(target.index())) {
        targets().for_each(|target| next.set(target.index(), told.contains(target.index())));
        return Ok(next);
    }
    // Choose all targets at once, because `constrain` may connect them.
    let mut transfers = Transfers::new(0);
    let enforce = program.procs[at.proc].enforce;
    let id = transfers.of_action(enc, &Action::Assign(Box::new(assign.clone())), enforce)?;
    let mut known = Vec::new();
    for var in program.scope(at.proc) {
        known.push((enc.slots.level(var, Moment::Now), now.contains(var.index())));
    }
    for target in targets().filter(|target| live.contains(target.index())) {
        known.push((enc.slots.level(target, Moment::Next), told.contains(target.index())));
    }
    let known = enc.dd.product(&known)?;
    let possible = enc.dd.and(&transfers.get(id).relation, &known)?;
    let levels: Vec<_> = targets().map(|target| enc.slots.level(target, Moment::Next)).collect();
    let values = enc.dd.pick_assignment(&possible, &levels).expect("the statement can be executed");
    for (target, value) in targets().zip(values) {
        next.set(target.index(), value);
    }
    Ok(next)
}

/// The locals of a callee: live ones as told, formals otherwise as the arguments allow.
fn passed(program: &Program, at: EdgeRef, now: &Bits, told: &Bits, live: &Bits) -> Bits {
    let call = call_of(program.edge(at));
    let mut locals = told.from(program.n_shared());
    for (formal, &arg) in program.formals(call.callee).zip(&call.args) {
        if !live.contains(formal.index()) {
            let may = program.exprs.eval(arg, now, now);
            locals.set(formal.index(), !may.be_false);
        }
    }
    locals
}

/// The scope of the caller after a return.
fn returned(program: &Program, call: EdgeRef, callee: &Bits, caller: &Bits) -> Bits {
    let mut now = joined(&callee.below(program.n_shared()), caller);
    let call = call_of(program.edge(call));
    for (result, target) in program.returns(call.callee).zip(&call.results) {
        if let Some(target) = target {
            now.set(target.index(), callee.contains(result.index()));
        }
    }
    now
}

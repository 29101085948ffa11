//! From stops to a full trace: values for everything, dead variables included.
//!
//! The stops tell the values of live variables. The others cannot change the way, so any possible
//! value will do, as long as each step is one the program can take.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, Assign, EdgeRef, Program, VarId};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_evidence::{Event, Initial, Step, ThreadIx, Trace};

use crate::backtrack::{Leave, Stop};
use crate::encode::Encoder;
use crate::rings::call_of;
use crate::slots::Moment;
use crate::transfer::Transfers;

/// The trace through the stops. `initial` are the initial states over all shared variables.
pub fn concretize(
    enc: &mut Encoder<'_>,
    initial: &Dd,
    stops: &[Stop],
    live: &hardbop_cfg::analysis::Live,
) -> Result<Trace, OutOfNodes> {
    let program = enc.program;
    let n_shared = program.n_shared();
    let first = &stops[0];
    let shared = initial_values(enc, initial, &first.values.below(n_shared), live.at(first.at))?;
    let locals = first.values.from(n_shared);
    // The locals of every active call, the top last.
    let mut frames = vec![locals.clone()];
    let mut calls: Vec<EdgeRef> = Vec::new();
    let mut now = joined(&shared, &locals);
    let mut steps = Vec::new();
    for (i, stop) in stops.iter().enumerate() {
        let next = stops.get(i + 1);
        let event = match stop.leave {
            Leave::Done => break,
            Leave::Fail(edge) => Event::Violate(EdgeRef { proc: stop.at.proc, edge }),
            Leave::Edge(edge) => {
                let next = next.expect("an edge leads to a stop");
                let at = EdgeRef { proc: stop.at.proc, edge };
                if let Action::Assign(assign) = &program.edge(at).action {
                    now = assigned(enc, at, assign, &now, &next.values, live.at(next.at))?;
                }
                Event::Take(at)
            }
            Leave::Call(edge) => {
                let next = next.expect("a call leads to a stop");
                let at = EdgeRef { proc: stop.at.proc, edge };
                *frames.last_mut().expect("a call has a caller") = now.from(n_shared);
                calls.push(at);
                let locals = passed(program, at, &now, &next.values, live.at(next.at));
                now = joined(&now.below(n_shared), &locals);
                frames.push(locals);
                Event::Take(at)
            }
            Leave::Return => {
                frames.pop();
                let call = calls.pop().expect("a return has a call");
                let caller = frames.last().expect("a return has a caller");
                now = returned(program, call, &now, caller);
                Event::Return
            }
        };
        let thread = ThreadIx::from_u32(0);
        steps.push(Step { thread, event, after: now.clone(), others: Vec::new() });
    }
    Ok(Trace { initial: Initial { shared, locals: vec![locals] }, steps })
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
            locals.set(formal.index(), !may.may_be_false);
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

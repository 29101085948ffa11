//! Passing states into a callee, and joining its summary behind the call.
//!
//! A summary relates the values at the callee's entry with those at its exit, and mentions only
//! what the callee may touch: the entry values of what is live at its entry, and the exit values of
//! the shared variables it may modify and of its returns. At a call it becomes a relation between
//! the caller's current and next values like that of any statement; a variable it does not mention
//! is framed, because nothing is said of it.

use hardbop_base::{Bits, Idx};
use hardbop_cfg::analysis::{Live, ModRef};
use hardbop_cfg::{Action, Call, LocRef, ProcId, Program, VarId};
use hardbop_dd::{Dd, OutOfNodes, Renaming};
use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::{Arrow, Transfer};

/// What is needed to cross the bounds of procedures.
#[derive(Debug)]
pub struct Calls<'a> {
    program: &'a Program,
    live: &'a Live,
    modref: &'a ModRef,
    /// Renamings from a summary to a relation at a call, by callee and results.
    returning: FxHashMap<(ProcId, Vec<Option<VarId>>), Renaming>,
    passing: FxHashMap<Call, Dd>,
    /// Procedures that some statement calls.
    called: FxHashSet<ProcId>,
}

impl<'a> Calls<'a> {
    pub fn new(program: &'a Program, live: &'a Live, modref: &'a ModRef) -> Self {
        let (returning, passing) = (FxHashMap::default(), FxHashMap::default());
        let called = program.all_edges().filter_map(|(_, edge)| match &edge.action {
            Action::Call(call) => Some(call.callee),
            _ => None,
        });
        Calls { program, live, modref, returning, passing, called: called.collect() }
    }

    /// The variables whose entry values a procedure's path edges tell: shared variables and
    /// formals that are live at its entry. Other locals start with any value. A procedure that nobody calls
    /// (`main`, usually) has no summary, so its path edges tell none and are plain sets of states.
    pub fn entry_vars(&self, proc: ProcId) -> Bits {
        if !self.called.contains(&proc) {
            return Bits::new();
        }
        let body = &self.program.procs[proc];
        self.live
            .at(LocRef { proc, loc: body.entry })
            .below(self.program.n_shared() + body.n_formals)
    }

    /// The shared variables a callee may modify.
    pub fn modified(&self, callee: ProcId) -> &'a Bits {
        self.modref.modified(callee)
    }

    /// The formals get the values of the arguments: current values of the caller, next values of
    /// the callee's formals.
    fn passes(&mut self, enc: &mut Encoder<'_>, call: &Call) -> Result<Dd, OutOfNodes> {
        if let Some(passes) = self.passing.get(call) {
            return Ok(passes.clone());
        }
        let entry = self.entry_vars(call.callee);
        let mut passes = enc.dd.one().clone();
        for (formal, &arg) in self.program.formals(call.callee).zip(&call.args) {
            if entry.contains(formal.index()) {
                let takes = enc.takes(formal, Moment::Next, arg)?;
                passes = enc.dd.and(&passes, &takes)?;
            }
        }
        self.passing.insert(call.clone(), passes.clone());
        Ok(passes)
    }

    fn live_formals(&self, callee: ProcId) -> Bits {
        let mut formals: Bits = self.program.formals(callee).map(|var| var.index()).collect();
        formals.intersect_with(&self.entry_vars(callee));
        formals
    }

    /// The states in which `call` enters its callee, over the current values of the callee's scope.
    pub fn enter(
        &mut self,
        enc: &mut Encoder<'_>,
        at: LocRef,
        call: &Call,
        states: &Dd,
    ) -> Result<Dd, OutOfNodes> {
        let passes = self.passes(enc, call)?;
        // Forget where the caller was entered, and all of its current values that the callee does
        // not see or does not need.
        let callers = enc.cube(&self.entry_vars(at.proc), Moment::Entry)?;
        let states = enc.dd.exists(states, &callers)?;
        let mut gone = self.live.at(at).clone();
        gone.subtract(&self.entry_vars(call.callee).below(self.program.n_shared()));
        let formals = self.live_formals(call.callee);
        let gone = enc.passing_cube(&gone, Moment::Now)?;
        let entered = enc.dd.and_exists(&states, &passes, &gone)?;
        let entered = enc.shift(&entered, &formals, Moment::Next, Moment::Now)?;
        match self.program.procs[call.callee].enforce {
            None => Ok(entered),
            Some(expr) => {
                let holds = enc.may(expr)?.be_true;
                enc.dd.and(&entered, &holds)
            }
        }
    }

    /// The entries that path edges at the exit of a procedure belong to, over current values.
    pub fn entries(
        &self,
        enc: &mut Encoder<'_>,
        proc: ProcId,
        summary: &Dd,
    ) -> Result<Dd, OutOfNodes> {
        let exit = LocRef { proc, loc: self.program.procs[proc].exit };
        let left = enc.cube(self.live.at(exit), Moment::Now)?;
        let entries = enc.dd.exists(summary, &left)?;
        enc.shift(&entries, &self.entry_vars(proc), Moment::Entry, Moment::Now)
    }

    /// The relation of a call by a summary of its callee, from the call to the location after it.
    pub fn arrow(
        &mut self,
        enc: &mut Encoder<'_>,
        from: LocRef,
        call: &Call,
        to: LocRef,
        summary: &Dd,
    ) -> Result<Arrow, OutOfNodes> {
        let transfer = self.transfer(enc, call, summary)?;
        Arrow::new(enc, &transfer, self.live.at(from), self.live.at(to))
    }

    /// The same before anything is forgotten.
    fn transfer(
        &mut self,
        enc: &mut Encoder<'_>,
        call: &Call,
        summary: &Dd,
    ) -> Result<Transfer, OutOfNodes> {
        let callee = call.callee;
        // The callee's formals at entry are the arguments. Its entry copies may be used here: the
        // caller's own are not yet in play.
        let passes = self.passes(enc, call)?;
        let formals = self.live_formals(callee);
        let passes = enc.shift(&passes, &formals, Moment::Next, Moment::Entry)?;

        // The exit values move to the next values, results to their targets, first of all: their
        // current copies are then free for the caller's variables, which the arguments mention.
        let results = if call.results.is_empty() {
            vec![None; self.program.procs[callee].n_returns]
        } else {
            call.results.clone()
        };
        // A modified variable that is also the target of a result has the value of the result.
        let exit = LocRef { proc: callee, loc: self.program.procs[callee].exit };
        let mut modified = self.live.at(exit).clone();
        modified.intersect_with(self.modref.modified(callee));
        for target in results.iter().flatten() {
            modified.remove(target.index());
        }
        let mut dropped = self.live.at(exit).clone();
        dropped.subtract(&modified);
        for (result, target) in self.program.returns(callee).zip(&results) {
            if target.is_some() {
                dropped.remove(result.index());
            }
        }
        let dropped = enc.cube(&dropped, Moment::Now)?;
        let summary = enc.dd.exists(summary, &dropped)?;
        let renaming = match self.returning.get(&(callee, results.clone())) {
            Some(renaming) => renaming.clone(),
            None => {
                let renaming = self.returning_from(enc, callee, &modified, &results);
                self.returning.insert((callee, results.clone()), renaming.clone());
                renaming
            }
        };
        let left = enc.dd.rename(&summary, &renaming)?;
        let entry_formals = enc.cube(&formals, Moment::Entry)?;
        let relation = enc.dd.and_exists(&left, &passes, &entry_formals)?;

        let mut writes = modified;
        for target in results.iter().flatten() {
            writes.insert(target.index());
        }
        Ok(Transfer { relation, writes })
    }

    fn returning_from(
        &self,
        enc: &Encoder<'_>,
        callee: ProcId,
        modified: &Bits,
        results: &[Option<VarId>],
    ) -> Renaming {
        let level = |var, moment| enc.slots.level(var, moment);
        let entry = self.entry_vars(callee);
        let mut pairs = Vec::new();
        for var in self.program.shared_vars() {
            if entry.contains(var.index()) {
                pairs.push((level(var, Moment::Entry), level(var, Moment::Now)));
            }
            if modified.contains(var.index()) {
                pairs.push((level(var, Moment::Now), level(var, Moment::Next)));
            }
        }
        for (result, target) in self.program.returns(callee).zip(results) {
            if let Some(target) = target {
                pairs.push((level(result, Moment::Now), level(*target, Moment::Next)));
            }
        }
        Renaming::new(pairs)
    }
}

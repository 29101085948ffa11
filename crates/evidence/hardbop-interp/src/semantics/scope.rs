//! What an action does to the variables in scope.
//!
//! A *scope valuation* holds the shared variables and the locals of one frame. Calls lead from the
//! caller's scope into the callee's ([`Semantics::entries`]) and back
//! ([`Semantics::after_return`]); everything else stays within one scope ([`Semantics::post`]).

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::may::Possible;
use hardbop_cfg::{Action, Assign, Call, EdgeRef, ExprId, ProcId, Program};

use super::Semantics;
use super::product::{any_one, product};

/// Whether a procedure's `enforce` may hold (design section 2, item 5).
pub fn may_stay(program: &Program, proc: ProcId, scope: &Bits) -> bool {
    program.procs[proc]
        .enforce
        .is_none_or(|enforce| program.exprs.eval(enforce, scope, scope).be_true)
}

impl Semantics<'_> {
    /// The values of the shared variables before anything runs (item 1).
    pub fn initial_shared(&self, meter: &mut Meter<'_>) -> Result<Vec<Bits>, Exhausted> {
        let program = self.program;
        let entry = self.live.at(program.main, program.procs[program.main].entry);
        let free: Vec<_> = program
            .shared_vars()
            .filter(|var| program.init.iter().all(|(initialised, _)| initialised != var))
            .map(|var| (var.index(), self.choice(Possible::EITHER, entry.contains(var.index()))))
            .collect();
        let mut valuations = product(Bits::new(), &free, meter)?;
        // In order of declaration: an initial value may depend on those before it.
        for &(var, expr) in &program.init {
            let mut grown = Vec::with_capacity(valuations.len());
            for shared in valuations {
                let possible = program.exprs.eval(expr, &shared, &shared);
                let possible = self.choice(possible, entry.contains(var.index()));
                grown.extend(product(shared, &[(var.index(), possible)], meter)?);
                super::product::allow(grown.len())?;
            }
            valuations = grown;
        }
        Ok(valuations)
    }

    /// The scopes in which `callee` may begin: formals from the arguments, evaluated in `caller`,
    /// all other locals fresh (item 1).
    pub fn entries(
        &self,
        callee: ProcId,
        args: &[ExprId],
        caller: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Exhausted> {
        let formals = args.iter().map(|&arg| self.program.exprs.eval(arg, caller, caller));
        let fresh = std::iter::repeat(Possible::EITHER);
        self.begin(callee, formals.chain(fresh), &caller.below(self.program.n_shared()), meter)
    }

    /// The scopes in which a first thread may begin: `main`'s formals are as free as its locals.
    pub fn main_entries(
        &self,
        shared: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Exhausted> {
        self.begin(self.program.main, std::iter::repeat(Possible::EITHER), shared, meter)
    }

    fn begin(
        &self,
        proc: ProcId,
        locals: impl Iterator<Item = Possible>,
        shared: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Exhausted> {
        let live = self.live.at(proc, self.program.procs[proc].entry);
        let locals = self.program.locals(proc).zip(locals);
        let choices: Vec<_> = locals
            .map(|(var, possible)| (var.index(), self.choice(possible, live.contains(var.index()))))
            .collect();
        let mut scopes = product(shared.clone(), &choices, meter)?;
        scopes.retain(|scope| may_stay(self.program, proc, scope));
        Ok(scopes)
    }

    /// The scopes after an action that neither enters a procedure nor ends the thread, at the
    /// location the edge leads to. What it does to other threads is no matter of a scope.
    pub fn post(
        &self,
        at: EdgeRef,
        now: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Exhausted> {
        let edge = self.program.edge(at);
        let mut after = match &edge.action {
            Action::Assume(guard) | Action::Assert(guard) => {
                if self.program.exprs.eval(*guard, now, now).be_true {
                    vec![now.clone()]
                } else {
                    Vec::new()
                }
            }
            Action::Assign(assign) => {
                self.assigned(assign, now, self.live.at(at.proc, edge.to), meter)?
            }
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd | Action::StartThread(_) => {
                vec![now.clone()]
            }
            Action::Call(_) | Action::EndThread => {
                unreachable!("a call leaves the scope, an ended thread has none")
            }
        };
        after.retain(|scope| may_stay(self.program, at.proc, scope));
        Ok(after)
    }

    /// Parallel assignment, filtered by `constrain` (item 4).
    fn assigned(
        &self,
        assign: &Assign,
        now: &Bits,
        live: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Exhausted> {
        let exprs = &self.program.exprs;
        let constrained = assign.constrain.map_or_else(Bits::new, |expr| exprs.support(expr));
        let choices: Vec<_> = assign
            .targets
            .iter()
            .map(|&(var, value)| {
                let matters = live.contains(var.index()) || constrained.contains(var.index());
                (var.index(), self.choice(exprs.eval(value, now, now), matters))
            })
            .collect();
        let mut after = product(now.clone(), &choices, meter)?;
        if let Some(constrain) = assign.constrain {
            after.retain(|next| exprs.eval(constrain, now, next).be_true);
        }
        Ok(after)
    }

    /// The caller's scope after a return, `caller` being its scope at the call; `None` where the
    /// caller's `enforce` cannot hold.
    pub fn after_return(
        &self,
        proc: ProcId,
        call: &Call,
        caller: &Bits,
        callee_exit: &Bits,
    ) -> Option<Bits> {
        let n_shared = self.program.n_shared();
        let mut after = callee_exit.below(n_shared);
        after.union_with(&caller.from(n_shared));
        for (from, to) in self.program.returns(call.callee).zip(&call.results) {
            if let Some(to) = to {
                after.set(to.index(), callee_exit.contains(from.index()));
            }
        }
        may_stay(self.program, proc, &after).then_some(after)
    }

    /// The values to enumerate for a variable.
    pub(super) fn choice(&self, possible: Possible, matters: bool) -> Possible {
        if matters { possible } else { any_one(possible) }
    }
}

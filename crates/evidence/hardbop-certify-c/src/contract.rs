//! Functions of which the certificate says what they do in any call (Hoare, "Procedures and parameters", 1971): what holds
//! before each call, over parameters and global registers, and what holds when it returns, over what was passed, the result
//! and global registers.
//!
//! The body is executed once, from any state in which what holds before does; each call of the function, inside of its own body as
//! elsewhere, is replaced: what holds before must hold, then all that the function may change is anything of which what
//! holds after does.
//!
//! Why this leaves nothing out: take the first thing that goes wrong in an execution, and the innermost call of such a
//! function that is running then. What holds before held when it began, what holds after held when the calls inside of it
//! returned: nothing had gone wrong. So it is one of the executions of the body that were looked at.
//!
//! What a function may change is found as for loops that are cut (`cut`), by executing the body until nothing else is different
//! afterwards. The state that the body is executed from knows the global objects only: an access to any other by a pointer that was
//! passed may be invalid, as far as it knows, and the certificate is not accepted.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::Span;
use hardbop_cir::{BlockId, ExprId, FuncId, VarId};

use crate::certificate::ClaimsOf;
use crate::cut::Changes;
use crate::exec::{Executor, Go};
use crate::guard::Guard;
use crate::state::{Registers, State};
use crate::value::Value;

/// What is said of a function.
#[derive(Clone, Debug)]
pub(crate) struct Contract {
    pub before: Vec<ExprId>,
    pub after: Vec<ExprId>,
    /// What stands for the result in `after`.
    pub result: Option<VarId>,
}

impl Executor<'_> {
    /// Executes the bodies of all functions with contracts, until what they may change is known.
    pub(crate) fn contracts(&mut self, start: &State) -> Go {
        let said = self.said;
        loop {
            let (n_before, n_reads) = (self.obligations.len(), self.journal.len());
            let mut is_stable = true;
            for (&func, contract) in &said.contracts {
                self.budget.check()?;
                let before = self.effects.get(&func).cloned().unwrap_or_default();
                let after = self.body(func, contract, start, before.clone())?;
                is_stable &= before == after;
                self.effects.insert(func, after);
            }
            // Soundness: the round that counts is one after which nothing else is different.
            if is_stable {
                return Ok(());
            }
            self.obligations.truncate(n_before);
            self.forget_reads(n_reads);
        }
    }

    /// Executes a body from any state: what it may change, with what is known already.
    fn body(
        &mut self,
        func: FuncId,
        contract: &Contract,
        start: &State,
        mut changes: Changes,
    ) -> Go<Changes> {
        let program = self.program;
        let it = &program.funcs[func];
        let span = it.blocks[BlockId::from_u32(0)].span;
        let mut state = State { guard: Guard::default(), ..self.forget(start, &everything(start)) };
        let args: Vec<Value> = it.params.iter().map(|&it| self.any(program.vars[it].ty)).collect();
        let passed: Registers = Rc::new(it.params.iter().copied().zip(args.clone()).collect());
        state.locals = Rc::clone(&passed);
        self.assume_all(&mut state, &contract.before);
        let Some((mut after, result)) = self.call(func, args, state.clone(), span)? else {
            return Ok(changes);
        };
        let what = format!("`{}`, may outlive the call", it.name);
        self.compare((span, &what), &state, &after, &mut changes)?;
        self.bind(&mut after, &passed, contract, result);
        let what = "what the certificate says holds after a call may not hold";
        self.claim_all(&mut after, (&contract.after, ClaimsOf::After(func)), span, what);
        Ok(changes)
    }

    /// The state after a call, by the contract alone.
    pub(crate) fn call_by_contract(
        &mut self,
        func: FuncId,
        contract: &Contract,
        args: Vec<Value>,
        state: State,
        span: Span,
    ) -> Option<(State, Option<Value>)> {
        let it = &self.program.funcs[func];
        let (locals, objects) = (Rc::clone(&state.locals), Rc::clone(&state.objects));
        let passed: Registers = Rc::new(it.params.iter().copied().zip(args).collect());
        let mut inside = State { locals: Rc::clone(&passed), objects: Rc::default(), ..state };
        let what = "what the certificate says holds before a call may not hold";
        self.claim_all(&mut inside, (&contract.before, ClaimsOf::Before(func)), span, what);
        let changes = self.effects.get(&func).cloned().unwrap_or_default();
        let mut after = self.forget(&inside, &changes);
        let result = it.result.map(|ty| self.any(ty));
        self.bind(&mut after, &passed, contract, result);
        self.assume_all(&mut after, &contract.after);
        (after.locals, after.objects) = (locals, objects);
        (!after.guard.is_false(&mut self.prover.terms)).then_some((after, result))
    }

    /// Parameters are what was passed, whatever the function did with them since.
    fn bind(
        &mut self,
        state: &mut State,
        passed: &Registers,
        contract: &Contract,
        result: Option<Value>,
    ) {
        let mut locals = BTreeMap::clone(passed);
        locals.extend(contract.result.zip(result));
        state.locals = Rc::new(locals);
        state.objects = Rc::default();
    }
}

/// Global registers and the bytes of all objects.
fn everything(state: &State) -> Changes {
    let is_there = |id: &usize| state.slot(*id).is_some();
    let ids = (0..state.slots.len()).filter(is_there);
    Changes {
        registers: state.globals.keys().copied().collect(),
        bytes: ids.map(|id| (id, None)).collect(),
        ..Changes::default()
    }
}

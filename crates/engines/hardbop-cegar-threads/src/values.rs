//! Values on a path: of expressions, of variables, and what registers are given.

use hardbop_cir::{ExprId, ObjId, VarId as Register};
use hardbop_smt::{TermId, Terms};

use crate::facts::Facts;
use crate::model::{FrameId, Instance, Var};
use crate::names::Naming;
use crate::steps::{Path, Walker};
use crate::terms::{Names, term, width};

/// The expressions of a path.
struct At<'p, 'a, 'n> {
    naming: &'p mut Naming<'a>,
    facts: &'n Facts,
    path: &'p Path,
}

impl Names for At<'_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.naming.terms
    }

    fn ptr_bits(&self) -> u8 {
        self.naming.program.ptr_bits
    }

    fn var(&mut self, register: Register) -> TermId {
        let var = self.naming.register(self.path.at.frame, register);
        let known = self.path.values.get(&var).or_else(|| self.facts.constants.get(&var));
        known.copied().unwrap_or(self.naming.vars[var].term)
    }

    fn object(&mut self, object: ObjId) -> u128 {
        let instance = instance(self.naming, self.path.at.frame, object);
        self.naming.number(instance)
    }

    fn fresh(&mut self, width: u32) -> TermId {
        self.naming.terms.var("any", width)
    }
}

pub(crate) fn instance(naming: &Naming<'_>, frame: FrameId, object: ObjId) -> Instance {
    match naming.program.objects[object].kind {
        hardbop_cir::ObjKind::Global => Instance::Global(object),
        _ => Instance::Local(frame, object),
    }
}

impl Walker<'_, '_> {
    pub(crate) fn eval(&mut self, path: &Path, expr: ExprId) -> TermId {
        let mut at = At { naming: self.naming, facts: self.facts, path };
        term(&mut at, &self.program.exprs, expr)
    }

    pub(crate) fn fresh(&mut self, width: u32) -> TermId {
        self.naming.terms.var("any", width)
    }

    pub(crate) fn value(&self, path: &Path, var: Var) -> TermId {
        let known = path.values.get(&var).or_else(|| self.facts.constants.get(&var));
        known.copied().unwrap_or(self.naming.vars[var].term)
    }

    /// Notes what a register is given.
    pub(crate) fn assign(&mut self, var: Var, value: TermId) {
        let constant = self.naming.terms.as_const(value).map(|_| value);
        let known = self.seen.assigned.entry(var).or_insert(constant);
        if *known != constant {
            *known = None;
        }
    }

    pub(crate) fn set(&mut self, path: &mut Path, register: Register, value: TermId) {
        let var = self.naming.register(path.at.frame, register);
        self.assign(var, value);
        path.values.insert(var, value);
    }

    pub(crate) fn set_any(&mut self, path: &mut Path, register: Register) -> TermId {
        let any = self.fresh(width(self.program.vars[register].ty, self.program.ptr_bits));
        self.set(path, register, any);
        any
    }
}

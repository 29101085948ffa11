//! Where a role begins, and the first values of its variables.

use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BlockId, ExprId, ObjId, VarId as Register};
use hardbop_smt::{TermId, Terms};

use crate::model::{Cut, Instance, Meaning, Place, RoleId, Start, Step, Target};
use crate::names::Naming;
use crate::steps::Walker;
use crate::terms::{Names, term};

impl Walker<'_, '_> {
    /// Where the role begins: a cut of its own, whose only step gives variables their first values.
    pub(crate) fn enter(&mut self, role: RoleId) {
        if !self.seen.roles.insert(role) {
            return;
        }
        let frame = self.naming.roles[role].frame;
        let func = &self.program.funcs[self.naming.roles[role].func];
        let span = func.span.unwrap_or_default();
        let entry = self.cuts.push(Cut { role, place: None, span });
        self.entries.insert(role, entry);
        let at = Place { frame, block: BlockId::from_u32(0), at: 0, atomic: None };
        let to = self.cut(at, span);
        let is_main = self.naming.roles[role].start == Start::Main;
        let mut updates = Vec::new();
        for (id, info) in self.program.vars.iter_enumerated() {
            if info.owner.is_none() {
                let var = self.naming.var(Meaning::Own(role, id));
                let value = info.init.map(|init| self.first(init));
                let value = value.unwrap_or_else(|| self.fresh(self.naming.vars[var].width));
                self.assign(var, value);
                updates.push((var, value));
            }
        }
        for &param in &func.params {
            let var = self.naming.register(frame, param);
            let width = self.naming.vars[var].width;
            if is_main {
                let zero = self.naming.terms.constant(width, 0);
                self.assign(var, zero);
                updates.push((var, zero));
            } else if self.naming.roles[role].is_many() {
                let any = self.fresh(width);
                self.assign(var, any);
                updates.push((var, any));
            }
        }
        // Soundness: a register that is read before it is set has any value, so it is no constant.
        for at in live_in(self.program, func)[BlockId::from_u32(0)].iter() {
            let register = Register::from_u32(at as u32);
            if self.program.vars[register].owner.is_some() && !func.params.contains(&register) {
                let var = self.naming.register(frame, register);
                let any = self.fresh(self.naming.vars[var].width);
                self.assign(var, any);
            }
        }
        let guard = self.naming.terms.bool(true);
        self.steps.push(Step {
            from: entry,
            to: Target::Cut(to),
            guard,
            updates,
            starts: Vec::new(),
            n_steps: 0,
            n_alone: 0,
            asked: Vec::new(),
            span,
        });
    }

    fn first(&mut self, init: ExprId) -> TermId {
        struct Constants<'p, 'a>(&'p mut Naming<'a>);
        impl Names for Constants<'_, '_> {
            fn terms(&mut self) -> &mut Terms {
                &mut self.0.terms
            }
            fn ptr_bits(&self) -> u8 {
                self.0.program.ptr_bits
            }
            fn var(&mut self, _: Register) -> TermId {
                unreachable!("first values mention no register")
            }
            fn object(&mut self, object: ObjId) -> u128 {
                self.0.number(Instance::Global(object))
            }
            fn fresh(&mut self, width: u32) -> TermId {
                self.0.terms.var("any", width)
            }
        }
        term(&mut Constants(self.naming), &self.program.exprs, init)
    }
}

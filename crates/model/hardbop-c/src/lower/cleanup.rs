//! The attribute `cleanup`: a function that gets the address of a variable where the variable's scope
//! is left, by whatever way.

use hardbop_base::{Name, Span};
use hardbop_cir::{Callee, Expr as Node, FuncId, Inst, ObjId, Op, Term, Ty, VarKind};

use super::Lowered;
use super::scope::{Entity, Home};
use super::state::{FuncState, Lower};
use crate::syntax::ast::{Expr, ExprKind, NodeId};
use crate::types::CType;

impl Lower<'_> {
    /// Registers the function for an object that has just begun.
    pub fn clean_up(
        &mut self,
        object: ObjId,
        ctype: &CType,
        function: &Name,
        span: Span,
    ) -> Lowered<()> {
        if !matches!(self.lookup(function), Some(Entity::Func { .. })) {
            return self.undeclared(function, span, format!("`{function}` is no function"));
        }
        let id = self.cleanup_function(ctype, function, span)?;
        self.func.cleanups.insert(object, id);
        if self.nonlocal.is_some() {
            self.unsupported(span, "`cleanup` beside `longjmp`");
        }
        Ok(())
    }

    /// A function of the IR that does what the call `function(&variable)` does, whatever function
    /// that is, so that each way out of the scope is one instruction.
    fn cleanup_function(&mut self, ctype: &CType, function: &Name, span: Span) -> Lowered<FuncId> {
        let empty = super::unit::empty_func(format!("(cleanup by {function})").into(), Some(span));
        let id = self.program.funcs.push(empty);
        let outer = std::mem::replace(&mut self.func, FuncState::new(id, CType::VOID));
        let n_unevaluated = self.suspend_unevaluated();
        self.scopes.open();
        let pointer = ctype.clone().ptr_to();
        let param = self.new_var("(variable)".into(), Ty::Ptr, false, VarKind::Param, Some(span));
        let name: Name = "(variable)".into();
        let home = Home::Register(param, None);
        self.bind(name.clone(), Entity::Var { home, ctype: pointer });
        let made = |kind| Expr::new(kind, span, NodeId { unit: u32::MAX, node: u32::MAX });
        let callee = made(ExprKind::Ident(function.clone()));
        let result = self.call(&callee, &[made(ExprKind::Ident(name))], span);
        self.finish(Term::Return(None), span);
        self.scopes.close();
        self.resume_unevaluated(n_unevaluated);
        let name = self.program.funcs[id].name.clone();
        let built = self.built(name, vec![param], None, span);
        self.program.funcs[id] = built;
        self.func = outer;
        result?;
        Ok(id)
    }

    /// The call for an object whose scope is left, if it has one.
    pub fn cleanup_of(&self, object: ObjId, ptr: hardbop_cir::ExprId, span: Span) -> Option<Inst> {
        let &id = self.func.cleanups.get(&object)?;
        let op = Op::Call { dst: None, callee: Callee::Func(id), args: vec![ptr] };
        Some(Inst { op, span })
    }

    /// What happens where objects are left, the last one first: the calls, then the end of their lives.
    pub fn ways_out(&mut self, objects: &[ObjId], span: Span) -> Vec<Inst> {
        let mut insts = Vec::new();
        for &object in objects.iter().rev() {
            let ptr = self.program.exprs.add(Node::Addr(object));
            insts.extend(self.cleanup_of(object, ptr, span));
            insts.push(Inst { op: Op::Leave { object }, span });
        }
        insts
    }

    /// The calls for all variables of the function that are alive, before it returns.
    pub fn clean_all(&mut self, span: Span) {
        for at in (0..self.func.live.len()).rev() {
            let object = self.func.live[at];
            let ptr = self.program.exprs.add(Node::Addr(object));
            if let Some(inst) = self.cleanup_of(object, ptr, span) {
                self.emit(inst.op, span);
            }
        }
    }
}

//! What the entry function is called with.

use hardbop_base::Span;
use hardbop_cir::{Expr as Node, ExprId, FuncId, Source, Ty};

use super::Lowered;
use super::state::Lower;
use crate::types::CType;

impl Lower<'_> {
    /// `main` gets any number of arguments (see `arguments`), another entry any values. `before` are those
    /// of the parameters before this one.
    pub fn entry_argument(
        &mut self,
        entry: &str,
        at: usize,
        param: &CType,
        before: &[ExprId],
        reads_argv: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let Some(ty) = self.types.ty(param) else { return self.temp_object(param, span) };
        if entry != "main" {
            let source = Source::Input(format!("argument {at} of {entry}").into());
            if ty == Ty::Ptr {
                self.assume_said(format!(
                    "`{entry}` is called with pointers that point to nothing known"
                ));
            }
            return Ok(self.nondet(ty, param.is_signed(), source, span));
        }
        Ok(match (at, ty) {
            (0, Ty::Int(width)) => self.argc(width, span),
            (1, Ty::Ptr) if reads_argv && !before.is_empty() => self.argv(before[0], span),
            (1, Ty::Ptr) => self.program.exprs.add(Node::Null),
            (_, ty) => self.nondet(ty, false, Source::External("environment".into()), span),
        })
    }

    /// Whether a function looks at its parameter; one without such a parameter does not.
    pub fn is_param_read(&self, func: FuncId, at: usize) -> bool {
        let func = &self.program.funcs[func];
        let Some(&param) = func.params.get(at) else { return false };
        let blocks = func.blocks.iter();
        let mut operands = blocks.flat_map(|block| {
            let insts = block.insts.iter().flat_map(|inst| inst.op.operands());
            insts.chain(block.term.operands())
        });
        operands.any(|id| {
            let mut is_read = false;
            self.program.exprs.for_each_var(id, &mut |var| is_read |= var == param);
            is_read
        })
    }
}

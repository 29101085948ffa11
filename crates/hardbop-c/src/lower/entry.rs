//! What the entry function is called with.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Expr as Node, ExprId, FuncId, ObjKind, Op, Shape, Source, Ty};

use super::Lowered;
use super::state::Lower;
use crate::types::CType;

impl Lower<'_> {
    /// `main` gets any number of arguments, another entry any values. The texts of more arguments
    /// than the program's name are not modelled: where `main` looks at them the path ends.
    pub fn entry_argument(
        &mut self,
        entry: &str,
        at: usize,
        param: &CType,
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
            (0, Ty::Int(width)) => self.argc(width, reads_argv, span),
            (1, Ty::Ptr) if reads_argv => self.argv(),
            (1, Ty::Ptr) => self.program.exprs.add(Node::Null),
            (_, ty) => self.nondet(ty, false, Source::External("environment".into()), span),
        })
    }

    /// One more than any number, so that a run without more is one without arguments.
    fn argc(&mut self, width: u8, reads_argv: bool, span: Span) -> ExprId {
        self.assume_said("the program is started with its name: `argc` is at least 1");
        let more = self.nondet(Ty::Int(width), true, Source::External("argc".into()), span);
        let (zero, one) = (self.program.exprs.int(width, 0), self.program.exprs.int(width, 1));
        let argc = self.program.exprs.binary(BinOp::Add, more, one);
        let is_some = self.program.exprs.binary(BinOp::Slt, zero, argc);
        self.emit(Op::Assume { cond: is_some }, span);
        if reads_argv {
            let (many, alone) = (self.new_block(), self.new_block());
            let is_alone = self.program.exprs.binary(BinOp::Eq, more, zero);
            self.branch(is_alone, alone, many, span);
            self.begin(many);
            self.unsupported(span, "the text of the arguments of `main`");
            self.begin(alone);
        }
        argc
    }

    fn argv(&mut self) -> ExprId {
        let bytes = u64::from(self.options.model.ptr_bits()) / 8;
        let object =
            self.new_object("argv".into(), ObjKind::Global, Some(2 * bytes), Shape::Bytes, None);
        let text = self.string("program".bytes().map(u32::from).collect(), 8);
        let value = self.program.exprs.add(Node::Addr(text));
        self.program.objects[object].init.push(hardbop_cir::Init { offset: 0, value });
        self.program.exprs.add(Node::Addr(object))
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

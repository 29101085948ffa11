//! `&&`, `||`, `?:`: branches, or plain expressions where the operand does nothing.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Expr, ExprId, Op, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{Place, Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{self, Binary, ExprKind, Unary};
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    /// The condition of a branch, as an `i1`.
    pub fn condition(&mut self, expr: &ast::Expr) -> Lowered<ExprId> {
        match &expr.kind {
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                self.short(*op, a, b, expr.span)
            }
            ExprKind::Unary(Unary::Not, of) => {
                let inner = self.condition(of)?;
                Ok(self.program.exprs.not(inner))
            }
            _ => {
                let value = self.rvalue(expr)?;
                self.truth(&value, expr.span)
            }
        }
    }

    pub fn short(
        &mut self,
        op: Binary,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Lowered<ExprId> {
        let is_and = op == Binary::And;
        let left = self.condition(a)?;
        if let Some(known) = self.program.exprs.as_int(left) {
            // The right side is not evaluated, or alone decides.
            if (known == 0) == is_and {
                return Ok(left);
            }
            return self.condition(b);
        }
        let left = if b.has_effect { self.snapshot(left, a.span) } else { left };
        let head = self.func.current;
        let right_block = self.new_block();
        let mark = self.n_insts();
        let right = self.condition(b)?;
        if self.func.current == head && self.n_insts() == mark {
            let op = if is_and { BinOp::And } else { BinOp::Or };
            return Ok(self.node(Expr::Binary(op, left, right), span));
        }
        // The right side does something: redo the layout with a branch before it. Each operand has its
        // own place, so that a run tells which of them decided.
        let spans = (a.span, b.span);
        self.guard_since(head, mark, left, is_and, right_block, right, spans)
    }

    /// Puts what was lowered since `mark` in block `head` behind a branch.
    #[allow(clippy::too_many_arguments)]
    fn guard_since(
        &mut self,
        head: hardbop_cir::BlockId,
        mark: usize,
        left: ExprId,
        is_and: bool,
        right_block: hardbop_cir::BlockId,
        right: ExprId,
        (left_span, span): (Span, Span),
    ) -> Lowered<ExprId> {
        let result = self.temp(Ty::BOOL, false);
        let join = self.new_block();
        self.emit(Op::Set { dst: result, value: right }, span);
        if self.func.current == head {
            let tail = self.take_insts(mark);
            self.split_head(result, left, is_and, right_block, join, left_span);
            for inst in tail {
                self.emit(inst.op, inst.span);
            }
            self.goto(join, span);
        } else {
            // The head has been closed: cut its instructions there.
            self.goto(join, span);
            let Some(mut block) = self.func.blocks[head].take() else {
                return self.error(codes::c::UNSUPPORTED, span, "this expression is not supported");
            };
            let tail = block.insts.split_off(mark);
            let rest = hardbop_cir::Block { insts: tail, term: block.term, span: block.span };
            self.func.blocks[right_block] = Some(rest);
            // A `goto` inside that closed the head now stands in the right block.
            for jump in self.func.jumps.iter_mut().filter(|it| it.block == head) {
                jump.block = right_block;
            }
            self.begin(head);
            for inst in block.insts {
                self.emit(inst.op, inst.span);
            }
            self.split_head(result, left, is_and, right_block, join, left_span);
            self.begin(join);
        }
        Ok(self.var_expr(result))
    }

    fn split_head(
        &mut self,
        result: hardbop_cir::VarId,
        left: ExprId,
        is_and: bool,
        right: hardbop_cir::BlockId,
        join: hardbop_cir::BlockId,
        span: Span,
    ) {
        let short = self.program.exprs.bool(!is_and);
        self.emit(Op::Set { dst: result, value: short }, span);
        let (yes, no) = if is_and { (right, join) } else { (join, right) };
        self.branch(left, yes, no, span);
        self.begin(right);
    }

    pub fn cond_expr(
        &mut self,
        cond: &ast::Expr,
        yes: Option<&ast::Expr>,
        no: &ast::Expr,
        span: Span,
    ) -> Lowered<Val> {
        let (test, first) = match yes {
            Some(_) => (self.condition(cond)?, None),
            None => {
                let value = self.rvalue(cond)?;
                let kept = self.scalar(&value, cond.span)?;
                let kept = Val::scalar(value.ctype, self.snapshot(kept, cond.span));
                (self.truth(&kept, cond.span)?, Some(kept))
            }
        };
        let types = (
            match (yes, &first) {
                (Some(yes), _) => self.type_of(yes)?.decayed(),
                (None, Some(first)) => first.ctype.clone(),
                (None, None) => CType::VOID,
            },
            self.type_of(no)?.decayed(),
        );
        let ctype = self.cond_type(&types.0, &types.1, yes.unwrap_or(cond), no, span)?;
        if let Some(known) = self.program.exprs.as_int(test) {
            let chosen = match (known != 0, yes, first) {
                (true, Some(yes), _) => self.rvalue(yes)?,
                (true, None, Some(first)) => first,
                _ => self.rvalue(no)?,
            };
            return self.convert(&chosen, &ctype, span);
        }
        let result = self.types.ty(&ctype).map(|ty| self.temp(ty, ctype.is_signed()));
        let record = match ctype.kind {
            TypeKind::Record(_) => Some(self.temp(Ty::Ptr, false)),
            _ => None,
        };
        if self.is_unevaluated() {
            // Only the type is asked for; the value is no constant.
            return Ok(match (result, record) {
                (Some(it), _) => Val::scalar(ctype, self.var_expr(it)),
                (_, Some(it)) => Val { ctype, kind: ValKind::Record(self.var_expr(it)) },
                _ => Val::VOID,
            });
        }
        let (on_yes, on_no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(test, on_yes, on_no, cond.span);
        for (block, expr, known) in [(on_yes, yes, first), (on_no, Some(no), None)] {
            self.begin(block);
            let value = match (expr, known) {
                (Some(expr), _) => self.rvalue(expr)?,
                (None, Some(known)) => known,
                (None, None) => Val::VOID,
            };
            let value = self.convert(&value, &ctype, span)?;
            match (value.kind, result, record) {
                (ValKind::Scalar(value), Some(dst), _) => self.emit(Op::Set { dst, value }, span),
                (ValKind::Record(value), _, Some(dst)) => self.emit(Op::Set { dst, value }, span),
                _ => {}
            }
            self.goto(join, span);
        }
        self.begin(join);
        Ok(match (result, record) {
            (Some(dst), _) => Val::scalar(ctype, self.var_expr(dst)),
            (_, Some(dst)) => Val { ctype, kind: ValKind::Record(self.var_expr(dst)) },
            _ => Val::VOID,
        })
    }

    fn cond_type(
        &self,
        a: &CType,
        b: &CType,
        yes: &ast::Expr,
        no: &ast::Expr,
        span: Span,
    ) -> Lowered<CType> {
        if let Some(common) = self.types.common(a, b) {
            return Ok(common);
        }
        if a.is_void() || b.is_void() {
            return Ok(CType::VOID);
        }
        let is_zero = |it: &ast::Expr| matches!(it.kind, ExprKind::Int { value: 0, .. });
        match (a.is_ptr(), b.is_ptr()) {
            (true, true) => {
                let null = |it: &ast::Expr| match &it.kind {
                    ExprKind::Cast(_, of) => is_zero(of),
                    _ => false,
                };
                let is_void = |it: &CType| it.pointee().is_some_and(CType::is_void);
                if is_void(a) && null(yes) {
                    return Ok(b.clone());
                }
                if is_void(b) && null(no) {
                    return Ok(a.clone());
                }
                // What it points to has the qualifiers of both (6.5.15, 6).
                let (chosen, other) = if is_void(b) { (b, a) } else { (a, b) };
                let (Some(to), Some(other)) = (chosen.pointee(), other.pointee()) else {
                    return Ok(chosen.clone());
                };
                let (is_const, is_volatile) = (other.is_const_object(), other.is_volatile_object());
                Ok(to.clone().with_qualifiers(is_const, is_volatile).ptr_to())
            }
            (true, false) if b.is_integer() => Ok(a.clone()),
            (false, true) if a.is_integer() => Ok(b.clone()),
            _ if a == b => Ok(a.clone()),
            _ => self.error(
                codes::c::TYPE,
                span,
                "the two sides have types that do not fit together",
            ),
        }
    }

    /// The place a conditional record expression stands for is its value's address.
    pub fn record_place(&self, value: &Val, ptr: ExprId) -> Place {
        Place {
            ctype: value.ctype.clone(),
            at: super::place::At::Memory { ptr, guard: super::place::Guard::SAFE },
        }
    }
}

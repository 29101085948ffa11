//! Statements.

use hardbop_base::Span;
use hardbop_cir::{BlockId, Class, Cond, ExprId, Op, Source, Term};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{AsmOperand, Block, Expr, Stmt, StmtKind};

impl Lower<'_> {
    pub fn block(&mut self, block: &Block) -> Lowered<()> {
        self.scoped(|lower| lower.statements(&block.items), block.span)
    }

    /// One after the other, also behind one that is wrong.
    pub fn statements(&mut self, items: &[Stmt]) -> Lowered<()> {
        for item in items {
            let mark = self.mark();
            let done = self.stmt(item);
            if let (None, StmtKind::Decl(decl)) = (self.settled(&mark, done)?, &item.kind) {
                self.poison(decl);
            }
        }
        Ok(())
    }

    /// A question whether the statement is reached, where that is asked.
    fn mark_line(&mut self, stmt: &Stmt) {
        let is_frame = matches!(
            stmt.kind,
            StmtKind::Block(_) | StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_)
        );
        if !is_frame && !self.in_library {
            self.check_said(Class::Line, Cond::Fails, "this statement is reached", stmt.span);
        }
    }

    /// A condition; some value if it is wrong, so that what it guards is lowered all the same.
    fn tested(&mut self, cond: &Expr) -> Lowered<ExprId> {
        let mark = self.mark();
        let test = self.condition(cond);
        let test = self.settled(&mark, test)?;
        Ok(test.unwrap_or_else(|| self.program.exprs.bool(true)))
    }

    /// `({ … })`: the value of the last expression.
    pub fn stmt_expr(&mut self, block: &Block) -> Lowered<Val> {
        if self.is_global_scope() {
            return self.error(codes::c::NOT_CONSTANT, block.span, "a constant is needed here");
        }
        self.scoped(
            |lower| {
                let Some((last, before)) = block.items.split_last() else { return Ok(Val::VOID) };
                lower.statements(before)?;
                let mut last = last;
                while let StmtKind::Label(name, body) = &last.kind {
                    lower.label(name, last.span)?;
                    last = body;
                }
                let StmtKind::Expr(expr) = &last.kind else {
                    lower.stmt(last)?;
                    return Ok(Val::VOID);
                };
                let value = lower.rvalue(expr)?;
                match value.kind {
                    // Its variables are about to go.
                    ValKind::Scalar(id) => {
                        Ok(Val::scalar(value.ctype, lower.snapshot(id, expr.span)))
                    }
                    ValKind::Record(src) => {
                        let dst = lower.temp_object(&value.ctype, expr.span)?;
                        let size = lower.size_of(&value.ctype, expr.span)?;
                        let size = lower.size_expr(size);
                        lower.emit(Op::Copy { dst, src, size }, expr.span);
                        Ok(Val { ctype: value.ctype, kind: ValKind::Record(dst) })
                    }
                    ValKind::Void => Ok(Val::VOID),
                }
            },
            block.span,
        )
    }

    pub fn stmt(&mut self, stmt: &Stmt) -> Lowered<()> {
        let span = stmt.span;
        self.tick()?;
        self.mark_line(stmt);
        match &stmt.kind {
            StmtKind::Expr(expr) => self.full(|it| it.effect(expr), span),
            StmtKind::Decl(decl) => self.local_decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, yes, no) => {
                self.scoped(|it| it.if_stmt(cond, yes, no.as_deref(), span), span)
            }
            StmtKind::While(cond, body) => self.scoped(|it| it.while_stmt(cond, body, span), span),
            StmtKind::DoWhile(body, cond) => {
                self.scoped(|it| it.do_while_stmt(body, cond, span), span)
            }
            StmtKind::For { init, cond, step, body } => self.scoped(
                |lower| lower.for_stmt(init.as_deref(), cond.as_ref(), step.as_ref(), body, span),
                span,
            ),
            StmtKind::Switch(value, body) => self.scoped(|it| it.switch(value, body, span), span),
            StmtKind::Case { low, high, body } => {
                let (mark, done) = (self.mark(), self.case(low, high.as_ref(), span));
                self.settled(&mark, done)?;
                self.stmt(body)
            }
            StmtKind::Default(body) => {
                let block = self.switch_target(span)?;
                match self.func.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => switch.default = Some(block),
                    Some(_) => {
                        return self.error(codes::c::REDEFINED, span, "a switch has one default");
                    }
                    None => {
                        return self.error(
                            codes::c::SYNTAX,
                            span,
                            "`default` belongs into a switch",
                        );
                    }
                }
                self.stmt(body)
            }
            StmtKind::Label(name, body) => {
                let (mark, done) = (self.mark(), self.label(name, span));
                self.settled(&mark, done)?;
                self.stmt(body)
            }
            StmtKind::Goto(name) => {
                self.goto_label(name, span);
                Ok(())
            }
            StmtKind::GotoComputed(to) => self.goto_address(to, span),
            StmtKind::StaticAssert(cond) => self.static_assert(cond),
            StmtKind::LocalLabels(names) => {
                self.local_labels(names, span);
                Ok(())
            }
            StmtKind::Break => self.jump(self.func.breaks.last().copied(), "break", span),
            StmtKind::Continue => self.jump(self.func.continues.last().copied(), "continue", span),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            StmtKind::Empty => Ok(()),
            StmtKind::Asm { is_empty: true, operands } => self.empty_asm(operands, span),
            StmtKind::Asm { is_empty: false, .. } => {
                self.unsupported(span, "assembler");
                Ok(())
            }
        }
    }

    fn jump(&mut self, target: Option<(BlockId, usize)>, word: &str, span: Span) -> Lowered<()> {
        let Some((block, mark)) = target else {
            return self.error(codes::c::SYNTAX, span, format!("`{word}` belongs into a loop"));
        };
        self.leave_to(mark, span);
        self.finish(Term::Goto(block), span);
        Ok(())
    }

    fn if_stmt(&mut self, cond: &Expr, yes: &Stmt, no: Option<&Stmt>, span: Span) -> Lowered<()> {
        let test = self.tested(cond)?;
        let (on_yes, join) = (self.new_block(), self.new_block());
        let on_no = if no.is_some() { self.new_block() } else { join };
        self.branch(test, on_yes, on_no, cond.span);
        self.begin(on_yes);
        self.substatement(yes)?;
        self.goto(join, span);
        if let Some(no) = no {
            self.begin(on_no);
            self.substatement(no)?;
            self.goto(join, span);
        }
        self.begin(join);
        Ok(())
    }

    fn while_stmt(&mut self, cond: &Expr, body: &Stmt, span: Span) -> Lowered<()> {
        let (head, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(head, span);
        let test = self.tested(cond)?;
        self.branch(test, inside, after, cond.span);
        self.begin(inside);
        self.loop_body(body, head, after)?;
        self.goto(head, span);
        self.begin(after);
        Ok(())
    }

    fn do_while_stmt(&mut self, body: &Stmt, cond: &Expr, span: Span) -> Lowered<()> {
        let (head, test_at, after) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(head, span);
        self.loop_body(body, test_at, after)?;
        self.goto(test_at, span);
        let test = self.tested(cond)?;
        self.branch(test, head, after, cond.span);
        self.begin(after);
        Ok(())
    }

    /// Assembler without a text: an output holds what its register held, which is what an input put
    /// there, or anything.
    fn empty_asm(&mut self, operands: &[AsmOperand], span: Span) -> Lowered<()> {
        let (outputs, inputs): (Vec<_>, Vec<_>) = operands.iter().partition(|it| it.is_output);
        let mut values = Vec::new();
        for input in &inputs {
            let value = self.rvalue(&input.value)?;
            values.push(match value.kind {
                ValKind::Scalar(id) => Val::scalar(value.ctype, self.snapshot(id, span)),
                _ => value,
            });
        }
        for (at, output) in outputs.iter().enumerate() {
            if output.constraint.starts_with('+') {
                continue;
            }
            let tied = inputs.iter().position(|it| it.constraint == at.to_string());
            let place = self.place(&output.value)?;
            let value = match (tied, self.types.ty(&place.ctype)) {
                (Some(input), _) => values[input].clone(),
                (None, Some(ty)) => {
                    let source = Source::External("asm".into());
                    let value = self.nondet(ty, place.ctype.is_signed(), source, span);
                    self.bool_range(&place.ctype, value, span);
                    Val::scalar(place.ctype.clone(), value)
                }
                (None, None) => {
                    self.unsupported(span, "assembler that writes a structure");
                    return Ok(());
                }
            };
            let value = self.convert(&value, &place.ctype, span)?;
            self.write(&place, &value, span)?;
        }
        Ok(())
    }

    fn loop_body(&mut self, body: &Stmt, next: BlockId, after: BlockId) -> Lowered<()> {
        let mark = self.func.live.len();
        self.func.breaks.push((after, mark));
        self.func.continues.push((next, mark));
        let result = self.substatement(body);
        self.func.breaks.pop();
        self.func.continues.pop();
        result
    }

    fn for_stmt(
        &mut self,
        init: Option<&Stmt>,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        span: Span,
    ) -> Lowered<()> {
        if let Some(init) = init {
            self.stmt(init)?;
        }
        let (head, inside) = (self.new_block(), self.new_block());
        let (next, after) = (self.new_block(), self.new_block());
        self.goto(head, span);
        match cond {
            Some(cond) => {
                let test = self.tested(cond)?;
                self.branch(test, inside, after, cond.span);
            }
            None => self.finish(Term::Goto(inside), span),
        }
        self.begin(inside);
        self.loop_body(body, next, after)?;
        self.goto(next, span);
        if let Some(step) = step {
            self.effect(step)?;
        }
        self.goto(head, span);
        self.begin(after);
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) -> Lowered<()> {
        let result = self.func.result.clone();
        let value = match value {
            Some(expr) => {
                let value = self.rvalue(expr)?;
                if result.is_void() {
                    self.return_with(None, span);
                    return Ok(());
                }
                Some(self.convert(&value, &result, expr.span)?)
            }
            None => None,
        };
        match (value.map(|it| it.kind), self.func.result_ptr) {
            (Some(ValKind::Scalar(id)), _) => self.return_with(Some(id), span),
            (Some(ValKind::Record(src)), Some(to)) => {
                let dst = self.var_expr(to);
                let size = self.size_of(&result, span)?;
                let size = self.size_expr(size);
                self.emit(Op::Copy { dst, src, size }, span);
                self.return_with(None, span);
            }
            _ => self.return_nothing(span),
        }
        Ok(())
    }

    /// The end of a function, or `return;`: a value the caller must not use.
    pub fn return_nothing(&mut self, span: Span) {
        let result = self.func.result.clone();
        if self.types.ty(&result).is_some() {
            self.ends_without_value(span);
        }
        let value = self.types.ty(&result).map(|ty| self.nondet(ty, false, Source::Uninit, span));
        self.return_with(value, span);
    }
}

//! Statements and local declarations.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, BlockId, Class, Cond, Expr as Node, ExprId, ObjId, ObjKind, Op, Source, Term, Ty,
    VarKind,
};
use hardbop_diag::codes;
use rustc_hash::FxHashSet;

use super::Lowered;
use super::place::{At, Place, Val, ValKind};
use super::scope::{Entity, Global, Home};
use super::state::{Lower, Switch};
use crate::syntax::ast::{
    AsmOperand, Attributes, BaseSpec, Block, Decl, Expr, InitDeclarator, Initializer, Stmt,
    StmtKind, Storage,
};
use crate::types::{CType, Len, TypeKind};

/// Cases of a range that are written out; longer ranges become comparisons.
const RANGE_CASES: u128 = 64;

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

    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) -> Lowered<()> {
        let value_span = value.span;
        let value = self.rvalue(value)?;
        if !value.ctype.is_integer() {
            return self.error(codes::c::TYPE, value_span, "a switch is on an integer");
        }
        let ctype = self.types.promoted(&value.ctype);
        let value = self.convert(&value, &ctype, value_span)?;
        let value = self.scalar(&value, value_span)?;
        let (dispatch, after) = (self.new_block(), self.new_block());
        // Finished now, so that what is read in the dispatch is what was there before the body.
        self.finish(Term::Goto(dispatch), span);
        let mark = self.func.live.len();
        self.func.breaks.push((after, mark));
        self.func.switches.push(Switch {
            ctype,
            cases: Vec::new(),
            taken: FxHashSet::default(),
            ranges: Vec::new(),
            default: None,
            mark,
            n_registers: self.func.registers.len(),
        });
        let result = self.substatement(body);
        self.func.breaks.pop();
        let switch = self.func.switches.pop();
        result?;
        self.goto(after, span);
        let Some(switch) = switch else { return Ok(()) };
        self.begin(dispatch);
        self.dispatch(value, switch, after, value_span);
        self.begin(after);
        Ok(())
    }

    fn dispatch(&mut self, value: ExprId, switch: Switch, after: BlockId, span: Span) {
        let is_signed = switch.ctype.is_signed();
        for (low, high, block) in switch.ranges {
            let width = self.int_bits(&switch.ctype);
            let op = if is_signed { BinOp::Sle } else { BinOp::Ule };
            let (low, high) =
                (self.program.exprs.int(width, low), self.program.exprs.int(width, high));
            let above = self.program.exprs.binary(op, low, value);
            let below = self.program.exprs.binary(op, value, high);
            let inside = self.program.exprs.binary(BinOp::And, above, below);
            let next = self.new_block();
            self.branch(inside, block, next, span);
            self.begin(next);
        }
        let default = switch.default.unwrap_or(after);
        if let Some(known) = self.program.exprs.as_int(value) {
            let to = switch.cases.iter().find(|it| it.0 == known).map_or(default, |it| it.1);
            return self.finish(Term::Goto(to), span);
        }
        let term = match switch.cases.is_empty() {
            true => Term::Goto(default),
            false => Term::Switch { value, cases: switch.cases, default },
        };
        self.finish(term, span);
    }

    /// Begins the block of a `case` and returns where the switch jumps to: past the declarations
    /// of objects that are in scope here, whose life begins with the scope (C11 6.2.4).
    fn switch_target(&mut self, span: Span) -> Lowered<BlockId> {
        let block = self.new_block();
        let (mark, n_registers) =
            self.func.switches.last().map_or((0, 0), |it| (it.mark, it.n_registers));
        let skipped: Vec<ObjId> = self.func.live[mark..].to_vec();
        let passed = self.func.registers[n_registers..].to_vec();
        if skipped.is_empty() && passed.is_empty() {
            self.goto(block, span);
            return Ok(block);
        }
        self.no_variable_length(&skipped, span)?;
        let way_in = self.new_block();
        self.finish(Term::Goto(block), span);
        self.begin(way_in);
        for object in skipped {
            self.emit(Op::Enter { object, size: None }, span);
        }
        for inst in self.without_values(passed, span) {
            self.emit(inst.op, span);
        }
        self.goto(block, span);
        Ok(way_in)
    }

    fn case(&mut self, low: &Expr, high: Option<&Expr>, span: Span) -> Lowered<()> {
        let block = self.switch_target(span)?;
        let Some(switch) = self.func.switches.last() else {
            return self.error(codes::c::SYNTAX, span, "`case` belongs into a switch");
        };
        let (width, is_signed) = (self.int_bits(&switch.ctype), switch.ctype.is_signed());
        let from = self.const_int(low)?;
        let to = high.map_or(Ok(from), |high| self.const_int(high))?;
        let cut = |value: i128| value as u128 & hardbop_cir::eval::mask(width);
        let in_order = match is_signed {
            true => {
                hardbop_cir::eval::signed(cut(from), width)
                    <= hardbop_cir::eval::signed(cut(to), width)
            }
            false => cut(from) <= cut(to),
        };
        let mut repeated = false;
        if let Some(switch) = self.func.switches.last_mut().filter(|_| in_order) {
            let n = to.wrapping_sub(from) as u128;
            if n < RANGE_CASES {
                for value in (0..=n).map(|at| cut(from.wrapping_add(at as i128))) {
                    repeated |= !switch.taken.insert(value);
                    switch.cases.push((value, block));
                }
            } else {
                switch.ranges.push((cut(from), cut(to), block));
            }
        }
        match repeated {
            true => {
                self.error(codes::c::REDEFINED, low.span, "this case stands twice in the switch")
            }
            false => Ok(()),
        }
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

    pub fn local_decl(&mut self, decl: &Decl) -> Lowered<()> {
        if decl.items.is_empty() {
            return match decl.specs.base {
                BaseSpec::Auto => Ok(()),
                _ => self.base_type(&decl.specs).map(drop),
            };
        }
        let base = match (&decl.specs.base, &decl.items[..]) {
            (BaseSpec::Auto, [InitDeclarator { init: Some(Initializer::Expr(expr)), .. }]) => {
                self.type_of(expr)?.decayed().unqualified()
            }
            _ => self.base_type(&decl.specs)?,
        };
        for item in &decl.items {
            let ctype = self.derived(base.clone(), &item.declarator)?;
            self.full(|it| it.local(decl, item, ctype), item.declarator.span)?;
        }
        Ok(())
    }

    fn local(&mut self, decl: &Decl, item: &InitDeclarator, ctype: CType) -> Lowered<()> {
        let span = item.declarator.span;
        let Some(name) = item.declarator.name.clone() else {
            return self.error(codes::c::SYNTAX, span, "a name is missing");
        };
        let attributes = decl.specs.attributes.joined(&item.declarator.attributes);
        if decl.specs.storage == Storage::Typedef {
            let ctype = self.typedef_type(ctype, &attributes)?;
            self.bind(name, Entity::Typedef(ctype));
            return Ok(());
        }
        if matches!(ctype.kind, TypeKind::Func(_)) || decl.specs.storage == Storage::Extern {
            return self.declare_extern(&name, ctype, false, &attributes, span);
        }
        if decl.specs.storage == Storage::Static {
            self.static_local(&name, ctype, item.init.as_ref(), span)?;
            return self.note_local(&name, &attributes);
        }
        let ctype = match &item.init {
            Some(init) => self.complete(&ctype, init)?,
            None => ctype,
        };
        let is_cleaned = attributes.cleanup.is_some();
        match self.types.ty(&ctype) {
            Some(ty) if !self.addressed_here.contains(&name) && !is_cleaned => {
                self.register_local(name.clone(), ty, ctype, item.init.as_ref(), span)?;
            }
            _ => self.object_local(name.clone(), ctype, item.init.as_ref(), span)?,
        }
        self.note_local(&name, &attributes)
    }

    /// What attributes say about a local variable that has just been bound.
    fn note_local(&mut self, name: &Name, attributes: &Attributes) -> Lowered<()> {
        let (home, ctype) = match self.lookup(name).cloned() {
            Some(Entity::Var { home, ctype }) => (home, ctype),
            Some(Entity::Global { link }) => match self.globals.get(&link) {
                // The attribute `cleanup` is for automatic variables; compilers ignore it here.
                Some(Global::Var { home, ctype, .. }) => {
                    return self.note_alignment(*home, &ctype.clone(), attributes);
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        self.note_alignment(home, &ctype, attributes)?;
        match (&attributes.cleanup, home) {
            (Some((function, span)), Home::Object(object)) => {
                self.clean_up(object, &ctype, function, *span)
            }
            _ => Ok(()),
        }
    }

    fn register_local(
        &mut self,
        name: Name,
        ty: Ty,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let var = self.new_var(name.clone(), ty, ctype.is_signed(), VarKind::Local, Some(span));
        let known = self.checks(Class::Uninit).then(|| {
            let name = format!("{name}.known").into();
            self.new_var(name, Ty::BOOL, false, VarKind::Local, Some(span))
        });
        self.func.registers.push((var, known));
        // In scope in its own initialiser, as C has it.
        self.bind(name, Entity::Var { home: Home::Register(var, known), ctype: ctype.clone() });
        match init {
            Some(init) => {
                if let Some(dst) = known {
                    let value = self.program.exprs.bool(false);
                    self.emit(Op::Set { dst, value }, span);
                }
                let Some(expr) = scalar_init(init) else {
                    return self.error(codes::c::TYPE, span, "one value is expected here");
                };
                let value = self.rvalue(expr)?;
                let value = self.convert(&value, &ctype, expr.span)?;
                let value = self.scalar(&value, expr.span)?;
                self.emit(Op::Set { dst: var, value }, span);
                if let Some(dst) = known {
                    let value = self.program.exprs.bool(true);
                    self.emit(Op::Set { dst, value }, span);
                }
            }
            None => {
                for inst in self.without_values([(var, known)], span) {
                    self.emit(inst.op, span);
                }
            }
        }
        Ok(())
    }

    fn object_local(
        &mut self,
        name: Name,
        ctype: CType,
        init: Option<&Initializer>,
        span: Span,
    ) -> Lowered<()> {
        let size = self.types.size(&ctype);
        let dynamic = match (&ctype.kind, size) {
            (_, Some(_)) => None,
            (TypeKind::Array(_, Len::Variable(var)), _) => Some(self.var_expr(*var)),
            _ => {
                self.size_of(&ctype, span)?;
                None
            }
        };
        let shape = self.types.shape(&ctype);
        let (object, is_new) = match size {
            Some(size) => self.begin_object(name.clone(), size, shape, span),
            // One of variable length lives from its declaration on.
            None => {
                let kind = ObjKind::Local(self.func.id);
                let object = self.new_object(name.clone(), kind, None, shape, Some(span));
                self.emit(Op::Enter { object, size: dynamic }, span);
                self.func.live.push(object);
                (object, true)
            }
        };
        self.program.objects[object].is_const = ctype.is_const_object();
        self.bind(name, Entity::Var { home: Home::Object(object), ctype: ctype.clone() });
        let ptr = self.program.exprs.add(Node::Addr(object));
        let Some(init) = init else {
            if !is_new {
                self.emit(Op::Havoc { ptr }, span);
            }
            return Ok(());
        };
        if let (Initializer::Expr(expr), true) = (init, !matches!(ctype.kind, TypeKind::Array(..)))
        {
            let value = self.rvalue(expr)?;
            let value = self.convert(&value, &ctype, expr.span)?;
            let place = Place { ctype, at: At::Memory { ptr, guard: super::place::Guard::SAFE } };
            return self.write(&place, &value, span);
        }
        self.init_memory(ptr, &ctype, init, span)
    }
}

/// The expression of `= e` or `= { e }`.
pub(super) fn scalar_init(init: &Initializer) -> Option<&Expr> {
    match init {
        Initializer::Expr(expr) => Some(expr),
        Initializer::List(items, _) => match &items[..] {
            [(designators, init)] if designators.is_empty() => scalar_init(init),
            _ => None,
        },
    }
}

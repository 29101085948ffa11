//! How long objects of a function live (C11 6.2.4, 6.5.2.5).
//!
//! An object lives as long as its block, from the block's beginning on, wherever in it the
//! declaration or the compound literal stands. We begin it at its declaration, which nobody can
//! tell from the above, unless the execution can come by twice while the block goes on: after a jump
//! back, or in the head of a loop. Such objects begin with their block, and coming by again only
//! makes their bytes arbitrary, or gives them their first value. [`Lifetimes`] says which they are.
//!
//! Memory of `alloca` lives until the function returns: one object for each execution. Where there
//! can be several, they are heap objects on a list that is freed at the end.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, BlockId, Class, Cond, Expr as Node, ExprId, Inst, ObjId, ObjKind, Op, Shape, Source,
    Stop, Term, Ty, VarId, VarKind,
};
use rustc_hash::FxHashMap;

use super::Lowered;
use super::state::Lower;
use crate::syntax::ast::{Block, Decl, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::walk::{Visit, walk_decl, walk_expr, walk_stmt};
use crate::types::CType;

/// What a function's text says about the lives of its objects. Places are positions in the text.
#[derive(Default)]
pub(super) struct Lifetimes {
    /// By the start of a block: what in it can be come to twice while it goes on.
    again: FxHashMap<u32, Vec<u32>>,
    /// Whether an `alloca` can be executed more than once in a call.
    pub repeats_alloca: bool,
}

impl Lifetimes {
    pub fn of(body: &Block) -> Lifetimes {
        let mut scan = Scan { around: body.span, ..Scan::default() };
        scan.block(body);
        scan.settle()
    }
}

/// A declaration or literal, directly in a block.
struct Site {
    block: Span,
    at: u32,
    /// In the head of a loop.
    is_repeated: bool,
}

#[derive(Default)]
struct Scan {
    labels: FxHashMap<Name, Vec<u32>>,
    gotos: Vec<(Option<Name>, u32)>,
    sites: Vec<Site>,
    allocas: Vec<(u32, bool)>,
    around: Span,
    n_loops: u32,
    in_head: bool,
}

impl Scan {
    fn site(&mut self, at: u32) {
        self.sites.push(Site { block: self.around, at, is_repeated: self.in_head });
    }

    fn inside(&mut self, block: Span, scan: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.around, block);
        let in_head = std::mem::replace(&mut self.in_head, false);
        scan(self);
        (self.around, self.in_head) = (around, in_head);
    }

    fn head(&mut self, expr: Option<&Expr>) {
        let in_head = std::mem::replace(&mut self.in_head, true);
        self.n_loops += 1;
        expr.iter().for_each(|it| self.expr(it));
        self.n_loops -= 1;
        self.in_head = in_head;
    }

    fn body(&mut self, body: &Stmt) {
        self.n_loops += 1;
        self.substatement(body);
        self.n_loops -= 1;
    }

    fn substatement(&mut self, it: &Stmt) {
        match is_block(it) {
            true => self.stmt(it),
            false => self.inside(it.span, |scan| scan.stmt(it)),
        }
    }

    /// Jumps from a later place to an earlier one.
    fn jumps_back(&self) -> Vec<(u32, u32)> {
        let mut back = Vec::new();
        for (name, from) in &self.gotos {
            let targets: Vec<&u32> = match name {
                Some(name) => self.labels.get(name).into_iter().flatten().collect(),
                None => self.labels.values().flatten().collect(),
            };
            back.extend(targets.into_iter().filter(|&to| to < from).map(|&to| (to, *from)));
        }
        back.sort_unstable();
        back.dedup();
        back
    }

    fn settle(self) -> Lifetimes {
        let back = self.jumps_back();
        let mut all = Lifetimes::default();
        for site in self.sites {
            let spans = |&(to, from): &(u32, u32)| {
                site.block.start <= to && to <= site.at && site.at <= from && from <= site.block.end
            };
            if site.is_repeated || back.iter().any(spans) {
                all.again.entry(site.block.start).or_default().push(site.at);
            }
        }
        all.repeats_alloca = self
            .allocas
            .iter()
            .any(|&(at, in_loop)| in_loop || back.iter().any(|&(to, from)| to <= at && at <= from));
        all
    }
}

impl Visit for Scan {
    fn block(&mut self, it: &Block) {
        self.inside(it.span, |scan| it.items.iter().for_each(|it| scan.stmt(it)));
    }

    fn stmt(&mut self, it: &Stmt) {
        match &it.kind {
            StmtKind::Label(name, body) => {
                self.labels.entry(name.clone()).or_default().push(it.span.start);
                self.stmt(body);
            }
            StmtKind::Goto(name) => self.gotos.push((Some(name.clone()), it.span.start)),
            StmtKind::GotoComputed(to) => {
                self.gotos.push((None, it.span.start));
                self.expr(to);
            }
            StmtKind::If(cond, yes, no) => self.inside(it.span, |scan| {
                scan.expr(cond);
                scan.substatement(yes);
                no.iter().for_each(|it| scan.substatement(it));
            }),
            StmtKind::Switch(value, body) => self.inside(it.span, |scan| {
                scan.expr(value);
                scan.substatement(body);
            }),
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.inside(it.span, |scan| {
                    scan.head(Some(cond));
                    scan.body(body);
                });
            }
            StmtKind::For { init, cond, step, body } => self.inside(it.span, |scan| {
                init.iter().for_each(|it| walk_stmt(scan, it));
                scan.head(cond.as_ref());
                scan.head(step.as_ref());
                scan.body(body);
            }),
            _ => walk_stmt(self, it),
        }
    }

    fn decl(&mut self, it: &Decl) {
        it.items.iter().for_each(|item| self.site(item.declarator.span.start));
        walk_decl(self, it);
    }

    fn expr(&mut self, it: &Expr) {
        match &it.kind {
            ExprKind::CompoundLit(..) => self.site(it.span.start),
            ExprKind::Call(callee, _) if is_alloca(callee) => {
                self.allocas.push((it.span.start, self.n_loops > 0));
            }
            _ => {}
        }
        walk_expr(self, it);
    }
}

/// Whether a statement is a block by itself (C11 6.8.2, 6.8.4, 6.8.5).
fn is_block(it: &Stmt) -> bool {
    matches!(
        it.kind,
        StmtKind::Block(_)
            | StmtKind::If(..)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For { .. }
            | StmtKind::Switch(..)
    )
}

fn is_alloca(callee: &Expr) -> bool {
    matches!(&callee.kind, ExprKind::Ident(name)
        if name.strip_prefix("__builtin_").unwrap_or(name).starts_with("alloca"))
}

impl Lower<'_> {
    /// A block: its objects end with it. `span` is that of the statement.
    pub fn scoped<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Lowered<T>,
        span: Span,
    ) -> Lowered<T> {
        self.scopes.open();
        let (mark, n_registers) = (self.func.live.len(), self.func.registers.len());
        self.begin_early(span);
        let result = body(self);
        self.leave_to(mark, span);
        self.func.live.truncate(mark);
        self.func.registers.truncate(n_registers);
        self.scopes.close();
        result
    }

    /// Begins those objects of a block that its execution can come by twice. What they are is said
    /// at their declaration; one that turns out to be no object has no bytes.
    pub fn begin_early(&mut self, span: Span) {
        let Some(sites) = self.func.lifetimes.again.get(&span.start) else { return };
        for at in sites.clone() {
            let kind = ObjKind::Local(self.func.id);
            let object = self.new_object("(early)".into(), kind, Some(0), Shape::Bytes, None);
            self.emit(Op::Enter { object, size: None }, span);
            self.func.live.push(object);
            self.func.early.insert(at, object);
        }
    }

    /// An object of the innermost block, declared at `span`, and whether its bytes are arbitrary
    /// only because they are new.
    pub fn begin_object(
        &mut self,
        name: Name,
        size: u64,
        shape: Shape,
        span: Span,
    ) -> (ObjId, bool) {
        if let Some(&object) = self.func.early.get(&span.start) {
            let info = &mut self.program.objects[object];
            (info.name, info.size, info.shape, info.span) = (name, Some(size), shape, Some(span));
            return (object, false);
        }
        let kind = ObjKind::Local(self.func.id);
        let object = self.new_object(name, kind, Some(size), shape, Some(span));
        self.emit(Op::Enter { object, size: None }, span);
        self.func.live.push(object);
        (object, true)
    }

    /// Something that is evaluated by itself: temporary objects end with it (C11 6.2.4).
    pub fn full<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Self) -> Lowered<T>,
        span: Span,
    ) -> Lowered<T> {
        let mark = self.func.temporaries.len();
        let result = evaluate(self);
        for object in self.func.temporaries.split_off(mark) {
            self.emit(Op::Leave { object }, span);
        }
        result
    }

    /// A jump past the declarations of variables: whatever they held before, they have no value.
    pub fn without_values(
        &mut self,
        passed: impl IntoIterator<Item = (VarId, Option<VarId>)>,
        span: Span,
    ) -> Vec<Inst> {
        let mut insts = Vec::new();
        for (dst, known) in passed {
            insts.push(Inst { op: Op::Nondet { dst, source: Source::Uninit }, span });
            if let Some(dst) = known {
                let value = self.program.exprs.bool(false);
                insts.push(Inst { op: Op::Set { dst, value }, span });
            }
        }
        insts
    }

    pub fn leave_to(&mut self, mark: usize, span: Span) {
        let left = self.func.live[mark..].to_vec();
        for inst in self.ways_out(&left, span) {
            self.emit(inst.op, span);
        }
    }

    /// A statement that is part of another one is a block of its own.
    pub fn substatement(&mut self, it: &Stmt) -> Lowered<()> {
        match is_block(it) {
            true => self.stmt(it),
            false => self.scoped(|lower| lower.stmt(it), it.span),
        }
    }

    /// The list of what `alloca` gave out, empty at first, if it can give out more than one piece.
    pub fn begin_allocas(&mut self, span: Span) {
        if self.func.lifetimes.repeats_alloca {
            let name = "(alloca)".into();
            let list = self.new_var(name, Ty::Ptr, false, VarKind::Temp, None);
            let value = self.program.exprs.add(Node::Null);
            self.emit(Op::Set { dst: list, value }, span);
            self.func.allocas = Some(list);
        }
    }

    /// Memory that lives until the function returns.
    pub fn stack_memory(&mut self, size: ExprId, span: Span) -> ExprId {
        let Some(list) = self.func.allocas else {
            let kind = ObjKind::Local(self.func.id);
            let object = self.new_object("(alloca)".into(), kind, None, Shape::Bytes, Some(span));
            self.emit(Op::Enter { object, size: Some(size) }, span);
            let ptr = self.program.exprs.add(Node::Addr(object));
            return self.spill(ptr, span);
        };
        self.assume_said("memory from `alloca` in a loop is not given to `free`");
        let memory = self.heap_memory("(alloca)", size, span);
        let word = u64::from(self.options.model.ptr_bits() / 8);
        let size = self.size_expr(2 * word);
        let node = self.heap_memory("(alloca list)", size, span);
        let next = self.var_expr(list);
        self.emit(Op::Store { ptr: node, value: memory }, span);
        let ptr = self.offset_by(node, word, span);
        self.emit(Op::Store { ptr, value: next }, span);
        self.emit(Op::Set { dst: list, value: node }, span);
        memory
    }

    fn heap_memory(&mut self, name: &str, size: ExprId, span: Span) -> ExprId {
        let kind = ObjKind::Heap(self.func.id);
        let object = self.new_object(name.into(), kind, None, Shape::Bytes, Some(span));
        let dst = self.temp(Ty::Ptr, false);
        self.emit(Op::Alloc { dst, object, size }, span);
        self.var_expr(dst)
    }

    pub fn offset_by(&mut self, ptr: ExprId, bytes: u64, span: Span) -> ExprId {
        let bytes = self.size_expr(bytes);
        self.ptr_add(ptr, bytes, span)
    }

    /// Ends the call: variables are cleaned up, what `alloca` gave out goes.
    pub fn return_with(&mut self, value: Option<ExprId>, span: Span) {
        let is_plain = self.func.allocas.is_none() && self.func.cleanups.is_empty();
        let value = match value {
            Some(value) if !is_plain => Some(self.snapshot(value, span)),
            value => value,
        };
        self.clean_all(span);
        self.keep_result(value, span);
        if self.func.is_noreturn {
            let message = "a function that is declared not to return may return";
            self.check(Class::Unreachable, Cond::Fails, message, span);
            self.finish(Term::Stop(Stop::Unreachable), span);
            return;
        }
        self.end_allocas(span);
        self.finish(Term::Return(value), span);
    }

    /// Memory of `alloca` ends with the call.
    pub fn end_allocas(&mut self, span: Span) {
        if let Some(list) = self.func.allocas {
            let (head, body, after) = (self.new_block(), self.new_block(), self.new_block());
            self.goto(head, span);
            let first = self.var_expr(list);
            let null = self.program.exprs.add(Node::Null);
            let some = self.program.exprs.binary(BinOp::Ne, first, null);
            self.branch(some, body, after, span);
            self.free_first(list, first, head, body, span);
            self.begin(after);
        }
    }

    fn free_first(
        &mut self,
        list: hardbop_cir::VarId,
        first: ExprId,
        head: BlockId,
        body: BlockId,
        span: Span,
    ) {
        self.begin(body);
        let (memory, next) = (self.temp(Ty::Ptr, false), self.temp(Ty::Ptr, false));
        self.emit(Op::Load { dst: memory, ptr: first }, span);
        let word = u64::from(self.options.model.ptr_bits() / 8);
        let ptr = self.offset_by(first, word, span);
        self.emit(Op::Load { dst: next, ptr }, span);
        for ptr in [self.var_expr(memory), first] {
            self.emit(Op::Free { ptr }, span);
        }
        let value = self.var_expr(next);
        self.emit(Op::Set { dst: list, value }, span);
        self.finish(Term::Goto(head), span);
    }

    /// An object for a compound literal, as long as its block.
    pub fn literal_object(&mut self, ctype: &CType, span: Span) -> Lowered<ExprId> {
        let size = self.size_of(ctype, span)?;
        let shape = self.types.shape(ctype);
        let (object, _) = self.begin_object("(literal)".into(), size, shape, span);
        self.program.objects[object].is_const = ctype.is_const_object();
        Ok(self.program.exprs.add(Node::Addr(object)))
    }
}

//! A procedure: its scope, a location for each statement, and the edges between them.
//!
//! Locations are given out in the order of the text before any edge is made, because a label may
//! be used before it stands. The second walk meets the statements in the same order.

use hardbop_base::Name;
use hardbop_cfg::{Action, Assign, ExprId, Loc, Proc, ProcBuilder, ProcId, VarId, VarInfo};
use hardbop_diag::codes::bp as codes;

use super::Lower;
use super::expr::Place;
use crate::ast::{self, Block, ChainOp, Stmt, StmtKind};
use crate::scope::{Names, Vars};

/// The location of a statement or `elsif`, and where in the list those nested in it end.
struct Slot {
    loc: Loc,
    end: usize,
}

/// A procedure being lowered.
pub(super) struct ProcLower<'a, 'l> {
    pub lower: &'a mut Lower<'l>,
    pub id: ProcId,
    /// Without its body.
    pub ast: &'a ast::Proc,
    pub build: ProcBuilder,
    pub locals: Vars,
    pub labels: Names<Loc>,
    /// In the order of the text.
    slots: Vec<Slot>,
}

pub(super) fn lower_proc(
    lower: &mut Lower<'_>,
    ast: &ast::Proc,
    body: &[Stmt],
    id: ProcId,
) -> Proc {
    let mut it = ProcLower {
        lower,
        id,
        ast,
        build: ProcBuilder::new(ast.name.name.clone(), Some(ast.span)),
        locals: Vars::default(),
        labels: Names::default(),
        slots: Vec::new(),
    };
    it.declare_locals();
    let enforce = it.enforce();
    it.build.enforce(enforce);
    let initialised = it.initialised_locals();
    it.place_all(body);
    let exit = it.build.exit();
    let first = it.entry(body, 0, exit);
    let entry = it.initialise(&initialised, first);
    it.build.entry(entry);
    it.block(body, 0, exit);
    let mut proc = it.build.finish();
    proc.locs[exit].span = Some(ast.end);
    proc
}

impl ProcLower<'_, '_> {
    /// Formals, then return values, then declared locals.
    fn declare_locals(&mut self) {
        let ast = self.ast;
        let mut infos: Vec<VarInfo> = Vec::new();
        for formal in &ast.formals {
            self.declare_local(formal, &mut infos);
        }
        for n in 0..ast.n_returns {
            infos.push(VarInfo { name: format!("return${n}").into(), span: None });
        }
        for (name, _) in ast.locals.iter().flat_map(|decl| &decl.vars) {
            self.declare_local(name, &mut infos);
        }
        self.build.locals(infos, ast.formals.len(), ast.n_returns);
    }

    fn declare_local(&mut self, name: &ast::Ident, infos: &mut Vec<VarInfo>) {
        let id = self.local(infos.len());
        infos.push(VarInfo { name: name.name.clone(), span: Some(name.span) });
        if let Err(first) = self.locals.declare(&name.name, id, name.span) {
            self.lower.twice(codes::DUPLICATE_VARIABLE, "local variable", name, first);
        }
    }

    pub fn local(&self, index: usize) -> VarId {
        VarId::from_u32((self.lower.shared.len() + index) as u32)
    }

    fn enforce(&mut self) -> Option<ExprId> {
        let mut all = Vec::new();
        for enforce in &self.ast.enforce {
            let mut expr = self.expr(&enforce.expr, Place::Plain);
            if enforce.negated {
                expr = self.lower.exprs.not(expr);
            }
            all.push(expr);
        }
        (!all.is_empty()).then(|| self.lower.balanced(ChainOp::And, &all))
    }

    pub fn expr(&mut self, expr: &ast::Expr, place: Place) -> ExprId {
        self.lower.expr(expr, &mut self.locals, place)
    }

    /// A location for each local with an initial value.
    fn initialised_locals(&mut self) -> Vec<(Loc, VarId, ExprId)> {
        let mut out = Vec::new();
        let first = self.ast.formals.len() + self.ast.n_returns;
        for (at, (name, value)) in self.ast.locals.iter().flat_map(|decl| &decl.vars).enumerate() {
            if let Some(value) = value {
                let loc = self.build.loc(Some(name.span.to(value.span)));
                let value = self.expr(value, Place::Plain);
                out.push((loc, self.local(first + at), value));
            }
        }
        out
    }

    /// Assigns the initial values one after the other; the location of the first.
    fn initialise(&mut self, initialised: &[(Loc, VarId, ExprId)], body: Loc) -> Loc {
        let mut next = body;
        for &(loc, var, value) in initialised.iter().rev() {
            let targets = vec![(var, value)];
            let assign = Assign { targets, broadcast: Vec::new(), constrain: None };
            self.build.edge(loc, Action::Assign(Box::new(assign)), next);
            next = loc;
        }
        next
    }

    /// Gives out the locations of a sequence and what is nested in it, and notes the labels.
    fn place_all(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let slot = self.place(stmt.span);
            let loc = self.slots[slot].loc;
            for label in &stmt.labels {
                self.place_label(label, loc);
            }
            match &stmt.kind {
                StmtKind::While { body, .. } => self.place_all(&body.stmts),
                StmtKind::If { branches, otherwise } => {
                    let mut of_branch = slot;
                    for (at, branch) in branches.iter().enumerate() {
                        if at > 0 {
                            of_branch = self.place(branch.span);
                        }
                        self.place_all(&branch.body.stmts);
                        self.slots[of_branch].end = self.slots.len();
                    }
                    if let Some(otherwise) = otherwise {
                        self.place_all(&otherwise.stmts);
                    }
                }
                _ => {}
            }
            // Of an `if`, the whole statement; its branches are found by walking.
            self.slots[slot].end = self.slots.len();
        }
    }

    fn place(&mut self, span: hardbop_base::Span) -> usize {
        let loc = self.build.loc(Some(span));
        self.slots.push(Slot { loc, end: self.slots.len() + 1 });
        self.slots.len() - 1
    }

    fn place_label(&mut self, label: &ast::Ident, loc: Loc) {
        let name: &Name = &label.name;
        // Tools write a label twice in front of one statement, which says nothing new.
        if self.labels.get(name) == Some(loc) {
            return;
        }
        if let Err(first) = self.labels.declare(name, loc, label.span) {
            self.lower.twice(codes::DUPLICATE_LABEL, "label", label, first);
        }
        self.build.label(loc, name.clone());
    }

    /// Where a sequence whose first slot is `slot` begins.
    fn entry(&self, stmts: &[Stmt], slot: usize, next: Loc) -> Loc {
        if stmts.is_empty() { next } else { self.slots[slot].loc }
    }

    /// Makes the edges of a sequence; returns the slot behind it.
    fn block(&mut self, stmts: &[Stmt], mut slot: usize, next: Loc) -> usize {
        for (at, stmt) in stmts.iter().enumerate() {
            let end = self.slots[slot].end;
            let next = if at + 1 < stmts.len() { self.slots[end].loc } else { next };
            self.stmt_edges(stmt, slot, next);
            slot = end;
        }
        slot
    }

    fn stmt_edges(&mut self, stmt: &Stmt, slot: usize, next: Loc) {
        let loc = self.slots[slot].loc;
        match &stmt.kind {
            StmtKind::If { branches, otherwise } => self.if_edges(branches, otherwise, slot, next),
            StmtKind::While { guard, body } => {
                let entry = self.entry(&body.stmts, slot + 1, loc);
                self.branch(loc, guard, entry, next);
                self.block(&body.stmts, slot + 1, loc);
            }
            _ => self.simple(stmt, loc, next),
        }
    }

    fn if_edges(
        &mut self,
        branches: &[ast::Branch],
        otherwise: &Option<Block>,
        mut slot: usize,
        next: Loc,
    ) {
        let no_stmts = Vec::new();
        let last = otherwise.as_ref().map_or(&no_stmts, |block| &block.stmts);
        for (at, branch) in branches.iter().enumerate() {
            let loc = self.slots[slot].loc;
            let entry = self.entry(&branch.body.stmts, slot + 1, next);
            let end = self.block(&branch.body.stmts, slot + 1, next);
            let falls_to = if at + 1 < branches.len() {
                self.slots[end].loc
            } else {
                self.entry(last, end, next)
            };
            self.branch(loc, &branch.guard, entry, falls_to);
            slot = end;
        }
        self.block(last, slot, next);
    }

    fn branch(&mut self, loc: Loc, guard: &ast::Expr, yes: Loc, no: Loc) {
        let guard = self.expr(guard, Place::Plain);
        let negated = self.lower.exprs.not(guard);
        self.build.edge(loc, Action::Assume(guard), yes);
        self.build.edge(loc, Action::Assume(negated), no);
    }
}

//! Functions that end without the value their caller uses (C11 6.9.1, 12).
//!
//! The end of such a function is a check that fails, if the call at hand uses the value. Where all
//! calls do, or none does, that is known; otherwise each call leaves word in a register.

use hardbop_base::{Idx, Span};
use hardbop_cir::{
    Callee, CheckId, Class, Cond, Expr as Node, ExprId, FuncId, Inst, Op, Program, Ty, VarId,
    VarInfo, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowered;
use super::place::{Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind};

impl Lower<'_> {
    /// Evaluates an expression for its effects alone.
    pub fn effect(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::StmtExpr(block) if !self.is_global_scope() => self.block(block),
            ExprKind::Cond(cond, Some(yes), no) => {
                let test = self.condition(cond)?;
                let (on_yes, on_no, join) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(test, on_yes, on_no, expr.span);
                for (block, arm) in [(on_yes, yes), (on_no, no)] {
                    self.begin(block);
                    self.effect(arm)?;
                    self.goto(join, expr.span);
                }
                Ok(())
            }
            _ => {
                let value = self.rvalue(expr)?;
                self.discard(&value);
                Ok(())
            }
        }
    }

    /// Nobody uses the value of the call that was lowered last.
    fn discard(&mut self, value: &Val) {
        let ValKind::Scalar(id) = value.kind else { return };
        let Node::Var(var) = self.program.exprs.get(id) else { return };
        let is_call = |it: &Inst| matches!(it.op, Op::Call { dst, .. } if dst == Some(var));
        // Where the program jumps out of functions, the block ends behind the call.
        let ended = self.nonlocal.is_some() && self.n_insts() == 0;
        let insts = match ended {
            true => {
                let blocks = self.func.blocks.iter_mut().rev().flatten();
                let mut all = blocks.map(|it| &mut it.insts);
                all.find(|it| it.iter().any(is_call))
            }
            false => Some(self.insts_mut()),
        };
        let last =
            insts.and_then(|it| it.iter_mut().rev().find(|it| !matches!(it.op, Op::Leave { .. })));
        if let Some(Inst { op: Op::Call { dst, .. }, .. }) = last
            && *dst == Some(var)
        {
            *dst = None;
        }
    }

    /// The end of a function that should return something.
    pub fn ends_without_value(&mut self, span: Span) {
        if !self.checks(Class::Unreachable) || self.is_unevaluated() {
            return;
        }
        let name = self.program.funcs[self.func.id].name.clone();
        let message = format!("`{name}` may end without the value that its caller uses");
        let n_checks = self.program.checks.len();
        self.check(Class::Unreachable, Cond::Fails, message, span);
        for check in self.program.checks.ids().skip(n_checks) {
            self.without_value.push((self.func.id, check));
        }
    }
}

/// What the calls of a function do with its value.
#[derive(Default)]
struct Uses {
    uses: bool,
    ignores: bool,
}

/// Makes each of the checks fail where the call at hand uses the value.
pub(super) fn settle(program: &mut Program, checks: &[(FuncId, CheckId)]) {
    let funcs: FxHashSet<FuncId> = checks.iter().map(|it| it.0).collect();
    if funcs.is_empty() {
        return;
    }
    let pointed = pointed_to(program);
    let uses = uses(program);
    let (mut told, mut never) = (FxHashSet::default(), FxHashSet::default());
    for func in funcs {
        let it = uses.get(&func);
        let (is_used, is_ignored) = (it.is_some_and(|it| it.uses), it.is_some_and(|it| it.ignores));
        if pointed.contains(&func) || is_used && is_ignored {
            told.insert(func);
        } else if !is_used {
            never.insert(func);
        }
    }
    for &(func, check) in checks.iter().filter(|it| never.contains(&it.0)) {
        for block in program.funcs[func].blocks.iter_mut() {
            block.insts.retain(|it| !matches!(it.op, Op::Check { check: it, .. } if it == check));
        }
    }
    if !told.is_empty() {
        let through_pointers = told.iter().any(|it| pointed.contains(it));
        tell(program, checks, &told, through_pointers);
    }
}

fn pointed_to(program: &Program) -> FxHashSet<FuncId> {
    let nodes = (0..program.exprs.len()).map(|at| program.exprs.get(ExprId::new(at)));
    let funcs = nodes.filter_map(|it| match it {
        Node::FuncAddr(func) => Some(func),
        _ => None,
    });
    funcs.collect()
}

fn uses(program: &Program) -> FxHashMap<FuncId, Uses> {
    let mut uses: FxHashMap<FuncId, Uses> = FxHashMap::default();
    for (caller, _, inst) in program.insts() {
        if let Op::Call { dst, callee: Callee::Func(func), .. } = &inst.op {
            let it = uses.entry(*func).or_default();
            // What starts the program looks at the exit code, which is another question.
            match dst.is_some() && caller != program.main {
                true => it.uses = true,
                false => it.ignores = true,
            }
        }
    }
    uses
}

/// Each call says in a register whether it uses the value.
fn tell(
    program: &mut Program,
    checks: &[(FuncId, CheckId)],
    told: &FxHashSet<FuncId>,
    through_pointers: bool,
) {
    let no = program.exprs.bool(false);
    let register = |program: &mut Program, kind, owner, init| -> VarId {
        let name = "(value is used)".into();
        program.vars.push(VarInfo {
            name,
            ty: Ty::BOOL,
            is_signed: false,
            kind,
            owner,
            init,
            span: None,
        })
    };
    let word = register(program, VarKind::Global, None, Some(no));
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            let insts = std::mem::take(&mut program.funcs[func].blocks[block].insts);
            let mut all = Vec::with_capacity(insts.len());
            for inst in insts {
                if let Op::Call { dst, callee, .. } = &inst.op {
                    let concerns = match callee {
                        Callee::Func(func) => told.contains(func),
                        Callee::Ptr(_) => through_pointers,
                    };
                    if concerns {
                        let is_used = dst.is_some() && func != program.main;
                        let value = program.exprs.bool(is_used);
                        all.push(Inst { op: Op::Set { dst: word, value }, span: inst.span });
                    }
                }
                all.push(inst);
            }
            program.funcs[func].blocks[block].insts = all;
        }
    }
    let mut order: Vec<FuncId> = told.iter().copied().collect();
    order.sort_unstable();
    for func in order {
        let here = register(program, VarKind::Temp, Some(func), None);
        let value = program.exprs.var(word, Ty::BOOL);
        let span = program.funcs[func].span.unwrap_or_default();
        let entry = hardbop_cir::BlockId::from_u32(0);
        let set = Inst { op: Op::Set { dst: here, value }, span };
        program.funcs[func].blocks[entry].insts.insert(0, set);
        let is_used = program.exprs.var(here, Ty::BOOL);
        let is_ignored = program.exprs.not(is_used);
        ask(program, func, checks, is_ignored);
    }
}

fn ask(program: &mut Program, func: FuncId, checks: &[(FuncId, CheckId)], is_ignored: ExprId) {
    let ours = |check: CheckId| checks.contains(&(func, check));
    let blocks = program.funcs[func].blocks.iter_mut();
    for inst in blocks.flat_map(|block| block.insts.iter_mut()) {
        if let Op::Check { check, cond } = &mut inst.op
            && ours(*check)
        {
            *cond = Cond::Holds(is_ignored);
        }
    }
}

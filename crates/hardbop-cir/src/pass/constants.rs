//! Constants and copies are put in where they are read.
//!
//! Inside a block every copy and constant; across blocks the registers that hold one constant
//! always: global ones that nobody writes, temporaries written once (the front end writes a
//! temporary before it reads it). Branches on constants become jumps.

use hardbop_base::IndexVec;
use rustc_hash::FxHashMap;

use crate::check::Cond;
use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::{Op, Program, Term, VarId, VarKind};

pub fn propagate(program: &mut Program) {
    let fixed = fixed_values(program);
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            let mut local: FxHashMap<VarId, ExprId> = FxHashMap::default();
            let it = &mut program.funcs[func].blocks[block];
            for inst in &mut it.insts {
                let pool = &mut program.exprs;
                inst.op.map_operands(|id| substitute(pool, &fixed, &local, id));
                forget(&inst.op, &program.vars, &program.exprs, &mut local);
                if let Op::Set { dst, value } = inst.op
                    && is_simple(program.exprs.get(value))
                    && program.exprs.get(value) != Expr::Var(dst)
                {
                    local.insert(dst, value);
                }
            }
            let pool = &mut program.exprs;
            it.term.map_operands(|id| substitute(pool, &fixed, &local, id));
            it.insts.retain(|inst| match inst.op {
                Op::Check { cond: Cond::Holds(cond), .. } | Op::Assume { cond } => {
                    pool.as_int(cond) != Some(1)
                }
                _ => true,
            });
            let known = it.term.operands().and_then(|id| pool.as_int(id));
            it.term = match (std::mem::replace(&mut it.term, Term::Return(None)), known) {
                (Term::Branch { yes, no, .. }, Some(value)) => {
                    Term::Goto(if value == 0 { no } else { yes })
                }
                (Term::Switch { cases, default, .. }, Some(value)) => {
                    Term::Goto(cases.iter().find(|it| it.0 == value).map_or(default, |it| it.1))
                }
                (term, _) => term,
            };
        }
        super::unreachable::join_lines(&mut program.funcs[func]);
    }
}

fn is_simple(expr: Expr) -> bool {
    matches!(
        expr,
        Expr::Int { .. } | Expr::Float { .. } | Expr::Null | Expr::Var(_) | Expr::FuncAddr(_)
    )
}

/// Registers with one constant value in the whole program.
fn fixed_values(program: &Program) -> IndexVec<VarId, Option<ExprId>> {
    let mut n_writes: IndexVec<VarId, u32> = IndexVec::from_elem(0, program.vars.len());
    let mut values: IndexVec<VarId, Option<ExprId>> = IndexVec::from_elem(None, program.vars.len());
    for (_, _, inst) in program.insts() {
        if let Some(dst) = inst.op.dst() {
            n_writes[dst] += 1;
            values[dst] = match inst.op {
                Op::Set { value, .. } => Some(value),
                _ => None,
            };
        }
    }
    for (id, var) in program.vars.iter_enumerated() {
        let value = match (var.kind, n_writes[id]) {
            (VarKind::Global, 0) => var.init,
            (VarKind::Temp, 1) => values[id],
            _ => None,
        };
        let constant = |it: &ExprId| {
            !matches!(program.exprs.get(*it), Expr::Var(_)) && is_simple(program.exprs.get(*it))
        };
        values[id] = value.filter(constant);
    }
    values
}

fn substitute(
    pool: &mut ExprPool,
    fixed: &IndexVec<VarId, Option<ExprId>>,
    local: &FxHashMap<VarId, ExprId>,
    id: ExprId,
) -> ExprId {
    let mut hit = false;
    pool.for_each_var(id, &mut |var| hit |= fixed[var].is_some() || local.contains_key(&var));
    if !hit {
        return id;
    }
    pool.rewrite(id, &mut |leaf| match leaf {
        Expr::Var(var) => fixed[var].or_else(|| local.get(&var).copied()),
        _ => None,
    })
}

/// Drops what an instruction makes untrue.
fn forget(
    op: &Op,
    vars: &IndexVec<VarId, crate::program::VarInfo>,
    pool: &ExprPool,
    local: &mut FxHashMap<VarId, ExprId>,
) {
    let is_call = matches!(op, Op::Call { .. });
    let Some(dst) = op.dst() else {
        if is_call {
            local.retain(|var, value| !is_global(vars, pool, *var, *value));
        }
        return;
    };
    local.retain(|var, value| {
        *var != dst
            && pool.get(*value) != Expr::Var(dst)
            && !(is_call && is_global(vars, pool, *var, *value))
    });
}

/// A callee may write global registers.
fn is_global(
    vars: &IndexVec<VarId, crate::program::VarInfo>,
    pool: &ExprPool,
    var: VarId,
    value: ExprId,
) -> bool {
    let global = |var: VarId| vars[var].owner.is_none();
    global(var) || matches!(pool.get(value), Expr::Var(source) if global(source))
}

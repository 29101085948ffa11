//! Constants and copies are put in where they are read.
//!
//! Inside a block every copy and constant; across blocks the registers that hold one constant
//! always: global ones that nobody writes, temporaries written once (the front end writes a
//! temporary before it reads it), parameters that get the same constant from every call. The address
//! of a global object is a constant. Branches on constants become jumps.

use hardbop_base::IndexVec;
use hardbop_base::fault::{Fault, is_on};
use rustc_hash::FxHashMap;

use crate::check::Cond;
use crate::expr::{BinOp, Expr, ExprId, ExprPool};
use crate::program::{Callee, ObjId, ObjInfo, ObjKind, Op, Program, Term, VarId, VarKind};

pub fn propagate(program: &mut Program) {
    let mut n_fixed = usize::MAX;
    loop {
        let fixed = fixed_values(program);
        // An argument may be constant only now: once more, until no register is new.
        let n = fixed.iter().flatten().count();
        if n == n_fixed {
            return;
        }
        n_fixed = n;
        put_in(program, &fixed);
    }
}

fn put_in(program: &mut Program, fixed: &IndexVec<VarId, Option<ExprId>>) {
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            let mut local: FxHashMap<VarId, ExprId> = FxHashMap::default();
            let it = &mut program.funcs[func].blocks[block];
            for inst in &mut it.insts {
                let pool = &mut program.exprs;
                inst.op.map_operands(|id| substitute(pool, fixed, &local, id));
                forget(&inst.op, &program.vars, &program.exprs, &mut local);
                if let Op::Set { dst, value } = inst.op
                    && is_simple(&program.exprs, &program.objects, value)
                    && program.exprs.get(value) != Expr::Var(dst)
                {
                    local.insert(dst, value);
                }
            }
            let pool = &mut program.exprs;
            it.term.map_operands(|id| substitute(pool, fixed, &local, id));
            it.insts.retain(|inst| match inst.op {
                Op::Check { cond: Cond::Holds(cond), .. } | Op::Assume { cond } => {
                    pool.as_int(cond) != Some(1)
                }
                _ => true,
            });
            let known = it.term.operands().and_then(|id| pool.as_int(id));
            it.term = match (std::mem::replace(&mut it.term, Term::Return(None)), known) {
                (Term::Branch { yes, no, .. }, Some(value)) => {
                    Term::Goto(if (value == 0) != is_on(Fault::BranchesTaken) { no } else { yes })
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

type Objects = IndexVec<ObjId, ObjInfo>;

fn is_simple(pool: &ExprPool, objects: &Objects, id: ExprId) -> bool {
    matches!(pool.get(id), Expr::Var(_)) || is_constant(pool, objects, id)
}

/// A literal, or a fixed place of a global object. The address of a local one changes with each
/// call and each [`Op::Enter`].
fn is_constant(pool: &ExprPool, objects: &Objects, id: ExprId) -> bool {
    match pool.get(id) {
        Expr::Int { .. } | Expr::Float { .. } | Expr::Null | Expr::FuncAddr(_) => true,
        Expr::Addr(object) => objects[object].kind == ObjKind::Global,
        Expr::Binary(BinOp::PtrAdd, base, by) => {
            matches!(pool.get(base), Expr::Addr(object) if objects[object].kind == ObjKind::Global)
                && pool.as_int(by).is_some()
        }
        _ => false,
    }
}

/// Registers with one constant value in the whole program.
fn fixed_values(program: &Program) -> IndexVec<VarId, Option<ExprId>> {
    let mut n_writes: IndexVec<VarId, u32> = IndexVec::from_elem(0, program.vars.len());
    let mut values: IndexVec<VarId, Option<ExprId>> = IndexVec::from_elem(None, program.vars.len());
    let mut arguments = Arguments::default();
    for (_, _, inst) in program.insts() {
        if let Op::Call { callee, args, .. } = &inst.op {
            arguments.add(program, *callee, args);
        }
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
            (VarKind::Global, n) if n == 0 || is_on(Fault::FirstValueStays) => var.init,
            (VarKind::Temp, 1) => values[id],
            (VarKind::Param, 0) => arguments.of(program, id),
            _ => None,
        };
        values[id] = value.filter(|&it| is_constant(&program.exprs, &program.objects, it));
    }
    values
}

/// What calls give to parameters.
#[derive(Default)]
struct Arguments {
    /// `None` if two calls differ.
    given: FxHashMap<VarId, Option<ExprId>>,
    /// A call through a pointer may be one of any function.
    through_pointer: bool,
}

impl Arguments {
    fn add(&mut self, program: &Program, callee: Callee, args: &[ExprId]) {
        let Callee::Func(func) = callee else {
            self.through_pointer = true;
            return;
        };
        for (&param, &arg) in program.funcs[func].params.iter().zip(args) {
            // A call that hands on its own parameter brings no other value.
            if program.exprs.get(arg) == Expr::Var(param) {
                continue;
            }
            let given = self.given.entry(param).or_insert(Some(arg));
            *given = given.filter(|&it| it == arg);
        }
    }

    fn of(&self, program: &Program, param: VarId) -> Option<ExprId> {
        // The environment calls `main`.
        let is_main = program.vars[param].owner == Some(program.main);
        match self.through_pointer || is_main {
            true => None,
            false => self.given.get(&param).copied().flatten(),
        }
    }
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
            && (pool.get(*value) != Expr::Var(dst) || is_on(Fault::CopyOutlivesSource))
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

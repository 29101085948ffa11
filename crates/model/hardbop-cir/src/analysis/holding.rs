//! Which registers of running calls may hold memory where the program ends inside of them.

use hardbop_base::{Bits, Idx};

use crate::check::{Cond, Holder};
use crate::expr::{CastOp, Expr, ExprId};
use crate::program::{Op, Program, VarId, VarKind};
use crate::ty::Ty;

/// Whether some check asks what running calls lead to.
pub fn asks_calls(program: &Program) -> bool {
    let asks = |op: &Op| matches!(op, Op::Check { cond: Cond::NoLeak(Holder::Calls), .. });
    program.insts().any(|it| asks(&it.2.op))
}

/// Whether a global register or object is one that the C library keeps for itself.
pub fn is_system(name: &str) -> bool {
    name.starts_with("__hardbop_")
}

/// What the source declares, pointers and, where pointers become numbers, numbers as wide. A pass that keeps verdicts keeps what
/// these hold; where nobody asks, there are none.
pub fn held_by_calls(program: &Program) -> Bits {
    let mut held = Bits::new();
    if asks_calls(program) {
        let all = program.vars.iter_enumerated();
        let numbers = has_numbers(program);
        held.extend(all.filter(|it| holds(program, it.0, numbers)).map(|it| it.0.index()));
    }
    held
}

fn holds(program: &Program, var: VarId, numbers: bool) -> bool {
    let info = &program.vars[var];
    let is_wide = info.ty == Ty::Ptr || numbers && info.ty == Ty::Int(program.ptr_bits);
    info.owner.is_some() && is_wide && matches!(info.kind, VarKind::Local | VarKind::Param)
}

fn has_numbers(program: &Program) -> bool {
    let mut all = (0..program.exprs.len()).map(|at| program.exprs.get(ExprId::new(at)));
    all.any(|it| matches!(it, Expr::Cast(CastOp::PtrToInt, ..)))
}

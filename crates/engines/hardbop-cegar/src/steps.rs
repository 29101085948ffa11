//! Pointers that walk beside a counter: where the text moves a pointer by a constant and counts a register by one, how far
//! into its object the pointer is may be that constant for each count.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::eval::signed;
use hardbop_cir::{BinOp, Expr, ExprId, ExprPool, FuncId, Op, Program, Ty, UnOp, VarId};

/// Pairs of a pointer and a counter in one function.
const MAX_PAIRS: usize = 24;

/// What is added to a register in each step.
type Steps = BTreeSet<(VarId, i128)>;

pub fn walks(
    program: &Program,
    pool: &mut ExprPool,
    texts: &mut BTreeMap<FuncId, BTreeSet<ExprId>>,
) {
    let mut pointers: BTreeMap<FuncId, Steps> = BTreeMap::new();
    let mut counters: BTreeMap<FuncId, Steps> = BTreeMap::new();
    for (func, _, inst) in program.insts() {
        let Op::Set { dst, value } = inst.op else { continue };
        let Expr::Binary(op @ (BinOp::PtrAdd | BinOp::Add), a, by) = program.exprs.get(value)
        else {
            continue;
        };
        let Expr::Int { value, width } = program.exprs.get(by) else { continue };
        if program.exprs.get(a) == Expr::Var(dst) {
            let steps = if op == BinOp::PtrAdd { &mut pointers } else { &mut counters };
            steps.entry(func).or_default().insert((dst, signed(value, width)));
        }
    }
    for (func, moved) in pointers {
        let counted = counters.get(&func).into_iter().flatten();
        let pairs = moved.iter().flat_map(|&it| counted.clone().map(move |&other| (it, other)));
        for ((pointer, by), (counter, one)) in pairs.take(MAX_PAIRS) {
            if one.abs() == 1 {
                let says = beside(program, pool, pointer, by * one, counter);
                texts.entry(func).or_default().insert(says);
            }
        }
    }
}

/// The pointer is `by` bytes into its object for each count.
fn beside(
    program: &Program,
    pool: &mut ExprPool,
    pointer: VarId,
    by: i128,
    counter: VarId,
) -> ExprId {
    let width = program.ptr_bits;
    let here = pool.var(pointer, Ty::Ptr);
    let start = pool.add(Expr::Unary(UnOp::Start, here));
    let offset = pool.binary(BinOp::PtrDiff, here, start);
    let info = &program.vars[counter];
    let count = pool.var(counter, info.ty);
    let count = pool.resize(count, width, info.is_signed);
    let by = pool.int(width, by as u128);
    let product = pool.binary(BinOp::Mul, count, by);
    pool.binary(BinOp::Eq, offset, product)
}

//! Bytes that a loop keeps, such as the end of a text.
//!
//! What a loop writes to is forgotten at its head. So of an object that a walk goes through a few bytes are kept in
//! registers, the last one and those at places that the function names: each is read whenever an execution
//! comes to the head, and when it is there memory holds what was read. Soundness: between the two reads there is
//! nothing, so what is assumed at the head holds in every execution.

use hardbop_cir::{
    BinOp, Expr, ExprId, Inst, ObjInfo, ObjKind, Op, Program, Shape, Ty, VarId, VarInfo, VarKind,
};
use hardbop_symbolic::LoopId;

use crate::loops::Loops;
use crate::walks::split::{Walker, Walks, register_info};

/// Bytes of one loop that are kept.
const MAX_KEPT: usize = 4;

/// Keeps bytes of the objects that loops write to and walk through; whether there are any.
pub fn keep_bytes(program: &mut Program, walks: &Walks, loops: &Loops) -> bool {
    let mut any = false;
    for (&(func, head), changes) in &loops.changes {
        if changes.objects.is_empty() && !changes.any_object {
            continue;
        }
        let is_moved = |var: &VarId, walker: &Walker| {
            program.vars[*var].owner == Some(func)
                && changes.vars.contains(&walker.distance)
                && !changes.vars.contains(var)
        };
        let moved: Vec<(VarId, Walker)> = walks
            .walkers
            .iter()
            .filter(|it| is_moved(it.0, it.1))
            .map(|it| (*it.0, *it.1))
            .collect();
        let is_fixed = |program: &Program, expr: ExprId| {
            let mut is_fixed = true;
            program.exprs.for_each_var(expr, &mut |var| is_fixed &= !changes.vars.contains(&var));
            is_fixed
        };
        for (start, walker) in moved {
            let ptr_bits = program.ptr_bits;
            let room = program.exprs.var(walker.room, Ty::Int(ptr_bits));
            let one = program.exprs.int(ptr_bits, 1);
            let mut places = vec![program.exprs.binary(BinOp::Sub, room, one)];
            places.extend(walks.indices.get(&func).into_iter().flatten());
            places.retain(|&it| is_fixed(program, it));
            for place in places.into_iter().take(MAX_KEPT) {
                keep_byte(program, (func, head), start, place, room);
                any = true;
            }
        }
    }
    any
}

/// Keeps one byte of what the register points to, where there is one.
fn keep_byte(
    program: &mut Program,
    (func, head): LoopId,
    start: VarId,
    place: ExprId,
    room: ExprId,
) {
    let name = program.vars[start].name.clone();
    let byte = |program: &mut Program, name: &str, kind| {
        program.vars.push(VarInfo { ty: Ty::Int(8), ..register_info(program, func, name, kind) })
    };
    let kept = byte(program, &format!("byte kept of {name}"), VarKind::Local);
    let read = byte(program, "byte read", VarKind::Temp);
    let nothing = program.objects.push(ObjInfo {
        name: "nothing".into(),
        kind: ObjKind::Global,
        size: Some(1),
        init: Vec::new(),
        is_const: true,
        shape: Shape::Bytes,
        align: 1,
        copy_of: None,
        span: None,
    });
    let exprs = &mut program.exprs;
    let start = exprs.var(start, Ty::Ptr);
    let there = exprs.binary(BinOp::PtrAdd, start, place);
    let is_there = exprs.binary(BinOp::Ult, place, room);
    let elsewhere = exprs.add(Expr::Addr(nothing));
    let ptr = exprs.add(Expr::Ite(is_there, there, elsewhere));
    let (a, b) = (exprs.var(kept, Ty::Int(8)), exprs.var(read, Ty::Int(8)));
    let same = exprs.binary(BinOp::Eq, a, b);
    let blocks = &mut program.funcs[func].blocks;
    let span = blocks[head].span;
    for block in blocks.as_mut_slice() {
        if block.term.successors().contains(&head) {
            block.insts.push(Inst { op: Op::Load { dst: kept, ptr }, span });
        }
    }
    let at_head = [Op::Load { dst: read, ptr }, Op::Assume { cond: same }];
    blocks[head].insts.splice(0..0, at_head.map(|op| Inst { op, span }));
}

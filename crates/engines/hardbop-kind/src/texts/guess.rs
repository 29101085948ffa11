//! What is guessed of memory at the heads of loops.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{BlockId, Callee, Cond, Expr, ExprId, Op, Program, Shape, Ty, VarId, VarKind};
use hardbop_symbolic::LoopId;
use hardbop_symbolic::order::Order;

use crate::cells::text::{definitions, resolved};
use crate::facts::{Fact, Facts};
use crate::loops::Loops;

/// Places of one loop.
const MAX_PLACES: usize = 24;

/// The facts that may hold at each head. Adds expressions to the program's pool.
pub fn facts(program: &mut Program, loops: &Loops) -> Facts {
    let defs = definitions(program);
    let read = places_read(program, &defs, loops);
    let mut facts = Facts::new();
    for (&head, changes) in &loops.changes {
        let mut list: BTreeSet<Fact> = changes.pointers.keys().map(|&it| Fact::Known(it)).collect();
        if changes.allocates {
            list.insert(Fact::Freed);
        }
        let mut places: Vec<ExprId> = read.get(&head).into_iter().flatten().copied().collect();
        places.truncate(MAX_PLACES);
        for &object in &changes.objects {
            if is_text(&program.objects[object].shape) {
                places.push(program.exprs.add(Expr::Addr(object)));
            }
        }
        for (&pointer, objects) in &changes.pointers {
            let may_be_text = |it: &hardbop_cir::ObjId| {
                matches!(program.objects[*it].shape, Shape::Bytes)
                    || is_text(&program.objects[*it].shape)
            };
            if program.vars[pointer].kind != VarKind::Temp && objects.iter().any(may_be_text) {
                places.push(program.exprs.var(pointer, Ty::Ptr));
            }
        }
        for place in places {
            list.extend([Fact::Text(place), Fact::NullOrText(place)]);
        }
        facts.insert(head, list.into_iter().collect());
    }
    facts
}

fn is_text(shape: &Shape) -> bool {
    match shape {
        Shape::Array { element, .. } => matches!(**element, Shape::Scalar { ty: Ty::Int(8), .. }),
        _ => false,
    }
}

/// Where each loop reads or writes a byte, in words about its head.
fn places_read(
    program: &mut Program,
    defs: &BTreeMap<VarId, ExprId>,
    loops: &Loops,
) -> BTreeMap<LoopId, BTreeSet<ExprId>> {
    let mut read: BTreeMap<LoopId, BTreeSet<ExprId>> = BTreeMap::new();
    for func in program.funcs.ids() {
        let order = Order::of(&program.funcs[func]);
        let mut found: Vec<(BlockId, ExprId)> = Vec::new();
        for (block, it) in program.funcs[func].blocks.iter_enumerated() {
            for inst in &it.insts {
                let place = match &inst.op {
                    Op::Load { dst, ptr } if program.vars[*dst].ty == Ty::Int(8) => Some(*ptr),
                    Op::Store { ptr, value } if program.exprs.ty(*value) == Ty::Int(8) => {
                        Some(*ptr)
                    }
                    Op::Call { callee: Callee::Func(callee), args, .. }
                        if program.funcs[*callee].is_length() =>
                    {
                        args.first().copied()
                    }
                    Op::Check { cond: Cond::InBounds { ptr, size }, .. }
                        if program.exprs.as_int(*size) == Some(1) =>
                    {
                        Some(*ptr)
                    }
                    _ => None,
                };
                found.extend(place.map(|it| (block, it)));
            }
        }
        for (block, place) in found {
            let place = resolved(&mut program.exprs, defs, place);
            for &head in &order.places[block].heads {
                if is_said_at(program, loops, (func, head), place) {
                    let places = read.entry((func, head)).or_default();
                    places.insert(place);
                }
            }
        }
    }
    read
}

/// Whether what the place depends on has a meaning where the loop begins: registers with a name, and those that the loop does not
/// change.
fn is_said_at(program: &Program, loops: &Loops, head: LoopId, place: ExprId) -> bool {
    let Some(changes) = loops.changes.get(&head) else { return false };
    let mut is_said = true;
    program.exprs.for_each_var(place, &mut |var| {
        let is_changed = changes.vars.contains(&var);
        is_said &= !is_changed || program.vars[var].kind != VarKind::Temp;
    });
    is_said
}

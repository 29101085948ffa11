//! A second copy of a function, with registers, local objects and allocation sites of its own.

use std::collections::BTreeSet;

use crate::check::{Check, CheckId};
use crate::program::{Callee, FuncId, ObjKind, Op, Program};

use super::inline::{Names, mentioned};

/// Pushes a copy of `func` and returns its id. Its checks are new, as `check` says; a call of a
/// function goes where `callee` says.
pub fn copy_func(
    program: &mut Program,
    func: FuncId,
    mut check: impl FnMut(&Check) -> Check,
    mut callee: impl FnMut(FuncId) -> FuncId,
) -> FuncId {
    let mut copy = program.funcs[func].clone();
    let id = program.funcs.push(copy.clone());
    let (vars, mut objects) = mentioned(program, func);
    objects.extend(sites(program, func));
    let names = Names::fresh(program, vars, objects, id);
    copy.params.iter_mut().for_each(|it| *it = names.var(*it));
    for block in copy.blocks.as_mut_slice() {
        for inst in &mut block.insts {
            names.rename_op(program, &mut inst.op);
            match &mut inst.op {
                Op::Check { check: it, .. } => {
                    let new = check(&program.checks[*it]);
                    *it = program.checks.push(new);
                }
                Op::Call { callee: Callee::Func(it), .. } => *it = callee(*it),
                _ => {}
            }
        }
        block.term.map_operands(|it| names.rename(program, it));
    }
    program.funcs[id] = copy;
    id
}

/// What a function allocates.
fn sites(program: &Program, func: FuncId) -> BTreeSet<crate::program::ObjId> {
    let insts = program.funcs[func].blocks.iter().flat_map(|block| &block.insts);
    let objects = insts.filter_map(|inst| match inst.op {
        Op::Alloc { object, .. } if program.objects[object].kind == ObjKind::Heap(func) => {
            Some(object)
        }
        _ => None,
    });
    objects.collect()
}

/// Takes away the checks that no instruction asks, and numbers the others anew.
pub fn drop_unasked(program: &mut Program) {
    let asked: BTreeSet<CheckId> = program
        .insts()
        .filter_map(|(_, _, inst)| match inst.op {
            Op::Check { check, .. } => Some(check),
            _ => None,
        })
        .collect();
    let old = std::mem::take(&mut program.checks);
    let mut new_id = rustc_hash::FxHashMap::default();
    for (id, check) in old.iter_enumerated().filter(|it| asked.contains(&it.0)) {
        new_id.insert(id, program.checks.push(check.clone()));
    }
    for func in program.funcs.as_mut_slice() {
        for inst in func.blocks.as_mut_slice().iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Check { check, .. } = &mut inst.op {
                *check = new_id[check];
            }
        }
    }
}

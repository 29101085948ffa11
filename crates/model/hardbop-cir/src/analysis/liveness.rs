//! Which registers of a function may still be read: backward data flow, block by block.

use hardbop_base::{Bits, Idx, IndexVec};

use crate::program::{BlockId, Func, Program, VarId};

/// The registers whose value at the start of each block may be read later; global registers are not
/// followed.
pub fn live_in(program: &Program, func: &Func) -> IndexVec<BlockId, Bits> {
    let n = func.blocks.len();
    let mut preds: IndexVec<BlockId, Vec<BlockId>> = IndexVec::from_elem(Vec::new(), n);
    for (from, block) in func.blocks.iter_enumerated() {
        block.term.successors().into_iter().for_each(|to| preds[to].push(from));
    }
    let facts: IndexVec<BlockId, (Bits, Bits)> =
        func.blocks.ids().map(|block| reads_and_writes(program, func, block)).collect();
    let mut live: IndexVec<BlockId, Bits> = IndexVec::from_elem(Bits::new(), n);
    let mut queued: IndexVec<BlockId, bool> = IndexVec::from_elem(true, n);
    // From the end: most blocks stand before those they lead to.
    let mut todo: Vec<BlockId> = func.blocks.ids().collect();
    while let Some(block) = todo.pop() {
        queued[block] = false;
        let (reads, writes) = &facts[block];
        let mut set = Bits::new();
        for to in func.blocks[block].term.successors() {
            set.union_with(&live[to]);
        }
        set.subtract(writes);
        set.union_with(reads);
        if live[block].union_with(&set) {
            for &pred in &preds[block] {
                if !std::mem::replace(&mut queued[pred], true) {
                    todo.push(pred);
                }
            }
        }
    }
    live
}

/// What a block reads before it writes it, and what it writes.
fn reads_and_writes(program: &Program, func: &Func, block: BlockId) -> (Bits, Bits) {
    let (mut reads, mut writes) = (Bits::new(), Bits::new());
    let is_local = |var: VarId| program.vars[var].owner.is_some();
    let it = &func.blocks[block];
    let mut read = |operands: Vec<_>, writes: &Bits| {
        for operand in operands {
            program.exprs.for_each_var(operand, &mut |var| {
                if is_local(var) && !writes.contains(var.index()) {
                    reads.insert(var.index());
                }
            });
        }
    };
    for inst in &it.insts {
        read(inst.op.operands(), &writes);
        writes.extend(inst.op.dst().filter(|&dst| is_local(dst)).map(Idx::index));
    }
    read(it.term.operands().into_iter().collect(), &writes);
    (reads, writes)
}

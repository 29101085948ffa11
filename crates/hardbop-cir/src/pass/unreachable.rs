//! Blocks that cannot be reached are dropped, chains of plain jumps shortened, straight lines
//! joined.

use hardbop_base::{Idx, IndexVec};

use crate::program::{Block, BlockId, Func, Term};

/// Keeps the blocks reachable from the entry, in their order.
pub fn drop_unreachable(func: &mut Func) {
    let n = func.blocks.len();
    let mut seen: IndexVec<BlockId, bool> = IndexVec::from_elem(false, n);
    let mut todo = vec![BlockId::new(0)];
    while let Some(block) = todo.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            todo.extend(func.blocks[block].term.successors());
        }
    }
    renumber(func, &seen);
}

/// Keeps the blocks marked; all targets of kept blocks are marked.
pub(crate) fn renumber(func: &mut Func, keep: &IndexVec<BlockId, bool>) {
    if keep.iter().all(|&it| it) {
        return;
    }
    let mut new_ids: IndexVec<BlockId, BlockId> = IndexVec::from_elem(BlockId::new(0), keep.len());
    let mut next = 0;
    for (block, &kept) in keep.iter_enumerated() {
        if kept {
            new_ids[block] = BlockId::new(next);
            next += 1;
        }
    }
    let blocks = std::mem::take(&mut func.blocks);
    let kept = blocks.into_iter().zip(keep.iter()).filter(|(_, kept)| **kept);
    func.blocks = kept
        .map(|(mut block, _)| {
            block.term.map_targets(|to| new_ids[to]);
            block
        })
        .collect();
}

/// Joins a block with its only successor if that has no other predecessor.
pub fn join_lines(func: &mut Func) {
    let n = func.blocks.len();
    let mut n_preds: IndexVec<BlockId, u32> = IndexVec::from_elem(0, n);
    n_preds[BlockId::new(0)] = 1;
    for block in &func.blocks {
        block.term.successors().into_iter().for_each(|to| n_preds[to] += 1);
    }
    for block in (0..n).map(BlockId::new) {
        while let Term::Goto(to) = func.blocks[block].term {
            // The entry counts one predecessor more, so it is never swallowed.
            if to == block || n_preds[to] != 1 || to == BlockId::new(0) {
                break;
            }
            let dead = Term::Goto(to);
            let span = func.blocks[to].span;
            let it = std::mem::replace(
                &mut func.blocks[to],
                Block { insts: Vec::new(), term: dead, span },
            );
            n_preds[to] = 0;
            let here = &mut func.blocks[block];
            here.insts.extend(it.insts);
            (here.term, here.span) = (it.term, it.span);
        }
    }
    drop_unreachable(func);
}

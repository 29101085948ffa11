//! Blocks that cannot be reached are dropped, chains of plain jumps shortened, straight lines
//! joined; functions that nothing calls lose their bodies.

use hardbop_base::{Idx, IndexVec};

use crate::program::{Block, BlockId, Callee, Func, FuncId, Op, Program, Stop, Term};

/// The functions that can be called from `main`; `None` if a call through a pointer is left, so that every
/// function may be.
pub fn called(program: &Program) -> Option<IndexVec<FuncId, bool>> {
    let mut called: IndexVec<FuncId, bool> = IndexVec::from_elem(false, program.funcs.len());
    let mut todo = vec![program.main];
    while let Some(func) = todo.pop() {
        if std::mem::replace(&mut called[func], true) {
            continue;
        }
        for inst in program.funcs[func].blocks.iter().flat_map(|block| &block.insts) {
            match inst.op {
                Op::Call { callee: Callee::Func(callee), .. } => todo.push(callee),
                Op::Call { callee: Callee::Ptr(_), .. } => return None,
                _ => {}
            }
        }
    }
    Some(called)
}

/// Empties the functions that cannot be called from `main`, so that what they do counts no more.
/// Returns how many. Calls through pointers should be resolved before.
pub fn drop_uncalled(program: &mut Program) -> usize {
    let Some(called) = called(program) else { return 0 };
    let mut n_dropped = 0;
    for (func, _) in called.iter_enumerated().filter(|it| !it.1) {
        let blocks = &mut program.funcs[func].blocks;
        let span = blocks[BlockId::new(0)].span;
        let term = Term::Stop(Stop::Unreachable);
        *blocks = [Block { insts: Vec::new(), term, span }].into_iter().collect();
        n_dropped += 1;
    }
    n_dropped
}

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

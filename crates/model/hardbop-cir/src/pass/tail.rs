//! What comes after the last check is dropped.
//!
//! An execution that can reach neither a check nor something that is not modelled any more ends there: nothing that
//! it does later counts. So a loop behind all checks is not unrolled, and a program whose checks were all proved by
//! the passes before is empty.
//!
//! Invariant of both fixpoints: marks only grow.

use hardbop_base::IndexVec;
use hardbop_base::fault::{Fault, is_on};

use crate::program::{Block, BlockId, Callee, Func, FuncId, Inst, Op, Program, Stop, Term};

/// Ends executions where they can no longer matter; returns how many blocks became shorter. In a program with
/// threads nothing is dropped: others may read what a thread does after its last check.
pub fn drop_tails(program: &mut Program) -> usize {
    if program.has_threads() {
        return 0;
    }
    let Goals { inside, after } = Goals::of(program);
    let mut n_shorter = 0;
    for func in program.funcs.ids() {
        let live = live_blocks(&program.funcs[func], &inside, after[func]);
        for block in program.funcs[func].blocks.ids() {
            let goes_on = goes_on(&program.funcs[func].blocks[block].term, &live, after[func]);
            let it = &mut program.funcs[func].blocks[block];
            if goes_on || matches!(it.term, Term::Stop(_)) && it.insts.is_empty() {
                continue;
            }
            let kept = it.insts.iter().rposition(|inst| is_goal(inst, &inside));
            it.insts.truncate(kept.map_or(0, |last| last + 1));
            it.term = Term::Stop(Stop::Abort);
            n_shorter += 1;
        }
        super::unreachable::drop_unreachable(&mut program.funcs[func]);
    }
    n_shorter
}

/// By function: whether something that counts can be reached in it or in what it calls, and after its return.
struct Goals {
    inside: IndexVec<FuncId, bool>,
    after: IndexVec<FuncId, bool>,
}

impl Goals {
    fn of(program: &Program) -> Goals {
        let n = program.funcs.len();
        let (mut inside, mut after) =
            (IndexVec::from_elem(false, n), IndexVec::from_elem(false, n));
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (id, func) in program.funcs.iter_enumerated() {
                if !inside[id] && func.blocks.iter().any(|block| has_goal(block, &inside)) {
                    (inside[id], changed) = (true, true);
                }
            }
        }
        changed = true;
        while std::mem::take(&mut changed) {
            for (id, func) in program.funcs.iter_enumerated().rev() {
                let live = live_blocks(func, &inside, after[id]);
                for block in &func.blocks {
                    let mut matters = goes_on(&block.term, &live, after[id]);
                    for inst in block.insts.iter().rev() {
                        if let (true, Op::Call { callee, .. }) = (matters, &inst.op) {
                            changed |= mark(callee, &mut after);
                        }
                        matters |= is_goal(inst, &inside);
                    }
                }
            }
        }
        Goals { inside, after }
    }
}

/// Marks those that may be called; whether one was not marked yet.
fn mark(callee: &Callee, marks: &mut IndexVec<FuncId, bool>) -> bool {
    match *callee {
        Callee::Func(func) => !std::mem::replace(&mut marks[func], true),
        Callee::Ptr(_) => {
            let is_new = marks.iter().any(|it| !it);
            marks.iter_mut().for_each(|it| *it = true);
            is_new
        }
    }
}

/// The blocks from whose beginning something that counts can be reached.
fn live_blocks(
    func: &Func,
    inside: &IndexVec<FuncId, bool>,
    after: bool,
) -> IndexVec<BlockId, bool> {
    let mut live = IndexVec::from_elem(false, func.blocks.len());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (id, block) in func.blocks.iter_enumerated().rev() {
            if !live[id] && (has_goal(block, inside) || goes_on(&block.term, &live, after)) {
                (live[id], changed) = (true, true);
            }
        }
    }
    live
}

/// Whether something that counts can be reached behind the instructions of the block that ends like this.
fn goes_on(term: &Term, live: &IndexVec<BlockId, bool>, after: bool) -> bool {
    match term {
        Term::Return(_) => after && !is_on(Fault::TailsTooLong),
        Term::Stop(stop) => matches!(stop, Stop::Unsupported(_)),
        _ => term.successors().into_iter().any(|to| live[to]),
    }
}

fn has_goal(block: &Block, inside: &IndexVec<FuncId, bool>) -> bool {
    matches!(block.term, Term::Stop(Stop::Unsupported(_)))
        || block.insts.iter().any(|inst| is_goal(inst, inside))
}

fn is_goal(inst: &Inst, inside: &IndexVec<FuncId, bool>) -> bool {
    match &inst.op {
        Op::Check { .. } => true,
        Op::Call { callee: Callee::Func(func), .. } => inside[*func],
        Op::Call { callee: Callee::Ptr(_), .. } => inside.iter().any(|&it| it),
        _ => false,
    }
}

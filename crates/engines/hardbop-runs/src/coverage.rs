//! Which blocks runs have come to, and how often in one run: what is new is told by powers of two,
//! as fuzzers do (Zalewski, AFL), so that one more round of a loop is not news and twice as many is.

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::{BlockId, FuncId, Program};

#[derive(Clone, Debug)]
pub struct Coverage {
    /// The place of each function's first block in the lists.
    first: IndexVec<FuncId, u32>,
    /// Visits of each block in this run.
    visits: Vec<u32>,
    /// The blocks of this run.
    touched: Vec<u32>,
    /// The largest power of two that any run has come to, plus 1.
    best: Vec<u8>,
}

impl Coverage {
    pub fn of(program: &Program) -> Coverage {
        let mut n_blocks = 0;
        let first = program.funcs.iter().map(|func| {
            let first = n_blocks;
            n_blocks += func.blocks.len() as u32;
            first
        });
        let first = first.collect();
        let n = n_blocks as usize;
        Coverage { first, visits: vec![0; n], touched: Vec::new(), best: vec![0; n] }
    }

    pub fn enter(&mut self, func: FuncId, block: BlockId) {
        let at = self.first[func] + block.index() as u32;
        let visits = &mut self.visits[at as usize];
        if *visits == 0 {
            self.touched.push(at);
        }
        *visits = visits.saturating_add(1);
    }

    /// Ends a run; whether it did something that none before it did.
    pub fn end_run(&mut self) -> bool {
        let mut is_new = false;
        for at in self.touched.drain(..) {
            let visits = std::mem::take(&mut self.visits[at as usize]);
            let power = (u32::BITS - visits.leading_zeros()) as u8;
            let best = &mut self.best[at as usize];
            is_new |= power > *best;
            *best = power.max(*best);
        }
        is_new
    }

    /// Whether any run that has ended came there.
    pub fn has_been_in(&self, func: FuncId, block: BlockId) -> bool {
        self.best[self.first[func] as usize + block.index()] > 0
    }

    pub fn n_covered(&self) -> usize {
        self.best.iter().filter(|&&it| it > 0).count()
    }

    pub fn n_blocks(&self) -> usize {
        self.best.len()
    }
}

//! What stands beside the interpreter during a run: it chooses inputs and notes blocks.

use hardbop_base::Span;
use hardbop_cir::interp::{Step, Value, Watch};
use hardbop_cir::{BlockId, FuncId, Ty, VarId};

use crate::coverage::Coverage;
use crate::plan::Inputs;

/// Blocks between two calls of the pacemaker: a few hundred microseconds.
const STRIDE: u32 = 2_000;

pub(crate) struct Feed<'a> {
    pub inputs: Inputs<'a>,
    pub coverage: &'a mut Coverage,
    pub pace: &'a mut dyn FnMut(),
    pub n_blocks: u32,
}

impl Watch for Feed<'_> {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn enters(&mut self, func: FuncId, block: BlockId, _: &dyn Fn(VarId) -> Value) {
        self.coverage.enter(func, block);
        self.n_blocks += 1;
        if self.n_blocks == STRIDE {
            self.n_blocks = 0;
            (self.pace)();
        }
    }

    fn choose(&mut self, var: VarId, ty: Ty) -> Option<u128> {
        Some(self.inputs.next(var, ty))
    }
}

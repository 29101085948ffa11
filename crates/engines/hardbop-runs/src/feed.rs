//! What stands beside the interpreter during a run: it chooses inputs and notes blocks.

use hardbop_base::Span;
use hardbop_cir::interp::{Step, Value, Watch};
use hardbop_cir::{BlockId, FuncId, Ty, VarId};

use crate::coverage::Coverage;
use crate::plan::Inputs;

/// Blocks between two calls of the pacemaker: a few hundred microseconds.
const STRIDE: u32 = 2_000;

/// Lets the pacemaker be called again and again, and looks at nothing.
pub(crate) struct Pacer<'a> {
    pace: &'a mut dyn FnMut(),
    n_blocks: u32,
}

impl<'a> Pacer<'a> {
    pub fn new(pace: &'a mut dyn FnMut()) -> Self {
        Pacer { pace, n_blocks: 0 }
    }

    fn block(&mut self) {
        self.n_blocks += 1;
        if self.n_blocks == STRIDE {
            self.n_blocks = 0;
            (self.pace)();
        }
    }
}

impl Watch for Pacer<'_> {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn enters(&mut self, _: FuncId, _: BlockId, _: &dyn Fn(VarId) -> Value) {
        self.block();
    }
}

pub(crate) struct Feed<'a> {
    pub inputs: Inputs<'a>,
    pub coverage: &'a mut Coverage,
    pub pacer: Pacer<'a>,
}

impl Watch for Feed<'_> {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        false
    }

    fn step(&mut self, _: Step) {}

    fn enters(&mut self, func: FuncId, block: BlockId, _: &dyn Fn(VarId) -> Value) {
        self.coverage.enter(func, block);
        self.pacer.block();
    }

    fn choose(&mut self, var: VarId, ty: Ty) -> Option<u128> {
        Some(self.inputs.next(var, ty))
    }
}

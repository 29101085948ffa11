//! Along the path of a trace with the states it really has, memory included.

use hardbop_base::Exhausted;
use hardbop_cir::FuncId;
use hardbop_symbolic::Executor;
use hardbop_symbolic::calls::Suspended;
use hardbop_symbolic::region::{At, End, Stretch};
use hardbop_symbolic::state::State;

use crate::boolean::Move;
use crate::cuts::Place;
use crate::regions::{Exit, Source};

pub struct Walk<'a> {
    pub source: Source<'a>,
}

impl<'a> Walk<'a> {
    /// Follows the moves up to the last stretch, which ends in an error; `None` if the terms show that
    /// no execution goes this way. `visit` is told the state at each cut.
    pub fn run(
        &self,
        moves: &[Move],
        visit: &mut dyn FnMut(&mut Executor<'a>, Place, &State),
    ) -> Result<Option<(Executor<'a>, Stretch)>, Exhausted> {
        let mut executor = self.source.whole();
        let mut state = executor.begin();
        let mut func = self.source.normal.program.main;
        let mut call: Option<At> = None;
        let mut callers: Vec<(FuncId, Suspended)> = Vec::new();
        for step in moves {
            match step {
                Move::Along { arrow: (place, exit), .. } => {
                    let Some(at) = place.start() else { return Ok(None) };
                    let mut stretch = executor.stretch(func, at, state, self.source.cuts)?;
                    let Exit::To(end) = exit else { return Ok(Some((executor, stretch))) };
                    let Some(next) = stretch.ends.remove(end) else { return Ok(None) };
                    if let End::Call(at) = end {
                        call = Some(*at);
                    }
                    visit(&mut executor, place.of_end(*end), &next);
                    state = next;
                }
                Move::Call => {
                    let Some(at) = call.take() else { return Ok(None) };
                    let callee = self.source.normal.sites[&(func, at)].callee;
                    let block = &self.source.normal.program.funcs[func].blocks[at.block];
                    let op = &block.insts[at.inst].op;
                    let (inner, suspended) = executor.call_begin(op, state);
                    visit(&mut executor, Place::entry(callee), &inner);
                    callers.push((func, suspended));
                    (state, func) = (inner, callee);
                }
                Move::Return => {
                    let Some((caller, suspended)) = callers.pop() else { return Ok(None) };
                    state = executor.call_end(suspended, state);
                    func = caller;
                }
            }
        }
        Ok(None)
    }
}

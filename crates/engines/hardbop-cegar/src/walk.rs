//! Along the path of a trace with the states it really has, memory included.

use hardbop_base::Exhausted;
use hardbop_bmc::Unroller;
use hardbop_bmc::region::{At, End, Stretch, Suspended};
use hardbop_bmc::state::State;
use hardbop_cir::{BlockId, FuncId};

use crate::boolean::Move;
use crate::cuts::Place;
use crate::regions::{Exit, Source};

pub struct Walk<'s, 'a> {
    pub source: Source<'a>,
    pub is_cut: &'s dyn Fn(FuncId, BlockId) -> bool,
}

impl<'a> Walk<'_, 'a> {
    /// Follows the moves up to the last stretch, which ends in an error; `None` if the terms show that
    /// no execution goes this way. `visit` is told the state at each cut.
    pub fn run(
        &self,
        moves: &[Move],
        visit: &mut dyn FnMut(&mut Unroller<'a>, Place, &State),
    ) -> Result<Option<(Unroller<'a>, Stretch)>, Exhausted> {
        let mut unroller = self.source.unroller();
        let mut state = unroller.begin();
        let mut func = self.source.normal.program.main;
        let mut call: Option<At> = None;
        let mut callers: Vec<(FuncId, Suspended)> = Vec::new();
        for step in moves {
            match step {
                Move::Along { arrow: (place, exit), .. } => {
                    let Some(at) = place.start() else { return Ok(None) };
                    let is_cut = |block| (self.is_cut)(func, block);
                    let mut stretch = unroller.stretch(func, at, state, is_cut)?;
                    let Exit::To(end) = exit else { return Ok(Some((unroller, stretch))) };
                    let Some(next) = stretch.ends.remove(end) else { return Ok(None) };
                    if let End::Call(at) = end {
                        call = Some(*at);
                    }
                    visit(&mut unroller, place.of_end(*end), &next);
                    state = next;
                }
                Move::Call => {
                    let Some(at) = call.take() else { return Ok(None) };
                    let callee = self.source.normal.sites[&(func, at)].callee;
                    let (inner, suspended) = unroller.call_begin(func, at, state);
                    visit(&mut unroller, Place::entry(callee), &inner);
                    callers.push((func, suspended));
                    (state, func) = (inner, callee);
                }
                Move::Return => {
                    let Some((caller, suspended)) = callers.pop() else { return Ok(None) };
                    state = unroller.call_end(suspended, state);
                    func = caller;
                }
            }
        }
        Ok(None)
    }
}

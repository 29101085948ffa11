//! Which bytes have been written, where that is asked for: an instance has a shadow, of the same size and accessed
//! in the same way, in which all bits of a byte are set once it has a value (as in memory checkers: Nethercote
//! and Seward, PLDI 2007). A copy takes it along.

use std::rc::Rc;

use hardbop_smt::TermId;

use crate::access::Target;
use crate::executor::{Executor, Role, Stance};
use crate::layout::{Cell, Content, Kind};
use crate::state::State;
use crate::value::{Base, Pointer};

/// Cells of more bytes are not made: their parts are.
const MAX_CELL: u64 = 8;
/// An instance of more bytes has a shadow of which nothing is known.
const MAX_BYTES: u64 = 1 << 16;

impl Executor<'_> {
    pub(crate) fn shadow_of(&self, instance: u32) -> Option<u32> {
        match self.instances[instance as usize].role {
            Role::Object { shadow } => shadow,
            Role::Shadow => None,
        }
    }

    /// The same places in the shadows.
    pub(crate) fn shadows(&self, targets: &[Target]) -> Vec<Target> {
        let shadow = |it: &Target| Some(Target { instance: self.shadow_of(it.instance)?, ..*it });
        targets.iter().filter_map(shadow).collect()
    }

    pub(crate) fn all_set(&mut self, bytes: u64) -> TermId {
        let width = 8 * bytes as u32;
        let zero = self.terms.constant(width, 0);
        self.terms.not(zero)
    }

    /// All bytes of the instance have been written.
    pub(crate) fn set_written(&mut self, state: &mut State, shadow: u32) {
        let cells: Vec<(u64, u64)> =
            self.layout(state, shadow).cells.iter().map(|(&at, cell)| (at, cell.size)).collect();
        for (at, size) in cells {
            if size > MAX_BYTES {
                let cell = Cell { size, content: Content::Raw };
                Rc::make_mut(self.layout(state, shadow)).write(&mut self.terms, at, cell);
                continue;
            }
            for from in (at..at + size).step_by(MAX_CELL as usize) {
                let length = MAX_CELL.min(at + size - from);
                let cell = Cell { size: length, content: Content::Bits(self.all_set(length)) };
                Rc::make_mut(self.layout(state, shadow)).write(&mut self.terms, from, cell);
            }
        }
    }

    /// Whether the bytes have been written, where they are there at all; `None` if that is not modelled.
    pub(crate) fn is_written(
        &mut self,
        state: &State,
        ptr: &Pointer,
        size: TermId,
    ) -> Option<TermId> {
        let bytes = self.terms.as_const(size).filter(|&it| 0 < it && it <= 16)? as u64;
        let all = self.all_set(bytes);
        // Reading gives a value to what is not known, which is not to last.
        let mut scratch = state.clone();
        let mut parts = Vec::new();
        for case in ptr.iter() {
            let instance = match case.base {
                Base::Instance(it) => it,
                // Soundness: what is not known fails where it is asked.
                Base::Wild if self.stance == Stance::Ask => {
                    parts.push(self.terms.not(case.cond));
                    continue;
                }
                _ => continue,
            };
            let shadow = self.shadow_of(instance)?;
            let (alive, inside) =
                (self.alive(state, instance), self.inside(instance, case.offset, size));
            let here = self.terms.and_all(&[case.cond, alive, inside]);
            if self.terms.as_const(here) == Some(0) {
                continue;
            }
            let target = Target { cond: here, instance: shadow, offset: case.offset };
            let content = self.read_at(&mut scratch, &target, bytes, Kind::Bits);
            let ptr_bits = self.program.ptr_bits;
            let Content::Bits(read) = content.as_kind(&mut self.terms, bytes, Kind::Bits, ptr_bits)
            else {
                return None;
            };
            let is_set = self.terms.eq(read, all);
            parts.push(self.terms.implies(here, is_set));
        }
        Some(self.terms.and_all(&parts))
    }
}

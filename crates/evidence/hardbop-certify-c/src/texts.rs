//! Whether a pointer is that of a text: in the living object that it points into a byte is 0, at its place or further on.
//!
//! That there is such a byte is a claim about places nobody named. So it is true where one of the places that came up is such a
//! byte, and may be true where some place is, which gets a name then. In between it may be either. Soundness: for each execution
//! there are values of the name and of the doubt with which it is true exactly if there is such a byte, so
//! that it does not matter in what formulas it stands, or whether these are assumed or asked for.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_smt::TermId;

use crate::exec::Executor;
use crate::memory::{Address, Cells, Rest};
use crate::state::State;
use crate::value::Pointer;

/// Bytes of one instance that are looked at for a 0, besides those that have a name.
const MAX_KNOWN: usize = 16;
/// Names of places, the latest.
const MAX_ENDS: usize = 24;

impl Executor<'_> {
    /// A place of which it will be asked whether a text ends there.
    pub(crate) fn note_end(&mut self, place: TermId) {
        if self.said.has_texts && !self.ends.contains(&place) {
            self.ends.push(place);
        }
    }

    pub(crate) fn is_text(&mut self, state: &State, ptr: Pointer) -> TermId {
        let width = u32::from(self.program.ptr_bits);
        let (mut surely, mut perhaps) = (Vec::new(), Vec::new());
        let ends: Vec<TermId> = self.ends.iter().rev().take(MAX_ENDS).copied().collect();
        let name = self.prover.terms.var("end", width);
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id) else { continue };
            let (alive, cells) = (slot.alive, Rc::clone(&slot.cells));
            let is_it = self.is_base(ptr.base, id);
            let here = self.prover.terms.and(is_it, alive);
            for &end in &ends {
                let ends_here = self.ends_at(id, &cells, ptr, end);
                surely.push(self.prover.terms.and(here, ends_here));
            }
            for place in self.zeros_known(id, &cells) {
                let end = self.bytes(place);
                let ends_here = self.ends_at(id, &cells, ptr, end);
                surely.push(self.prover.terms.and(here, ends_here));
            }
            let ends_named = self.ends_at(id, &cells, ptr, name);
            perhaps.push(self.prover.terms.and(here, ends_named));
        }
        self.note_end(name);
        let doubt = self.prover.terms.var("text", 1);
        let terms = &mut self.prover.terms;
        let (surely, perhaps) = (terms.or_all(&surely), terms.or_all(&perhaps));
        let perhaps = terms.and(perhaps, doubt);
        terms.or(surely, perhaps)
    }

    /// The place lies in the instance, not before the pointer, and the byte there is 0.
    fn ends_at(&mut self, id: usize, cells: &Rc<Cells>, ptr: Pointer, end: TermId) -> TermId {
        let at = match self.prover.terms.as_const(end) {
            Some(place) => Address { offset: None, plus: place as u64 },
            None => Address { offset: Some(end), plus: 0 },
        };
        let cell = self.byte_at(cells, at);
        let size = self.instances[id].size;
        let none = self.no_base();
        let terms = &mut self.prover.terms;
        let zero = terms.constant(8, 0);
        // Soundness: of a pointer's bytes nobody knows what they are as numbers.
        let is_number = terms.eq(cell.base, none);
        let is_zero = terms.eq(cell.byte, zero);
        let (after, inside) = (terms.ule(ptr.offset, end), terms.ult(end, size));
        terms.and_all(&[is_number, is_zero, after, inside])
    }

    /// Places of which it is known that they hold 0.
    fn zeros_known(&self, id: usize, cells: &Cells) -> Vec<u64> {
        let terms = &self.prover.terms;
        let known: &BTreeMap<u64, _> = &cells.known;
        let is_zero =
            |it: &crate::memory::Cell| it.is_number(terms) && terms.as_const(it.byte) == Some(0);
        let mut found: Vec<u64> =
            known.iter().filter(|it| is_zero(it.1)).map(|it| *it.0).take(MAX_KNOWN).collect();
        if let (Rest::Zero, Some(size)) = (&cells.rest, terms.as_const(self.instances[id].size)) {
            found.extend((size as u64).checked_sub(1).filter(|it| !known.contains_key(it)));
        }
        found
    }
}

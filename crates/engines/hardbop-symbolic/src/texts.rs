//! Texts: runs of bytes that end with a 0 inside of their object. That there is such a byte says more than any fact
//! about one byte that is named, and is all that a walk along a text needs (as in string abstraction: Dor, Rodeh,
//! Sagiv, *CSSV*, PLDI 2003).
//!
//! Two questions, not one: what makes sure that a text ends must follow from what the state knows, and what is known where one
//! does must hold however little the state knows. So the first says no, and the second yes, where they cannot tell.

use std::rc::Rc;

use hardbop_cir::ExprId;
use hardbop_smt::TermId;

use crate::access::Target;
use crate::executor::Executor;
use crate::layout::{Cell, Content, Kind};
use crate::state::State;
use crate::value::{Base, Pointer, Value};

/// Cells of one instance that are looked at.
const MAX_CELLS: usize = 4096;

impl Executor<'_> {
    pub fn value(&mut self, state: &State, id: ExprId) -> Value {
        self.eval(state, id)
    }

    /// Where a pointer surely is null.
    pub fn is_null(&mut self, value: &Value) -> TermId {
        let mut found = Vec::new();
        for case in value.pointer().iter().filter(|it| it.base == Base::None) {
            let is_set = self.terms.is_nonzero(case.offset);
            let is_zero = self.terms.not(is_set);
            found.push(self.terms.and(case.cond, is_zero));
        }
        self.terms.or_all(&found)
    }

    /// Where this holds, the pointer points into a live instance in which a 0 follows.
    pub fn surely_text(&mut self, state: &mut State, value: &Value) -> TermId {
        let mut found = Vec::new();
        for case in value.pointer().clone().iter() {
            let Base::Instance(id) = case.base else { continue };
            let alive = self.alive(state, id);
            let here = self.terms.and(case.cond, alive);
            if self.terms.as_const(here) != Some(0) {
                let ends = self.surely_ends(state, id, case.offset);
                found.push(self.terms.and(here, ends));
            }
        }
        self.terms.or_all(&found)
    }

    /// This holds where the pointer points into a live instance in which a 0 follows. Names the place of one.
    pub fn perhaps_text(&mut self, state: &mut State, value: &Value) -> TermId {
        let mut found = Vec::new();
        let pointer: Pointer = value.pointer().clone();
        for case in pointer.iter() {
            let here = match case.base {
                Base::Instance(id) => {
                    let alive = self.alive(state, id);
                    let here = self.terms.and(case.cond, alive);
                    if self.terms.as_const(here) == Some(0) {
                        continue;
                    }
                    let ends = self.perhaps_ends(state, id, case.offset);
                    self.terms.and(here, ends)
                }
                // Soundness: a pointer of which nothing is known may be that of a text.
                Base::Wild => case.cond,
                // A number lies in no object.
                Base::None | Base::Func(_) => continue,
            };
            found.push(here);
        }
        self.terms.or_all(&found)
    }

    /// A note or a cell that is known to be 0, from the offset on.
    fn surely_ends(&mut self, state: &mut State, id: u32, offset: TermId) -> TermId {
        let layout = self.layout(state, id).clone();
        let one = self.bytes(1);
        let mut found = Vec::new();
        for note in layout.notes.iter().filter(|it| it.size == 1) {
            let is_zero = self.is_zero(note.bits);
            let is_behind = self.terms.ule(offset, note.offset);
            let is_inside = self.inside(id, note.offset, one);
            found.push(self.terms.and_all(&[note.holds, is_zero, is_behind, is_inside]));
        }
        for (&at, cell) in layout.cells.iter().take(MAX_CELLS) {
            for (at, bits) in self.known_bytes(at, cell) {
                let place = self.bytes(at);
                let bits = layout.notes.read(&mut self.terms, place, 1, bits);
                let is_zero = self.is_zero(bits);
                if self.terms.as_const(is_zero) == Some(0) {
                    continue;
                }
                let is_behind = self.terms.ule(offset, place);
                let is_inside = self.inside(id, place, one);
                found.push(self.terms.and_all(&[is_zero, is_behind, is_inside]));
            }
        }
        self.terms.or_all(&found)
    }

    /// The bytes of a cell of numbers; of a long one that is 0, the last.
    fn known_bytes(&mut self, at: u64, cell: &Cell) -> Vec<(u64, TermId)> {
        match cell.content {
            Content::Zero => {
                let zero = self.terms.constant(8, 0);
                vec![(at + cell.size - 1, zero)]
            }
            Content::Bits(bits) => {
                let byte = |i: u64| {
                    let low = 8 * i as u32;
                    (at + i, self.terms.extract(bits, low + 7, low))
                };
                (0..cell.size).map(byte).collect()
            }
            Content::Raw | Content::Ptr(_) | Content::Either(_) | Content::Each(_) => Vec::new(),
        }
    }

    /// Some byte from the offset on is 0: one at a place that gets a name, or one of few cells.
    fn perhaps_ends(&mut self, state: &mut State, id: u32, offset: TermId) -> TermId {
        let one = self.bytes(1);
        if self.has_notes(state, id, 1) {
            let place = self.terms.var("end of text", u32::from(self.program.ptr_bits));
            let cond = self.terms.bool(true);
            let target = Target { cond, instance: id, offset: place };
            let Content::Bits(bits) = self.read_at(state, &target, 1, Kind::Bits) else {
                return cond;
            };
            let is_zero = self.is_zero(bits);
            let is_behind = self.terms.ule(offset, place);
            let is_inside = self.inside(id, place, one);
            return self.terms.and_all(&[is_zero, is_behind, is_inside]);
        }
        let layout = Rc::make_mut(self.layout(state, id));
        // Bytes get values, so that later reads see the same.
        let raw: Vec<u64> =
            layout.cells.iter().filter(|it| is_raw_byte(it.1)).map(|it| *it.0).collect();
        let ptr_bits = self.program.ptr_bits;
        for at in raw {
            let layout = Rc::make_mut(self.layout(state, id));
            layout.read(&mut self.terms, at, 1, Kind::Bits, ptr_bits);
        }
        let layout = self.layout(state, id).clone();
        let mut found = Vec::new();
        for (&at, cell) in &layout.cells {
            let (last, is_zero) = match cell.content {
                Content::Bits(bits) if cell.size == 1 => {
                    let place = self.bytes(at);
                    let bits = layout.notes.read(&mut self.terms, place, 1, bits);
                    (place, self.is_zero(bits))
                }
                // Soundness: any of its bytes may be 0.
                _ => (self.bytes(at + cell.size - 1), self.terms.bool(true)),
            };
            let is_behind = self.terms.ule(offset, last);
            found.push(self.terms.and(is_zero, is_behind));
        }
        self.terms.or_all(&found)
    }

    fn is_zero(&mut self, byte: TermId) -> TermId {
        let zero = self.terms.constant(8, 0);
        self.terms.eq(byte, zero)
    }
}

fn is_raw_byte(cell: &Cell) -> bool {
    cell.size == 1 && cell.content == Content::Raw
}

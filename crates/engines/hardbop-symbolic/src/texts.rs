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
use crate::executor::{Executor, Stance};
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

    /// How far the end of a text is, without a look at what stands before it. Paths on which it is not known to have one are
    /// given up, or taken not to be.
    ///
    /// Soundness: what is said of the number holds of the first 0 from the place on, wherever that is.
    pub fn text_length(&mut self, state: &mut State, value: &Value) -> TermId {
        if let Some(length) = self.written_length(state, value) {
            return self.bytes(length);
        }
        let ends = self.surely_text(state, value);
        let mut guard = state.guard.clone();
        let not = self.terms.not(ends);
        guard.add(&mut self.terms, not);
        self.has_no_meaning(&guard, "a text may have no end");
        if self.stance == Stance::Ask {
            state.guard.add(&mut self.terms, ends);
        }
        let length = self.terms.var("length", u32::from(self.program.ptr_bits));
        let pointer: Pointer = value.pointer().clone();
        for case in pointer.iter() {
            let said = match case.base {
                Base::Instance(id) => {
                    let alive = self.alive(state, id);
                    let within = self.length_within(state, id, case.offset, length);
                    self.terms.and(alive, within)
                }
                Base::Wild => continue,
                Base::None | Base::Func(_) => self.terms.bool(false),
            };
            let said = self.terms.implies(case.cond, said);
            state.guard.add(&mut self.terms, said);
        }
        // What is read is read where the place is known to lie inside.
        for case in pointer.iter() {
            let Base::Instance(instance) = case.base else { continue };
            let alive = self.alive(state, instance);
            let cond = self.terms.and(case.cond, alive);
            if self.terms.as_const(cond) == Some(0) {
                continue;
            }
            let offset = self.terms.add(case.offset, length);
            let target = Target { cond, instance, offset };
            if let Content::Bits(bits) = self.read_at(state, &target, 1, Kind::Bits) {
                let is_zero = self.is_zero(bits);
                let said = self.terms.implies(cond, is_zero);
                state.guard.add(&mut self.terms, said);
            }
        }
        length
    }

    /// The end lies inside, and not behind any 0 that is known.
    fn length_within(
        &mut self,
        state: &mut State,
        id: u32,
        offset: TermId,
        length: TermId,
    ) -> TermId {
        let one = self.bytes(1);
        let end = self.terms.add(offset, length);
        let mut said = vec![self.inside(id, end, one), self.terms.ule(offset, end)];
        for (is_end, place) in self.ends_of_text(state, id, offset) {
            let room = self.terms.sub(place, offset);
            let is_before = self.terms.ule(length, room);
            said.push(self.terms.implies(is_end, is_before));
        }
        self.terms.and_all(&said)
    }

    /// The length of a text that is known byte by byte, such as one that was written down.
    fn written_length(&mut self, state: &mut State, value: &Value) -> Option<u64> {
        let [case] = &**value.pointer() else { return None };
        let Base::Instance(id) = case.base else { return None };
        let first = self.terms.as_const(case.offset)? as u64;
        let alive = self.alive(state, id);
        let layout = self.layout(state, id).clone();
        if self.terms.as_const(alive) != Some(1) || !layout.notes.is_empty() {
            return None;
        }
        let size = self.terms.as_const(self.instances[id as usize].size)? as u64;
        for at in first..size.min(first.saturating_add(MAX_CELLS as u64)) {
            let (&start, cell) = layout.cells.range(..=at).next_back()?;
            let is_zero = match cell.content {
                Content::Zero => true,
                Content::Bits(bits) => {
                    let bits = self.terms.as_const(bits)?;
                    bits >> (8 * (at - start)) & 0xff == 0
                }
                _ => return None,
            };
            if is_zero {
                return Some(at - first);
            }
        }
        None
    }

    /// A note or a cell that is known to be 0, from the offset on.
    fn surely_ends(&mut self, state: &mut State, id: u32, offset: TermId) -> TermId {
        let found: Vec<TermId> =
            self.ends_of_text(state, id, offset).into_iter().map(|it| it.0).collect();
        self.terms.or_all(&found)
    }

    /// Notes and cells that may be 0, from the offset on: the condition that they are, and where.
    fn ends_of_text(
        &mut self,
        state: &mut State,
        id: u32,
        offset: TermId,
    ) -> Vec<(TermId, TermId)> {
        let layout = self.layout(state, id).clone();
        let one = self.bytes(1);
        let mut found = Vec::new();
        for note in layout.notes.iter().filter(|it| it.size == 1) {
            let is_zero = self.is_zero(note.bits);
            let is_behind = self.terms.ule(offset, note.offset);
            let is_inside = self.inside(id, note.offset, one);
            let is_end = self.terms.and_all(&[note.holds, is_zero, is_behind, is_inside]);
            found.push((is_end, note.offset));
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
                found.push((self.terms.and_all(&[is_zero, is_behind, is_inside]), place));
            }
        }
        found.retain(|it| self.terms.as_const(it.0) != Some(0));
        found
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

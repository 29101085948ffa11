//! Reading and writing memory.
//!
//! Where a pointer may be one of several, or an index any of a few thousand, all of them are told apart. Beyond that what
//! is written is a layer over what was there (`layers`), and of copies of unknown lengths nothing is known.

use std::rc::Rc;

use hardbop_base::Span;
use hardbop_cir::{FloatTy, Ty};
use hardbop_smt::TermId;

use crate::exec::Executor;
use crate::memory::{Address, Cell, Cells, Change, Part};
use crate::state::State;
use crate::value::{BASE_BITS, Pointer, Value, constants, fresh, low_zeros};

/// Places of one object that are told apart.
const MAX_PLACES: u64 = 4096;
/// The same, where the certificate speaks of all elements of arrays: then places are terms.
const FEW_PLACES: u64 = 32;
/// Bytes that a layer has.
const MAX_LAYER: u64 = 64;

impl Executor<'_> {
    pub(crate) fn load(&mut self, state: &mut State, ptr: Pointer, ty: Ty, span: Span) -> Value {
        let n = ty.bytes(self.program.ptr_bits);
        self.must_be_valid(state, ptr, n, span);
        self.reads_element(state, ptr, ty);
        self.peek(state, ptr, ty)
    }

    /// What lies at a place, without asking whether it may be read.
    pub(crate) fn peek(&mut self, state: &State, ptr: Pointer, ty: Ty) -> Value {
        let n = ty.bytes(self.program.ptr_bits);
        match self.read(state, ptr, n) {
            Some(cells) => self.value_of(&cells, ty),
            None => fresh(&mut self.prover.terms, ty, self.program.ptr_bits),
        }
    }

    pub(crate) fn store(
        &mut self,
        state: &mut State,
        ptr: Pointer,
        value: Value,
        ty: Ty,
        span: Span,
    ) {
        let n = ty.bytes(self.program.ptr_bits);
        self.must_be_valid(state, ptr, n, span);
        if n == 1 {
            self.note_end(ptr.offset);
        }
        let cells = self.cells_of(value, n);
        self.write(state, ptr, &cells);
    }

    /// As `memmove`.
    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        to: Pointer,
        from: Pointer,
        size: TermId,
        span: Span,
    ) {
        self.must_hold_bytes(state, from, size, span);
        self.must_hold_bytes(state, to, size, span);
        let n = self.prover.terms.as_const(size).map(|it| it as u64);
        match n.filter(|&it| it <= MAX_PLACES) {
            Some(0) => {}
            Some(n) => match self.read(state, from, n) {
                Some(cells) => self.write(state, to, &cells),
                None => self.havoc(state, to),
            },
            // Soundness: nothing else is written, and of what is written nothing is known.
            None => self.havoc(state, to),
        }
    }

    pub(crate) fn fill(
        &mut self,
        state: &mut State,
        to: Pointer,
        byte: TermId,
        size: TermId,
        span: Span,
    ) {
        self.must_hold_bytes(state, to, size, span);
        let cell = Cell::number(&mut self.prover.terms, byte);
        let n = self.prover.terms.as_const(size).map(|it| it as u64);
        let most = if self.said.speaks_of_elements() { MAX_LAYER } else { 16 * MAX_PLACES };
        match n.filter(|&it| it <= most) {
            Some(0) => {}
            Some(n) => self.write(state, to, &vec![cell; n as usize]),
            None => self.fill_layer(state, to, cell, size),
        }
    }

    fn fill_layer(&mut self, state: &mut State, to: Pointer, byte: Cell, size: TermId) {
        let width = u32::from(self.program.ptr_bits);
        for id in self.candidates(state, to.base) {
            let Some(below) = state.slot(id).map(|it| Rc::clone(&it.cells)) else { continue };
            let cond = self.is_base(to.base, id);
            // Soundness: no instance is larger than addresses reach, so a larger size is not that of a valid access.
            let size = crate::expr::resize(&mut self.prover.terms, size, width);
            let offset = to.offset;
            let cells = self.layer(Change::Fill { below, cond, offset, size, byte });
            if let Some(slot) = state.slot_mut(id) {
                slot.cells = Rc::new(cells);
            }
        }
    }

    /// Nothing is known of the bytes of what it points into.
    pub(crate) fn havoc(&mut self, state: &mut State, ptr: Pointer) {
        for id in self.candidates(state, ptr.base) {
            let rest = self.anything();
            if let Some(slot) = state.slot_mut(id) {
                slot.cells = Rc::new(Cells { rest, known: Default::default() });
            }
        }
    }

    /// The instances a base can be, of those the state knows.
    pub(crate) fn candidates(&self, state: &State, base: TermId) -> Vec<usize> {
        let terms = &self.prover.terms;
        let is_there =
            |id: &usize| state.slot(*id).is_some_and(|it| terms.as_const(it.alive) != Some(0));
        match constants(terms, base) {
            Some(list) => {
                let ids = list.into_iter().filter_map(|it| self.instance_at(it));
                ids.filter(is_there).collect()
            }
            None => (0..state.slots.len()).filter(is_there).collect(),
        }
    }

    pub(crate) fn cell(&mut self, cells: &Cells, at: u64) -> Cell {
        if let Some(&cell) = cells.known.get(&at) {
            return cell;
        }
        self.rest_at(&cells.rest, Address { offset: None, plus: at })
    }

    /// Bytes from a place on; none if they may be anything.
    fn read(&mut self, state: &State, ptr: Pointer, n: u64) -> Option<Vec<Cell>> {
        let mut found: Option<Vec<Cell>> = None;
        for id in self.candidates(state, ptr.base) {
            let cells = Rc::clone(&state.slot(id)?.cells);
            let here = self.read_at(id, &cells, ptr.offset, n)?;
            found = Some(match found {
                None => here,
                Some(others) => {
                    let is_it = self.is_base(ptr.base, id);
                    self.choose(is_it, &here, &others)
                }
            });
        }
        found
    }

    fn choose(&mut self, cond: TermId, yes: &[Cell], no: &[Cell]) -> Vec<Cell> {
        let terms = &mut self.prover.terms;
        yes.iter().zip(no).map(|(&a, &b)| Cell::choose(terms, cond, a, b)).collect()
    }

    /// Soundness: that the access is inside of the instance was asked for, so that what is read elsewhere does
    /// not matter.
    fn read_at(&mut self, id: usize, cells: &Cells, offset: TermId, n: u64) -> Option<Vec<Cell>> {
        if let Some(at) = self.prover.terms.as_const(offset) {
            let at = at as u64;
            return Some((0..n).map(|k| self.cell(cells, at.wrapping_add(k))).collect());
        }
        let Some(places) = self.places(id, offset, n) else {
            let at = |plus| Address { offset: Some(offset), plus };
            return (n <= MAX_LAYER).then(|| (0..n).map(|k| self.byte_at(cells, at(k))).collect());
        };
        // One bit of the offset after the other: neighbours first.
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        for &at in &places {
            groups.push((0..n).map(|k| self.cell(cells, at + k)).collect());
        }
        let mut bit = low_zeros(&self.prover.terms, offset);
        while groups.len() > 1 {
            let is_odd = self.prover.terms.extract(offset, bit, bit);
            let pairs = std::mem::take(&mut groups);
            for pair in pairs.chunks(2) {
                groups.push(match pair {
                    [even, odd] => self.choose(is_odd, odd, even),
                    _ => pair[0].clone(),
                });
            }
            bit += 1;
        }
        groups.pop()
    }

    /// Where an access of `n` bytes can be; none if these are too many to tell apart.
    fn places(&mut self, id: usize, offset: TermId, n: u64) -> Option<Vec<u64>> {
        let sizes = constants(&self.prover.terms, self.instances[id].size)?;
        let size = sizes.into_iter().max()? as u64;
        let zeros = low_zeros(&self.prover.terms, offset);
        let step = 1u64.checked_shl(zeros).unwrap_or(0).max(1);
        let last = size.checked_sub(n)?;
        let most = if self.said.speaks_of_elements() { FEW_PLACES } else { MAX_PLACES };
        (last / step < most).then(|| (0..=last).step_by(step as usize).collect())
    }

    pub(crate) fn write(&mut self, state: &mut State, ptr: Pointer, new: &[Cell]) {
        let n = new.len() as u64;
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id).cloned() else { continue };
            let is_it = self.is_base(ptr.base, id);
            let offset = self.prover.terms.as_const(ptr.offset);
            let places = match offset {
                Some(at) => Some(vec![at as u64]),
                None => self
                    .places(id, ptr.offset, n)
                    .filter(|it| it.len() as u64 * n <= 16 * MAX_PLACES),
            };
            let Some(places) = places else {
                let cells = match n <= MAX_LAYER {
                    true => self.layer(Change::Write {
                        below: slot.cells,
                        cond: is_it,
                        offset: ptr.offset,
                        bytes: new.to_vec(),
                    }),
                    false => Cells { rest: self.anything(), known: Default::default() },
                };
                if let Some(slot) = state.slot_mut(id) {
                    slot.cells = Rc::new(cells);
                }
                continue;
            };
            let mut cells = (*slot.cells).clone();
            for at in places {
                let here = match offset {
                    Some(_) => is_it,
                    None => {
                        let place = self.bytes(at);
                        let terms = &mut self.prover.terms;
                        let is_place = terms.eq(ptr.offset, place);
                        terms.and(is_it, is_place)
                    }
                };
                if self.prover.terms.as_const(here) == Some(0) {
                    continue;
                }
                for (k, &cell) in (0..).zip(new) {
                    let at = at.wrapping_add(k);
                    let old = self.cell(&cells, at);
                    let now = Cell::choose(&mut self.prover.terms, here, cell, old);
                    cells.known.insert(at, now);
                }
            }
            if let Some(slot) = state.slot_mut(id) {
                slot.cells = Rc::new(cells);
            }
        }
    }

    /// The bytes of a value.
    pub(crate) fn cells_of(&mut self, value: Value, n: u64) -> Vec<Cell> {
        let terms = &mut self.prover.terms;
        let (base, bits) = match value {
            Value::Bits(bits) => (terms.constant(BASE_BITS, 0), bits),
            Value::Ptr(Pointer { base, offset }) => (base, offset),
        };
        let width = terms.width(bits);
        (0..n as u32)
            .map(|k| {
                let low = 8 * k;
                let byte = match width.checked_sub(low) {
                    None | Some(0) => terms.constant(8, 0),
                    Some(left) => {
                        let part = terms.extract(bits, low + left.min(8) - 1, low);
                        terms.zero_extend(part, 8)
                    }
                };
                Cell { base, byte, part: Part::At(k as u8) }
            })
            .collect()
    }

    fn value_of(&mut self, cells: &[Cell], ty: Ty) -> Value {
        let ptr_bits = self.program.ptr_bits;
        let width = match ty {
            Ty::Ptr => u32::from(ptr_bits),
            Ty::Int(width) => u32::from(width),
            Ty::Float(FloatTy::F32) => 32,
            // Those that are wider are kept as a `double`.
            Ty::Float(_) => 64,
        };
        let n = width.div_ceil(8) as usize;
        let terms = &mut self.prover.terms;
        let mut bits = cells[0].byte;
        for cell in &cells[1..n] {
            bits = terms.concat(cell.byte, bits);
        }
        let bits = terms.truncate(bits, width);
        let none = terms.constant(BASE_BITS, 0);
        let mut numbers = Vec::new();
        for cell in cells {
            numbers.push(terms.eq(cell.base, none));
        }
        let all_numbers = terms.and_all(&numbers);
        if ty != Ty::Ptr {
            if terms.as_const(all_numbers) == Some(1) {
                return Value::Bits(bits);
            }
            let any = terms.var("bytes of a pointer", width);
            return Value::Bits(terms.ite(all_numbers, bits, any));
        }
        // A pointer was stored here, whole, if all bytes are of it and in order.
        let in_order =
            (0..).zip(cells).all(|(k, it)| it.part == Part::At(k) || it.is_number(terms));
        let mut same: Vec<TermId> = Vec::new();
        for cell in &cells[1..] {
            same.push(terms.eq(cell.base, cells[0].base));
        }
        let order = terms.bool(in_order);
        same.push(order);
        let not_number = terms.not(numbers[0]);
        same.push(not_number);
        let is_whole = terms.and_all(&same);
        let whole = Pointer { base: cells[0].base, offset: bits };
        if self.prover.terms.as_const(is_whole) == Some(1) {
            return Value::Ptr(whole);
        }
        let number = self.pointer_of_number(bits);
        let terms = &mut self.prover.terms;
        if terms.as_const(all_numbers) == Some(1) {
            return Value::Ptr(number);
        }
        // Soundness: parts of several pointers are together any pointer.
        let any = fresh(terms, Ty::Ptr, ptr_bits).pointer();
        let torn = Pointer::choose(terms, all_numbers, number, any);
        Value::Ptr(Pointer::choose(terms, is_whole, whole, torn))
    }

    /// What a number points to: null is nothing, and what lies at any other address is not known.
    pub(crate) fn pointer_of_number(&mut self, number: TermId) -> Pointer {
        let null = self.null();
        let zero = self.bytes(0);
        let terms = &mut self.prover.terms;
        let is_null = terms.eq(number, zero);
        if terms.as_const(is_null) == Some(1) {
            return null;
        }
        let any = fresh(terms, Ty::Ptr, self.program.ptr_bits).pointer();
        Pointer::choose(terms, is_null, null, any)
    }
}

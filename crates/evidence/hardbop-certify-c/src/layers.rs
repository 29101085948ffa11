//! Contents of which only some places are known, and these by terms: what is read there is a choice between what was written.
//!
//! Bytes that nobody wrote are a function from places to bytes: what is read at a place is what was read before at one that is
//! equal to it, and otherwise anything. Soundness: for each execution there are values of the unknown bytes that are its own. Where
//! layers or reads become too many, a byte is just anything.

use std::rc::Rc;

use hardbop_smt::TermId;

use crate::exec::Executor;
use crate::memory::{Address, Cell, Cells, Change, Layer, Rest};
use crate::value::low_zeros;

/// Layers on top of each other.
const MAX_DEPTH: u32 = 400;
/// Places of one content that what is read there is compared with.
const MAX_READS: usize = 400;

/// Where a content of which nothing is known was read.
#[derive(Default)]
pub(crate) struct Reads {
    has_terms: bool,
    list: Vec<(Address, Cell)>,
}

impl Executor<'_> {
    /// The contents after a change; anything where there are too many layers.
    pub(crate) fn layer(&mut self, change: Change) -> Cells {
        let below = match &change {
            Change::Write { below, .. } | Change::Fill { below, .. } => below.depth(),
            Change::Choice { yes, no, .. } => yes.depth().max(no.depth()),
        };
        let rest = match below < MAX_DEPTH {
            true => {
                self.n_unknown += 1;
                Rest::Layer(Rc::new(Layer { number: self.n_unknown, depth: below + 1, change }))
            }
            false => self.anything(),
        };
        Cells { rest, known: Default::default() }
    }

    /// The byte at a place.
    pub(crate) fn byte_at(&mut self, cells: &Cells, at: Address) -> Cell {
        if at.offset.is_none() {
            return self.cell(cells, at.plus);
        }
        let mut found = self.rest_at(&cells.rest, at);
        for (&place, &cell) in &cells.known {
            let here = self.is_same(at, Address { offset: None, plus: place });
            found = Cell::choose(&mut self.prover.terms, here, cell, found);
        }
        found
    }

    /// The byte at a place, below what is listed.
    pub(crate) fn rest_at(&mut self, rest: &Rest, at: Address) -> Cell {
        match rest {
            Rest::Zero => {
                let zero = self.prover.terms.constant(8, 0);
                Cell::number(&mut self.prover.terms, zero)
            }
            &Rest::Any(content) => self.unknown_at(content, at),
            Rest::Layer(layer) => {
                if let Some(&known) = self.read.get(&(layer.number, at)) {
                    return known;
                }
                let cell = self.layer_at(&layer.change, at);
                self.note_read(layer.number, at, cell);
                cell
            }
        }
    }

    fn layer_at(&mut self, change: &Change, at: Address) -> Cell {
        match change {
            Change::Choice { cond, yes, no } => {
                let (yes, no) = (self.byte_at(yes, at), self.byte_at(no, at));
                match yes == no {
                    true => yes,
                    false => Cell::choose(&mut self.prover.terms, *cond, yes, no),
                }
            }
            Change::Write { below, cond, offset, bytes } => {
                let mut found = self.byte_at(below, at);
                for (plus, &byte) in (0..).zip(bytes) {
                    let here = self.is_same(at, Address { offset: Some(*offset), plus });
                    let terms = &mut self.prover.terms;
                    let written = terms.and(*cond, here);
                    found = Cell::choose(terms, written, byte, found);
                }
                found
            }
            Change::Fill { below, cond, offset, size, byte } => {
                let below = self.byte_at(below, at);
                let place = self.place(at);
                let terms = &mut self.prover.terms;
                // Soundness: what is filled was asked to lie in the instance, so the end does not wrap.
                let distance = terms.sub(place, *offset);
                let inside = terms.ult(distance, *size);
                let written = terms.and(*cond, inside);
                Cell::choose(terms, written, *byte, below)
            }
        }
    }

    fn unknown_at(&mut self, content: u32, at: Address) -> Cell {
        if let Some(&known) = self.read.get(&(content, at)) {
            return known;
        }
        let byte = self.prover.terms.var("unknown", 8);
        let mut cell = Cell::number(&mut self.prover.terms, byte);
        let reads = self.reads.entry(content).or_default();
        reads.has_terms |= at.offset.is_some();
        // Different constants are different places.
        if reads.has_terms && reads.list.len() < MAX_READS {
            for (other, there) in reads.list.clone() {
                let same = self.is_same(at, other);
                cell = Cell::choose(&mut self.prover.terms, same, there, cell);
            }
        }
        self.note_read(content, at, cell);
        self.reads.entry(content).or_default().list.push((at, cell));
        cell
    }

    fn note_read(&mut self, of: u32, at: Address, cell: Cell) {
        self.read.insert((of, at), cell);
        self.journal.push((of, at));
    }

    /// Reads since then do not count: nothing that was made of them is left.
    pub(crate) fn forget_reads(&mut self, since: usize) {
        for (of, at) in self.journal.drain(since..).rev() {
            self.read.remove(&(of, at));
            if let Some(reads) = self.reads.get_mut(&of) {
                reads.list.pop_if(|it| it.0 == at);
            }
        }
    }

    fn place(&mut self, Address { offset, plus }: Address) -> TermId {
        let plus = self.bytes(plus);
        offset.map_or(plus, |offset| self.prover.terms.add(offset, plus))
    }

    /// Whether two bytes are the same one.
    fn is_same(&mut self, a: Address, b: Address) -> TermId {
        let terms = &self.prover.terms;
        let zeros = |it: Address| it.offset.map_or(16, |offset| low_zeros(terms, offset));
        let common = zeros(a).min(zeros(b)).min(16);
        // Soundness: so many of the lowest bits are those of the constants.
        if a.plus.wrapping_sub(b.plus) & ((1 << common) - 1) != 0 {
            return self.prover.terms.bool(false);
        }
        match (a.offset, b.offset) {
            (Some(x), Some(y)) if a.plus == b.plus => self.prover.terms.eq(x, y),
            (Some(x), None) | (None, Some(x)) => {
                let (here, there) =
                    if a.offset.is_some() { (a.plus, b.plus) } else { (b.plus, a.plus) };
                let place = self.bytes(there.wrapping_sub(here));
                self.prover.terms.eq(x, place)
            }
            _ => {
                let (x, y) = (self.place(a), self.place(b));
                self.prover.terms.eq(x, y)
            }
        }
    }
}

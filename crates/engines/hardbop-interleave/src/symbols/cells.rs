//! Bytes of memory that are terms: runs of them that do not overlap, each as it was stored.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_smt::{TermId, Terms};

/// So many bytes, the first the least significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub size: u64,
    pub term: TermId,
}

/// By instance and offset.
#[derive(Clone, Default)]
pub(super) struct Cells(BTreeMap<u32, Rc<BTreeMap<u64, Cell>>>);

impl Cells {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn of(&self, instance: u32) -> impl Iterator<Item = (u64, Cell)> {
        let cells = self.0.get(&instance).into_iter();
        cells.flat_map(|it| it.iter().map(|(&offset, &cell)| (offset, cell)))
    }

    pub fn all(&self) -> impl Iterator<Item = (u32, u64, Cell)> {
        self.0.iter().flat_map(|(&instance, cells)| {
            cells.iter().map(move |(&offset, &cell)| (instance, offset, cell))
        })
    }

    /// Those with a byte in the range.
    pub fn within(&self, instance: u32, from: u64, size: u64) -> Vec<(u64, Cell)> {
        let Some(cells) = self.0.get(&instance).filter(|_| size > 0) else { return Vec::new() };
        let before = cells.range(..from).next_back();
        let before = before.filter(|(at, cell)| *at + cell.size > from);
        let inside = cells.range(from..from.saturating_add(size));
        before.into_iter().chain(inside).map(|(&at, &cell)| (at, cell)).collect()
    }

    /// The bytes become a term, or are numbers again.
    pub fn write(
        &mut self,
        terms: &mut Terms,
        (instance, from, size): (u32, u64, u64),
        term: Option<TermId>,
    ) {
        let old = self.within(instance, from, size);
        if old.is_empty() && term.is_none() {
            return;
        }
        let cells = Rc::make_mut(self.0.entry(instance).or_default());
        for (at, cell) in old {
            cells.remove(&at);
            // What sticks out stays, byte by byte.
            for byte in (0..cell.size).filter(|it| !(from..from + size).contains(&(at + it))) {
                cells.insert(at + byte, Cell { size: 1, term: byte_of(terms, cell, byte) });
            }
        }
        if let Some(term) = term {
            cells.insert(from, Cell { size, term });
        }
        if cells.is_empty() {
            self.0.remove(&instance);
        }
    }

    /// The bytes as one term; `None` if they are numbers.
    pub fn read(
        &self,
        terms: &mut Terms,
        (instance, from, size): (u32, u64, u64),
        number: impl Fn(u64) -> u8,
    ) -> Option<TermId> {
        let cells = self.within(instance, from, size);
        match cells[..] {
            [] => return None,
            [(at, cell)] if at == from && cell.size == size => return Some(cell.term),
            _ => {}
        }
        let mut whole: Option<TermId> = None;
        for at in from..from + size {
            let cell = cells.iter().find(|(start, it)| (*start..*start + it.size).contains(&at));
            let byte = match cell {
                Some(&(start, cell)) => byte_of(terms, cell, at - start),
                None => terms.constant(8, u128::from(number(at))),
            };
            whole = Some(match whole {
                Some(low) => terms.binary(hardbop_smt::BinaryOp::Concat, byte, low),
                None => byte,
            });
        }
        whole
    }

    pub fn copy(&mut self, terms: &mut Terms, from: (u32, u64), to: (u32, u64), size: u64) {
        let mut copied: Vec<(u64, Cell)> = Vec::new();
        for (at, cell) in self.within(from.0, from.1, size) {
            let is_whole = at >= from.1 && at + cell.size <= from.1 + size;
            if is_whole {
                copied.push((at - from.1, cell));
                continue;
            }
            for byte in 0..cell.size {
                if let Some(place) = (at + byte).checked_sub(from.1).filter(|&it| it < size) {
                    copied.push((place, Cell { size: 1, term: byte_of(terms, cell, byte) }));
                }
            }
        }
        self.write(terms, (to.0, to.1, size), None);
        for (place, cell) in copied {
            self.write(terms, (to.0, to.1 + place, cell.size), Some(cell.term));
        }
    }
}

fn byte_of(terms: &mut Terms, cell: Cell, byte: u64) -> TermId {
    let low = 8 * byte as u32;
    terms.extract(cell.term, low + 7, low)
}

//! The state of a flat program in words: registers that live from one block to the next, cells of
//! objects, and whether an object is alive.

use std::collections::BTreeMap;

use hardbop_cir::Ty;
use hardbop_cir::analysis::ranges::Interval;
use hardbop_smt::{TermId, Terms};
use hardbop_symbolic::layout::{Cell, Content, Kind, Layout};
use hardbop_symbolic::value::{Base, Pointer, Value, pointer, width_of};

use crate::word::{Reference, Word};

/// What one place holds.
#[derive(Clone, Debug)]
pub enum Latch {
    Number(Word),
    Pointer(Reference),
    /// Bytes nobody looked into: zeros, or anything.
    Untouched {
        is_zero: bool,
    },
}

/// Bytes of the largest cell that is a number.
const MAX_CELL: u64 = 16;

impl Latch {
    pub fn of_register(ty: Ty, range: Option<Interval>, ptr_bits: u8) -> Latch {
        match ty {
            Ty::Ptr => Latch::Pointer(Reference::new(ptr_bits)),
            Ty::Int(_) => Latch::Number(Word::new(width_of(ty), range)),
            Ty::Float(_) => Latch::Number(Word::new(width_of(ty), None)),
        }
    }

    pub fn of_cell(size: u64, kind: Kind, ptr_bits: u8) -> Latch {
        match kind {
            Kind::Ptr => Latch::Pointer(Reference::new(ptr_bits)),
            Kind::Bits if size <= MAX_CELL => Latch::Number(Word::new(8 * size as u32, None)),
            Kind::Bits => Latch::Untouched { is_zero: true },
        }
    }

    pub fn reset(&mut self) {
        match self {
            Latch::Number(it) => it.reset(),
            Latch::Pointer(it) => it.reset(),
            Latch::Untouched { is_zero } => *is_zero = true,
        }
    }

    /// The value in an arbitrary state; `None` if nothing was ever put there.
    pub fn value(&mut self, terms: &mut Terms, ptr_bits: u8) -> Option<Value> {
        match self {
            Latch::Number(it) if it.has_value() => Some(Value::Bits(it.value(terms))),
            Latch::Pointer(it) if it.has_value() => Some(Value::Ptr(it.value(terms, ptr_bits))),
            _ => None,
        }
    }

    /// The same as the content of a cell.
    pub fn content(&mut self, terms: &mut Terms, ptr_bits: u8) -> Content {
        match (self.value(terms, ptr_bits), &self) {
            (Some(Value::Bits(it)), _) => Content::Bits(it),
            (Some(Value::Ptr(it)), _) => Content::Ptr(it),
            (None, Latch::Untouched { is_zero: true }) => Content::Zero,
            (None, _) => Content::Raw,
        }
    }

    /// Makes room for a value; whether there was none.
    pub fn include(&mut self, terms: &mut Terms, value: &Value) -> bool {
        match (self, value) {
            (Latch::Number(word), Value::Bits(it)) => word.include(terms, *it),
            (Latch::Pointer(reference), Value::Ptr(it)) => reference.include(terms, it),
            _ => unreachable!("a place has one kind"),
        }
    }

    /// The next values of the words, each with the state bits it goes to.
    pub fn next(&self, terms: &mut Terms, value: &Value) -> Vec<(TermId, TermId)> {
        let mut next = Vec::new();
        let mut put = |terms: &mut Terms, word: &Word, value: TermId| {
            if let Some(var) = word.var {
                next.push((var, word.low(terms, value)));
            }
        };
        match (self, value) {
            (Latch::Number(word), Value::Bits(it)) => put(terms, word, *it),
            (Latch::Pointer(reference), Value::Ptr(it)) => {
                let (index, offset) = reference.parts(terms, it);
                put(terms, &reference.index, index);
                put(terms, &reference.offset, offset);
            }
            _ => unreachable!("a place has one kind"),
        }
        next
    }

    pub fn words(&self) -> Vec<TermId> {
        let words: Vec<Option<TermId>> = match self {
            Latch::Number(it) => vec![it.var],
            Latch::Pointer(it) => vec![it.index.var, it.offset.var],
            Latch::Untouched { .. } => Vec::new(),
        };
        words.into_iter().flatten().collect()
    }
}

/// The cells of one instance.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pub size: u64,
    pub latches: BTreeMap<u64, (u64, Latch)>,
}

impl Cells {
    /// Cut as the layout is.
    pub fn of(layout: &Layout, ptr_bits: u8) -> Cells {
        let mut cells = Cells::default();
        for (&at, cell) in &layout.cells {
            let kind = match cell.content {
                Content::Ptr(_) => Kind::Ptr,
                _ => Kind::Bits,
            };
            cells.latches.insert(at, (cell.size, Latch::of_cell(cell.size, kind, ptr_bits)));
            cells.size = cells.size.max(at + cell.size);
        }
        cells
    }

    /// A layout of arbitrary contents.
    pub fn layout(&mut self, terms: &mut Terms, ptr_bits: u8) -> Layout {
        let mut layout = Layout::default();
        for (&at, (size, latch)) in &mut self.latches {
            let content = latch.content(terms, ptr_bits);
            layout.cells.insert(at, Cell { size: *size, content });
        }
        layout
    }

    /// Makes the cells fit a layout: cut where it is cut, pointers where it has some. Whether they
    /// did not.
    pub fn refine(&mut self, terms: &mut Terms, layout: &mut Layout, ptr_bits: u8) -> bool {
        self.latches.keys().for_each(|&at| layout.cut(terms, at));
        let mut is_new = false;
        for (&at, cell) in &layout.cells {
            let holds_pointer = matches!(cell.content, Content::Ptr(_));
            let fits = self.latches.get(&at).is_some_and(|(size, latch)| {
                *size == cell.size && (!holds_pointer || matches!(latch, Latch::Pointer(_)))
            });
            if !fits {
                is_new = true;
                let kind = if holds_pointer { Kind::Ptr } else { Kind::Bits };
                let latch = Latch::of_cell(cell.size, kind, ptr_bits);
                self.latches.insert(at, (cell.size, latch));
            }
        }
        is_new
    }
}

/// The value of a cell that a latch of this kind can hold; `None` where an untouched cell stays so.
pub fn held(terms: &mut Terms, latch: &mut Latch, cell: &Cell, ptr_bits: u8) -> Option<Value> {
    let kind = match latch {
        Latch::Number(_) => Kind::Bits,
        Latch::Pointer(_) => Kind::Ptr,
        Latch::Untouched { is_zero } => {
            *is_zero &= cell.content == Content::Zero;
            return None;
        }
    };
    let content = cell.content.as_kind(terms, cell.size, kind, ptr_bits);
    Some(match (content, kind) {
        (Content::Bits(it), Kind::Bits) => Value::Bits(it),
        (Content::Ptr(it), Kind::Ptr) => Value::Ptr(it),
        // A number where pointers are kept: a constant is one; of another nothing is known.
        (content, Kind::Ptr) => {
            let known = content.constant_pointer(terms, ptr_bits);
            Value::Ptr(known.unwrap_or_else(|| wild(terms, ptr_bits)))
        }
        (_, Kind::Bits) => Value::Bits(terms.var("bytes", 8 * cell.size as u32)),
    })
}

/// A pointer of which nothing is known.
pub fn wild(terms: &mut Terms, ptr_bits: u8) -> Pointer {
    let offset = terms.var("wild", u32::from(ptr_bits));
    pointer(terms, Base::Wild, offset)
}

//! Memory: instances of objects, byte by byte.
//!
//! A byte is a number or a part of a stored pointer: then it has the base of the pointer, the byte of the *offset*,
//! and which byte of the pointer it is. What a pointer's bytes are as numbers nobody knows, so reading them as such
//! gives any number.
//!
//! What is written at a place that is no constant, of which there are too many to tell them apart, is a layer over what was
//! there (`layers`).

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_cir::ObjId;
use hardbop_smt::{TermId, Terms};

use crate::value::BASE_BITS;

/// What is known of an instance for good.
pub(crate) struct Instance {
    pub object: ObjId,
    /// As wide as a pointer.
    pub size: TermId,
    /// Its address: any that is aligned.
    pub address: TermId,
    pub is_heap: bool,
    pub is_const: bool,
}

/// What a state knows of an instance.
#[derive(Clone)]
pub(crate) struct Slot {
    pub alive: TermId,
    pub cells: Rc<Cells>,
}

/// The bytes of an instance.
#[derive(Clone)]
pub(crate) struct Cells {
    pub rest: Rest,
    pub known: BTreeMap<u64, Cell>,
}

/// What the bytes hold that are not listed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Rest {
    Zero,
    /// Anything; the number tells unknown contents apart.
    Any(u32),
    /// What is known under a condition, or at a place that is no constant.
    Layer(Rc<Layer>),
}

/// A change of contents.
pub(crate) struct Layer {
    /// No two layers have the same.
    pub number: u32,
    /// Layers below, itself included.
    pub depth: u32,
    pub change: Change,
}

pub(crate) enum Change {
    /// Where the condition holds, the bytes lie at the offset.
    Write { below: Rc<Cells>, cond: TermId, offset: TermId, bytes: Vec<Cell> },
    /// Where the condition holds, all bytes from the offset on are this one.
    Fill { below: Rc<Cells>, cond: TermId, offset: TermId, size: TermId, byte: Cell },
    /// Where two paths meet.
    Choice { cond: TermId, yes: Rc<Cells>, no: Rc<Cells> },
}

impl PartialEq for Layer {
    fn eq(&self, other: &Layer) -> bool {
        self.number == other.number
    }
}

impl Eq for Layer {}

impl Cells {
    pub fn depth(&self) -> u32 {
        match &self.rest {
            Rest::Layer(layer) => layer.depth,
            _ => 0,
        }
    }
}

/// A byte's place in an instance: a constant behind a term, or behind the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address {
    pub offset: Option<TermId>,
    pub plus: u64,
}

/// A byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// Of the pointer it is a part of; constant 0 if it is a number.
    pub base: TermId,
    pub byte: TermId,
    pub part: Part,
}

/// Which byte of a pointer it is, where its base is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    At(u8),
    /// One or the other.
    Mixed,
}

impl Cell {
    pub fn number(terms: &mut Terms, byte: TermId) -> Cell {
        Cell { base: terms.constant(BASE_BITS, 0), byte, part: Part::At(0) }
    }

    /// Whether it is a number in every execution.
    pub fn is_number(&self, terms: &Terms) -> bool {
        terms.as_const(self.base) == Some(0)
    }

    pub fn choose(terms: &mut Terms, cond: TermId, yes: Cell, no: Cell) -> Cell {
        let part = match (yes.is_number(terms), no.is_number(terms)) {
            // Which part a number is does not matter.
            (true, _) => no.part,
            (_, true) => yes.part,
            _ if yes.part == no.part => yes.part,
            _ => Part::Mixed,
        };
        Cell {
            base: terms.ite(cond, yes.base, no.base),
            byte: terms.ite(cond, yes.byte, no.byte),
            part,
        }
    }
}

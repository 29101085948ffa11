//! Words of state bits, as narrow as their values allow (FS section VI-A).
//!
//! What is known of a word grows while the blocks are executed over and over: no value, one
//! constant, then as many low bits as all values seen need, extended with zeros or with the sign.
//! After a few rounds a word that still grows gets the bits of its type or of its range by the
//! interval analysis, so it ends.
//!
//! Invariant at the end: every value the word takes in an execution is the extension of its bits.

use hardbop_cir::analysis::ranges::Interval;
use hardbop_smt::{BinaryOp, Term, TermId, Terms};
use hardbop_symbolic::value::{Base, Case, Pointer};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Const(u128),
    Bits { width: u32, is_signed: bool },
}

/// A number.
#[derive(Clone, Debug)]
pub struct Word {
    /// Bits of the type.
    full: u32,
    known: Known,
    /// What the interval analysis says.
    cap: Interval,
    n_grown: u32,
    /// The state bits, once there are some.
    pub var: Option<TermId>,
}

/// Growths before a word gets all it may need.
const PATIENCE: u32 = 4;
/// Operators looked through for the range of a term.
const FUEL: u32 = 200;

impl Word {
    pub fn new(full: u32, cap: Option<Interval>) -> Word {
        let top = top(full);
        let cap = cap.filter(|it| full > 1 && top.low <= it.low && it.high <= top.high);
        Word { full, known: Known::Nothing, cap: cap.unwrap_or(top), n_grown: 0, var: None }
    }

    /// Starts again from nothing.
    pub fn reset(&mut self) {
        (self.known, self.n_grown, self.var) = (Known::Nothing, 0, None);
    }

    pub fn has_value(&self) -> bool {
        self.known != Known::Nothing
    }

    /// The word as a number of the type's width; a word without a value is any.
    pub fn value(&mut self, terms: &mut Terms) -> TermId {
        match self.known {
            Known::Nothing => terms.var("unset", self.full),
            Known::Const(value) => terms.constant(self.full, value),
            Known::Bits { width, is_signed } => {
                let var = *self.var.get_or_insert_with(|| terms.var("state", width));
                match is_signed {
                    true => terms.sign_extend(var, self.full),
                    false => terms.zero_extend(var, self.full),
                }
            }
        }
    }

    /// The bits to keep of a value.
    pub fn low(&self, terms: &mut Terms, value: TermId) -> TermId {
        match self.known {
            Known::Bits { width, .. } => terms.truncate(value, width),
            _ => value,
        }
    }

    /// Makes room for a value; whether there was none.
    pub fn include(&mut self, terms: &Terms, value: TermId) -> bool {
        let constant = terms.as_const(value);
        match (self.known, constant) {
            (Known::Nothing, Some(value)) => {
                self.known = Known::Const(value);
                return true;
            }
            (Known::Const(known), Some(value)) if known == value => return false,
            _ => {}
        }
        let new = interval(terms, value, &mut FUEL.clone());
        let old = self.interval();
        if old.is_some_and(|old| old.low <= new.low && new.high <= old.high)
            && matches!(self.known, Known::Bits { .. })
        {
            return false;
        }
        let joined = old.map_or(new, |old| Interval {
            low: old.low.min(new.low),
            high: old.high.max(new.high),
        });
        self.n_grown += 1;
        self.widen(if self.n_grown > PATIENCE { self.cap } else { meet(joined, self.cap) })
    }

    /// Whether there are more bits afterwards.
    fn widen(&mut self, to: Interval) -> bool {
        let bits = if self.full == 1 { 1 } else { to.bits().clamp(1, self.full) };
        let new = Known::Bits { width: bits, is_signed: to.low < 0 && bits < self.full };
        let is_new = new != self.known;
        if is_new {
            (self.known, self.var) = (new, None);
        }
        is_new
    }

    fn interval(&self) -> Option<Interval> {
        match self.known {
            Known::Nothing => None,
            Known::Const(value) => {
                let value = signed(value, self.full);
                Some(Interval { low: value, high: value })
            }
            Known::Bits { width, .. } if width >= self.full => Some(top(self.full)),
            Known::Bits { width, is_signed: true } => Some(top(width)),
            Known::Bits { width, is_signed: false } => {
                Some(Interval { low: 0, high: (1 << width) - 1 })
            }
        }
    }
}

/// Where both say something; the analysis is right about real executions, so what it excludes are
/// values of none.
fn meet(a: Interval, b: Interval) -> Interval {
    let (low, high) = (a.low.max(b.low), a.high.min(b.high));
    if low <= high { Interval { low, high } } else { b }
}

fn top(width: u32) -> Interval {
    match width {
        0 | 1 => Interval { low: 0, high: 1 },
        _ if width > 126 => Interval { low: i128::MIN, high: i128::MAX },
        _ => Interval { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 },
    }
}

fn signed(value: u128, width: u32) -> i128 {
    match width {
        1 => value as i128,
        128 => value as i128,
        _ => ((value << (128 - width)) as i128) >> (128 - width),
    }
}

/// The values of a term, read as two's complement, as far as its shape shows.
fn interval(terms: &Terms, term: TermId, fuel: &mut u32) -> Interval {
    let width = terms.width(term);
    let whole = top(width);
    let Some(rest) = fuel.checked_sub(1) else { return whole };
    *fuel = rest;
    if width > 126 {
        return whole;
    }
    match terms.node(term) {
        Term::Const { value, .. } => {
            let value = signed(value, width);
            Interval { low: value, high: value }
        }
        Term::Binary(BinaryOp::Concat, high, low) if terms.as_const(high) == Some(0) => {
            let below = terms.width(low);
            match interval(terms, low, fuel) {
                it if it.low >= 0 && below > 1 => it,
                _ => Interval { low: 0, high: (1 << below) - 1 },
            }
        }
        Term::SignExtend { term, .. } if terms.width(term) > 1 => interval(terms, term, fuel),
        Term::Ite(_, a, b) => {
            let (a, b) = (interval(terms, a, fuel), interval(terms, b, fuel));
            Interval { low: a.low.min(b.low), high: a.high.max(b.high) }
        }
        Term::Binary(BinaryOp::Add, a, b) => {
            let (a, b) = (interval(terms, a, fuel), interval(terms, b, fuel));
            match (a.low.checked_add(b.low), a.high.checked_add(b.high)) {
                (Some(low), Some(high)) if whole.low <= low && high <= whole.high => {
                    Interval { low, high }
                }
                _ => whole,
            }
        }
        Term::Binary(BinaryOp::And, a, b) if width > 1 => {
            let (a, b) = (interval(terms, a, fuel), interval(terms, b, fuel));
            match (a.low >= 0, b.low >= 0) {
                (true, true) => Interval { low: 0, high: a.high.min(b.high) },
                (true, false) => Interval { low: 0, high: a.high },
                (false, true) => Interval { low: 0, high: b.high },
                (false, false) => whole,
            }
        }
        _ => whole,
    }
}

/// A pointer: which of its possible bases, and the offset from it.
#[derive(Clone, Debug)]
pub struct Reference {
    /// In the order they were seen.
    bases: Vec<Base>,
    /// The offset where it is one constant for a base.
    fixed: Vec<Option<u128>>,
    /// Number of the base.
    pub index: Word,
    /// Of those bases whose offset is not fixed.
    pub offset: Word,
}

/// Bits of the number of a base.
const INDEX: u32 = 16;

impl Reference {
    pub fn new(ptr_bits: u8) -> Reference {
        Reference {
            bases: Vec::new(),
            fixed: Vec::new(),
            index: Word::new(INDEX, None),
            offset: Word::new(u32::from(ptr_bits), None),
        }
    }

    pub fn reset(&mut self) {
        self.bases.clear();
        self.fixed.clear();
        self.index.reset();
        self.offset.reset();
    }

    pub fn has_value(&self) -> bool {
        !self.bases.is_empty()
    }

    pub fn value(&mut self, terms: &mut Terms, ptr_bits: u8) -> Pointer {
        let index = self.index.value(terms);
        let offset = self.offset.value(terms);
        let width = u32::from(ptr_bits);
        let mut cases: Vec<Case> = Vec::new();
        let mut others = Vec::new();
        for (at, (&base, fixed)) in self.bases.iter().zip(&self.fixed).enumerate() {
            let cond = match at + 1 == self.bases.len() {
                // One of the conditions holds whatever the bits are.
                true => terms.and_all(&others),
                false => {
                    let number = terms.constant(INDEX, at as u128);
                    terms.eq(index, number)
                }
            };
            others.push(terms.not(cond));
            let offset = fixed.map_or(offset, |it| terms.constant(width, it));
            cases.push(Case { cond, base, offset });
        }
        cases.sort_by_key(|it| it.base);
        cases.into()
    }

    /// Makes room for a pointer; whether there was none.
    pub fn include(&mut self, terms: &mut Terms, pointer: &Pointer) -> bool {
        let mut is_new = false;
        for case in pointer.iter() {
            let at = match self.bases.iter().position(|it| *it == case.base) {
                Some(at) => at,
                None => {
                    self.bases.push(case.base);
                    self.fixed.push(terms.as_const(case.offset));
                    is_new = true;
                    self.bases.len() - 1
                }
            };
            if self.fixed[at].is_some() && self.fixed[at] != terms.as_const(case.offset) {
                let width = terms.width(case.offset);
                if let Some(before) = self.fixed[at].take() {
                    let before = terms.constant(width, before);
                    self.offset.include(terms, before);
                }
                is_new = true;
            }
            if self.fixed[at].is_none() {
                is_new |= self.offset.include(terms, case.offset);
            }
        }
        let numbers: Vec<TermId> =
            (0..self.bases.len()).map(|at| terms.constant(INDEX, at as u128)).collect();
        numbers.into_iter().for_each(|it| is_new |= self.index.include(terms, it));
        // There are finitely many bases: no need to hurry.
        self.index.n_grown = 0;
        is_new
    }

    /// The number of the base and the offset of a pointer there is room for.
    pub fn parts(&self, terms: &mut Terms, pointer: &Pointer) -> (TermId, TermId) {
        let mut parts: Option<(TermId, TermId)> = None;
        for case in pointer.iter() {
            let at = self.bases.iter().position(|it| *it == case.base);
            let at = at.expect("there is room for every base of the pointer");
            let number = terms.constant(INDEX, at as u128);
            parts = Some(match parts {
                None => (number, case.offset),
                Some((index, offset)) => {
                    (terms.ite(case.cond, number, index), terms.ite(case.cond, case.offset, offset))
                }
            });
        }
        parts.unwrap_or_else(|| {
            let width = self.offset.full;
            (terms.constant(INDEX, 0), terms.constant(width, 0))
        })
    }
}

//! Random terms, for the tests and campaigns of this crate and of those that use it.

use crate::pool::Terms;
use crate::term::{BinaryOp, Sort, TermId, UnaryOp};
use crate::word;

/// Makes terms from a stream of random numbers.
pub struct RandomTerms<'a> {
    /// Any source of 64 random bits.
    pub draw: &'a mut dyn FnMut() -> u64,
    /// Bit-vectors are at most this wide.
    pub max_width: u32,
    /// How many variables of one sort there are.
    pub vars_per_sort: usize,
    /// Whether arrays occur.
    pub arrays: bool,
    /// The variables made so far.
    pub vars: Vec<TermId>,
}

impl<'a> RandomTerms<'a> {
    pub fn new(draw: &'a mut dyn FnMut() -> u64, max_width: u32) -> Self {
        RandomTerms { draw, max_width, vars_per_sort: 2, arrays: false, vars: Vec::new() }
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((self.draw)() % u64::from(n)) as u32
    }

    pub fn width(&mut self) -> u32 {
        1 + self.below(self.max_width)
    }

    /// Often one of the values where operators behave in a special way.
    pub fn value(&mut self, width: u32) -> u128 {
        let wide = u128::from((self.draw)()) << 64 | u128::from((self.draw)());
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => word::sign_bit(width),
            4 => word::sign_bit(width).wrapping_sub(1),
            5 => 1 << self.below(width),
            6 => wide % u128::from(width + 2),
            _ => wide,
        };
        value & word::ones(width)
    }

    fn var(&mut self, terms: &mut Terms, sort: Sort) -> TermId {
        let of_sort: Vec<TermId> =
            self.vars.iter().copied().filter(|&var| terms.sort(var) == sort).collect();
        let chosen = self.below(self.vars_per_sort as u32) as usize;
        if let Some(&var) = of_sort.get(chosen) {
            return var;
        }
        let var = match sort {
            Sort::Bits(width) => terms.var("x", width),
            Sort::Array { index, element } => terms.array_var("m", index, element),
        };
        self.vars.push(var);
        var
    }

    /// A bit-vector of this width, at most `depth` operators deep.
    pub fn term(&mut self, terms: &mut Terms, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.below(10) == 0 {
            return if self.below(3) == 0 {
                let value = self.value(width);
                terms.constant(width, value)
            } else {
                self.var(terms, Sort::Bits(width))
            };
        }
        let depth = depth - 1;
        match self.below(if self.arrays { 22 } else { 20 }) {
            0 => {
                let a = self.term(terms, width, depth);
                terms.unary(UnaryOp::Not, a)
            }
            1 => {
                let a = self.term(terms, width, depth);
                terms.unary(UnaryOp::Neg, a)
            }
            2 | 3 => {
                let condition = self.term(terms, 1, depth);
                let (a, b) = (self.term(terms, width, depth), self.term(terms, width, depth));
                terms.ite(condition, a, b)
            }
            4 | 5 => {
                let wide = width + self.below(self.max_width - width + 1);
                let low = self.below(wide - width + 1);
                let a = self.term(terms, wide, depth);
                terms.extract(a, low + width - 1, low)
            }
            6 | 7 if width > 1 => {
                let narrow = 1 + self.below(width - 1);
                let (above, below) =
                    (self.term(terms, width - narrow, depth), self.term(terms, narrow, depth));
                terms.concat(above, below)
            }
            8 if width > 1 => {
                let narrow = 1 + self.below(width - 1);
                let a = self.term(terms, narrow, depth);
                terms.sign_extend(a, width)
            }
            9 if width > 1 => {
                let narrow = 1 + self.below(width - 1);
                let a = self.term(terms, narrow, depth);
                terms.zero_extend(a, width)
            }
            10..=13 if width == 1 => {
                let of_width = self.width();
                let op = [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Slt][self.below(3) as usize];
                let (a, b) = (self.term(terms, of_width, depth), self.term(terms, of_width, depth));
                terms.binary(op, a, b)
            }
            20 | 21 => {
                let index_width = 1 + self.below(self.max_width.min(4));
                let array = self.array(terms, index_width, width, depth);
                let index = self.term(terms, index_width, depth);
                terms.select(array, index)
            }
            _ => {
                // The operators that keep the width come first.
                let op = BinaryOp::ALL[self.below(9) as usize];
                let (a, b) = (self.term(terms, width, depth), self.term(terms, width, depth));
                terms.binary(op, a, b)
            }
        }
    }

    fn array(&mut self, terms: &mut Terms, index: u32, element: u32, depth: u32) -> TermId {
        if depth == 0 {
            return self.var(terms, Sort::Array { index, element });
        }
        let depth = depth - 1;
        match self.below(5) {
            0 => {
                let value = self.term(terms, element, depth);
                terms.const_array(index, value)
            }
            1 => {
                let condition = self.term(terms, 1, depth);
                let a = self.array(terms, index, element, depth);
                let b = self.array(terms, index, element, depth);
                terms.ite(condition, a, b)
            }
            2 => self.var(terms, Sort::Array { index, element }),
            _ => {
                let array = self.array(terms, index, element, depth);
                let at = self.term(terms, index, depth);
                let value = self.term(terms, element, depth);
                terms.store(array, at, value)
            }
        }
    }
}

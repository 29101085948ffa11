//! Does an operation leave the range of its type? The C front end asks before it computes.

use hardbop_base::fault::{Fault, is_on};

use crate::pool::Terms;
use crate::term::{MAX_WIDTH, TermId};
use crate::word;

impl Terms {
    pub fn uadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    pub fn usub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// The summands have one sign and the sum has the other.
    pub fn sadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        if is_on(Fault::NoOverflow) {
            return self.bool(false);
        }
        let sum = self.add(a, b);
        let (a_changes, b_changes) = (self.xor(a, sum), self.xor(b, sum));
        let both = self.and(a_changes, b_changes);
        self.sign(both)
    }

    /// The operands differ in sign and the difference has not that of the first.
    pub fn ssub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (signs_differ, changes) = (self.xor(a, b), self.xor(a, difference));
        let both = self.and(signs_differ, changes);
        self.sign(both)
    }

    /// Only the least number has no opposite.
    pub fn neg_overflows(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let least = self.constant(width, word::sign_bit(width));
        self.eq(a, least)
    }

    /// The least number by -1. Division by zero is another question.
    pub fn sdiv_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_one = self.constant(self.width(b), u128::MAX);
        let (least, negates) = (self.neg_overflows(a), self.eq(b, minus_one));
        self.and(least, negates)
    }

    pub fn umul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if 2 * width <= MAX_WIDTH {
            let product = self.wide_product(a, b);
            let above = self.extract(product, 2 * width - 1, width);
            return self.is_nonzero(above);
        }
        // Without a type for the whole product: it is right exactly if dividing leads back.
        let product = self.mul(a, b);
        let quotient = self.udiv(product, a);
        let (nonzero, differs) = (self.is_nonzero(a), self.ne(quotient, b));
        self.and(nonzero, differs)
    }

    /// The product of the magnitudes is above the greatest number, or, for a negative product,
    /// above the magnitude of the least.
    pub fn smul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        if is_on(Fault::ProductsFit) {
            return self.bool(false);
        }
        let width = self.width(a);
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let negative = self.xor(a_sign, b_sign);
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let (greatest, least) = (
            self.constant(width, word::ones(width) >> 1),
            self.constant(width, word::sign_bit(width)),
        );
        let limit = self.ite(negative, least, greatest);
        if 2 * width <= MAX_WIDTH {
            let product = self.wide_product(x, y);
            let limit = self.zero_extend(limit, 2 * width);
            return self.ult(limit, product);
        }
        let wraps = self.umul_overflows(x, y);
        let product = self.mul(x, y);
        let beyond = self.ult(limit, product);
        self.or(wraps, beyond)
    }

    fn wide_product(&mut self, a: TermId, b: TermId) -> TermId {
        let wide = 2 * self.width(a);
        let (a, b) = (self.zero_extend(a, wide), self.zero_extend(b, wide));
        self.mul(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::signed;

    type Predicate = fn(&mut Terms, TermId, TermId) -> TermId;
    type Exact = fn(i128, i128) -> i128;

    const SIGNED: [(Predicate, Exact); 3] = [
        (Terms::sadd_overflows, |a, b| a + b),
        (Terms::ssub_overflows, |a, b| a - b),
        (Terms::smul_overflows, |a, b| a * b),
    ];
    const UNSIGNED: [(Predicate, Exact); 3] = [
        (Terms::uadd_overflows, |a, b| a + b),
        (Terms::usub_overflows, |a, b| a - b),
        (Terms::umul_overflows, |a, b| a * b),
    ];

    #[test]
    fn overflow_is_leaving_the_range_at_widths_1_to_4() {
        let mut terms = Terms::new();
        for width in 1..=4 {
            let (least, greatest) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
            for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                let (x, y) = (terms.constant(width, a), terms.constant(width, b));
                let (sa, sb) = (signed(width, a), signed(width, b));
                for (predicate, exact) in SIGNED {
                    let found = predicate(&mut terms, x, y);
                    let expected = !(least..=greatest).contains(&exact(sa, sb));
                    assert_eq!(
                        terms.as_const(found),
                        Some(u128::from(expected)),
                        "{width} {sa} {sb}"
                    );
                }
                for (predicate, exact) in UNSIGNED {
                    let found = predicate(&mut terms, x, y);
                    let expected = !(0..1 << width).contains(&exact(a as i128, b as i128));
                    assert_eq!(
                        terms.as_const(found),
                        Some(u128::from(expected)),
                        "{width} {a} {b}"
                    );
                }
                let found = terms.sdiv_overflows(x, y);
                let expected = sb != 0 && sa / sb > greatest;
                assert_eq!(terms.as_const(found), Some(u128::from(expected)), "{width} {sa} {sb}");
            }
        }
    }

    #[test]
    fn wide_products_overflow_as_the_machine_says() {
        let samples = [
            0,
            1,
            2,
            3,
            u128::MAX,
            u128::MAX - 1,
            1 << 127,
            1 << 64,
            (1 << 64) - 1,
            i128::MAX as u128,
        ];
        let mut terms = Terms::new();
        for (a, b) in samples.iter().flat_map(|&a| samples.map(|b| (a, b))) {
            let (x, y) = (terms.constant(128, a), terms.constant(128, b));
            let unsigned = terms.umul_overflows(x, y);
            assert_eq!(terms.as_const(unsigned), Some(u128::from(a.checked_mul(b).is_none())));
            let signed = terms.smul_overflows(x, y);
            let expected = (a as i128).checked_mul(b as i128).is_none();
            assert_eq!(terms.as_const(signed), Some(u128::from(expected)), "{a} {b}");
        }
    }
}

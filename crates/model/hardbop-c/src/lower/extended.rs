//! Arithmetic in types wider than `double` (`long double`, `_Float128`).
//!
//! Their values are kept as `double`. Where an operation has an exact result that is a `double`, that is its result in the wider
//! type, too; where it has not, the path ends as unsupported. Whether a sum is exact is what is left of it by the algorithm of
//! Knuth (TwoSum), of a product by that of Dekker (a split of both factors), and a quotient is exact if the product with the divisor
//! is, and gives the dividend. Operands that are no numbers, and divisors that are 0, give the same in every format.

use hardbop_base::Span;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, FloatTy, Stop, Term, Ty, UnOp};

use super::state::Lower;

/// Factors below it are split without overflow.
const LARGEST_FACTOR: f64 = 1e150;
/// Products above it lose nothing below the least number there is.
const LEAST_PRODUCT: f64 = 1e-250;
/// Two to the power of 27, and one: a factor times this is what its upper half is taken from.
const SPLITTER: f64 = 134_217_729.0;

const INEXACT: &str = "arithmetic wider than `double` that is not exact";

/// The same of constants, and whether it is exact.
fn computed(op: BinOp, a: f64, b: f64) -> (f64, bool) {
    let product_is_exact = |a: f64, b: f64| {
        let product = a * b;
        let is_normal = product.abs() > LEAST_PRODUCT && product.is_finite();
        a == 0.0 || b == 0.0 || is_normal && a.mul_add(b, -product) == 0.0
    };
    let sum_is_exact = |a: f64, b: f64| {
        let sum = a + b;
        let of_b = sum - a;
        (a - (sum - of_b)) + (b - of_b) == 0.0
    };
    let (value, is_exact) = match op {
        BinOp::FAdd => (a + b, sum_is_exact(a, b)),
        BinOp::FSub => (a - b, sum_is_exact(a, -b)),
        BinOp::FMul => (a * b, product_is_exact(a, b)),
        _ => (a / b, b == 0.0 || (a / b) * b == a && product_is_exact(a / b, b)),
    };
    (value, is_exact || !a.is_finite() || !b.is_finite())
}

impl Lower<'_> {
    /// `x op y` in a type wider than `double`.
    pub fn extended(&mut self, op: BinOp, x: ExprId, y: ExprId, ty: FloatTy, span: Span) -> ExprId {
        let pool = &self.program.exprs;
        if let (Expr::Float { bits: a, .. }, Expr::Float { bits: b, .. }) =
            (pool.get(x), pool.get(y))
        {
            let (value, is_exact) = computed(op, f64::from_bits(a), f64::from_bits(b));
            if !is_exact {
                self.unsupported(span, INEXACT);
            }
            return self.program.exprs.add(Expr::Float { ty, bits: value.to_bits() });
        }
        let [a, b] = [x, y].map(|it| {
            let it = self.as_double(it, span);
            self.spill(it, span)
        });
        let value = self.double(op, a, b, span);
        let exact = match op {
            BinOp::FAdd => self.sum_is_exact(a, b, value, span),
            BinOp::FSub => {
                let negated = self.node(Expr::Unary(UnOp::FNeg, b), span);
                self.sum_is_exact(a, negated, value, span)
            }
            BinOp::FMul => self.product_is_exact(a, b, value, span),
            _ => {
                let product = self.double(BinOp::FMul, value, b, span);
                let same = self.program.exprs.binary(BinOp::FEq, product, a);
                let exact = self.product_is_exact(value, b, product, span);
                self.program.exprs.binary(BinOp::And, same, exact)
            }
        };
        let mut ways = vec![exact];
        for it in [a, b] {
            let nothing = self.double(BinOp::FSub, it, it, span);
            let zero = self.double_const(0.0);
            ways.push(self.program.exprs.binary(BinOp::FNe, nothing, zero));
        }
        if op == BinOp::FDiv {
            let zero = self.double_const(0.0);
            ways.push(self.program.exprs.binary(BinOp::FEq, b, zero));
        }
        let fine = ways.into_iter().reduce(|x, y| self.program.exprs.binary(BinOp::Or, x, y));
        let (goes_on, ends) = (self.new_block(), self.new_block());
        self.branch(fine.unwrap_or(exact), goes_on, ends, span);
        self.begin(ends);
        self.finish(Term::Stop(Stop::Unsupported(INEXACT.into())), span);
        self.begin(goes_on);
        self.node(Expr::Cast(CastOp::FToF, Ty::Float(ty), value), span)
    }

    fn as_double(&mut self, value: ExprId, span: Span) -> ExprId {
        match self.program.exprs.get(value) {
            Expr::Float { bits, .. } => {
                self.program.exprs.add(Expr::Float { ty: FloatTy::F64, bits })
            }
            _ => self.node(Expr::Cast(CastOp::FToF, Ty::Float(FloatTy::F64), value), span),
        }
    }

    fn double_const(&mut self, value: f64) -> ExprId {
        self.program.exprs.add(Expr::Float { ty: FloatTy::F64, bits: value.to_bits() })
    }

    fn double(&mut self, op: BinOp, x: ExprId, y: ExprId, span: Span) -> ExprId {
        let value = self.node(Expr::Binary(op, x, y), span);
        self.spill(value, span)
    }

    /// Nothing is left of `a + b` beside their rounded sum.
    fn sum_is_exact(&mut self, a: ExprId, b: ExprId, sum: ExprId, span: Span) -> ExprId {
        let of_b = self.double(BinOp::FSub, sum, a, span);
        let of_a = self.double(BinOp::FSub, sum, of_b, span);
        let left_a = self.double(BinOp::FSub, a, of_a, span);
        let left_b = self.double(BinOp::FSub, b, of_b, span);
        let left = self.double(BinOp::FAdd, left_a, left_b, span);
        let zero = self.double_const(0.0);
        self.program.exprs.binary(BinOp::FEq, left, zero)
    }

    /// Nothing is left of `a * b` beside their rounded product.
    fn product_is_exact(&mut self, a: ExprId, b: ExprId, product: ExprId, span: Span) -> ExprId {
        let ([a_high, a_low], [b_high, b_low]) = (self.halves(a, span), self.halves(b, span));
        let highs = self.double(BinOp::FMul, a_high, b_high, span);
        let mut left = self.double(BinOp::FSub, highs, product, span);
        for (x, y) in [(a_high, b_low), (a_low, b_high), (a_low, b_low)] {
            let part = self.double(BinOp::FMul, x, y, span);
            left = self.double(BinOp::FAdd, left, part, span);
        }
        let zero = self.double_const(0.0);
        let is_nothing = self.program.exprs.binary(BinOp::FEq, left, zero);
        let (a_fits, b_fits) = (self.is_below(a, LARGEST_FACTOR), self.is_below(b, LARGEST_FACTOR));
        let is_tiny = self.is_below(product, LEAST_PRODUCT);
        let is_large = self.program.exprs.not(is_tiny);
        let parts = [is_nothing, a_fits, b_fits, is_large];
        let pool = &mut self.program.exprs;
        let exact = parts.into_iter().reduce(|x, y| pool.binary(BinOp::And, x, y));
        let no_a = pool.binary(BinOp::FEq, a, zero);
        let no_b = pool.binary(BinOp::FEq, b, zero);
        let none = pool.binary(BinOp::Or, no_a, no_b);
        pool.binary(BinOp::Or, exact.unwrap_or(is_nothing), none)
    }

    /// A number as the sum of two that have half of its digits each.
    fn halves(&mut self, of: ExprId, span: Span) -> [ExprId; 2] {
        let splitter = self.double_const(SPLITTER);
        let scaled = self.double(BinOp::FMul, splitter, of, span);
        let rest = self.double(BinOp::FSub, scaled, of, span);
        let high = self.double(BinOp::FSub, scaled, rest, span);
        [high, self.double(BinOp::FSub, of, high, span)]
    }

    /// Whether the magnitude is.
    fn is_below(&mut self, value: ExprId, limit: f64) -> ExprId {
        let (low, high) = (self.double_const(-limit), self.double_const(limit));
        let above = self.program.exprs.binary(BinOp::FLt, low, value);
        let below = self.program.exprs.binary(BinOp::FLt, value, high);
        self.program.exprs.binary(BinOp::And, above, below)
    }
}

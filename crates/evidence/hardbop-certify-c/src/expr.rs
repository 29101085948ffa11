//! What expressions are, as terms.

use hardbop_cir::{BinOp, CastOp, Expr, ExprId, FloatTy, Ty, UnOp};
use hardbop_smt::float::{self, DOUBLE, Format, SINGLE};
use hardbop_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::audit::Operator;
use crate::exec::Executor;
use crate::state::State;
use crate::value::{BASE_BITS, Pointer, Value, width};

/// Wider integers become floating-point numbers of which nothing is known, and the other way round.
const MAX_INTEGER: u32 = 64;

impl Executor<'_> {
    pub(crate) fn eval(&mut self, state: &State, root: ExprId) -> Value {
        self.eval_in(state, root, &mut FxHashMap::default())
    }

    pub(crate) fn eval_bits(&mut self, state: &State, root: ExprId) -> TermId {
        self.eval(state, root).bits()
    }

    pub(crate) fn eval_pointer(&mut self, state: &State, root: ExprId) -> Pointer {
        self.eval(state, root).pointer()
    }

    /// Expressions nest as deep as the front end lets them, which is what this recursion needs.
    fn eval_in(
        &mut self,
        state: &State,
        id: ExprId,
        known: &mut FxHashMap<ExprId, Value>,
    ) -> Value {
        if let Some(&value) = known.get(&id) {
            return value;
        }
        let pool = &self.program.exprs;
        let value = match pool.get(id) {
            Expr::Int { width, value } => {
                Value::Bits(self.prover.terms.constant(u32::from(width), value))
            }
            Expr::Float { ty, bits } => Value::Bits(constant(&mut self.prover.terms, ty, bits)),
            Expr::Null => Value::Ptr(self.null()),
            Expr::Var(var) => self.register(state, var),
            Expr::Addr(object) => {
                let base = match self.statics.get(&object) {
                    Some(&instance) => self.base_of(instance),
                    // Before its `Enter` it is nowhere.
                    None => state.objects.get(&object).copied().unwrap_or_else(|| self.no_base()),
                };
                Value::Ptr(self.at_start(base))
            }
            Expr::FuncAddr(func) => {
                let base = self.prover.terms.constant(BASE_BITS, u128::from(func.as_u32()) + 1);
                Value::Ptr(self.at_start(base))
            }
            Expr::Unary(op, a) => {
                let ty = pool.ty(a);
                let a = self.eval_in(state, a, known);
                self.unary(op, ty, a)
            }
            Expr::Binary(op, a, b) => {
                let ty = pool.ty(a);
                let (a, b) = (self.eval_in(state, a, known), self.eval_in(state, b, known));
                match ty {
                    Ty::Int(_) => {
                        let (operator, a, b) = (Operator::Integers(op), a.bits(), b.bits());
                        let make = |terms: &mut Terms| integers(terms, op, a, b);
                        Value::Bits(self.prover.apply(operator, a, b, make))
                    }
                    Ty::Float(ty) => {
                        let (operator, a, b) = (Operator::Floats(op, ty), a.bits(), b.bits());
                        let make = |terms: &mut Terms| floats(terms, op, ty, a, b);
                        Value::Bits(self.prover.apply(operator, a, b, make))
                    }
                    Ty::Ptr => self.pointers(state, op, a.pointer(), b),
                }
            }
            Expr::Cast(op, to, a) => {
                let from = pool.ty(a);
                let a = self.eval_in(state, a, known);
                self.cast(op, from, to, a)
            }
            Expr::Ite(c, a, b) => {
                let c = self.eval_in(state, c, known).bits();
                let (a, b) = (self.eval_in(state, a, known), self.eval_in(state, b, known));
                Value::choose(&mut self.prover.terms, c, a, b)
            }
        };
        known.insert(id, value);
        value
    }

    fn unary(&mut self, op: UnOp, ty: Ty, a: Value) -> Value {
        let terms = &mut self.prover.terms;
        match (op, ty) {
            (UnOp::Not, _) => Value::Bits(terms.not(a.bits())),
            (UnOp::Neg, _) => Value::Bits(terms.neg(a.bits())),
            (UnOp::FNeg, Ty::Float(ty)) => Value::Bits(float::negate(terms, format(ty), a.bits())),
            (UnOp::FNeg, _) => unreachable!("the verifier saw a float"),
            (UnOp::Start, _) => {
                let ptr = a.pointer();
                let start = self.at_start(ptr.base);
                let inside = self.is_instance(ptr.base);
                Value::Ptr(Pointer::choose(&mut self.prover.terms, inside, start, ptr))
            }
        }
    }

    /// Pointers into one object compare as their offsets do. Otherwise addresses decide, of which nothing is known
    /// but that bytes of different living objects are different.
    fn pointers(&mut self, state: &State, op: BinOp, a: Pointer, b: Value) -> Value {
        if op == BinOp::PtrAdd {
            let offset = self.prover.terms.add(a.offset, b.bits());
            return Value::Ptr(Pointer { offset, ..a });
        }
        let b = b.pointer();
        let same_base = self.prover.terms.eq(a.base, b.base);
        let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
        if self.prover.terms.as_const(same_base) == Some(1) && (is_equality || op == BinOp::PtrDiff)
        {
            let terms = &mut self.prover.terms;
            return Value::Bits(match op {
                BinOp::Eq => terms.eq(a.offset, b.offset),
                BinOp::Ne => terms.ne(a.offset, b.offset),
                _ => terms.sub(a.offset, b.offset),
            });
        }
        let (x, y) = (self.address(a), self.address(b));
        if is_equality {
            let apart = self.are_apart(state, a, b);
            let terms = &mut self.prover.terms;
            let same_offset = terms.eq(a.offset, b.offset);
            let same_address = terms.eq(x, y);
            let never = terms.bool(false);
            let otherwise = terms.ite(apart, never, same_address);
            let equal = terms.ite(same_base, same_offset, otherwise);
            return Value::Bits(if op == BinOp::Eq { equal } else { terms.not(equal) });
        }
        if op == BinOp::PtrDiff {
            let terms = &mut self.prover.terms;
            let (offsets, addresses) = (terms.sub(a.offset, b.offset), terms.sub(x, y));
            return Value::Bits(terms.ite(same_base, offsets, addresses));
        }
        // Soundness: no object goes round the end of the address space, so that inside of one, and just behind
        // it, addresses are ordered as offsets are.
        let zero = self.bytes(0);
        let (in_a, in_b) = (self.fits(state, a, zero), self.fits(state, b, zero));
        let terms = &mut self.prover.terms;
        let inside = terms.and_all(&[same_base, in_a, in_b]);
        let (left, right) = (terms.ite(inside, a.offset, x), terms.ite(inside, b.offset, y));
        Value::Bits(if op == BinOp::PtrLt {
            terms.ult(left, right)
        } else {
            terms.ule(left, right)
        })
    }

    /// Whether two pointers of different bases are different wherever objects lie: each is null, a function, or
    /// points to a byte of a living object; null also differs from the place behind an object.
    fn are_apart(&mut self, state: &State, a: Pointer, b: Pointer) -> TermId {
        let (zero, one) = (self.bytes(0), self.bytes(1));
        let kinds = [a, b].map(|it| {
            let (byte, place) = (self.fits(state, it, one), self.fits(state, it, zero));
            let inside = self.is_instance(it.base);
            let none = self.no_base();
            let terms = &mut self.prover.terms;
            let at_zero = terms.eq(it.offset, zero);
            let is_null = {
                let free = terms.eq(it.base, none);
                terms.and(free, at_zero)
            };
            let is_func = {
                let based = terms.ne(it.base, none);
                let outside = terms.not(inside);
                terms.and_all(&[based, outside, at_zero])
            };
            (terms.or_all(&[is_null, is_func, byte]), is_null, place)
        });
        let [(sure_a, null_a, place_a), (sure_b, null_b, place_b)] = kinds;
        let terms = &mut self.prover.terms;
        let both = terms.and(sure_a, sure_b);
        let (one, other) = (terms.and(null_a, place_b), terms.and(null_b, place_a));
        terms.or_all(&[both, one, other])
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        if op == CastOp::IntToPtr {
            return Value::Ptr(self.pointer_of_number(a.bits()));
        }
        if op == CastOp::PtrToInt {
            let address = self.address(a.pointer());
            return Value::Bits(resize(&mut self.prover.terms, address, width(to)));
        }
        let a = a.bits();
        let operator = Operator::Cast(op, from, to);
        let made = numbers(&mut self.prover.terms, op, from, to, a);
        if let Some(made) = made {
            self.prover.applied.insert((operator, a, a), made);
        }
        Value::Bits(made.unwrap_or_else(|| self.prover.terms.var("any", width(to))))
    }
}

/// One number as another; none where nothing is known of it.
fn numbers(terms: &mut Terms, op: CastOp, from: Ty, to: Ty, a: TermId) -> Option<TermId> {
    Some(match (op, from, to) {
        (CastOp::Zext | CastOp::Trunc, _, _) => resize(terms, a, width(to)),
        (CastOp::Sext, _, _) => terms.sign_extend(a, width(to)),
        (CastOp::FToF, Ty::Float(from), Ty::Float(to)) => match (format(from), format(to)) {
            (x, y) if x == y => a,
            (x, y) => float::convert(terms, x, y, a),
        },
        (CastOp::SIntToF, _, Ty::Float(ty)) if width(from) <= MAX_INTEGER => {
            float::from_signed(terms, format(ty), a)
        }
        (CastOp::UIntToF, _, Ty::Float(ty)) if width(from) <= MAX_INTEGER => {
            float::from_unsigned(terms, format(ty), a)
        }
        (CastOp::FToSInt | CastOp::FToUInt, Ty::Float(ty), _) if width(to) <= MAX_INTEGER => {
            let is_signed = op == CastOp::FToSInt;
            let (value, fits) = float::to_integer(terms, format(ty), a, width(to), is_signed);
            // What does not fit becomes any number.
            let any = terms.var("does not fit", width(to));
            terms.ite(fits, value, any)
        }
        _ => return None,
    })
}

/// The format a floating-point number is kept in.
fn format(ty: FloatTy) -> Format {
    if ty == FloatTy::F32 { SINGLE } else { DOUBLE }
}

fn constant(terms: &mut Terms, ty: FloatTy, bits: u64) -> TermId {
    match ty {
        FloatTy::F32 => {
            let single = f64::from_bits(bits) as f32;
            terms.constant(32, u128::from(single.to_bits()))
        }
        _ => terms.constant(64, u128::from(bits)),
    }
}

/// Cut, or extended with zeros.
pub(crate) fn resize(terms: &mut Terms, term: TermId, width: u32) -> TermId {
    match terms.width(term) >= width {
        true => terms.truncate(term, width),
        false => terms.zero_extend(term, width),
    }
}

fn integers(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::Eq => terms.eq(a, b),
        BinOp::Ne => terms.ne(a, b),
        BinOp::Ult => terms.ult(a, b),
        BinOp::Ule => terms.ule(a, b),
        BinOp::Slt => terms.slt(a, b),
        BinOp::Sle => terms.sle(a, b),
        BinOp::SAddOvf => terms.sadd_overflows(a, b),
        BinOp::SSubOvf => terms.ssub_overflows(a, b),
        BinOp::SMulOvf => terms.smul_overflows(a, b),
        _ => unreachable!("the verifier saw an operator on integers"),
    }
}

fn floats(terms: &mut Terms, op: BinOp, ty: FloatTy, a: TermId, b: TermId) -> TermId {
    let format = format(ty);
    match op {
        BinOp::FAdd => float::add(terms, format, a, b),
        BinOp::FSub => float::subtract(terms, format, a, b),
        BinOp::FMul => float::multiply(terms, format, a, b),
        BinOp::FDiv => float::divide(terms, format, a, b),
        BinOp::FEq => float::equal(terms, format, a, b),
        BinOp::FNe => {
            let equal = float::equal(terms, format, a, b);
            terms.not(equal)
        }
        BinOp::FLt => float::less(terms, format, a, b),
        BinOp::FLe => float::less_or_equal(terms, format, a, b),
        _ => unreachable!("the verifier saw an operator on floats"),
    }
}

//! The value of an expression in a state. Where a value has no exact term, as with what is compared to a
//! pointer of unknown base, it is a fresh variable: more behaviours, never less.

use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ExprPool, Ty, UnOp};
use hardbop_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::executor::Executor;
use crate::float::round;
use crate::state::State;
use crate::value::{Base, Case, Pointer, Value, choose, pointer, width_of};

impl Executor<'_> {
    pub(crate) fn eval(&mut self, state: &State, id: ExprId) -> Value {
        let program = self.program;
        self.eval_of(&program.exprs, state, id)
    }

    /// The value of an expression of another pool over the registers of the program.
    pub fn eval_of(&mut self, pool: &ExprPool, state: &State, id: ExprId) -> Value {
        self.eval_in(pool, state, id, &mut FxHashMap::default())
    }

    pub fn eval_bits(&mut self, state: &State, id: ExprId) -> TermId {
        self.eval(state, id).bits()
    }

    /// A number of bytes, as wide as a pointer.
    pub(crate) fn eval_size(&mut self, state: &State, id: ExprId) -> TermId {
        let term = self.eval_bits(state, id);
        let width = u32::from(self.program.ptr_bits);
        match self.terms.width(term) {
            it if it < width => self.terms.zero_extend(term, width),
            _ => self.terms.truncate(term, width),
        }
    }

    fn eval_in(
        &mut self,
        pool: &ExprPool,
        state: &State,
        id: ExprId,
        done: &mut FxHashMap<ExprId, Value>,
    ) -> Value {
        if let Some(value) = done.get(&id) {
            return value.clone();
        }
        let width = u32::from(self.program.ptr_bits);
        let value = match pool.get(id) {
            Expr::Int { width, value } => Value::Bits(self.terms.constant(u32::from(width), value)),
            Expr::Float { ty, bits } => {
                let value = round(f64::from_bits(bits), ty);
                Value::Bits(self.float(value))
            }
            Expr::Null => Value::Ptr(self.null()),
            Expr::Var(var) => self.register(state, var),
            Expr::Addr(object) => Value::Ptr(self.object(state, object)),
            Expr::FuncAddr(func) => {
                let zero = self.terms.constant(width, 0);
                Value::Ptr(pointer(&mut self.terms, Base::Func(func), zero))
            }
            Expr::Unary(UnOp::Start, a) => {
                let a = self.eval_in(pool, state, a, done);
                let zero = self.terms.constant(width, 0);
                let start = a.pointer().iter().map(|case| match case.base {
                    Base::Instance(_) => Case { offset: zero, ..*case },
                    Base::None | Base::Wild | Base::Func(_) => *case,
                });
                Value::Ptr(start.collect())
            }
            Expr::Unary(op, a) => {
                let ty = pool.ty(a);
                let a = self.eval_in(pool, state, a, done).bits();
                Value::Bits(match (op, ty) {
                    (UnOp::FNeg, Ty::Float(ty)) => self.float_negate(ty, a),
                    (UnOp::Not, _) => self.terms.not(a),
                    _ => self.terms.neg(a),
                })
            }
            Expr::Binary(op, a, b) => {
                let ty = pool.ty(a);
                let (a, b) =
                    (self.eval_in(pool, state, a, done), self.eval_in(pool, state, b, done));
                match ty {
                    Ty::Int(_) => Value::Bits(binary(&mut self.terms, op, a.bits(), b.bits())),
                    Ty::Float(ty) => Value::Bits(self.float_binary(op, ty, a.bits(), b.bits())),
                    Ty::Ptr => self.pointer_binary(state, op, a.pointer(), &b),
                }
            }
            Expr::Cast(op, to, a) => {
                let from = pool.ty(a);
                let a = self.eval_in(pool, state, a, done);
                self.cast(state, op, from, to, a)
            }
            Expr::Ite(c, a, b) => {
                let c = self.eval_in(pool, state, c, done).bits();
                let (a, b) =
                    (self.eval_in(pool, state, a, done), self.eval_in(pool, state, b, done));
                choose(&mut self.terms, c, &a, &b)
            }
        };
        done.insert(id, value.clone());
        value
    }

    fn pointer_binary(&mut self, state: &State, op: BinOp, a: &Pointer, b: &Value) -> Value {
        match op {
            BinOp::PtrAdd => Value::Ptr(self.advance(a, b.bits())),
            BinOp::Eq => Value::Bits(self.pointers_equal(state, a, b.pointer())),
            BinOp::Ne => {
                let same = self.pointers_equal(state, a, b.pointer());
                Value::Bits(self.terms.not(same))
            }
            BinOp::PtrLt => Value::Bits(self.pointer_less(state, a, b.pointer())),
            BinOp::PtrLe => {
                let greater = self.pointer_less(state, b.pointer(), a);
                Value::Bits(self.terms.not(greater))
            }
            _ => {
                let apart = self.by_address(state, a, b.pointer(), Terms::sub);
                let distance =
                    |terms: &mut Terms, x: &Case, y: &Case| terms.sub(x.offset, y.offset);
                Value::Bits(by_cases(&mut self.terms, a, b.pointer(), apart, distance))
            }
        }
    }

    pub(crate) fn advance(&mut self, pointer: &Pointer, by: TermId) -> Pointer {
        let moved =
            pointer.iter().map(|case| Case { offset: self.terms.add(case.offset, by), ..*case });
        moved.collect()
    }

    /// Pointers into different objects are different; what is only a number may be the address of any.
    fn pointers_equal(&mut self, state: &State, a: &Pointer, b: &Pointer) -> TermId {
        let is_wild = a.iter().chain(b.iter()).any(|case| case.base == Base::Wild);
        let mut result = match is_wild {
            true => self.terms.var("equal", 1),
            false => self.terms.bool(false),
        };
        for x in a.iter() {
            for y in b.iter() {
                if x.base == Base::Wild || y.base == Base::Wild {
                    continue;
                }
                let is_number =
                    |it: &Case| it.base == Base::None && self.terms.as_const(it.offset) != Some(0);
                let same = if x.base == y.base {
                    self.terms.eq(x.offset, y.offset)
                } else if is_number(x) || is_number(y) {
                    let (x, y) = (self.address_of(state, x), self.address_of(state, y));
                    self.terms.eq(x, y)
                } else {
                    self.terms.bool(false)
                };
                let here = self.terms.and(x.cond, y.cond);
                result = self.terms.ite(here, same, result);
            }
        }
        result
    }

    /// Inside one object by offset, otherwise by address.
    fn pointer_less(&mut self, state: &State, a: &Pointer, b: &Pointer) -> TermId {
        let apart = self.by_address(state, a, b, Terms::ult);
        by_cases(&mut self.terms, a, b, apart, |terms, x, y| match x.base {
            Base::None => terms.ult(x.offset, y.offset),
            // The offset of a pointer before the first byte is negative.
            _ => terms.slt(x.offset, y.offset),
        })
    }

    fn cast(&mut self, state: &State, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        let width = width_of(to);
        Value::Bits(match op {
            CastOp::Zext => self.terms.zero_extend(a.bits(), width),
            CastOp::Sext => self.terms.sign_extend(a.bits(), width),
            CastOp::Trunc => self.terms.truncate(a.bits(), width),
            CastOp::PtrToInt => {
                self.keep_apart(state, a.pointer());
                let address = self.expose(state, a.pointer());
                match self.terms.width(address) {
                    it if it <= width => self.terms.zero_extend(address, width),
                    _ => self.terms.truncate(address, width),
                }
            }
            CastOp::IntToPtr => return Value::Ptr(self.pointer_at(state, a.bits())),
            CastOp::SIntToF
            | CastOp::UIntToF
            | CastOp::FToSInt
            | CastOp::FToUInt
            | CastOp::FToF => self.float_cast(op, from, to, a.bits()),
        })
    }
}

/// An operator on bit-vectors.
pub fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> TermId {
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
        _ => unreachable!("the verifier saw an operator on bit-vectors"),
    }
}

/// `same` of the cases with one base, else `unknown`.
fn by_cases(
    terms: &mut Terms,
    a: &Pointer,
    b: &Pointer,
    unknown: TermId,
    same: impl Fn(&mut Terms, &Case, &Case) -> TermId,
) -> TermId {
    let mut result = unknown;
    for x in a.iter().filter(|it| it.base != Base::Wild) {
        for y in b.iter().filter(|it| it.base == x.base) {
            let here = terms.and(x.cond, y.cond);
            let value = same(terms, x, y);
            result = terms.ite(here, value, result);
        }
    }
    result
}

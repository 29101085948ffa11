//! Values and the evaluation of expressions.

use super::memory::{Base, LEAST_ADDRESS, Memory, Pointer};
use super::took::Took;
use crate::eval::{self, mask};
use crate::expr::{BinOp, CastOp, Expr, ExprId, UnOp};
use crate::program::{ObjId, Program, VarId};
use crate::ty::{FloatTy, Ty};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Int(u128),
    Float(f64),
    Ptr(Pointer),
}

impl Value {
    pub fn zero(ty: Ty) -> Value {
        match ty {
            Ty::Int(_) => Value::Int(0),
            Ty::Float(_) => Value::Float(0.0),
            Ty::Ptr => Value::Ptr(Pointer::NULL),
        }
    }

    /// Of a bit-vector.
    pub fn int(self) -> u128 {
        match self {
            Value::Int(value) => value,
            Value::Float(_) | Value::Ptr(_) => unreachable!("the verifier saw a bit-vector"),
        }
    }

    pub fn float(self) -> f64 {
        match self {
            Value::Float(value) => value,
            Value::Int(_) | Value::Ptr(_) => unreachable!("the verifier saw a float"),
        }
    }

    pub fn pointer(self) -> Pointer {
        match self {
            Value::Ptr(value) => value,
            Value::Int(_) | Value::Float(_) => unreachable!("the verifier saw a pointer"),
        }
    }
}

/// What an expression can see.
pub(super) trait Env {
    fn var(&self, var: VarId) -> Value;
    fn object(&self, object: ObjId) -> Pointer;
    fn memory(&self) -> &Memory;
    fn program(&self) -> &Program;
    /// Where to note what C does not determine.
    fn took(&self) -> &Took;
}

/// Expressions nest as deep as the front end lets them, which is what this recursion needs.
pub(super) fn evaluate(env: &impl Env, id: ExprId) -> Value {
    let program = env.program();
    let pool = &program.exprs;
    match pool.get(id) {
        Expr::Int { value, .. } => Value::Int(value),
        Expr::Float { ty, bits } => Value::Float(round(f64::from_bits(bits), ty)),
        Expr::Null => Value::Ptr(Pointer::NULL),
        Expr::Var(var) => env.var(var),
        Expr::Addr(object) => Value::Ptr(env.object(object)),
        Expr::FuncAddr(func) => Value::Ptr(Pointer { base: Base::Func(func), offset: 0 }),
        Expr::Unary(op, a) => match (op, evaluate(env, a), pool.ty(a)) {
            (UnOp::FNeg, a, _) => Value::Float(-a.float()),
            (UnOp::Start, Value::Ptr(Pointer { base: base @ Base::Instance(_), .. }), _) => {
                Value::Ptr(Pointer { base, offset: 0 })
            }
            (UnOp::Start, a, _) => a,
            (_, a, Ty::Int(width)) => {
                Value::Int(eval::unary(op, width, a.int()).unwrap_or_default())
            }
            _ => unreachable!("the verifier saw a bit-vector"),
        },
        Expr::Binary(op, a, b) => binary(env, op, pool.ty(a), evaluate(env, a), evaluate(env, b)),
        Expr::Cast(op, to, a) => cast(env, op, pool.ty(a), to, evaluate(env, a)),
        Expr::Ite(c, a, b) => evaluate(env, if evaluate(env, c).int() != 0 { a } else { b }),
    }
}

fn round(value: f64, ty: FloatTy) -> f64 {
    if ty == FloatTy::F32 { f64::from(value as f32) } else { value }
}

fn binary(env: &impl Env, op: BinOp, ty: Ty, a: Value, b: Value) -> Value {
    let truth = |it: bool| Value::Int(u128::from(it));
    match ty {
        Ty::Int(width) => Value::Int(eval::binary(op, width, a.int(), b.int()).unwrap_or_default()),
        Ty::Float(float) => {
            let (a, b) = (a.float(), b.float());
            match op {
                BinOp::FAdd => Value::Float(round(a + b, float)),
                BinOp::FSub => Value::Float(round(a - b, float)),
                BinOp::FMul => Value::Float(round(a * b, float)),
                BinOp::FDiv => Value::Float(round(a / b, float)),
                BinOp::FEq => truth(a == b),
                BinOp::FNe => truth(a != b),
                BinOp::FLt => truth(a < b),
                _ => truth(a <= b),
            }
        }
        Ty::Ptr => {
            let pointer = a.pointer();
            let memory = env.memory();
            let width = env.program().ptr_bits;
            if op == BinOp::PtrAdd {
                let offset = u128::from(pointer.offset).wrapping_add(b.int()) & mask(width);
                return Value::Ptr(Pointer { base: pointer.base, offset: offset as u64 });
            }
            let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
            if memory.is_open(pointer, b.pointer(), is_equality) {
                env.took().address();
            }
            let (x, y) = (memory.address(pointer), memory.address(b.pointer()));
            match op {
                BinOp::Eq => truth(x == y),
                BinOp::Ne => truth(x != y),
                BinOp::PtrLt => truth(x < y),
                BinOp::PtrLe => truth(x <= y),
                _ => Value::Int(u128::from(x.wrapping_sub(y)) & mask(width)),
            }
        }
    }
}

fn cast(env: &impl Env, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
    match (op, from, to) {
        (CastOp::Sext, Ty::Int(from), Ty::Int(to)) => Value::Int(eval::sext(a.int(), from, to)),
        (CastOp::Zext | CastOp::Trunc, _, Ty::Int(to)) => Value::Int(a.int() & mask(to)),
        (CastOp::PtrToInt, _, Ty::Int(to)) => {
            if a.pointer().base != Base::None {
                env.took().address();
            }
            Value::Int(u128::from(env.memory().address(a.pointer())) & mask(to))
        }
        (CastOp::IntToPtr, ..) => {
            if a.int() >= u128::from(LEAST_ADDRESS) {
                env.took().address();
            }
            Value::Ptr(env.memory().at_address(env.program(), a.int() as u64))
        }
        (CastOp::SIntToF, Ty::Int(from), Ty::Float(to)) => {
            Value::Float(int_to_float(eval::signed(a.int(), from) as f64, to, || {
                eval::signed(a.int(), from) as f32
            }))
        }
        (CastOp::UIntToF, _, Ty::Float(to)) => {
            Value::Float(int_to_float(a.int() as f64, to, || a.int() as f32))
        }
        (CastOp::FToSInt, _, Ty::Int(to)) => {
            let value = a.float() as i128;
            if value != eval::signed(value as u128, to) || a.float().is_nan() {
                env.took().value();
            }
            Value::Int(value as u128 & mask(to))
        }
        (CastOp::FToUInt, _, Ty::Int(to)) => {
            if !(-1.0 < a.float() && a.float() as u128 <= mask(to)) {
                env.took().value();
            }
            // Negative numbers have no meaning in C; compilers go through the signed type.
            let value = a.float();
            let bits = if value < 0.0 { value as i128 as u128 } else { value as u128 };
            Value::Int(bits & mask(to))
        }
        (_, _, Ty::Float(to)) => Value::Float(round(a.float(), to)),
        _ => unreachable!("the verifier knows the casts"),
    }
}

/// Rounded once, not twice.
fn int_to_float(wide: f64, to: FloatTy, narrow: impl Fn() -> f32) -> f64 {
    if to == FloatTy::F32 { f64::from(narrow()) } else { wide }
}

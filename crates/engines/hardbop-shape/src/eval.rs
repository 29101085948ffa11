//! The values of expressions.

use std::cmp::Ordering;

use hardbop_base::Name;
use hardbop_cir::eval as bits;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ObjKind, Program, Ty, UnOp};

use crate::state::{State, at};
use crate::value::{Bounds, End, LEAST_ADDRESS, NodeId, Ptr, Value, width_of};

/// Why a step cannot be made as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// This element of a segment has to be a node of its own.
    Unfold(NodeId, End),
    /// No proof is found.
    Stuck(Name),
}

pub fn stuck<T>(what: &str) -> Result<T, Need> {
    Err(Need::Stuck(what.into()))
}

impl State {
    pub fn eval(&mut self, program: &Program, id: ExprId) -> Result<Value, Need> {
        let pool = &program.exprs;
        let ty = pool.ty(id);
        Ok(match pool.get(id) {
            Expr::Int { value, .. } => Value::Int(value),
            Expr::Float { .. } => Value::Any,
            Expr::Null => Value::Int(0),
            Expr::Var(var) => {
                let is_global = program.vars[var].owner.is_none();
                let known = match is_global {
                    true => self.globals.get(&var),
                    false => self.frame().registers.get(&var),
                };
                match (known, width_of(ty)) {
                    (Some(Value::Any) | None, Some(width)) => {
                        // What a register holds stays the same.
                        let number = self.number(Bounds::top(width));
                        self.set(program, var, number);
                        number
                    }
                    (Some(&value), _) => value,
                    (None, None) => Value::Any,
                }
            }
            Expr::Addr(object) => {
                let node = match program.objects[object].kind {
                    ObjKind::Global => self.statics.get(&object),
                    _ => self.frame().objects.get(&object),
                };
                node.map_or(Value::Any, |&it| at(it))
            }
            Expr::FuncAddr(func) => Value::Func(func),
            Expr::Unary(op, a) => {
                let value = self.eval(program, a)?;
                match (op, value, width_of(ty)) {
                    (UnOp::Start, Value::Ptr(ptr), _) => Value::Ptr(Ptr { offset: 0, ..ptr }),
                    (UnOp::Start, other, _) => other,
                    (_, Value::Int(it), Some(width)) => {
                        bits::unary(op, width, it).map_or(Value::Any, Value::Int)
                    }
                    (_, _, Some(width)) => self.number(Bounds::top(width)),
                    _ => Value::Any,
                }
            }
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.eval(program, a)?, self.eval(program, b)?);
                self.binary(program, op, pool.ty(a), x, y)?
            }
            Expr::Cast(op, to, a) => {
                let value = self.eval(program, a)?;
                self.cast(program, op, pool.ty(a), to, value)
            }
            Expr::Ite(c, a, b) => match self.eval(program, c)? {
                Value::Int(0) => self.eval(program, b)?,
                Value::Int(_) => self.eval(program, a)?,
                _ => {
                    let (x, y) = (self.eval(program, a)?, self.eval(program, b)?);
                    if x == y { x } else { self.unknown(ty) }
                }
            },
        })
    }

    /// Any value of a type.
    pub fn unknown(&mut self, ty: Ty) -> Value {
        width_of(ty).map_or(Value::Any, |width| self.number(Bounds::top(width)))
    }

    /// The bounds of a number.
    pub fn bounds_of(&self, value: Value, width: u8) -> Bounds {
        match value {
            Value::Int(it) => {
                let number = bits::signed(it, width);
                Bounds::within(width, Some(number), Some(number))
            }
            Value::Sym(sym) => self.bounds.get(&sym).cloned().unwrap_or_else(|| Bounds::top(width)),
            _ => Bounds::top(width),
        }
    }

    fn binary(
        &mut self,
        program: &Program,
        op: BinOp,
        ty: Ty,
        x: Value,
        y: Value,
    ) -> Result<Value, Need> {
        use BinOp::*;
        let ptr_bits = program.ptr_bits;
        let result = op.result(ty, ptr_bits);
        if let (Ty::Int(width), Value::Int(a), Value::Int(b)) = (ty, x, y) {
            return Ok(bits::binary(op, width, a, b).map_or(Value::Any, Value::Int));
        }
        let moved = |ptr: Ptr, by: u128, sign: i128| {
            let sum = i128::from(ptr.offset) + sign * bits::signed(by, ptr_bits);
            let offset = bits::signed(sum as u128 & bits::mask(ptr_bits), ptr_bits) as i64;
            Value::Ptr(Ptr { offset, ..ptr })
        };
        let is_address = ty == Ty::Int(ptr_bits);
        Ok(match (op, x, y) {
            (PtrAdd, Value::Ptr(ptr), Value::Int(by)) => moved(ptr, by, 1),
            (PtrAdd, Value::Int(a), Value::Int(b)) => {
                Value::Int(a.wrapping_add(b) & bits::mask(ptr_bits))
            }
            (PtrAdd, ..) => Value::Any,
            (Add, Value::Ptr(ptr), Value::Int(by)) if is_address => moved(ptr, by, 1),
            (Add, Value::Int(by), Value::Ptr(ptr)) if is_address => moved(ptr, by, 1),
            (Sub, Value::Ptr(ptr), Value::Int(by)) if is_address => moved(ptr, by, -1),
            (Eq | Ne, ..) if ty == Ty::Ptr || is_address => match self.same(x, y)? {
                Some(same) => Value::truth(same == (op == Eq)),
                None => self.compared(op, ty, x, y),
            },
            (PtrDiff | Sub | PtrLt | PtrLe | Ult | Ule, Value::Ptr(a), Value::Ptr(b))
                if ty == Ty::Ptr || is_address =>
            {
                let inside = |it: Ptr| self.nodes[&it.node].has(it.offset, 0);
                let is_one = self.nodes[&a.node].segment.is_none();
                if a.node != b.node || !(is_one || a.end == b.end) || !inside(a) || !inside(b) {
                    return Ok(self.unknown(result));
                }
                match op {
                    PtrDiff | Sub => {
                        Value::Int((a.offset - b.offset) as u128 & bits::mask(ptr_bits))
                    }
                    PtrLt | Ult => Value::truth(a.offset < b.offset),
                    _ => Value::truth(a.offset <= b.offset),
                }
            }
            (Eq | Ne | Slt | Sle | Ult | Ule, ..) => self.compared(op, ty, x, y),
            _ => match width_of(result) {
                Some(width) if ty == result => {
                    let (a, b) = (self.bounds_of(x, width), self.bounds_of(y, width));
                    let sum = |f: fn(i128, i128) -> Option<i128>, b: [i128; 2]| {
                        Bounds::within(width, f(a.low, b[0]), f(a.high, b[1]))
                    };
                    let bounds = match op {
                        Add => sum(i128::checked_add, [b.low, b.high]),
                        Sub => sum(i128::checked_sub, [b.high, b.low]),
                        // A mask that is not negative bounds the result.
                        And if b.low >= 0 => Bounds::within(width, Some(0), Some(b.high)),
                        And if a.low >= 0 => Bounds::within(width, Some(0), Some(a.high)),
                        _ => Bounds::top(width),
                    };
                    self.number(bounds)
                }
                _ => self.unknown(result),
            },
        })
    }

    /// A comparison of numbers by their bounds.
    fn compared(&mut self, op: BinOp, ty: Ty, x: Value, y: Value) -> Value {
        let Some(width) = width_of(ty) else { return self.unknown(Ty::BOOL) };
        let (a, b) = (self.bounds_of(x, width), self.bounds_of(y, width));
        let order = |strict: bool| match (a.high.cmp(&b.low), a.low.cmp(&b.high)) {
            (Ordering::Less, _) => Some(true),
            (Ordering::Equal, _) if !strict => Some(true),
            (_, Ordering::Greater) => Some(false),
            (_, Ordering::Equal) if strict => Some(false),
            _ => None,
        };
        let are_positive = a.low >= 0 && b.low >= 0;
        let is_number = |it: Value| matches!(it, Value::Int(_) | Value::Sym(_));
        let known = match op {
            _ if !is_number(x) || !is_number(y) => None,
            BinOp::Eq | BinOp::Ne => {
                let same = match (x, y) {
                    _ if x == y => Some(true),
                    (Value::Int(it), _) if !b.allows(it) => Some(false),
                    (_, Value::Int(it)) if !a.allows(it) => Some(false),
                    _ if a.high < b.low || b.high < a.low => Some(false),
                    _ => None,
                };
                same.map(|it| it == (op == BinOp::Eq))
            }
            BinOp::Ult | BinOp::Ule if !are_positive => None,
            BinOp::Slt | BinOp::Ult => order(true),
            _ => order(false),
        };
        known.map_or_else(|| self.unknown(Ty::BOOL), Value::truth)
    }

    /// Whether two pointers, or two addresses, are the same; `None` if that is not known.
    ///
    /// Soundness: addresses of live instances differ where both lie inside; of the dead, and past the end, nothing is
    /// known, for the place may be another's.
    pub fn same(&self, x: Value, y: Value) -> Result<Option<bool>, Need> {
        Ok(match (x, y) {
            (Value::Int(a), Value::Int(b)) => Some(a == b),
            (Value::Func(a), Value::Func(b)) => Some(a == b),
            (Value::Func(_), Value::Int(0)) | (Value::Int(0), Value::Func(_)) => Some(false),
            (Value::Ptr(ptr), Value::Int(number)) | (Value::Int(number), Value::Ptr(ptr)) => {
                let inside = self.nodes[&ptr.node].has(ptr.offset, 0);
                (inside && number < LEAST_ADDRESS).then_some(false)
            }
            (Value::Ptr(a), Value::Ptr(b)) => {
                let (m, n) = (&self.nodes[&a.node], &self.nodes[&b.node]);
                let are_inside = m.has(a.offset, 1) && n.has(b.offset, 1);
                if a.node == b.node {
                    if m.segment.is_none() || a.end == b.end {
                        return Ok(Some(a.offset == b.offset));
                    }
                    let has_two = m.segment.as_ref().is_some_and(|it| it.least > 1);
                    return match are_inside {
                        true if has_two => Ok(Some(false)),
                        true if a.offset == b.offset => Err(Need::Unfold(a.node, End::First)),
                        true => Ok(Some(false)),
                        false => Ok(None),
                    };
                }
                (m.is_alive && n.is_alive && are_inside).then_some(false)
            }
            _ => None,
        })
    }

    fn cast(&mut self, program: &Program, op: CastOp, from: Ty, to: Ty, value: Value) -> Value {
        let ptr_bits = program.ptr_bits;
        match (op, value, from, to) {
            (CastOp::Sext, Value::Int(it), Ty::Int(from), Ty::Int(to)) => {
                Value::Int(bits::sext(it, from, to))
            }
            (CastOp::Zext | CastOp::Trunc | CastOp::PtrToInt, Value::Int(it), _, Ty::Int(to)) => {
                Value::Int(it & bits::mask(to))
            }
            (CastOp::PtrToInt, Value::Ptr(_), _, Ty::Int(to)) if to == ptr_bits => value,
            (CastOp::IntToPtr, Value::Int(it), ..) if it < LEAST_ADDRESS => value,
            (CastOp::IntToPtr, Value::Ptr(ptr), ..) => {
                let node = &self.nodes[&ptr.node];
                if node.is_alive && node.has(ptr.offset, 1) { value } else { Value::Any }
            }
            (
                CastOp::Sext | CastOp::Zext | CastOp::Trunc,
                Value::Sym(_),
                Ty::Int(from),
                Ty::Int(to),
            ) if from < 128 && to < 128 => {
                let old = self.bounds_of(value, from);
                let bounds = match op {
                    CastOp::Zext if old.low < 0 => {
                        Bounds::within(to, Some(0), Some(bits::mask(from) as i128))
                    }
                    _ => Bounds::within(to, Some(old.low), Some(old.high)),
                };
                self.number(bounds)
            }
            _ => self.unknown(to),
        }
    }

    pub fn set(&mut self, program: &Program, var: hardbop_cir::VarId, value: Value) {
        match program.vars[var].owner {
            None => self.globals.insert(var, value),
            Some(_) => self.frame_mut().registers.insert(var, value),
        };
    }
}

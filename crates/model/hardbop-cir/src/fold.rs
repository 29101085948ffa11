//! Smart construction: constants are computed, neutral elements dropped. The result equals the
//! node it stands for in every valuation.

use crate::eval::{self, mask};
use crate::expr::{BinOp, CastOp, Expr, ExprId, ExprPool, UnOp};
use crate::ty::Ty;

impl ExprPool {
    /// The id of an expression equal to `expr`, the simpler the better.
    pub fn fold(&mut self, expr: Expr) -> ExprId {
        let folded = match expr {
            Expr::Unary(op, a) => self.fold_unary(op, a),
            Expr::Binary(op, a, b) => self.fold_binary(op, a, b),
            Expr::Cast(op, ty, a) => self.fold_cast(op, ty, a),
            Expr::Ite(c, a, b) => self.fold_ite(c, a, b),
            _ => None,
        };
        folded.unwrap_or_else(|| self.add(expr))
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        self.fold(Expr::Unary(op, a))
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.fold(Expr::Binary(op, a, b))
    }

    pub fn cast(&mut self, op: CastOp, ty: Ty, a: ExprId) -> ExprId {
        self.fold(Expr::Cast(op, ty, a))
    }

    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        self.fold(Expr::Ite(c, a, b))
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnOp::Not, a)
    }

    /// A bit-vector cut or extended to `width` bits.
    pub fn resize(&mut self, a: ExprId, width: u8, is_signed: bool) -> ExprId {
        let Ty::Int(from) = self.ty(a) else { return a };
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, Ty::Int(width), a),
            std::cmp::Ordering::Less => {
                let op = if is_signed { CastOp::Sext } else { CastOp::Zext };
                self.cast(op, Ty::Int(width), a)
            }
        }
    }

    /// The first byte of an object is where its address is.
    fn fold_start(&mut self, op: UnOp, a: ExprId) -> Option<ExprId> {
        match self.get(a) {
            _ if op != UnOp::Start => None,
            Expr::Addr(_) | Expr::FuncAddr(_) | Expr::Null | Expr::Unary(UnOp::Start, _) => Some(a),
            _ => None,
        }
    }

    fn fold_unary(&mut self, op: UnOp, a: ExprId) -> Option<ExprId> {
        let Ty::Int(width) = self.ty(a) else { return self.fold_start(op, a) };
        match self.get(a) {
            Expr::Int { value, .. } => {
                let value = eval::unary(op, width, value)?;
                Some(self.int(width, value))
            }
            Expr::Unary(inner, x) if inner == op => Some(x),
            // The negation of a comparison is a comparison.
            Expr::Binary(cmp, x, y) if op == UnOp::Not && width == 1 => {
                let negated = match cmp {
                    BinOp::Eq => Expr::Binary(BinOp::Ne, x, y),
                    BinOp::Ne => Expr::Binary(BinOp::Eq, x, y),
                    BinOp::Ult => Expr::Binary(BinOp::Ule, y, x),
                    BinOp::Ule => Expr::Binary(BinOp::Ult, y, x),
                    BinOp::Slt => Expr::Binary(BinOp::Sle, y, x),
                    BinOp::Sle => Expr::Binary(BinOp::Slt, y, x),
                    _ => return None,
                };
                Some(self.add(negated))
            }
            _ => None,
        }
    }

    fn fold_binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        if op == BinOp::PtrAdd {
            return self.fold_ptr_add(a, b);
        }
        if self.ty(a) == Ty::Ptr {
            return self.fold_ptr_compare(op, a, b);
        }
        let Ty::Int(width) = self.ty(a) else { return None };
        let (ca, cb) = (self.as_int(a), self.as_int(b));
        if let (Some(x), Some(y)) = (ca, cb) {
            let Ty::Int(result) = op.result(Ty::Int(width), width) else { return None };
            let value = eval::binary(op, width, x, y)?;
            return Some(self.int(result, value));
        }
        // Constants to the right, so that one rule below serves both sides.
        if ca.is_some() && op.is_commutative() {
            return Some(self.binary(op, b, a));
        }
        let ones = mask(width);
        match (op, cb) {
            (BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, Some(0)) => Some(a),
            (BinOp::Shl | BinOp::LShr | BinOp::AShr, Some(0)) => Some(a),
            (BinOp::Mul | BinOp::UDiv, Some(1)) => Some(a),
            (BinOp::SDiv, Some(1)) if width > 1 => Some(a),
            (BinOp::Mul | BinOp::And, Some(0)) => Some(b),
            (BinOp::And, Some(c)) if c == ones => Some(a),
            (BinOp::Or, Some(c)) if c == ones => Some(b),
            (BinOp::SAddOvf | BinOp::SSubOvf, Some(0)) => Some(self.bool(false)),
            (BinOp::SMulOvf, Some(0)) => Some(self.bool(false)),
            (BinOp::SMulOvf, Some(1)) if width > 1 => Some(self.bool(false)),
            (BinOp::Ne, Some(0)) if width == 1 => Some(a),
            (BinOp::Eq, Some(1)) if width == 1 => Some(a),
            (BinOp::Eq, Some(0)) if width == 1 => Some(self.not(a)),
            (BinOp::Ne, Some(1)) if width == 1 => Some(self.not(a)),
            (BinOp::Eq | BinOp::Ne, Some(c)) => self.fold_extended_compare(op, a, c),
            (BinOp::Add, Some(c)) => self.fold_add_chain(a, c, width),
            _ if a == b => self.fold_same(op, a, width),
            _ => None,
        }
    }

    /// `(x + c1) + c2`, so that address arithmetic collects its constants.
    fn fold_add_chain(&mut self, a: ExprId, c: u128, width: u8) -> Option<ExprId> {
        let Expr::Binary(BinOp::Add, x, inner) = self.get(a) else { return None };
        let sum = self.as_int(inner)?.wrapping_add(c);
        let sum = self.int(width, sum);
        Some(self.binary(BinOp::Add, x, sum))
    }

    fn fold_same(&mut self, op: BinOp, a: ExprId, width: u8) -> Option<ExprId> {
        match op {
            BinOp::Sub | BinOp::Xor => Some(self.int(width, 0)),
            BinOp::And | BinOp::Or => Some(a),
            BinOp::Eq | BinOp::Ule | BinOp::Sle => Some(self.bool(true)),
            BinOp::Ne | BinOp::Ult | BinOp::Slt | BinOp::SSubOvf => Some(self.bool(false)),
            _ => None,
        }
    }

    /// `zext(x) == c`: C's truth values are an `i1` extended to `int` and compared with 0 again.
    fn fold_extended_compare(&mut self, op: BinOp, a: ExprId, c: u128) -> Option<ExprId> {
        match self.get(a) {
            Expr::Cast(CastOp::Zext, _, x) => {
                let Ty::Int(inner) = self.ty(x) else { return None };
                if c > mask(inner) {
                    return Some(self.bool(op == BinOp::Ne));
                }
                let c = self.int(inner, c);
                Some(self.binary(op, x, c))
            }
            // `(c ? 1 : 0) == 0` and its like.
            Expr::Ite(cond, yes, no) => {
                let (yes, no) = (self.as_int(yes)?, self.as_int(no)?);
                let holds = |value: u128| (value == c) == (op == BinOp::Eq);
                Some(match (holds(yes), holds(no)) {
                    (true, true) => self.bool(true),
                    (false, false) => self.bool(false),
                    (true, false) => cond,
                    (false, true) => self.not(cond),
                })
            }
            _ => None,
        }
    }

    fn fold_ptr_add(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.as_int(b) == Some(0) {
            return Some(a);
        }
        let Expr::Binary(BinOp::PtrAdd, base, first) = self.get(a) else { return None };
        let sum = self.binary(BinOp::Add, first, b);
        Some(self.binary(BinOp::PtrAdd, base, sum))
    }

    fn fold_ptr_compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let is_base = |it: Expr| matches!(it, Expr::Null | Expr::Addr(_) | Expr::FuncAddr(_));
        if a != b && !(is_base(self.get(a)) && is_base(self.get(b))) {
            return None;
        }
        // Distinct objects have distinct addresses; local objects of one expression belong to the
        // same call.
        match op {
            BinOp::Eq => Some(self.bool(a == b)),
            BinOp::Ne => Some(self.bool(a != b)),
            _ => None,
        }
    }

    fn fold_cast(&mut self, op: CastOp, ty: Ty, a: ExprId) -> Option<ExprId> {
        if let (Ty::Int(to), Ty::Int(from)) = (ty, self.ty(a)) {
            if from == to {
                return Some(a);
            }
            return match (op, self.get(a)) {
                (CastOp::Sext, Expr::Int { value, .. }) => {
                    Some(self.int(to, eval::sext(value, from, to)))
                }
                (_, Expr::Int { value, .. }) => Some(self.int(to, value)),
                // Extending twice is extending once; cutting an extension is a smaller one.
                (CastOp::Zext, Expr::Cast(CastOp::Zext, _, x)) => {
                    Some(self.cast(CastOp::Zext, ty, x))
                }
                (CastOp::Sext, Expr::Cast(inner @ (CastOp::Sext | CastOp::Zext), _, x)) => {
                    Some(self.cast(inner, ty, x))
                }
                (CastOp::Trunc, Expr::Cast(CastOp::Trunc, _, x)) => {
                    Some(self.cast(CastOp::Trunc, ty, x))
                }
                (CastOp::Trunc, Expr::Cast(inner @ (CastOp::Sext | CastOp::Zext), _, x)) => {
                    Some(self.resize(x, to, inner == CastOp::Sext))
                }
                (_, Expr::Ite(c, yes, no))
                    if self.as_int(yes).is_some() && self.as_int(no).is_some() =>
                {
                    let (yes, no) = (self.cast(op, ty, yes), self.cast(op, ty, no));
                    Some(self.ite(c, yes, no))
                }
                _ => None,
            };
        }
        match (op, self.get(a), ty) {
            (CastOp::IntToPtr, Expr::Int { value: 0, .. }, _) => Some(self.add(Expr::Null)),
            (CastOp::PtrToInt, Expr::Null, Ty::Int(width)) => Some(self.int(width, 0)),
            _ => None,
        }
    }

    fn fold_ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
        match self.as_int(c) {
            Some(0) => return Some(b),
            Some(_) => return Some(a),
            None if a == b => return Some(a),
            None => {}
        }
        if self.ty(a) == Ty::BOOL {
            match (self.as_int(a), self.as_int(b)) {
                (Some(1), Some(0)) => return Some(c),
                (Some(0), Some(1)) => return Some(self.not(c)),
                _ => {}
            }
        }
        if let Expr::Unary(UnOp::Not, inner) = self.get(c) {
            return Some(self.ite(inner, b, a));
        }
        None
    }
}

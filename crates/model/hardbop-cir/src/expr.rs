//! Expressions: pure functions of the registers, hash-consed, typed, bit-precise.
//!
//! Memory is read by instructions only, so an expression has one value in one valuation of the
//! registers, and equal ids have equal values.

use hardbop_base::{IndexVec, define_id};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval;
use crate::program::{FuncId, ObjId, VarId};
use crate::ty::{FloatTy, Ty};

define_id!(
    /// An expression of the program's pool. Children have smaller ids than their parents.
    ExprId, "e"
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Bitwise; on `i1` the logical negation.
    Not,
    Neg,
    FNeg,
    /// Of a pointer: to the first byte of what it points into; any other pointer as it is.
    Start,
}

/// Both operands have one type unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// The amount has the width of the value.
    Shl,
    LShr,
    AShr,
    /// Also of pointers: equal if object and offset are.
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    /// Whether the signed sum does not fit; the value is an `i1`.
    SAddOvf,
    SSubOvf,
    SMulOvf,
    /// A pointer and a number of bytes as wide as a pointer.
    PtrAdd,
    /// Bytes between two pointers.
    PtrDiff,
    /// By address.
    PtrLt,
    PtrLe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FEq,
    FNe,
    FLt,
    FLe,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    Zext,
    Sext,
    Trunc,
    /// The address, cut or extended with zeros to the width.
    PtrToInt,
    /// The pointer at an address, from an `Int` as wide as a pointer.
    IntToPtr,
    SIntToF,
    UIntToF,
    /// Towards zero.
    FToSInt,
    FToUInt,
    FToF,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// Bits above the width are clear.
    Int {
        width: u8,
        value: u128,
    },
    /// The bits of the value as an `f64`.
    Float {
        ty: FloatTy,
        bits: u64,
    },
    Null,
    Var(VarId),
    /// A pointer to the first byte of the object; of a local object, that of the running call.
    Addr(ObjId),
    FuncAddr(FuncId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    Cast(CastOp, Ty, ExprId),
    /// The condition is an `i1`.
    Ite(ExprId, ExprId, ExprId),
}

impl Expr {
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let (a, b, c) = match self {
            Expr::Unary(_, a) | Expr::Cast(_, _, a) => (Some(a), None, None),
            Expr::Binary(_, a, b) => (Some(a), Some(b), None),
            Expr::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
            _ => (None, None, None),
        };
        [a, b, c].into_iter().flatten()
    }
}

impl BinOp {
    /// The type of the result for operands of type `ty`.
    pub fn result(self, ty: Ty, ptr_bits: u8) -> Ty {
        use BinOp::*;
        match self {
            Eq | Ne | Ult | Ule | Slt | Sle | SAddOvf | SSubOvf | SMulOvf | PtrLt | PtrLe | FEq
            | FNe | FLt | FLe => Ty::BOOL,
            PtrDiff => Ty::Int(ptr_bits),
            _ => ty,
        }
    }

    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | Ne | SAddOvf | SMulOvf)
    }
}

/// Owns the expressions of a program. Never shrinks; ids stay valid.
#[derive(Clone, Debug)]
pub struct ExprPool {
    nodes: IndexVec<ExprId, Expr>,
    types: IndexVec<ExprId, Ty>,
    ids: FxHashMap<Expr, ExprId>,
    ptr_bits: u8,
}

impl ExprPool {
    pub fn new(ptr_bits: u8) -> Self {
        ExprPool {
            nodes: IndexVec::new(),
            types: IndexVec::new(),
            ids: FxHashMap::default(),
            ptr_bits,
        }
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id]
    }

    pub fn ty(&self, id: ExprId) -> Ty {
        self.types[id]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn contains(&self, id: ExprId) -> bool {
        self.nodes.get(id).is_some()
    }

    /// A register of type `ty`. The type is given because the pool does not know the registers.
    pub fn var(&mut self, var: VarId, ty: Ty) -> ExprId {
        self.intern(Expr::Var(var), ty)
    }

    pub fn int(&mut self, width: u8, value: u128) -> ExprId {
        self.intern(Expr::Int { width, value: value & eval::mask(width) }, Ty::Int(width))
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.int(1, u128::from(value))
    }

    /// A node as it is. Not for [`Expr::Var`]: use [`ExprPool::var`].
    pub fn add(&mut self, expr: Expr) -> ExprId {
        let ty = match expr {
            Expr::Int { width, .. } => Ty::Int(width),
            Expr::Float { ty, .. } => Ty::Float(ty),
            Expr::Null | Expr::Addr(_) | Expr::FuncAddr(_) => Ty::Ptr,
            Expr::Var(_) => unreachable!("registers are added by `var`, which knows the type"),
            Expr::Unary(_, a) => self.ty(a),
            Expr::Binary(op, a, _) => op.result(self.ty(a), self.ptr_bits),
            Expr::Cast(_, ty, _) => ty,
            Expr::Ite(_, a, _) => self.ty(a),
        };
        self.intern(expr, ty)
    }

    fn intern(&mut self, expr: Expr, ty: Ty) -> ExprId {
        if let Some(&id) = self.ids.get(&expr) {
            return id;
        }
        self.types.push(ty);
        let id = self.nodes.push(expr);
        self.ids.insert(expr, id);
        id
    }

    /// The value of a constant bit-vector.
    pub fn as_int(&self, id: ExprId) -> Option<u128> {
        match self.get(id) {
            Expr::Int { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` once for each node of the expression, with a stack of its own.
    pub fn visit(&self, root: ExprId, visit: &mut impl FnMut(ExprId, Expr)) {
        if self.get(root).operands().next().is_none() {
            visit(root, self.get(root));
            return;
        }
        let (mut seen, mut todo) = (FxHashSet::default(), vec![root]);
        while let Some(id) = todo.pop() {
            if seen.insert(id) {
                visit(id, self.get(id));
                todo.extend(self.get(id).operands());
            }
        }
    }

    pub fn for_each_var(&self, root: ExprId, visit: &mut impl FnMut(VarId)) {
        self.visit(root, &mut |_, node| {
            if let Expr::Var(var) = node {
                visit(var);
            }
        });
    }

    /// Rebuilds an expression bottom up, folding on the way: `leaf` may replace any node without
    /// operands.
    pub fn rewrite(
        &mut self,
        root: ExprId,
        leaf: &mut impl FnMut(Expr) -> Option<ExprId>,
    ) -> ExprId {
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut todo = vec![root];
        while let Some(&id) = todo.last() {
            if done.contains_key(&id) {
                todo.pop();
                continue;
            }
            let node = self.get(id);
            let before = todo.len();
            todo.extend(node.operands().filter(|operand| !done.contains_key(operand)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let new = match node {
                Expr::Unary(op, a) => self.fold(Expr::Unary(op, done[&a])),
                Expr::Binary(op, a, b) => self.fold(Expr::Binary(op, done[&a], done[&b])),
                Expr::Cast(op, ty, a) => self.fold(Expr::Cast(op, ty, done[&a])),
                Expr::Ite(a, b, c) => self.fold(Expr::Ite(done[&a], done[&b], done[&c])),
                leaf_node => leaf(leaf_node).unwrap_or(id),
            };
            done.insert(id, new);
        }
        done[&root]
    }
}

//! Expressions over the variables in scope, hash-consed.
//!
//! A [`Expr::Choice`] is an independent choice *at each of its occurrences*: the pool shares nodes,
//! the meaning is that of the tree. Because occurrences are independent, the values an expression
//! may take compose: "may be true" and "may be false" are two choice-free formulas, computed by
//! structural recursion (`*` may be both; `a & b` may be true if both may, may be false if one
//! may). Every engine builds on these two and needs no auxiliary variables.

use hardbop_base::{Bits, IndexVec, define_id};
use rustc_hash::FxHashMap;

use crate::program::VarId;

define_id!(
    /// An expression of the program's pool. Children have smaller ids than their parents.
    ExprId, "e"
);

/// One node; the operators the surface language has beyond these are lowered to them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    Const(bool),
    /// The current value.
    Var(VarId),
    /// The value after the assignment; only inside `constrain`.
    Next(VarId),
    /// Either value.
    Choice,
    Not(ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    Xor(ExprId, ExprId),
    /// `schoose[p, n]`: true if p, else false if n, else either.
    Schoose(ExprId, ExprId),
    /// `c ? a : b`
    Ite(ExprId, ExprId, ExprId),
}

impl Expr {
    /// The operands, left to right.
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let (a, b, c) = match self {
            Expr::Const(_) | Expr::Var(_) | Expr::Next(_) | Expr::Choice => (None, None, None),
            Expr::Not(a) => (Some(a), None, None),
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Xor(a, b) | Expr::Schoose(a, b) => {
                (Some(a), Some(b), None)
            }
            Expr::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}

/// The values an expression may take under one valuation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Possible {
    pub may_be_true: bool,
    pub may_be_false: bool,
}

impl Possible {
    pub const EITHER: Possible = Possible { may_be_true: true, may_be_false: true };

    pub fn exactly(value: bool) -> Self {
        Possible { may_be_true: value, may_be_false: !value }
    }

    pub fn contains(self, value: bool) -> bool {
        if value { self.may_be_true } else { self.may_be_false }
    }

    /// False before true.
    pub fn values(self) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |&value| self.contains(value))
    }
}

/// Owns the expressions of a program.
#[derive(Clone, Default, Debug)]
pub struct ExprPool {
    nodes: IndexVec<ExprId, Expr>,
    ids: FxHashMap<Expr, ExprId>,
}

impl ExprPool {
    /// The id of a node; equal nodes get equal ids. Nothing is simplified.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        debug_assert!(expr.operands().all(|operand| operand < self.nodes.next_id()));
        *self.ids.entry(expr).or_insert_with(|| self.nodes.push(expr))
    }

    pub fn constant(&mut self, value: bool) -> ExprId {
        self.add(Expr::Const(value))
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        self.add(Expr::Var(var))
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.add(Expr::Not(a))
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.add(Expr::And(a, b))
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.add(Expr::Or(a, b))
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        self.nodes.ids()
    }

    /// Adds to `read` every variable whose current value the expression mentions, and to `next`
    /// every one whose next value it mentions.
    pub fn mentions(&self, id: ExprId, read: &mut Bits, next: &mut Bits) {
        match self.get(id) {
            Expr::Var(var) => {
                read.insert(var.as_u32() as usize);
            }
            Expr::Next(var) => {
                next.insert(var.as_u32() as usize);
            }
            node => node.operands().for_each(|operand| self.mentions(operand, read, next)),
        }
    }

    /// The variables whose current or next value the expression mentions.
    pub fn support(&self, id: ExprId) -> Bits {
        let (mut read, mut next) = (Bits::new(), Bits::new());
        self.mentions(id, &mut read, &mut next);
        read.union_with(&next);
        read
    }

    pub fn has_choice(&self, id: ExprId) -> bool {
        match self.get(id) {
            Expr::Choice | Expr::Schoose(..) => true,
            node => node.operands().any(|operand| self.has_choice(operand)),
        }
    }

    /// The values `id` may take where `now` are the current values and `next` the next ones.
    ///
    /// This is the reference meaning of expressions: design section 2, items 2 and 4.
    pub fn eval(&self, id: ExprId, now: &Bits, next: &Bits) -> Possible {
        let value = |id| self.eval(id, now, next);
        match self.get(id) {
            Expr::Const(value) => Possible::exactly(value),
            Expr::Var(var) => Possible::exactly(now.contains(var.as_u32() as usize)),
            Expr::Next(var) => Possible::exactly(next.contains(var.as_u32() as usize)),
            Expr::Choice => Possible::EITHER,
            Expr::Not(a) => {
                let a = value(a);
                Possible { may_be_true: a.may_be_false, may_be_false: a.may_be_true }
            }
            Expr::And(a, b) => {
                let (a, b) = (value(a), value(b));
                Possible {
                    may_be_true: a.may_be_true && b.may_be_true,
                    may_be_false: a.may_be_false || b.may_be_false,
                }
            }
            Expr::Or(a, b) => {
                let (a, b) = (value(a), value(b));
                Possible {
                    may_be_true: a.may_be_true || b.may_be_true,
                    may_be_false: a.may_be_false && b.may_be_false,
                }
            }
            Expr::Xor(a, b) => {
                let (a, b) = (value(a), value(b));
                Possible {
                    may_be_true: a.may_be_true && b.may_be_false || a.may_be_false && b.may_be_true,
                    may_be_false: a.may_be_true && b.may_be_true
                        || a.may_be_false && b.may_be_false,
                }
            }
            Expr::Schoose(p, n) => {
                let (p, n) = (value(p), value(n));
                Possible {
                    may_be_true: p.may_be_true || p.may_be_false && n.may_be_false,
                    may_be_false: p.may_be_false,
                }
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (value(c), value(a), value(b));
                Possible {
                    may_be_true: c.may_be_true && a.may_be_true || c.may_be_false && b.may_be_true,
                    may_be_false: c.may_be_true && a.may_be_false
                        || c.may_be_false && b.may_be_false,
                }
            }
        }
    }
}

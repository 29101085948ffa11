//! Expressions over the variables in scope, hash-consed.
//!
//! A [`Expr::Choice`] is an independent choice *at each of its occurrences*: the pool shares nodes,
//! the meaning is that of the tree. What an expression may be is computed in [`may`](mod@crate::may).

use hardbop_base::{Bits, IndexVec, define_id};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::may::{Possible, Values, node};
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

/// Trees up to this size are walked by recursion. Larger ones may be deep, or small graphs that
/// stand for huge trees: they are walked with a stack of our own, each shared node once.
const SMALL: u32 = 512;

/// Owns the expressions of a program.
#[derive(Clone, Default, Debug)]
pub struct ExprPool {
    nodes: IndexVec<ExprId, Expr>,
    /// Of each node written out as a tree.
    sizes: IndexVec<ExprId, u32>,
    ids: FxHashMap<Expr, ExprId>,
}

impl ExprPool {
    /// The id of a node; equal nodes get equal ids. Nothing is simplified.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        debug_assert!(expr.operands().all(|operand| operand < self.nodes.next_id()));
        if let Some(&id) = self.ids.get(&expr) {
            return id;
        }
        let sizes = expr.operands().map(|operand| self.sizes[operand]);
        self.sizes.push(sizes.fold(1, u32::saturating_add));
        let id = self.nodes.push(expr);
        self.ids.insert(expr, id);
        id
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

    /// The number of nodes of the expression written out as a tree, at most `u32::MAX`.
    pub fn tree_size(&self, id: ExprId) -> u32 {
        self.sizes[id]
    }

    /// Calls `visit` for the nodes of the expression, in no particular order, shared ones at least
    /// once.
    pub fn visit(&self, id: ExprId, visit: &mut impl FnMut(Expr)) {
        if self.tree_size(id) <= SMALL {
            visit(self.get(id));
            self.get(id).operands().for_each(|operand| self.visit(operand, visit));
            return;
        }
        let (mut seen, mut todo) = (FxHashSet::default(), vec![id]);
        while let Some(id) = todo.pop() {
            if seen.insert(id) {
                visit(self.get(id));
                todo.extend(self.get(id).operands());
            }
        }
    }

    /// Adds to `read` every variable whose current value the expression mentions, and to `next`
    /// every one whose next value it mentions.
    pub fn mentions(&self, id: ExprId, read: &mut Bits, next: &mut Bits) {
        self.visit(id, &mut |node| match node {
            Expr::Var(var) => drop(read.insert(var.as_u32() as usize)),
            Expr::Next(var) => drop(next.insert(var.as_u32() as usize)),
            _ => {}
        });
    }

    /// The variables whose current or next value the expression mentions.
    pub fn support(&self, id: ExprId) -> Bits {
        let (mut read, mut next) = (Bits::new(), Bits::new());
        self.mentions(id, &mut read, &mut next);
        read.union_with(&next);
        read
    }

    pub fn has_choice(&self, id: ExprId) -> bool {
        let mut found = false;
        self.visit(id, &mut |node| found |= matches!(node, Expr::Choice | Expr::Schoose(..)));
        found
    }

    /// The values `id` may take where `now` are the current values and `next` the next ones.
    ///
    /// This is the reference meaning of expressions, see `docs/language.md`, section 4.
    pub fn eval(&self, id: ExprId, now: &Bits, next: &Bits) -> Possible {
        let mut values = Values { now, next };
        let Ok(possible) = if self.tree_size(id) > SMALL {
            self.may(id, &mut values, &mut FxHashMap::default())
        } else {
            node(&mut values, self.get(id), |_, operand| Ok(self.eval(operand, now, next)))
        };
        possible
    }
}

#[cfg(test)]
mod tests {
    use super::{Expr, ExprPool, Possible};
    use crate::program::VarId;
    use hardbop_base::Bits;

    /// A chain of 200,000 nodes would overflow a recursive walk, 100 doublings outlast any.
    #[test]
    fn deep_and_shared_expressions_are_walked_without_recursion() {
        let mut pool = ExprPool::default();
        let var = pool.var(VarId::from_u32(3));
        let mut deep = var;
        for _ in 0..200_000 {
            deep = pool.not(deep);
            deep = pool.and(deep, var);
        }
        let mut doubled = pool.add(Expr::Next(VarId::from_u32(5)));
        for _ in 0..100 {
            doubled = pool.add(Expr::Xor(doubled, doubled));
        }
        let both = pool.or(deep, doubled);
        assert_eq!(pool.tree_size(both), u32::MAX);
        assert_eq!(pool.support(both), [3, 5].into_iter().collect());
        assert!(!pool.has_choice(both));
        let now: Bits = [3].into_iter().collect();
        assert_eq!(pool.eval(both, &now, &Bits::new()), Possible::exactly(true));
        assert_eq!(pool.eval(both, &Bits::new(), &now), Possible::exactly(false));
    }

    #[test]
    fn large_and_small_expressions_mean_the_same() {
        let mut pool = ExprPool::default();
        let (a, b) = (pool.var(VarId::from_u32(0)), pool.var(VarId::from_u32(1)));
        let choice = pool.add(Expr::Choice);
        let pick = pool.add(Expr::Schoose(a, b));
        let ite = pool.add(Expr::Ite(a, pick, choice));
        let mut padded = ite;
        for _ in 0..1000 {
            padded = pool.not(padded);
        }
        for bits in 0..4usize {
            let now: Bits = (0..2).filter(|i| bits >> i & 1 == 1).collect();
            assert_eq!(pool.eval(ite, &now, &Bits::new()), pool.eval(padded, &now, &Bits::new()));
        }
    }
}

//! What an expression may be, for known values of the variables it mentions.
//!
//! Written anew from the language's definition (design section 2, items 2 and 4), so that a mistake
//! in the evaluator of the engines is found out and not repeated. An expression is flattened once
//! into a list of its distinct nodes, operands first, so that a walk is a loop.

use std::rc::Rc;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Expr, ExprId, ExprPool};
use rustc_hash::FxHashMap;

/// Which of false and true a value may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct May {
    pub be_false: bool,
    pub be_true: bool,
}

impl May {
    pub const EITHER: May = May { be_false: true, be_true: true };

    pub fn be(value: bool) -> Self {
        May { be_false: !value, be_true: value }
    }

    /// The one value, if there is one.
    pub fn only(self) -> Option<bool> {
        (self.be_false != self.be_true).then_some(self.be_true)
    }

    /// All results of a function of independent values.
    fn of<const N: usize>(operands: [May; N], result: impl Fn([bool; N]) -> bool) -> Self {
        let mut may = May { be_false: false, be_true: false };
        for choice in 0..1_usize << N {
            let values: [bool; N] = std::array::from_fn(|i| choice >> i & 1 == 1);
            let possible = operands.iter().zip(values);
            if possible.into_iter().all(|(it, value)| if value { it.be_true } else { it.be_false })
            {
                if result(values) { may.be_true = true } else { may.be_false = true }
            }
        }
        may
    }
}

/// An expression as a list of its nodes; operands are positions in the list.
#[derive(Debug)]
pub struct Flat {
    nodes: Vec<Node>,
    /// The variables whose current values it mentions.
    pub reads: Bits,
    /// The variables whose next values it mentions.
    pub next: Bits,
}

#[derive(Debug)]
enum Node {
    Const(bool),
    Now(usize),
    Next(usize),
    Choice,
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
    Schoose(usize, usize),
    Ite(usize, usize, usize),
}

impl Flat {
    fn new(pool: &ExprPool, root: ExprId) -> Self {
        let mut ids = vec![root];
        let mut seen: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut todo = vec![root];
        seen.insert(root, 0);
        while let Some(id) = todo.pop() {
            for operand in pool.get(id).operands() {
                if seen.insert(operand, 0).is_none() {
                    ids.push(operand);
                    todo.push(operand);
                }
            }
        }
        // Operands have smaller ids than what they are operands of.
        ids.sort_unstable();
        let mut flat = Flat { nodes: Vec::new(), reads: Bits::new(), next: Bits::new() };
        for (at, &id) in ids.iter().enumerate() {
            seen.insert(id, at);
            let place = |operand: ExprId| seen[&operand];
            let node = match pool.get(id) {
                Expr::Const(value) => Node::Const(value),
                Expr::Var(var) => {
                    flat.reads.insert(var.index());
                    Node::Now(var.index())
                }
                Expr::Next(var) => {
                    flat.next.insert(var.index());
                    Node::Next(var.index())
                }
                Expr::Choice => Node::Choice,
                Expr::Not(a) => Node::Not(place(a)),
                Expr::And(a, b) => Node::And(place(a), place(b)),
                Expr::Or(a, b) => Node::Or(place(a), place(b)),
                Expr::Xor(a, b) => Node::Xor(place(a), place(b)),
                Expr::Schoose(p, n) => Node::Schoose(place(p), place(n)),
                Expr::Ite(c, a, b) => Node::Ite(place(c), place(a), place(b)),
            };
            flat.nodes.push(node);
        }
        flat
    }

    /// Where `now` are the current values and `next` the next ones.
    pub fn may(&self, now: &Bits, next: &Bits) -> May {
        let mut known: Vec<May> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |&at: &usize| known[at];
            known.push(match node {
                Node::Const(value) => May::be(*value),
                Node::Now(var) => May::be(now.contains(*var)),
                Node::Next(var) => May::be(next.contains(*var)),
                Node::Choice => May::EITHER,
                Node::Not(a) => May::of([of(a)], |[a]| !a),
                Node::And(a, b) => May::of([of(a), of(b)], |[a, b]| a && b),
                Node::Or(a, b) => May::of([of(a), of(b)], |[a, b]| a || b),
                Node::Xor(a, b) => May::of([of(a), of(b)], |[a, b]| a != b),
                // True if p, else false if n, else either.
                Node::Schoose(p, n) => {
                    let either = May::EITHER;
                    May::of([of(p), of(n), either], |[p, n, choice]| p || !n && choice)
                }
                Node::Ite(c, a, b) => {
                    May::of([of(c), of(a), of(b)], |[c, a, b]| if c { a } else { b })
                }
            });
        }
        *known.last().expect("an expression has a node")
    }
}

/// The flat forms of a program's expressions, each made when it is first asked for.
pub struct Exprs<'a> {
    pool: &'a ExprPool,
    known: FxHashMap<ExprId, Rc<Flat>>,
}

impl<'a> Exprs<'a> {
    pub fn new(pool: &'a ExprPool) -> Self {
        Exprs { pool, known: FxHashMap::default() }
    }

    pub fn get(&mut self, id: ExprId) -> Rc<Flat> {
        self.known.entry(id).or_insert_with(|| Rc::new(Flat::new(self.pool, id))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_cfg::VarId;

    #[test]
    fn choices_are_independent_and_schoose_obeys_its_table() {
        let mut pool = ExprPool::default();
        let choice = pool.add(Expr::Choice);
        let differ = pool.add(Expr::Xor(choice, choice));
        let (p, n) = (pool.var(VarId::new(0)), pool.add(Expr::Next(VarId::new(1))));
        let schoose = pool.add(Expr::Schoose(p, n));
        let no = pool.not(schoose);
        let mut exprs = Exprs::new(&pool);
        let may = |flat: &Flat, p: bool, n: bool| {
            let (now, next) =
                ((0..usize::from(p)).collect(), if n { Bits::full(2) } else { Bits::new() });
            flat.may(&now, &next)
        };
        assert_eq!(may(&exprs.get(differ), false, false), May::EITHER);
        let no = exprs.get(no);
        assert_eq!(may(&no, true, true), May::be(false));
        assert_eq!(may(&no, true, false), May::be(false));
        assert_eq!(may(&no, false, true), May::be(true));
        assert_eq!(may(&no, false, false), May::EITHER);
        assert_eq!((no.reads.len(), no.next.len()), (1, 1));
    }

    #[test]
    fn deep_expressions_are_walked_without_recursion() {
        let mut pool = ExprPool::default();
        let var = pool.var(VarId::new(3));
        let mut deep = var;
        for _ in 0..200_000 {
            deep = pool.not(deep);
            deep = pool.and(deep, var);
        }
        let flat = Exprs::new(&pool).get(deep);
        assert_eq!(flat.may(&Bits::full(4), &Bits::new()), May::be(true));
        assert_eq!(flat.may(&Bits::new(), &Bits::new()), May::be(false));
    }
}

//! Terms of a circuit as formulas of a certificate, each node once.

use hardbop_base::Idx;
use hardbop_cfg::VarId;
use hardbop_evidence::{Formula, FormulaId, FormulaPool};
use hardbop_sat::Term;
use hardbop_sat::aig::{Aig, Node};
use rustc_hash::FxHashMap;

/// Writes the formulas of one procedure.
pub struct Writer {
    /// Variables of the circuit, by node.
    atoms: FxHashMap<u32, Formula>,
    known: FxHashMap<u32, FormulaId>,
}

impl Writer {
    /// By variable of the scope the values at entry and now; where they are one, it is that of the entry.
    pub fn new(entry: &[Term], now: &[Term]) -> Self {
        let mut atoms = FxHashMap::default();
        for (var, (&entry, &now)) in entry.iter().zip(now).enumerate() {
            atoms.insert(now.node(), Formula::Current(VarId::new(var)));
            atoms.insert(entry.node(), Formula::Entry(VarId::new(var)));
        }
        Writer { atoms, known: FxHashMap::default() }
    }

    /// The formula of a term over values at entry and now alone.
    pub fn formula(&mut self, aig: &Aig, pool: &mut FormulaPool, term: Term) -> FormulaId {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.known.contains_key(&node) {
                todo.pop();
                continue;
            }
            let shape = shape(aig, node);
            let missing = shape.operands().filter(|it| !self.known.contains_key(&it.node()));
            let n_before = todo.len();
            todo.extend(missing.map(Term::node));
            if todo.len() > n_before {
                continue;
            }
            let formula = match shape {
                Shape::False => Formula::Const(false),
                Shape::Input => self.atoms[&node].clone(),
                Shape::And(a, b) => Formula::And(vec![self.signed(pool, a), self.signed(pool, b)]),
                Shape::Ite(c, a, b) => {
                    Formula::Ite(self.signed(pool, c), self.signed(pool, a), self.signed(pool, b))
                }
            };
            self.known.insert(node, pool.add(formula));
            todo.pop();
        }
        self.signed(pool, term)
    }

    fn signed(&self, pool: &mut FormulaPool, term: Term) -> FormulaId {
        let formula = self.known[&term.node()];
        if term.is_negated() { pool.add(Formula::Not(formula)) } else { formula }
    }
}

enum Shape {
    False,
    Input,
    And(Term, Term),
    Ite(Term, Term, Term),
}

impl Shape {
    fn operands(&self) -> impl Iterator<Item = Term> {
        let operands = match *self {
            Shape::False | Shape::Input => [None; 3],
            Shape::And(a, b) => [Some(a), Some(b), None],
            Shape::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }
}

/// A node as one gate: ¬(c ∧ x) ∧ ¬(¬c ∧ y) is "if c then ¬x else ¬y".
fn shape(aig: &Aig, node: u32) -> Shape {
    let (a, b) = match aig.node(node) {
        Node::False => return Shape::False,
        Node::Input => return Shape::Input,
        Node::And(a, b) => (a, b),
    };
    if a.is_negated()
        && b.is_negated()
        && let (Node::And(p, q), Node::And(r, s)) = (aig.node(a.node()), aig.node(b.node()))
    {
        for (c, x) in [(p, q), (q, p)] {
            for (not_c, y) in [(r, s), (s, r)] {
                if c == !not_c {
                    return Shape::Ite(c, !x, !y);
                }
            }
        }
    }
    Shape::And(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(pool: &FormulaPool, id: FormulaId, entry: &[bool], now: &[bool]) -> bool {
        let of = |id: &FormulaId| holds(pool, *id, entry, now);
        match pool.get(id) {
            Formula::Const(value) => *value,
            Formula::Entry(var) => entry[var.index()],
            Formula::Current(var) => now[var.index()],
            Formula::Not(a) => !of(a),
            Formula::And(list) => list.iter().all(of),
            Formula::Or(list) => list.iter().any(of),
            Formula::Ite(c, a, b) => {
                if of(c) {
                    of(a)
                } else {
                    of(b)
                }
            }
        }
    }

    #[test]
    fn an_if_then_else_is_one_gate_with_its_meaning() {
        let mut aig = Aig::default();
        let (entry, now) = (aig.inputs(2), aig.inputs(2));
        let mut pool = FormulaPool::default();
        let mut writer = Writer::new(&entry, &now);
        let ite = aig.ite(entry[0], now[0], now[1]);
        let same = aig.iff(ite, entry[1]);
        let ite = writer.formula(&aig, &mut pool, !ite);
        let same = writer.formula(&aig, &mut pool, same);
        let gates = |gate: fn(&Formula) -> bool| pool.iter().filter(|it| gate(it.1)).count();
        assert_eq!(gates(|it| matches!(it, Formula::Ite(..))), 2);
        assert_eq!(gates(|it| matches!(it, Formula::And(..))), 0);
        for point in 0..16 {
            let bit = |i: usize| point >> i & 1 == 1;
            let (entry, now) = ([bit(0), bit(1)], [bit(2), bit(3)]);
            let value = if entry[0] { now[0] } else { now[1] };
            assert_eq!(holds(&pool, ite, &entry, &now), !value);
            assert_eq!(holds(&pool, same, &entry, &now), value == entry[1]);
        }
    }
}

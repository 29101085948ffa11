//! Formulas over a scope at two moments: when the procedure was entered, and now.
//!
//! A pool of shared nodes, so that a decision diagram is written down in its own size. Children have
//! smaller ids than their parents: every walk is a loop, whatever the depth.

use hardbop_base::{Bits, IndexVec, define_id};
use hardbop_cfg::VarId;
use rustc_hash::FxHashMap;

define_id!(
    /// A formula of a pool.
    FormulaId, "f"
);

/// One node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// True or false.
    Const(bool),
    /// The value a variable had when the procedure was entered.
    Entry(VarId),
    /// The value it has now.
    Current(VarId),
    /// Negation.
    Not(FormulaId),
    /// All of these.
    And(Vec<FormulaId>),
    /// One of these.
    Or(Vec<FormulaId>),
    /// If the first then the second else the third.
    Ite(FormulaId, FormulaId, FormulaId),
}

impl Formula {
    /// The operands, left to right.
    pub fn operands(&self) -> Vec<FormulaId> {
        match self {
            Formula::Const(_) | Formula::Entry(_) | Formula::Current(_) => Vec::new(),
            Formula::Not(a) => vec![*a],
            Formula::And(list) | Formula::Or(list) => list.clone(),
            Formula::Ite(c, a, b) => vec![*c, *a, *b],
        }
    }
}

/// Owns formulas; equal nodes are one node.
#[derive(Clone, Default, Debug)]
pub struct FormulaPool {
    nodes: IndexVec<FormulaId, Formula>,
    ids: FxHashMap<Formula, FormulaId>,
}

impl FormulaPool {
    /// The id of a node; its operands are in the pool.
    pub fn add(&mut self, formula: Formula) -> FormulaId {
        if let Some(&id) = self.ids.get(&formula) {
            return id;
        }
        assert!(formula.operands().iter().all(|&operand| operand < self.nodes.next_id()));
        let id = self.nodes.push(formula.clone());
        self.ids.insert(formula, id);
        id
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.add(Formula::Const(value))
    }

    /// The node of an id.
    pub fn get(&self, id: FormulaId) -> &Formula {
        &self.nodes[id]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (FormulaId, &Formula)> {
        self.nodes.iter_enumerated()
    }

    /// The nodes below and including the roots, children before parents.
    pub fn below(&self, roots: &[FormulaId]) -> Vec<FormulaId> {
        let mut seen = Bits::new();
        let mut stack = roots.to_vec();
        let mut nodes = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id.as_u32() as usize) {
                nodes.push(id);
                stack.extend(self.get(id).operands());
            }
        }
        nodes.sort_unstable();
        nodes
    }
}

//! A graph in a solver, gate by gate as it is needed (Tseitin).
//!
//! Three conjunctions that are a choice `ite(c, x, y)`, of which exclusive or is a case, become one
//! gate: a third of the variables, and clauses that propagate from the branches to the result.

use hardbop_base::fault::{Fault, is_on};
use rustc_hash::FxHashMap;

use crate::aig::{Aig, Node, Term};
use crate::lrat::Checked;
use crate::solver::{Lit, Solver};

/// A solver and the literals of the nodes it knows.
pub struct Encoder<S> {
    pub solver: S,
    literals: FxHashMap<u32, Lit>,
}

impl<S: Solver> Encoder<S> {
    pub fn new(mut solver: S) -> Self {
        let falsity = solver.new_var();
        solver.add_clause(&[!falsity]);
        Encoder { solver, literals: FxHashMap::from_iter([(0, falsity)]) }
    }

    pub fn n_encoded(&self) -> usize {
        self.literals.len()
    }

    /// The literal of a term, whose cone is encoded as far as it was not.
    pub fn lit(&mut self, aig: &Aig, term: Term) -> Lit {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.literals.contains_key(&node) {
                todo.pop();
                continue;
            }
            let gate = Gate::of(aig, node);
            let n_todo = todo.len();
            let unknown = |&operand: &Term| self.known(operand).is_none();
            todo.extend(gate.operands().iter().copied().filter(unknown).map(Term::node));
            if todo.len() > n_todo {
                continue;
            }
            let literal = self.encode(gate);
            self.literals.insert(node, literal);
            todo.pop();
        }
        self.literals[&term.node()].signed(!term.is_negated())
    }

    /// The literal of a term, if it is encoded.
    pub fn known(&self, term: Term) -> Option<Lit> {
        self.literals.get(&term.node()).map(|lit| lit.signed(!term.is_negated()))
    }

    /// The term holds from now on.
    pub fn assert(&mut self, aig: &Aig, term: Term) {
        for conjunct in aig.conjuncts(term) {
            let literal = self.lit(aig, conjunct);
            self.solver.add_clause(&[literal]);
        }
    }

    /// The value of a variable in the last model; false if the solver does not know it.
    pub fn input_value(&self, input: Term) -> bool {
        self.known(input).is_some_and(|lit| self.solver.value(lit))
    }

    /// A new literal for a gate whose operands have theirs.
    fn encode(&mut self, gate: Gate) -> Lit {
        let at = |term| self.known(term).expect("operands are encoded before their gate");
        match gate {
            Gate::Input => self.solver.new_var(),
            Gate::And([a, b]) => {
                let (a, b) = (at(a), at(b));
                let both = self.solver.new_var();
                self.solver.add_clause(&[!both, a]);
                self.solver.add_clause(&[!both, b]);
                let b = if is_on(Fault::GateOneSided) { a } else { b };
                self.solver.add_clause(&[both, !a, !b]);
                both
            }
            Gate::Ite([c, x, y]) => {
                let (c, x, y) = (at(c), at(x), at(y));
                let chosen = self.solver.new_var();
                self.solver.add_clause(&[!c, !x, chosen]);
                self.solver.add_clause(&[!c, x, !chosen]);
                let c_or_y = if is_on(Fault::GateChoice) { !y } else { c };
                self.solver.add_clause(&[c_or_y, !y, chosen]);
                self.solver.add_clause(&[c, y, !chosen]);
                // Implied, but not by unit propagation: where both branches agree, so does the
                // choice. The branches of an exclusive or never do.
                if x != !y {
                    self.solver.add_clause(&[!x, !y, chosen]);
                    self.solver.add_clause(&[x, y, !chosen]);
                }
                chosen
            }
        }
    }
}

impl Encoder<Checked> {
    /// Whether the clauses say of the nodes what is so, in each bit of the words that the nodes have.
    pub fn says(&self, nodes: &[u64]) -> bool {
        let mut words = FxHashMap::default();
        for (&node, &lit) in &self.literals {
            let word = nodes[node as usize];
            words.insert(lit.var(), if lit.is_positive() { word } else { !word });
        }
        self.solver.all_hold(|var| words.get(&var).copied().unwrap_or(0))
    }
}

/// What is encoded as one thing.
#[derive(Clone, Copy)]
enum Gate {
    Input,
    And([Term; 2]),
    /// Condition and branches.
    Ite([Term; 3]),
}

impl Gate {
    fn of(aig: &Aig, node: u32) -> Gate {
        match aig.node(node) {
            Node::False => unreachable!("the constant is always encoded"),
            Node::Input => Gate::Input,
            Node::And(a, b) => Gate::choice(aig, a, b).unwrap_or(Gate::And([a, b])),
        }
    }

    /// `!(c & x) & !(!c & y)` is `ite(c, !x, !y)`.
    fn choice(aig: &Aig, a: Term, b: Term) -> Option<Gate> {
        let (Node::And(a1, a2), Node::And(b1, b2)) = (aig.node(a.node()), aig.node(b.node()))
        else {
            return None;
        };
        if !a.is_negated() || !b.is_negated() {
            return None;
        }
        for (c, x) in [(a1, a2), (a2, a1)] {
            for (not_c, y) in [(b1, b2), (b2, b1)] {
                if c == !not_c {
                    return Some(Gate::Ite([c, !x, !y]));
                }
            }
        }
        None
    }

    fn operands(&self) -> &[Term] {
        match self {
            Gate::Input => &[],
            Gate::And(operands) => operands,
            Gate::Ite(operands) => operands,
        }
    }
}

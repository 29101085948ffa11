//! Decides ∀x. P(x) → ∃y. M(x, y), the form of SUM's inclusion (8) and applicability (5).
//!
//! Counterexample-guided expansion on two incremental solvers (the scheme of RAReQS: Janota,
//! Klieber, Marques-Silva and Clarke, "Solving QBF with counterexample guided refinement", SAT
//! 2012). Solver A looks for an x with P that no answer known so far serves; solver B looks for an
//! answer y to it. No such x: the formula holds. No such y: x refutes it. Otherwise y is turned
//! into a *strategy* s, and A must avoid every x with M(x, s(x)).
//!
//! **Where we depart.** Our matrices say that a vector of terms over x equals a vector of terms
//! over y. A strategy of constants then serves one single vector, and so does the clause over
//! shared selectors of clausal abstraction, which wins on random clauses (deps-solvers E6): with n
//! variables that just keep their values, 2^n rounds for either. So a strategy gives constants
//! only to *control* variables, those that pick a path; under these, most other y are forced by
//! an equation y = g(x), and g(x) becomes the strategy. Equations that hold without any choice are
//! used up before the first round. Expanded formulas share their nodes in one graph, which has the
//! effect of the shared selectors.
//!
//! **Invariant.** The strategy made from an answer (x*, y*) serves x*: constants are those of y*,
//! and an equation of a conjunct of M is satisfied by y*. So each round excludes at least one x.

use hardbop_base::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::aig::{Aig, Node, Term};
use crate::batsat::Batsat;
use crate::copy::{Copy, Unmapped};
use crate::encode::Encoder;
use crate::eval::Eval;
use crate::solver::Solver;

/// ∀x. premise(x) → ∃y. matrix(x, y). Every variable that is not listed in `exists` is an x.
#[derive(Clone, Debug)]
pub struct ForallExists {
    /// Mentions no y.
    pub premise: Term,
    pub matrix: Term,
    /// The variables y.
    pub exists: Vec<Term>,
    /// Those of y that pick a path rather than a value: a hint, any set is correct.
    pub control: Vec<Term>,
}

/// Decides queries and remembers the answers.
pub struct Qbf {
    budget: Budget,
    /// By premise and matrix, which tell the rest.
    known: FxHashMap<(Term, Term), bool>,
    n_calls: u64,
    n_rounds: u64,
}

impl Qbf {
    pub fn new(budget: &Budget) -> Self {
        Qbf { budget: budget.clone(), known: FxHashMap::default(), n_calls: 0, n_rounds: 0 }
    }

    /// Queries that were not answered from memory.
    pub fn n_calls(&self) -> u64 {
        self.n_calls
    }

    /// Rounds of refinement, over all queries.
    pub fn n_rounds(&self) -> u64 {
        self.n_rounds
    }

    /// Whether the formula holds. All queries must come from one graph, in which a variable is
    /// either always universal or always existential.
    pub fn holds(&mut self, aig: &Aig, query: &ForallExists) -> Result<bool, Exhausted> {
        if query.premise == Term::FALSE || query.matrix == Term::TRUE {
            return Ok(true);
        }
        let key = (query.premise, query.matrix);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.n_calls += 1; // stats
        let mut game = Game::new(aig, query, &self.budget);
        let holds = loop {
            self.budget.check()?;
            match game.round()? {
                Some(holds) => break holds,
                None => self.n_rounds += 1, // stats
            }
        };
        self.known.insert(key, holds);
        Ok(holds)
    }
}

/// One query, in a graph of its own that is dropped with it.
struct Game {
    aig: Aig,
    matrix: Term,
    /// Nodes of y.
    exists: FxHashSet<u32>,
    control: Vec<Term>,
    /// Variables of the matrix.
    universal: Vec<Term>,
    existential: Vec<Term>,
    /// Solver A.
    moves: Encoder<Batsat>,
    /// Solver B.
    answers: Encoder<Batsat>,
}

impl Game {
    fn new(from: &Aig, query: &ForallExists, budget: &Budget) -> Self {
        let mut aig = Aig::default();
        let mut import = Copy::new(Unmapped::Fresh);
        let premise = import.import(from, &mut aig, query.premise);
        let matrix = import.import(from, &mut aig, query.matrix);
        // Variables that the query does not mention have no copy.
        let copies = |inputs: &[Term]| -> Vec<Term> {
            inputs.iter().filter_map(|&input| import.known(input)).collect()
        };
        let exists: FxHashSet<u32> = copies(&query.exists).iter().map(|it| it.node()).collect();
        let control = copies(&query.control);
        let matrix = use_up_equations(&mut aig, matrix, &exists);
        let inputs = |aig: &Aig, existential: bool| -> Vec<Term> {
            let is_wanted =
                |node: &u32| aig.node(*node) == Node::Input && exists.contains(node) == existential;
            aig.cone(&[matrix]).into_iter().filter(is_wanted).map(Term::of_node).collect()
        };
        let (universal, existential) = (inputs(&aig, false), inputs(&aig, true));
        let mut moves = Encoder::new(Batsat::new(budget));
        moves.assert(&aig, premise);
        if existential.is_empty() {
            moves.assert(&aig, !matrix);
        }
        let mut answers = Encoder::new(Batsat::new(budget));
        answers.assert(&aig, matrix);
        Game { aig, matrix, exists, control, universal, existential, moves, answers }
    }

    /// A move and an answer; the result if there is none of either.
    fn round(&mut self) -> Result<Option<bool>, Exhausted> {
        if !self.moves.solver.solve(&[])? {
            return Ok(Some(true));
        }
        if self.existential.is_empty() {
            return Ok(Some(false));
        }
        let x: Vec<(Term, bool)> =
            self.universal.iter().map(|&x| (x, self.moves.input_value(x))).collect();
        let assumptions: Vec<_> =
            x.iter().map(|&(x, value)| self.answers.lit(&self.aig, x.negated_if(!value))).collect();
        if !self.answers.solver.solve(&assumptions)? {
            return Ok(Some(false));
        }
        let y: Vec<(Term, bool)> =
            self.existential.iter().map(|&y| (y, self.answers.input_value(y))).collect();
        let served = self.served_by(&y);
        debug_assert!(
            {
                let mut eval = Eval::new();
                x.iter().for_each(|&(x, value)| eval.set(x, value));
                eval.value(&self.aig, served)
            },
            "a strategy serves the move it was made for"
        );
        self.moves.assert(&self.aig, !served);
        Ok(None)
    }

    /// The x that the strategy made from an answer serves.
    fn served_by(&mut self, y: &[(Term, bool)]) -> Term {
        let values: FxHashMap<Term, bool> = y.iter().copied().collect();
        let mut served = self.matrix;
        let mut pick = Copy::new(Unmapped::Keep);
        for control in self.control.iter().filter(|&control| values.contains_key(control)) {
            pick.map(*control, Term::constant(values[control]));
        }
        served = pick.apply(&mut self.aig, served);
        served = use_up_equations(&mut self.aig, served, &self.exists);
        let mut rest = Copy::new(Unmapped::Keep);
        for &(y, value) in y {
            rest.map(y, Term::constant(value));
        }
        rest.apply(&mut self.aig, served)
    }
}

/// Replaces each y that a conjunct of the matrix equates with a term over x by this term: no other
/// value could make the matrix true.
fn use_up_equations(aig: &mut Aig, matrix: Term, exists: &FxHashSet<u32>) -> Term {
    let mut matrix = matrix;
    loop {
        let equations = equations(aig, matrix, exists);
        if equations.is_empty() {
            return matrix;
        }
        let mut replace = Copy::new(Unmapped::Keep);
        for (y, value) in equations {
            replace.map(y, value);
        }
        matrix = replace.apply(aig, matrix);
    }
}

/// Conjuncts of the form y = g(x), at most one for each y.
fn equations(aig: &Aig, matrix: Term, exists: &FxHashSet<u32>) -> Vec<(Term, Term)> {
    let conjuncts = aig.conjuncts(matrix);
    let mentions = mentions(aig, &conjuncts, exists);
    let is_y = |term: Term| exists.contains(&term.node());
    let mut found = Vec::new();
    let mut taken = FxHashSet::default();
    // !(u & v), to meet with !(!u & !v): together u = !v.
    let mut clauses = FxHashSet::default();
    for conjunct in conjuncts {
        if is_y(conjunct) {
            if taken.insert(conjunct.node()) {
                found.push((conjunct, Term::TRUE));
            }
            continue;
        }
        let Node::And(u, v) = aig.node(conjunct.node()) else { continue };
        clauses.insert((u, v));
        let (nu, nv) = ((!u).min(!v), (!u).max(!v));
        if !clauses.contains(&(nu, nv)) {
            continue;
        }
        for (y, other) in [(u, v), (v, u)] {
            if is_y(y) && !mentions.contains(&other.node()) && taken.insert(y.node()) {
                found.push((y, !other));
                break;
            }
        }
    }
    found
}

/// The nodes that rest on some y.
fn mentions(aig: &Aig, terms: &[Term], exists: &FxHashSet<u32>) -> FxHashSet<u32> {
    let mut mentions = FxHashSet::default();
    for node in aig.cone(terms) {
        let rests_on_y = match aig.node(node) {
            Node::False => false,
            Node::Input => exists.contains(&node),
            Node::And(a, b) => mentions.contains(&a.node()) || mentions.contains(&b.node()),
        };
        if rests_on_y {
            mentions.insert(node);
        }
    }
    mentions
}

//! Choices quantified away: what symbolic states say of the values at entry and now.
//!
//! A symbolic state stands for ∃ choices. guard ∧ ⋀ now = value. Most choices need no quantifier: one that is the
//! value of a variable is that variable's value now, one that the guard fixes is a constant. The others are
//! eliminated one by one, the one in the fewest conjuncts first, over a decision diagram of just these conjuncts
//! (bucket elimination, Dechter 1999); conjuncts without choices never become diagrams.
//!
//! **Invariant.** Each step keeps ∃ choices. ⋀ parts exactly as it is: an invariant that lost or gained a state here
//! might not be inductive.

use hardbop_base::{Budget, Exhausted, Idx};
use hardbop_dd::{Dd, Level, Limits, Manager, with_stack_for};
use hardbop_sat::aig::Node;
use hardbop_sat::{Aig, Copy, Term, Unmapped};
use rustc_hash::{FxHashMap, FxHashSet};

/// For what is left to diagrams.
const DIAGRAMS: Limits = Limits { nodes: 1 << 18, cache_entries: 1 << 14 };

/// Quantifies choices of one procedure after the other away.
pub struct Projection<'b> {
    budget: &'b Budget,
    /// Made when the first quantifier is left to it.
    dd: Option<Manager>,
    /// The variables that stay: values at entry and now of the procedure.
    kept: FxHashSet<u32>,
    /// Whether there is a choice in a node, as far as somebody asked.
    chooses: FxHashMap<u32, bool>,
    /// The levels of variables, from the first on.
    levels: FxHashMap<u32, Level>,
    /// Their variables.
    inputs: Vec<Term>,
    diagrams: FxHashMap<u32, Dd>,
}

/// One of the formulas whose conjunction is quantified.
struct Part {
    formula: PartFormula,
    choices: FxHashSet<u32>,
}

enum PartFormula {
    Term(Term),
    Diagram(Dd),
}

impl<'b> Projection<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Projection {
            budget,
            dd: None,
            kept: FxHashSet::default(),
            chooses: FxHashMap::default(),
            levels: FxHashMap::default(),
            inputs: Vec::new(),
            diagrams: FxHashMap::default(),
        }
    }

    /// Everything but these variables is a choice from now on.
    pub fn keep(&mut self, kept: impl IntoIterator<Item = Term>) {
        self.kept = kept.into_iter().map(Term::node).collect();
        self.chooses.clear();
        self.levels.clear();
        self.inputs.clear();
        self.diagrams.clear();
    }

    /// ∃ choices. guard ∧ ⋀ now = value, as a conjunction.
    pub fn project(
        &mut self,
        aig: &mut Aig,
        guard: Term,
        equal: Vec<(Term, Term)>,
    ) -> Result<Vec<Term>, Exhausted> {
        self.budget.check()?;
        let mut parts = self.without_fixed(aig, guard, equal);
        let (plain, chosen): (Vec<Term>, Vec<Term>) =
            parts.drain(..).partition(|&part| !self.chooses(aig, part));
        let mut parts = plain;
        if !chosen.is_empty() {
            parts.extend(self.eliminate(aig, chosen)?);
        }
        Ok(parts)
    }

    /// The conjuncts, choices that are fixed by one of them replaced.
    fn without_fixed(
        &mut self,
        aig: &mut Aig,
        mut guard: Term,
        mut equal: Vec<(Term, Term)>,
    ) -> Vec<Term> {
        loop {
            let mut fixed: FxHashMap<u32, Term> = FxHashMap::default();
            for part in aig.conjuncts(guard) {
                if self.is_choice(aig, part) {
                    fixed.insert(part.node(), Term::constant(!part.is_negated()));
                }
            }
            equal.retain(|&(now, value)| {
                let is_free = self.is_choice(aig, value) && !fixed.contains_key(&value.node());
                if is_free {
                    fixed.insert(value.node(), now.negated_if(value.is_negated()));
                }
                !is_free
            });
            if fixed.is_empty() {
                break;
            }
            let mut copy = Copy::new(Unmapped::Keep);
            for (node, value) in fixed {
                copy.map(Term::of_node(node), value);
            }
            let mut put = |it: &mut Self, aig: &mut Aig, term: &mut Term| {
                if it.chooses(aig, *term) {
                    *term = copy.apply(aig, *term);
                }
            };
            put(self, aig, &mut guard);
            equal.iter_mut().for_each(|(_, value)| put(self, aig, value));
        }
        let mut parts = aig.conjuncts(guard);
        for (now, value) in equal {
            parts.push(aig.iff(now, value));
        }
        parts.retain(|&part| part != Term::TRUE);
        parts
    }

    fn is_choice(&self, aig: &Aig, term: Term) -> bool {
        aig.is_input(term) && !self.kept.contains(&term.node())
    }

    /// Whether there is a choice in a term.
    fn chooses(&mut self, aig: &Aig, term: Term) -> bool {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.chooses.contains_key(&node) {
                todo.pop();
                continue;
            }
            let chooses = match aig.node(node) {
                Node::False => false,
                Node::Input => !self.kept.contains(&node),
                Node::And(a, b) => {
                    match (self.chooses.get(&a.node()), self.chooses.get(&b.node())) {
                        (Some(true), _) | (_, Some(true)) => true,
                        (Some(false), Some(false)) => false,
                        (None, _) => {
                            todo.push(a.node());
                            continue;
                        }
                        (_, None) => {
                            todo.push(b.node());
                            continue;
                        }
                    }
                }
            };
            self.chooses.insert(node, chooses);
            todo.pop();
        }
        self.chooses[&term.node()]
    }

    fn eliminate(&mut self, aig: &mut Aig, parts: Vec<Term>) -> Result<Vec<Term>, Exhausted> {
        let mut parts: Vec<Part> = parts
            .into_iter()
            .map(|term| Part { formula: PartFormula::Term(term), choices: self.choices(aig, term) })
            .collect();
        while let Some(choice) = cheapest(&parts) {
            self.budget.check()?;
            let (bucket, others) = parts.into_iter().partition(|it| it.choices.contains(&choice));
            parts = others;
            parts.push(self.exists(aig, bucket, &parts)?);
        }
        let mut terms = Vec::new();
        for part in parts {
            terms.push(match part.formula {
                PartFormula::Term(term) => term,
                PartFormula::Diagram(diagram) => {
                    with_stack_for(self.inputs.len(), || self.term(aig, &diagram))
                }
            });
        }
        Ok(terms)
    }

    fn choices(&self, aig: &Aig, term: Term) -> FxHashSet<u32> {
        let cone = aig.cone(&[term]).into_iter();
        cone.filter(|&node| self.is_choice(aig, Term::of_node(node))).collect()
    }

    /// The conjunction of a bucket without the choices that no other part has.
    fn exists(&mut self, aig: &Aig, bucket: Vec<Part>, others: &[Part]) -> Result<Part, Exhausted> {
        let mut choices: FxHashSet<u32> = FxHashSet::default();
        let mut all: Option<Dd> = None;
        for part in bucket {
            choices.extend(&part.choices);
            let one = match part.formula {
                PartFormula::Term(term) => self.diagram(aig, term)?,
                PartFormula::Diagram(diagram) => diagram,
            };
            all = Some(match all {
                None => one,
                Some(all) => self.manager().and(&all, &one)?,
            });
        }
        let all = all.expect("a bucket has parts");
        let is_own = |choice: &u32| !others.iter().any(|part| part.choices.contains(choice));
        let own: Vec<u32> = choices.iter().copied().filter(is_own).collect();
        let mut levels: Vec<Level> = own.iter().map(|choice| self.levels[choice]).collect();
        levels.sort_unstable();
        let dd = self.manager();
        let cube = dd.cube(levels)?;
        let formula = PartFormula::Diagram(dd.exists(&all, &cube)?);
        own.iter().for_each(|choice| {
            choices.remove(choice);
        });
        Ok(Part { formula, choices })
    }

    fn manager(&mut self) -> &Manager {
        self.dd.get_or_insert_with(|| Manager::new(0, DIAGRAMS))
    }

    fn level(&mut self, node: u32) -> Level {
        if let Some(&level) = self.levels.get(&node) {
            return level;
        }
        let level = Level::new(self.inputs.len());
        self.manager();
        let dd = self.dd.as_mut().expect("it was made");
        if dd.n_levels() <= self.inputs.len() {
            dd.add_levels(1);
        }
        self.inputs.push(Term::of_node(node));
        self.levels.insert(node, level);
        level
    }

    fn diagram(&mut self, aig: &Aig, term: Term) -> Result<Dd, Exhausted> {
        let mut meter = self.budget.meter(256);
        for node in aig.cone(&[term]) {
            if self.diagrams.contains_key(&node) {
                continue;
            }
            meter.tick()?;
            let diagram = match aig.node(node) {
                Node::False => self.manager().zero().clone(),
                Node::Input => {
                    let level = self.level(node);
                    self.manager().var(level)?
                }
                Node::And(a, b) => {
                    let (a, b) = (self.known(a), self.known(b));
                    self.manager().and(&a, &b)?
                }
            };
            self.diagrams.insert(node, diagram);
        }
        Ok(self.known(term))
    }

    fn known(&mut self, term: Term) -> Dd {
        let diagram = self.diagrams[&term.node()].clone();
        if term.is_negated() { self.manager().not(&diagram) } else { diagram }
    }

    /// Recursion as deep as there are levels.
    fn term(&mut self, aig: &mut Aig, diagram: &Dd) -> Term {
        let mut known = FxHashMap::default();
        let dd = self.dd.as_ref().expect("diagrams have a manager");
        term(aig, dd, &self.inputs, diagram, &mut known)
    }
}

fn term(
    aig: &mut Aig,
    dd: &Manager,
    inputs: &[Term],
    diagram: &Dd,
    known: &mut FxHashMap<Dd, Term>,
) -> Term {
    if let Some(&term) = known.get(diagram) {
        return term;
    }
    let result = match dd.split(diagram) {
        None => Term::constant(dd.is_true(diagram)),
        Some((level, high, low)) => {
            let high = term(aig, dd, inputs, &high, known);
            let low = term(aig, dd, inputs, &low, known);
            aig.ite(inputs[level.index()], high, low)
        }
    };
    known.insert(diagram.clone(), result);
    result
}

/// A choice in the fewest parts; of these the oldest.
fn cheapest(parts: &[Part]) -> Option<u32> {
    let mut n_parts: FxHashMap<u32, usize> = FxHashMap::default();
    for choice in parts.iter().flat_map(|part| &part.choices) {
        *n_parts.entry(*choice).or_default() += 1;
    }
    n_parts.into_iter().map(|(choice, n)| (n, choice)).min().map(|(_, choice)| choice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_base::rng::Rng;

    /// The projection of random conjunctions against their truth table.
    #[test]
    fn projections_are_exact() {
        let budget = Budget::unlimited();
        let mut projection = Projection::new(&budget);
        let mut chance = Rng::new(7);
        for _ in 0..300 {
            let mut aig = Aig::default();
            let inputs = aig.inputs(9);
            let (entry, rest) = inputs.split_at(3);
            let (now, choices) = rest.split_at(3);
            let mut random = |aig: &mut Aig| {
                let mut terms: Vec<Term> = entry.iter().chain(choices).copied().collect();
                for _ in 0..chance.below(6) {
                    let mut pick = || {
                        let term = terms[chance.below(terms.len())];
                        term.negated_if(chance.below(2) == 0)
                    };
                    let (a, b) = (pick(), pick());
                    terms.push(aig.and(a, b));
                }
                let last = terms[terms.len() - 1 - chance.below(2)];
                last.negated_if(chance.below(2) == 0)
            };
            let guards = [random(&mut aig), random(&mut aig)];
            let guard = aig.all(&guards);
            let equal: Vec<(Term, Term)> = now.iter().map(|&now| (now, random(&mut aig))).collect();
            let mut all: Vec<Term> = equal.iter().map(|&(now, it)| aig.iff(now, it)).collect();
            all.push(guard);
            let whole = aig.all(&all);
            projection.keep(entry.iter().chain(now).copied());
            let parts = projection.project(&mut aig, guard, equal).unwrap();
            let projected = aig.all(&parts);
            let value = |aig: &mut Aig, term: Term, point: u32| {
                let mut copy = Copy::new(Unmapped::Keep);
                for (i, &input) in inputs.iter().enumerate() {
                    copy.map(input, Term::constant(point >> i & 1 == 1));
                }
                copy.apply(aig, term).as_constant()
            };
            for kept in 0..1 << 6 {
                let holds = (0..8).any(|it| value(&mut aig, whole, kept | it << 6) == Some(true));
                assert_eq!(value(&mut aig, projected, kept), Some(holds));
            }
        }
    }
}

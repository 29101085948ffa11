//! Questions to the solver, each asked once whatever its inputs are called: those of a question are renamed in the order
//! in which they are met, so that the solver knows few, and states that differ in names only ask the same.

use std::rc::Rc;

use hardbop_base::{Budget, Exhausted};
use hardbop_smt::{Answer, Model, Solver, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Questions {
    solver: Solver,
    /// The names that are used for inputs of each width.
    names: FxHashMap<u32, Vec<TermId>>,
    /// Sorted conjuncts, and numbers for which all hold, by name.
    answers: FxHashMap<Box<[TermId]>, Option<Rc<Model>>>,
}

impl Questions {
    /// Numbers for which all of these hold; `None` if there are none.
    pub fn ask(
        &mut self,
        terms: &mut Terms,
        question: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<(VarId, u128)>>, Exhausted> {
        let mut renaming = Renaming::default();
        let mut renamed: Vec<TermId> =
            question.iter().map(|&it| self.rename(terms, &mut renaming, it)).collect();
        renamed.sort_unstable();
        renamed.dedup();
        let known = self.answers.get(&renamed[..]).cloned();
        let model = match known {
            Some(model) => model,
            None => {
                let model = match self.solver.check(terms, &renamed, budget) {
                    Answer::Sat => Some(Rc::new(self.solver.model().clone())),
                    Answer::Unsat(_) => None,
                    Answer::Unknown(limit) => return Err(limit),
                };
                self.answers.insert(renamed.into(), model.clone());
                model
            }
        };
        Ok(model.map(|model| {
            renaming.inputs.iter().map(|&(input, name)| (input, model.get(name))).collect()
        }))
    }

    fn rename(&mut self, terms: &mut Terms, renaming: &mut Renaming, root: TermId) -> TermId {
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if renaming.new.contains_key(&term) {
                todo.pop();
                continue;
            }
            let node = terms.node(term);
            let before = todo.len();
            todo.extend(node.operands().filter(|it| !renaming.new.contains_key(it)));
            if todo.len() == before {
                todo.pop();
                let new = self.renamed_node(terms, renaming, term, node);
                renaming.new.insert(term, new);
            }
        }
        renaming.new[&root]
    }

    fn renamed_node(
        &mut self,
        terms: &mut Terms,
        renaming: &mut Renaming,
        term: TermId,
        node: Term,
    ) -> TermId {
        let new = |it: TermId| renaming.new[&it];
        match node {
            Term::Const { .. } => term,
            Term::Var(input) => {
                let width = terms.width(term);
                let (names, n_used) = (
                    self.names.entry(width).or_default(),
                    renaming.n_used.entry(width).or_default(),
                );
                if *n_used == names.len() {
                    names.push(terms.var("name", width));
                }
                let name = names[*n_used];
                *n_used += 1;
                if let Term::Var(name) = terms.node(name) {
                    renaming.inputs.push((input, name));
                }
                name
            }
            Term::Unary(op, a) => terms.unary(op, new(a)),
            Term::Binary(op, a, b) => terms.binary(op, new(a), new(b)),
            Term::Ite(cond, yes, no) => terms.ite(new(cond), new(yes), new(no)),
            Term::Extract { term, high, low } => terms.extract(new(term), high, low),
            Term::SignExtend { term, width } => terms.sign_extend(new(term), width),
            Term::Select { .. } | Term::Store { .. } | Term::ConstArray { .. } => {
                unreachable!("inputs are numbers")
            }
        }
    }
}

#[derive(Default)]
struct Renaming {
    new: FxHashMap<TermId, TermId>,
    n_used: FxHashMap<u32, usize>,
    /// Each input with its name.
    inputs: Vec<(VarId, VarId)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_smt::BinaryOp;

    /// The same question about other inputs is not asked again, and its numbers are theirs.
    #[test]
    fn names_make_no_difference() {
        let (mut terms, mut questions) = (Terms::new(), Questions::default());
        let inputs: Vec<TermId> = (0..4).map(|_| terms.var("input", 8)).collect();
        let mut ask = |terms: &mut Terms, a: TermId, b: TermId| {
            let sum = terms.binary(BinaryOp::Add, a, b);
            let ten = terms.constant(8, 10);
            let is_ten = terms.eq(sum, ten);
            let is_less = terms.ult(a, b);
            let numbers = questions.ask(terms, &[is_ten, is_less], &Budget::default());
            let numbers = numbers.expect("there is no limit").expect("1 and 9 are such numbers");
            let mut model = Model::new();
            numbers.iter().for_each(|&(var, value)| model.set(var, value));
            assert_eq!((terms.eval(is_ten, &model), terms.eval(is_less, &model)), (1, 1));
            questions.answers.len()
        };
        assert_eq!(ask(&mut terms, inputs[0], inputs[1]), 1);
        assert_eq!(ask(&mut terms, inputs[2], inputs[3]), 1);
        let (a, b) = (inputs[0], inputs[1]);
        let (less, more) = (terms.ult(a, b), terms.ult(b, a));
        let both = questions.ask(&mut terms, &[less, more], &Budget::default());
        assert_eq!(both, Ok(None));
    }
}

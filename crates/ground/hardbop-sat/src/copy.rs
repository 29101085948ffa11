//! Formulas with other terms in place of their variables.

use rustc_hash::FxHashMap;

use crate::aig::{Aig, Node, Term};

/// What becomes of a variable that was not given a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmapped {
    /// It stays.
    Keep,
    /// It becomes a new variable, the same for all terms of this copy.
    Fresh,
}

/// A substitution, applied to any number of terms.
#[derive(Clone, Debug)]
pub struct Copy {
    unmapped: Unmapped,
    /// The copies of nodes done so far.
    done: FxHashMap<u32, Term>,
}

impl Copy {
    pub fn new(unmapped: Unmapped) -> Self {
        Copy { unmapped, done: FxHashMap::default() }
    }

    /// Maps a variable; must come before the first use.
    pub fn map(&mut self, input: Term, to: Term) {
        self.done.insert(input.node(), to.negated_if(input.is_negated()));
    }

    /// The term with the substitution applied.
    pub fn apply(&mut self, aig: &mut Aig, term: Term) -> Term {
        self.apply_between(None, aig, term)
    }

    /// The copy in `to` of a term of `from`; `Keep` means the variable of the same number.
    pub fn import(&mut self, from: &Aig, to: &mut Aig, term: Term) -> Term {
        self.apply_between(Some(from), to, term)
    }

    fn apply_between(&mut self, from: Option<&Aig>, to: &mut Aig, term: Term) -> Term {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.done.contains_key(&node) {
                todo.pop();
                continue;
            }
            let copy = match from.map_or_else(|| to.node(node), |from| from.node(node)) {
                Node::False => Term::FALSE,
                Node::Input if self.unmapped == Unmapped::Fresh => to.input(),
                Node::Input => Term::of_node(node),
                Node::And(a, b) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => to.and(a, b),
                    (known, _) => {
                        todo.push(if known.is_none() { a.node() } else { b.node() });
                        continue;
                    }
                },
            };
            self.done.insert(node, copy);
            todo.pop();
        }
        self.done[&term.node()].negated_if(term.is_negated())
    }

    /// The variables that were mapped or renamed, in no particular order, with their copies.
    pub fn inputs<'a>(&'a self, aig: &'a Aig) -> impl Iterator<Item = (Term, Term)> + 'a {
        let is_input = |&(&node, _): &(&u32, &Term)| aig.node(node) == Node::Input;
        self.done.iter().filter(is_input).map(|(&node, &copy)| (Term::of_node(node), copy))
    }

    /// The copy of a term, if it was made already.
    pub fn known(&self, term: Term) -> Option<Term> {
        self.done.get(&term.node()).map(|copy| copy.negated_if(term.is_negated()))
    }
}

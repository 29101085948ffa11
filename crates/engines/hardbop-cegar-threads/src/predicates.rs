//! Predicates: terms over shared variables, or over those of one of many threads. One that speaks of both would have to be
//! changed in all threads whenever somebody writes what is shared; there is none of these. (A thread that is watched is
//! one only: its variables are shared.)

use std::collections::BTreeSet;

use hardbop_smt::{Term, TermId, UnaryOp};

use crate::model::{Model, RoleId, Var};
use crate::terms::replaced;

#[derive(Clone, Debug)]
pub struct Predicate {
    pub term: TermId,
    pub support: Vec<Var>,
    /// Whose threads each have a value of their own; `None` if there is one.
    pub role: Option<RoleId>,
}

#[derive(Default)]
pub struct Predicates {
    pub all: Vec<Predicate>,
}

impl Predicates {
    /// Whether it is new.
    pub fn add(&mut self, predicate: Predicate) -> bool {
        let is_new = self.all.iter().all(|it| it.term != predicate.term);
        if is_new {
            self.all.push(predicate);
        }
        is_new
    }

    /// Those that a thread of the role can see.
    pub fn seen_by(&self, role: RoleId) -> impl Iterator<Item = (usize, &Predicate)> {
        let all = self.all.iter().enumerate();
        all.filter(move |(_, it)| it.role.is_none_or(|it| it == role))
    }
}

/// `None` if the term cannot be one.
pub fn predicate(model: &Model, term: TermId) -> Option<Predicate> {
    if model.terms.as_const(term).is_some() {
        return None;
    }
    let term = match model.terms.node(term) {
        Term::Unary(UnaryOp::Not, a) => a,
        _ => term,
    };
    let cone = model.terms.cone(&[term]);
    let is_free = |it: &TermId| {
        matches!(model.terms.node(*it), Term::Var(_)) && !model.by_term.contains_key(it)
    };
    if cone.iter().any(is_free) {
        return None;
    }
    let support = model.support(term);
    let roles: BTreeSet<Option<RoleId>> = support.iter().map(|&it| model.local_to(it)).collect();
    let mut roles = roles.into_iter();
    let (role, None) = (roles.next()?, roles.next()) else { return None };
    Some(Predicate { term, support, role })
}

/// The conditions that a condition is made of, with choices between values taken apart.
pub fn atoms(model: &mut Model, root: TermId) -> Vec<TermId> {
    const MOST: usize = 200;
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut todo = vec![root];
    while let Some(term) = todo.pop() {
        if !seen.insert(term) || seen.len() > MOST {
            continue;
        }
        let terms = &mut model.terms;
        let operands: Vec<TermId> = terms.node(term).operands().collect();
        let is_logic = match terms.node(term) {
            Term::Const { .. } => continue,
            Term::Unary(..) | Term::Ite(..) => true,
            Term::Binary(..) => operands.iter().all(|&it| terms.width(it) == 1),
            _ => false,
        };
        if is_logic {
            todo.extend(operands);
            continue;
        }
        let choice = terms.cone(&[term]).into_iter().find_map(|it| match terms.node(it) {
            Term::Ite(c, a, b) => Some((it, c, a, b)),
            _ => None,
        });
        match choice {
            Some((choice, c, a, b)) => {
                todo.push(c);
                for taken in [a, b] {
                    todo.push(replaced(terms, term, &|it| (it == choice).then_some(taken)));
                }
            }
            None => found.push(term),
        }
    }
    found
}

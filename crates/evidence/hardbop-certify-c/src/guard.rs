//! The condition under which a path is taken, conjunct by conjunct: paths that part and join again share the conjuncts
//! from before.

use std::rc::Rc;

use hardbop_smt::{TermId, Terms};

/// True, or a conjunct after others.
#[derive(Clone, Default, Debug)]
pub(crate) struct Guard(Option<Rc<Conjunct>>);

#[derive(Debug)]
struct Conjunct {
    cond: TermId,
    /// With all those before.
    all: TermId,
    n_before: usize,
    before: Guard,
}

/// So many of the last conjuncts are looked at for one that says the same, or the opposite.
const RECENT: usize = 32;

impl Guard {
    pub fn add(&mut self, terms: &mut Terms, cond: TermId) {
        if terms.as_const(cond) == Some(1) || self.recent().any(|it| it.cond == cond) {
            return;
        }
        let all = self.term(terms);
        let all = terms.and(all, cond);
        let before = std::mem::take(self);
        self.0 = Some(Rc::new(Conjunct { cond, all, n_before: before.len(), before }));
    }

    pub fn is_false(&self, terms: &mut Terms) -> bool {
        let Some(last) = &self.0 else { return false };
        let not = terms.not(last.cond);
        terms.as_const(last.all) == Some(0) || self.recent().any(|it| it.cond == not)
    }

    pub fn term(&self, terms: &mut Terms) -> TermId {
        self.0.as_ref().map_or_else(|| terms.bool(true), |it| it.all)
    }

    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |it| it.n_before + 1)
    }

    /// From the last to the first.
    fn conjuncts(&self) -> impl Iterator<Item = &Conjunct> {
        std::iter::successors(self.0.as_deref(), |&it| it.before.0.as_deref())
    }

    fn recent(&self) -> impl Iterator<Item = &Conjunct> {
        self.conjuncts().take(RECENT)
    }

    /// The last conjuncts, down to so many from the beginning, the first of them first.
    fn since(&self, n: usize) -> Vec<TermId> {
        let last = self.conjuncts().take(self.len() - n);
        let mut list: Vec<TermId> = last.map(|it| it.cond).collect();
        list.reverse();
        list
    }

    /// What two guards have in common.
    fn common(&self, other: &Guard) -> Guard {
        let (mut a, mut b) = (self.clone(), other.clone());
        let up = |it: Guard| it.0.map_or_else(Guard::default, |it| it.before.clone());
        while a.len() != b.len() {
            match a.len() > b.len() {
                true => a = up(a),
                false => b = up(b),
            }
        }
        while let (Some(x), Some(y)) = (&a.0, &b.0)
            && !Rc::ptr_eq(x, y)
        {
            (a, b) = (up(a), up(b));
        }
        a
    }

    /// The condition of both together, and one that tells them apart: it holds on the first path and not on the
    /// second.
    ///
    /// Soundness: no execution takes both, which is so for paths that parted at a branch.
    pub fn join(&self, other: &Guard, terms: &mut Terms) -> (Guard, TermId) {
        let mut both = self.common(other);
        let (here, there) = (self.since(both.len()), other.since(both.len()));
        let (mine, theirs) = (terms.and_all(&here), terms.and_all(&there));
        let either = terms.or(mine, theirs);
        both.add(terms, either);
        // The first conjunct is where they parted, if one is the negation of the other: the least to say.
        let parted = match (here.first(), there.first()) {
            (Some(&a), Some(&b)) if terms.not(a) == b => a,
            _ => mine,
        };
        (both, parted)
    }
}

impl Drop for Conjunct {
    /// One after the other: a path may be longer than the stack is.
    fn drop(&mut self) {
        let mut before = self.before.0.take();
        while let Some(last) = before {
            before = Rc::into_inner(last).and_then(|mut it| it.before.0.take());
        }
    }
}

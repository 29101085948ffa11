//! The condition under which a path is taken, as a list of conjuncts: paths that part and join again have the
//! conjuncts from before in common.

use hardbop_smt::{TermId, Terms};

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Guard(Vec<TermId>);

impl Guard {
    pub fn add(&mut self, terms: &Terms, cond: TermId) {
        if terms.as_const(cond) != Some(1) && !self.0.contains(&cond) {
            self.0.push(cond);
        }
    }

    pub fn is_false(&self, terms: &mut Terms) -> bool {
        let Some(&last) = self.0.last() else { return false };
        let not = terms.not(last);
        terms.as_const(last) == Some(0) || self.0.contains(&not)
    }

    pub fn term(&self, terms: &mut Terms) -> TermId {
        terms.and_all(&self.0)
    }

    /// The condition of both together, and one that tells them apart: it holds on the first path and not on the
    /// second.
    ///
    /// Soundness: no execution takes both, which is so for paths that parted at a branch.
    pub fn join(&self, other: &Guard, terms: &mut Terms) -> (Guard, TermId) {
        let common = self.0.iter().zip(&other.0).take_while(|(a, b)| a == b).count();
        let (here, there) = (&self.0[common..], &other.0[common..]);
        let (mine, theirs) = (terms.and_all(here), terms.and_all(there));
        let mut both = Guard(self.0[..common].to_vec());
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

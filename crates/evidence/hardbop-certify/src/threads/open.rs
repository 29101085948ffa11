//! Values of which some are open: either value is meant.

use hardbop_base::Bits;

use super::expr::May;
use crate::Rejected;

/// A valuation of variables, some of them open.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Open {
    /// The variables that are not open.
    pub known: Bits,
    /// Their values; a subset of `known`.
    pub values: Bits,
}

/// More outcomes of one statement than any certificate lists.
const MOST: usize = 1 << 20;

impl Open {
    pub fn new(known: Bits, values: Bits) -> Self {
        debug_assert!(values.is_subset(&known));
        Open { known, values }
    }

    /// The variables of both, which share none.
    pub fn joined(&self, other: &Open) -> Open {
        let mut all = self.clone();
        all.known.union_with(&other.known);
        all.values.union_with(&other.values);
        all
    }

    pub fn below(&self, n: usize) -> Open {
        Open { known: self.known.below(n), values: self.values.below(n) }
    }

    pub fn from(&self, n: usize) -> Open {
        Open { known: self.known.from(n), values: self.values.from(n) }
    }

    /// Gives a variable a value, or leaves it open if it may be either.
    pub fn set(&mut self, var: usize, may: May) {
        self.known.set(var, may.only().is_some());
        self.values.set(var, may.only() == Some(true));
    }

    /// What a variable may be.
    pub fn get(&self, var: usize) -> May {
        if self.known.contains(var) { May::be(self.values.contains(var)) } else { May::EITHER }
    }

    /// The same valuations, as a list in none of which one of these variables is open.
    pub fn closed_on(&self, vars: &Bits) -> Result<Vec<Open>, Rejected> {
        let mut all = vec![self.clone()];
        let mut open = vars.clone();
        open.subtract(&self.known);
        for var in open.iter() {
            if 2 * all.len() > MOST {
                let n = open.len();
                return Err(Rejected::Unfit(format!(
                    "{n} values that one statement needs are open"
                )));
            }
            let mut other = all.clone();
            other.iter_mut().for_each(|it| it.set(var, May::be(true)));
            all.iter_mut().for_each(|it| it.set(var, May::be(false)));
            all.append(&mut other);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_splits_on_what_is_open_only() {
        let mut it = Open::default();
        it.set(1, May::be(true));
        it.set(4, May::EITHER);
        assert_eq!(it.get(1), May::be(true));
        let all = it.closed_on(&[1, 2, 4].into_iter().collect()).unwrap();
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|it| it.values.contains(1) && it.known.len() == 3));
        assert!(it.closed_on(&Bits::full(40)).is_err());
    }
}

//! The few values a number can have, as the form of its term shows: a choice between constants, and what is computed
//! of such choices. An index that was counted up on paths that met again is one.

use std::collections::BTreeSet;
use std::rc::Rc;

use hardbop_smt::{BinaryOp, Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// More values are not few.
const MAX_VALUES: usize = 64;
/// Choices and operations inside each other.
const MAX_DEPTH: u32 = 200;

type Values = Option<Rc<BTreeSet<u128>>>;

/// What is known of terms that were asked for. Terms do not change.
#[derive(Default)]
pub(crate) struct FewValues(FxHashMap<TermId, Values>);

impl FewValues {
    /// `None` if they may be many.
    pub fn of(&mut self, terms: &Terms, term: TermId) -> Values {
        self.within(terms, term, MAX_DEPTH)
    }

    fn within(&mut self, terms: &Terms, term: TermId, depth: u32) -> Values {
        if let Some(known) = self.0.get(&term) {
            return known.clone();
        }
        let depth = depth.checked_sub(1)?;
        let width = terms.width(term);
        let values: Option<BTreeSet<u128>> = match terms.node(term) {
            Term::Const { value, .. } => Some(BTreeSet::from([value])),
            Term::Ite(_, a, b) => self.within(terms, a, depth).and_then(|a| {
                let b = self.within(terms, b, depth)?;
                Some(a.union(&b).copied().collect())
            }),
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Mul | BinaryOp::Concat), a, b) => {
                let low = terms.width(b);
                self.within(terms, a, depth).and_then(|a| {
                    let b = self.within(terms, b, depth)?;
                    let both = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
                    let all = both.map(|(x, y)| match op {
                        BinaryOp::Add => cut(x.wrapping_add(y), width),
                        BinaryOp::Mul => cut(x.wrapping_mul(y), width),
                        _ => x << low | y,
                    });
                    Some(all.collect())
                })
            }
            Term::SignExtend { term: of, .. } => {
                let narrow = terms.width(of);
                let is_negative = |it: u128| it >> (narrow - 1) & 1 == 1;
                let high = cut(u128::MAX, width) & !cut(u128::MAX, narrow);
                let wide = |it: u128| if is_negative(it) { it | high } else { it };
                self.within(terms, of, depth).map(|it| it.iter().map(|it| wide(*it)).collect())
            }
            Term::Extract { term: of, low, .. } => self
                .within(terms, of, depth)
                .map(|it| it.iter().map(|it| cut(*it >> low, width)).collect()),
            _ => None,
        };
        let values = values.filter(|it| it.len() <= MAX_VALUES).map(Rc::new);
        self.0.insert(term, values.clone());
        values
    }
}

fn cut(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(terms: &Terms, term: TermId) -> Option<Vec<u128>> {
        FewValues::default().of(terms, term).map(|it| it.iter().copied().collect())
    }

    #[test]
    fn what_is_computed_of_choices_between_constants_has_few_values() {
        let mut terms = Terms::new();
        let conds: Vec<TermId> = (0..8).map(|_| terms.var("cond", 1)).collect();
        let (a, b) = (terms.constant(8, 3), terms.constant(8, 0xfe));
        let small = terms.ite(conds[0], a, b);
        assert_eq!(values(&terms, small), Some(vec![3, 0xfe]));
        let wide = terms.sign_extend(small, 16);
        assert_eq!(values(&terms, wide), Some(vec![3, 0xfffe]));
        let sixteen = terms.constant(16, 16);
        let scaled = terms.mul(wide, sixteen);
        let five = terms.constant(16, 5);
        let place = terms.add(scaled, five);
        assert_eq!(values(&terms, place), Some(vec![53, 0xffe5]));
        let unknown = terms.var("unknown", 16);
        let either = terms.ite(conds[1], place, unknown);
        assert_eq!(values(&terms, either), None);
        // Each step doubles them.
        let mut many = terms.constant(16, 0);
        for (i, &cond) in conds.iter().enumerate() {
            let more = terms.constant(16, 1 << i);
            let next = terms.add(many, more);
            many = terms.ite(cond, next, many);
            assert_eq!(values(&terms, many).map(|it| it.len()), (i < 6).then_some(2 << i));
        }
    }
}

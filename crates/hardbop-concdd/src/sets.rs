//! Sets of thread states by number: a place and a set of values there.
//!
//! Which sets of a place include each other is found out once, when a set appears: subsumption of
//! states (BOOM definition 7.5) then compares numbers.

use std::rc::Rc;

use hardbop_base::{Idx, IndexVec};
use hardbop_conc::counters::LocalId;
use hardbop_conc::identify::perfect_matching;
use hardbop_conc::intern::Interner;
use hardbop_dd::{Dd, Manager};
use rustc_hash::FxHashMap;

use crate::template::Pc;

/// All sets of thread states met so far.
#[derive(Debug, Default)]
pub struct LocalSets {
    sets: Interner<LocalId, (Pc, Dd)>,
    /// The sets of each place.
    at: FxHashMap<Pc, Vec<LocalId>>,
    /// The other sets of the same place that include a set; sorted.
    above: IndexVec<LocalId, Vec<LocalId>>,
}

impl LocalSets {
    pub fn id(&mut self, dd: &Manager, pc: Pc, values: Dd) -> LocalId {
        let id = self.sets.id((pc, values));
        if id.index() < self.above.len() {
            return id;
        }
        let it = self.get(id);
        let mut above = Vec::new();
        for &other in self.at.entry(pc).or_default().iter() {
            let values = &self.sets.get(other).1;
            if dd.leq(&it.1, values) {
                above.push(other);
            } else if dd.leq(values, &it.1) {
                self.above[other].push(id);
            }
        }
        self.above.push(above);
        self.at.entry(pc).or_default().push(id);
        id
    }

    pub fn get(&self, id: LocalId) -> Rc<(Pc, Dd)> {
        self.sets.get(id)
    }

    pub fn pc(&self, id: LocalId) -> Pc {
        self.get(id).0
    }

    /// Whether another set of the same place is known.
    pub fn has_siblings(&self, id: LocalId) -> bool {
        self.at[&self.pc(id)].len() > 1
    }

    /// Whether a larger set of the same place is known.
    pub fn has_larger(&self, id: LocalId) -> bool {
        !self.above[id].is_empty()
    }

    /// Whether the first set is included in the second.
    pub fn leq(&self, small: LocalId, large: LocalId) -> bool {
        small == large || self.above[small].binary_search(&large).is_ok()
    }

    /// Whether the threads of `small` can be given those of `large`, each to one that includes it.
    /// Equal ones can always be given to each other.
    pub fn all_leq(&self, small: &[(LocalId, u32)], large: &[(LocalId, u32)]) -> bool {
        let rest = |of: &[(LocalId, u32)], without: &[(LocalId, u32)]| -> Vec<LocalId> {
            let mut rest = Vec::new();
            for &(id, n) in of {
                let common = without.binary_search_by_key(&id, |it| it.0);
                let common = common.map_or(0, |at| without[at].1);
                rest.extend(std::iter::repeat_n(id, n.saturating_sub(common) as usize));
            }
            rest
        };
        let (small, large) = (rest(small, large), rest(large, small));
        small.len() == large.len()
            && small.iter().all(|&it| self.has_larger(it))
            && perfect_matching(small.len(), |a, b| self.leq(small[a], large[b])).is_some()
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
}

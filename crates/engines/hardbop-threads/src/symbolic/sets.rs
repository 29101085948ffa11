//! Sets of thread states by number: for each of some places, a set of values there.
//!
//! Which sets include each other is found out once, when a set appears: subsumption of states (BOOM
//! definition 7.5) then compares numbers. Only sets with the same places are compared.

use std::rc::Rc;

use crate::counted::counters::LocalId;
use crate::counted::identify::perfect_matching;
use crate::counted::intern::Interner;
use hardbop_base::{Idx, IndexVec, define_id};
use hardbop_dd::{Dd, Manager, OutOfNodes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::symbolic::template::Pc;

define_id!(
    /// The places of a set.
    ShapeId, "shape"
);

/// A set of thread states: places in increasing order, each with its values, none of them empty.
pub type Points = Vec<(Pc, Dd)>;

/// All sets of thread states met so far.
#[derive(Debug, Default)]
pub struct LocalSets {
    sets: Interner<LocalId, Points>,
    shapes: Interner<ShapeId, Vec<Pc>>,
    shape_of: IndexVec<LocalId, ShapeId>,
    /// The sets of each shape.
    with: FxHashMap<ShapeId, Vec<LocalId>>,
    /// The other sets of the same shape that include a set; sorted.
    above: IndexVec<LocalId, Vec<LocalId>>,
}

impl LocalSets {
    pub fn id(&mut self, dd: &Manager, points: Points) -> LocalId {
        let id = self.sets.id(points);
        if id.index() < self.above.len() {
            return id;
        }
        let it = self.get(id);
        let shape = self.shapes.id(it.iter().map(|point| point.0).collect());
        let siblings = self.with.entry(shape).or_default();
        let mut above = Vec::new();
        for &other in siblings.iter() {
            let points = self.sets.get(other);
            if includes(dd, &points, &it) {
                above.push(other);
            } else if includes(dd, &it, &points) {
                self.above[other].push(id);
            }
        }
        siblings.push(id);
        self.above.push(above);
        self.shape_of.push(shape);
        id
    }

    /// The values of all sets.
    pub fn functions(&self) -> Vec<Dd> {
        let mut seen = FxHashSet::default();
        let all = self.sets.iter().flatten().map(|(_, values)| values);
        all.filter(|values| seen.insert(*values)).cloned().collect()
    }

    pub fn get(&self, id: LocalId) -> Rc<Points> {
        self.sets.get(id)
    }

    /// The place and the values of a set with one place.
    pub fn only(&self, id: LocalId) -> (Pc, Dd) {
        let points = self.get(id);
        assert_eq!(points.len(), 1, "a thread that is followed step by step is at one place");
        points[0].clone()
    }

    pub fn shape(&self, id: LocalId) -> ShapeId {
        self.shape_of[id]
    }

    pub fn union(&mut self, dd: &Manager, a: LocalId, b: LocalId) -> Result<LocalId, OutOfNodes> {
        let mut points = (*self.get(a)).clone();
        for (pc, values) in self.get(b).iter() {
            match points.binary_search_by_key(pc, |point| point.0) {
                Ok(at) => points[at].1 = dd.or(&points[at].1, values)?,
                Err(at) => points.insert(at, (*pc, values.clone())),
            }
        }
        Ok(self.id(dd, points))
    }

    /// The thread states of `a` that are not in `b`.
    pub fn minus(&mut self, dd: &Manager, a: LocalId, b: LocalId) -> Result<LocalId, OutOfNodes> {
        let mut points = (*self.get(a)).clone();
        for (pc, values) in self.get(b).iter() {
            if let Ok(at) = points.binary_search_by_key(pc, |point| point.0) {
                points[at].1 = dd.minus(&points[at].1, values)?;
            }
        }
        points.retain(|(_, values)| !dd.is_false(values));
        Ok(self.id(dd, points))
    }

    /// Whether another set of the same shape is known.
    pub fn has_siblings(&self, id: LocalId) -> bool {
        self.with[&self.shape(id)].len() > 1
    }

    /// Whether a larger set of the same shape is known.
    pub fn has_larger(&self, id: LocalId) -> bool {
        !self.above[id].is_empty()
    }

    /// Whether the first set is known to be included in the second.
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

/// Whether every thread state of `small` is one of `large`.
pub fn includes(dd: &Manager, large: &[(Pc, Dd)], small: &[(Pc, Dd)]) -> bool {
    small.iter().all(|(pc, values)| {
        let at = large.binary_search_by_key(pc, |point| point.0);
        at.is_ok_and(|at| dd.leq(values, &large[at].1))
    })
}

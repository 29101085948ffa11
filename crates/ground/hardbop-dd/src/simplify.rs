//! Simplification by a care set: Coudert and Madre's `restrict`.
//!
//! Computes a function that agrees with `f` on the care set and is free elsewhere; it mentions
//! only variables of `f`. It is usually smaller, and never used where it would be larger.

use oxidd::bcdd::BCDDFunction;
use oxidd_core::ApplyCache;
use oxidd_core::Manager as _;
use oxidd_core::function::BooleanFunction;
use oxidd_core::util::AllocResult;
use oxidd_rules_bdd::complement_edge::EdgeTag;

use crate::edge::{
    EdgeRef, Guard, OWN, OwnEdge, OwnOp, Store, View, branch, cache, cofactors_at, not, view,
};
use crate::{Dd, Manager, OutOfNodes};

impl Manager {
    /// Some `g`, not larger than `f`, with `g ∧ care = f ∧ care`. False if the care set is empty.
    pub fn simplify(&self, f: &Dd, care: &Dd) -> Result<Dd, OutOfNodes> {
        if self.is_false(care) {
            return Ok(self.zero().clone());
        }
        let simpler =
            self.create(|store| Dd::of(store, simplify(store, f.edge(store), care.edge(store))))?;
        // Sharing can be lost on the way; then the original is the simpler one.
        let is_smaller = self.node_count(&simpler) < self.node_count(f);
        Ok(if is_smaller { simpler } else { f.clone() })
    }
}

/// `care` is not false.
fn simplify<'id>(
    store: &Store<'id>,
    f: EdgeRef<'_, 'id>,
    care: EdgeRef<'_, 'id>,
) -> AllocResult<OwnEdge<'id>> {
    if f == care {
        return Ok(BCDDFunction::t_edge(store));
    }
    if f == not(care) {
        return Ok(BCDDFunction::f_edge(store));
    }
    let (View::Branch { level, .. }, View::Branch { level: care_level, .. }) =
        (view(store, f), view(store, care))
    else {
        return Ok(store.clone_edge(f));
    };
    // Simplification commutes with complement of f.
    let tag = f.tag();
    let f = f.with_tag(EdgeTag::None);
    let operands = [f, care];
    let key = (&operands[..], &[OwnOp::Simplify as u32][..]);
    let result = match cache(store).get_extended(store, OWN, key) {
        Some(([known], [])) => known,
        None => {
            let result = if care_level < level {
                let (high, low) = cofactors_at(store, care, care_level);
                let either = Guard::new(store, BCDDFunction::or_edge(store, high, low)?);
                simplify(store, f, either.borrowed())?
            } else {
                simplify_branch(store, f, care, level)?
            };
            cache(store).add_extended(store, OWN, key, (&[result.borrowed()], &[]));
            result
        }
    };
    let result_tag = result.tag() ^ tag;
    Ok(result.with_tag(result_tag))
}

/// `f` branches at `level`, `care` there or below.
fn simplify_branch<'id>(
    store: &Store<'id>,
    f: EdgeRef<'_, 'id>,
    care: EdgeRef<'_, 'id>,
    level: u32,
) -> AllocResult<OwnEdge<'id>> {
    let (high, low) = cofactors_at(store, f, level);
    let (care_high, care_low) = cofactors_at(store, care, level);
    if matches!(view(store, care_high), View::Const(false)) {
        return simplify(store, low, care_low);
    }
    if matches!(view(store, care_low), View::Const(false)) {
        return simplify(store, high, care_high);
    }
    let high = Guard::new(store, simplify(store, high, care_high)?);
    let low = Guard::new(store, simplify(store, low, care_low)?);
    branch(store, level, high.into_edge(), low.into_edge())
}

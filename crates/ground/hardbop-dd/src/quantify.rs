//! Quantification over sets of variables, and the relational product.

use oxidd::bcdd::BCDDFunction;
use oxidd_core::function::{BooleanFunctionQuant, BooleanOperator};

use crate::ops::product_edge;
use crate::{Dd, Level, Manager, OutOfNodes};

/// A set of variables to quantify: built once, kept, used often. Results are cached by the cube,
/// so the same set should be the same cube (equal sets are).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// By increasing level, each once.
    levels: Vec<Level>,
    /// The conjunction of the variables.
    dd: Dd,
}

impl Cube {
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

impl Manager {
    /// The levels may come in any order and more than once.
    pub fn cube(&self, levels: impl IntoIterator<Item = Level>) -> Result<Cube, OutOfNodes> {
        let mut levels: Vec<Level> = levels.into_iter().collect();
        levels.sort_unstable();
        levels.dedup();
        let literals: Vec<_> = levels.iter().map(|&level| (level, true)).collect();
        let dd = self.create(|store| Dd::of(store, product_edge(store, &literals)))?;
        Ok(Cube { levels, dd })
    }

    /// `∃ cube. f`
    pub fn exists(&self, f: &Dd, cube: &Cube) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            Dd::of(store, BCDDFunction::exists_edge(store, f.edge(store), cube.dd.edge(store)))
        })
    }

    /// `∀ cube. f`
    pub fn forall(&self, f: &Dd, cube: &Cube) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            Dd::of(store, BCDDFunction::forall_edge(store, f.edge(store), cube.dd.edge(store)))
        })
    }

    /// `∃ cube. f ∧ g` in one pass: the conjunction itself is never built.
    pub fn and_exists(&self, f: &Dd, g: &Dd, cube: &Cube) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            let [f, g, cube] = [f, g, &cube.dd].map(|f| f.edge(store));
            let and = BooleanOperator::And;
            Dd::of(store, BCDDFunction::apply_exists_edge(store, and, f, g, cube))
        })
    }
}

//! The Boolean operations.

use oxidd::bcdd::BCDDFunction;
use oxidd_core::Manager as _;
use oxidd_core::function::BooleanFunction;
use oxidd_core::util::AllocResult;

use crate::edge::{self, Guard, OwnEdge, Store};
use crate::{Dd, Level, Manager, OutOfNodes, Product};

/// An operation of the library on two edges.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $library:ident;)*) => {
        impl Manager {
            $(
                $(#[$doc])*
                pub fn $name(&self, f: &Dd, g: &Dd) -> Result<Dd, OutOfNodes> {
                    self.create(|store| {
                        Dd::of(store, BCDDFunction::$library(store, f.edge(store), g.edge(store)))
                    })
                }
            )*
        }
    };
}

binary! {
    and = and_edge;
    or = or_edge;
    xor = xor_edge;
    /// Equivalence.
    iff = equiv_edge;
    /// `f → g`; to ask whether it holds everywhere, [`Manager::leq`] is cheaper.
    implies = imp_edge;
}

impl Manager {
    /// The variable at a level.
    pub fn var(&self, level: Level) -> Result<Dd, OutOfNodes> {
        self.literal(level, true)
    }

    /// The negated variable at a level.
    pub fn nvar(&self, level: Level) -> Result<Dd, OutOfNodes> {
        self.literal(level, false)
    }

    pub fn literal(&self, level: Level, positive: bool) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            let literal = if positive {
                BCDDFunction::var_edge(store, level.as_u32())
            } else {
                BCDDFunction::not_var_edge(store, level.as_u32())
            };
            Dd::of(store, literal)
        })
    }

    /// The complement; creates no node.
    pub fn not(&self, f: &Dd) -> Dd {
        self.read(|store| Dd::taking(store, store.clone_edge(edge::not(f.edge(store)))))
    }

    /// `f ∧ ¬g`.
    pub fn minus(&self, f: &Dd, g: &Dd) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            let without = edge::not(g.edge(store));
            Dd::of(store, BCDDFunction::and_edge(store, f.edge(store), without))
        })
    }

    pub fn ite(&self, test: &Dd, then: &Dd, otherwise: &Dd) -> Result<Dd, OutOfNodes> {
        self.create(|store| {
            let [test, then, otherwise] = [test, then, otherwise].map(|f| f.edge(store));
            Dd::of(store, BCDDFunction::ite_edge(store, test, then, otherwise))
        })
    }

    /// The conjunction of literals, in any order.
    pub fn product(&self, literals: &[(Level, bool)]) -> Result<Dd, OutOfNodes> {
        let Some(literals) = sorted(literals) else { return Ok(self.zero().clone()) };
        self.create(|store| Dd::of(store, product_edge(store, &literals)))
    }

    /// `f` with the variables of `literals` fixed to their values. Where a variable is given both
    /// values there is no such point, and the answer is false.
    pub fn cofactor(&self, f: &Dd, literals: &[(Level, bool)]) -> Result<Dd, OutOfNodes> {
        let Some(literals) = sorted(literals) else { return Ok(self.zero().clone()) };
        self.create(|store| {
            let fixed = Guard::new(store, product_edge(store, &literals)?);
            Dd::of(store, BCDDFunction::restrict_edge(store, f.edge(store), fixed.borrowed()))
        })
    }
}

/// By increasing level, each once; `None` if a variable and its negation occur.
fn sorted(literals: &[(Level, bool)]) -> Option<Product> {
    let mut literals = literals.to_vec();
    literals.sort_unstable();
    literals.dedup();
    literals.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(literals)
}

/// Built from the bottom, one node a literal.
pub(crate) fn product_edge<'id>(
    store: &Store<'id>,
    literals: &[(Level, bool)],
) -> AllocResult<OwnEdge<'id>> {
    let mut product = BCDDFunction::t_edge(store);
    for &(level, positive) in literals.iter().rev() {
        let zero = BCDDFunction::f_edge(store);
        let (high, low) = if positive { (product, zero) } else { (zero, product) };
        product = edge::branch(store, level.as_u32(), high, low)?;
    }
    Ok(product)
}

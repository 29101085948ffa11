//! The points of a function, one path of its diagram at a time.

use crate::{Dd, Level, Manager, Product};

/// The paths of a diagram that lead to true: pairwise disjoint products whose disjunction is the
/// function. There may be exponentially many; take as many as are wanted.
#[derive(Debug)]
pub struct Paths<'a> {
    manager: &'a Manager,
    /// The literals on the way to the function looked at last.
    prefix: Product,
    waiting: Vec<Pending>,
}

/// A function still to follow.
#[derive(Debug)]
struct Pending {
    function: Dd,
    /// How much of the prefix leads to the node above it.
    shared: usize,
    /// The literal that leads on from there; the root has none.
    literal: Option<(Level, bool)>,
}

impl Manager {
    /// In lexicographic order, false before true.
    pub fn paths(&self, f: &Dd) -> Paths<'_> {
        let root = Pending { function: f.clone(), shared: 0, literal: None };
        Paths { manager: self, prefix: Product::new(), waiting: vec![root] }
    }

    /// A product inside `f`, variables false where they can be; `None` if `f` is false.
    pub fn pick_product(&self, f: &Dd) -> Option<Product> {
        self.paths(f).next()
    }

    /// Values for `levels` with which `f` can be true, variables false where they can be; the
    /// other variables of `f` are chosen and not told. `None` if `f` is false.
    pub fn pick_assignment(&self, f: &Dd, levels: &[Level]) -> Option<Vec<bool>> {
        let product = self.pick_product(f)?;
        let value = |level: &Level| {
            product.binary_search_by_key(level, |literal| literal.0).is_ok_and(|at| product[at].1)
        };
        Some(levels.iter().map(value).collect())
    }
}

impl Iterator for Paths<'_> {
    type Item = Product;

    fn next(&mut self) -> Option<Product> {
        while let Some(Pending { function, shared, literal }) = self.waiting.pop() {
            self.prefix.truncate(shared);
            self.prefix.extend(literal);
            if self.manager.is_true(&function) {
                return Some(self.prefix.clone());
            }
            if let Some((level, high, low)) = self.manager.split(&function) {
                let shared = self.prefix.len();
                for (function, value) in [(high, true), (low, false)] {
                    self.waiting.push(Pending { function, shared, literal: Some((level, value)) });
                }
            }
        }
        None
    }
}

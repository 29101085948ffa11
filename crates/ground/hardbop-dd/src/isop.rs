//! Irredundant sums of products, for certificates and for people.
//!
//! Minato, "Fast generation of irredundant sum-of-products forms from binary decision diagrams"
//! (1992), after Morreale. Given `lower ≤ upper` it computes a sum `s` with `lower ≤ s ≤ upper`
//! from which no product can be left out, and no literal of a product either when the two bounds
//! are equal.
//!
//! The sums of cofactors are shared, as functions are in a diagram: a sum is a node `(level,
//! with ¬level, with level, without it)`. So a function whose sum is far too long to be written
//! costs no more than its diagram suggests, and is refused before anything is written.

use rustc_hash::FxHashMap;

use crate::{Dd, Level, Manager, OutOfNodes, Product, stack};

impl Manager {
    /// An irredundant sum of products of `f`, or `None` if it has more than `max_products`.
    pub fn isop(&self, f: &Dd, max_products: usize) -> Result<Option<Vec<Product>>, OutOfNodes> {
        self.isop_between(f, f, max_products)
    }

    /// An irredundant sum of products that is true on `lower`, false outside `upper` and free
    /// between them, or `None` if it has more than `max_products`. `lower ≤ upper`.
    pub fn isop_between(
        &self,
        lower: &Dd,
        upper: &Dd,
        max_products: usize,
    ) -> Result<Option<Vec<Product>>, OutOfNodes> {
        debug_assert!(self.leq(lower, upper));
        let mut sums = Sums::new(self);
        let (sum, _) = sums.between(lower, upper)?;
        if sums.n_products[sum] > max_products as u64 {
            return Ok(None);
        }
        let mut products = Vec::new();
        sums.write(sum, &mut Product::new(), &mut products);
        Ok(Some(products))
    }
}

/// Index of a sum.
type SumId = usize;

/// The sum without products.
const FALSE: SumId = 0;
/// The sum of the empty product.
const TRUE: SumId = 1;

struct Sums<'a> {
    manager: &'a Manager,
    /// Level, then the sums multiplied by its negation, by itself, by neither; the first two
    /// entries stand for the constants.
    nodes: Vec<(Level, [SumId; 3])>,
    /// Of each sum; saturates.
    n_products: Vec<u64>,
    /// The sum and its function for each pair of bounds met.
    known: FxHashMap<(Dd, Dd), (SumId, Dd)>,
}

impl<'a> Sums<'a> {
    fn new(manager: &'a Manager) -> Self {
        let constant = (Level::from_u32(u32::MAX), [FALSE; 3]);
        Sums {
            manager,
            nodes: vec![constant; 2],
            n_products: vec![0, 1],
            known: FxHashMap::default(),
        }
    }

    fn between(&mut self, lower: &Dd, upper: &Dd) -> Result<(SumId, Dd), OutOfNodes> {
        let m = self.manager;
        if m.is_false(lower) {
            return Ok((FALSE, m.zero().clone()));
        }
        if m.is_true(upper) {
            return Ok((TRUE, m.one().clone()));
        }
        let key = (lower.clone(), upper.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let result = stack::step(|| self.branch(lower, upper))?;
        self.known.insert(key, result.clone());
        Ok(result)
    }

    /// Neither bound is settled, so at least one of them has a topmost variable.
    fn branch(&mut self, lower: &Dd, upper: &Dd) -> Result<(SumId, Dd), OutOfNodes> {
        let m = self.manager;
        let level = [lower, upper].into_iter().filter_map(|f| m.top_level(f)).min();
        let level = level.expect("lower ≤ upper, and constants were settled before");
        let (lower_high, lower_low) = m.cofactors_by(lower, level);
        let (upper_high, upper_low) = m.cofactors_by(upper, level);

        // Points that only a product with the literal can cover.
        let (low_sum, low) = self.between(&m.minus(&lower_low, &upper_high)?, &upper_low)?;
        let (high_sum, high) = self.between(&m.minus(&lower_high, &upper_low)?, &upper_high)?;
        // What these leave over is covered without the variable.
        let rest = m.or(&m.minus(&lower_low, &low)?, &m.minus(&lower_high, &high)?)?;
        let (rest_sum, rest) = self.between(&rest, &m.and(&upper_low, &upper_high)?)?;

        let function = m.or(&m.ite(&m.var(level)?, &high, &low)?, &rest)?;
        Ok((self.node(level, [low_sum, high_sum, rest_sum]), function))
    }

    fn node(&mut self, level: Level, parts: [SumId; 3]) -> SumId {
        let [low, high, rest] = parts;
        if low == FALSE && high == FALSE {
            return rest;
        }
        let count =
            parts.iter().fold(0, |sum: u64, &part| sum.saturating_add(self.n_products[part]));
        self.nodes.push((level, parts));
        self.n_products.push(count);
        self.nodes.len() - 1
    }

    /// Appends the products of a sum, each multiplied by `prefix`. Empty sums are not entered, so
    /// the time is that of writing.
    fn write(&self, sum: SumId, prefix: &mut Product, products: &mut Vec<Product>) {
        match sum {
            FALSE => {}
            TRUE => products.push(prefix.clone()),
            _ => stack::step(|| {
                let (level, [low, high, rest]) = self.nodes[sum];
                for (part, value) in [(low, false), (high, true)] {
                    prefix.push((level, value));
                    self.write(part, prefix, products);
                    prefix.pop();
                }
                self.write(rest, prefix, products);
            }),
        }
    }
}

impl Manager {
    /// Both cofactors by a level that is not below the top of `f`, true first.
    fn cofactors_by(&self, f: &Dd, level: Level) -> (Dd, Dd) {
        match self.split(f) {
            Some((top, high, low)) if top == level => (high, low),
            _ => (f.clone(), f.clone()),
        }
    }
}

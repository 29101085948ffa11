//! Levels and products of literals.

hardbop_base::define_id!(
    /// A variable, named by its place in the order: level 0 is at the top of every diagram.
    Level,
    "x"
);

/// A conjunction of literals, by increasing level: `(level, true)` is the variable itself,
/// `(level, false)` its negation. The empty product is true.
pub type Product = Vec<(Level, bool)>;

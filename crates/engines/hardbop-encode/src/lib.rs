//! Boolean programs as decision diagrams: what every engine over diagrams shares.
//!
//! Reading order: [`slots`] gives variables their levels, [`encode`] makes diagrams of expressions,
//! [`transfer`] makes relations of statements. [`limits`] bounds their size, [`reorder`] finds a better
//! order of variables for diagrams that have grown past one.

pub mod encode;
pub mod limits;
pub mod reorder;
pub mod slots;
pub mod transfer;

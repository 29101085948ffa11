//! Boolean programs as decision diagrams: what every engine over diagrams shares.
//!
//! Reading order: [`slots`] gives variables their levels, [`encode`] makes diagrams of expressions,
//! [`transfer`] makes relations of statements. [`limits`] bounds their size.

pub mod encode;
pub mod limits;
pub mod slots;
pub mod transfer;

//! Any number of threads over decision diagrams: the engine `karp-miller`.
//!
//! Threads move as in the engine `counter` (`hardbop-threads`); traces and certificates are those of the engines
//! that enumerate (`hardbop-threads`). Reading order: [`omega`], [`maximal`], [`km_search`],
//! [`km_certificate`], [`karp_miller`].

pub mod karp_miller;
pub mod km_certificate;
pub mod km_search;
pub mod maximal;
pub mod omega;

pub use karp_miller::KarpMiller;

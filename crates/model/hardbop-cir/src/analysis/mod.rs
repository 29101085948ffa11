//! Facts about programs, one analysis per file; all are deterministic.

pub mod footprint;
pub mod graph;
pub mod holding;
pub mod liveness;
pub mod pointsto;
pub mod postdom;
pub mod ranges;
pub mod size;

pub use footprint::Footprints;
pub use pointsto::PointsTo;
pub use ranges::{Differences, Interval, Ranges};
pub use size::{Size, needed_state_bits};

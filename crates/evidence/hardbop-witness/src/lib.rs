//! Witnesses of SV-COMP, format 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček 2024: "Software
//! Verification Witnesses 2.0"), as other tools write them.
//!
//! ```text
//! bytes ─ yaml ─► Yaml ─ read ─► Witness ─ weave ─► text of the program with the claims of the witness in it
//! ```
//! An invariant becomes a call of a function that must not be called, where it is false. Waypoints become a counter of
//! the segments that an execution has passed. The program that comes out is checked like any other, so that engines know
//! nothing of witnesses. Only text is handled here: no file, no IR.
//!
//! Reading order: [`yaml`], [`witness`], [`tokens`], [`expression`], [`place`], [`weave`](mod@weave).

pub mod expression;
pub mod place;
pub mod tokens;
pub mod weave;
pub mod witness;
pub mod yaml;

pub use place::Refused;
pub use weave::{BROKEN, Misplaced, PASSED, SEGMENT, Woven, weave};
pub use witness::{
    Action, Content, Invariant, InvariantKind, Location, Waypoint, WaypointKind, Witness,
};

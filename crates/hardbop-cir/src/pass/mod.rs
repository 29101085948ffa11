//! Passes that make programs smaller and keep their verdicts, one file each.

pub mod unreachable;

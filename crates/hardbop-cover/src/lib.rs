//! Coverability.

//! Facts about programs.

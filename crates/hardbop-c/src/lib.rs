//! The C front end.

pub mod syntax;

//! Syntax: text to tokens to trees.
//!
//! We parse C ourselves. The parser we measured (`lang-c`) does not read `a ?: b`, `__int128`,
//! `__thread`, names with `$`, computed `goto` and some builtins, has no recovery from comments and
//! overflows the stack on deep input; rewriting tokens to get around that is more code than a
//! grammar, and a rewriting that is wrong is a wrong verdict.

pub mod ast;
mod attributes;
pub mod contract;
mod decl;
mod expr;
pub mod known;
mod later;
pub mod lexer;
pub mod literal;
mod parser;
pub mod pragma;
mod recover;
mod specs;
mod stmt;
mod unknown_type;
pub mod walk;
mod words;

pub use parser::{MAX_DEPTH, Unit, parse};

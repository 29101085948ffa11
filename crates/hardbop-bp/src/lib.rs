//! The Boolean program language.
//!
//! Reading order: [`ast`], then the way of a file: lexer, parser, lowering; the printer is the
//! formatter. Parsing never fails: it returns what it could read and the list of mistakes.

pub mod ast;

//! The Boolean program language.
//!
//! Reading order: [`ast`], then the way of a file: `load`, `lexer`, `parser`, `lower`; the printer
//! is the formatter. Parsing never fails: it returns what it could read and the list of mistakes.

pub mod ast;
mod lexer;
mod load;
mod lower;
mod parser;
mod print;
mod scope;
mod token;
pub mod words;

pub use load::{
    LoadedBytes, Refused, load, load_bytes, load_within, parse, parse_bytes, parse_within, text_of,
};
pub use print::print;

//! The text form: one declaration or instruction per line, read back to the same program.
//!
//! ```text
//! cir 1 ptr 64 main f0
//! var v0 i32 s global "x" = i32:5 @4..5
//! object o0 global 8 const "\"hi\"" { 0 i8:104 ; 1 i8:105 } @-
//! check c0 assert "assertion `x` may fail" @10..20
//! assume "memory allocation succeeds"
//! func f0 i32 "main" ( v1 v2 ) @0..3
//! block @4..6
//!   set v1 (add v1 i32:1) @4..5
//!   branch (ne v1 i32:0) b1 b2
//! ```
//! Shapes of objects are for people who read traces; they are not part of the text.

mod names;
mod print;
mod read;

pub use print::print;
pub use read::{ReadError, read};

//! The explorer: a page that shows results step by step.
//!
//! The page is one file: markup, style, program and data. `hardbop check --html` writes it, `hardbop explore`
//! serves it on loopback. What it shows is `hardbop.result/1`, with the sources and graphs the results speak of.
//! The program is TypeScript (`web/`), built once and embedded; building this crate needs no Node.

#![warn(missing_docs)]

pub mod graphs;
mod page;
mod server;

pub use page::{Item, page, policy};
pub use server::Server;

//! The language server behind `hardbop lsp`: mistakes while typing, checks in the background, navigation.
//!
//! ```text
//! client ─ transport ─► server ─┬─ documents: the text as it is typed, saved or not
//!                       (loop)  ├─ reading: text ─► mistakes           ┐ threads that can be
//!                         ▲     ├─ checking: text ─► facade ─► record  ┘ told to stop
//!                         │     └─ bp, c: what a name stands for, symbols, folds, format, …
//!                         └────── events of those threads
//! ```
//! One thread owns all state and never waits for a check. Whatever the client sends, the server answers or keeps
//! still: messages that are no messages, methods that are none, positions outside of the text.
//!
//! Reading order: `server`, `documents`, `positions`, `reading`, `checking`, `verdict`, then `bp`.

mod bp;
mod c;
mod checking;
mod client;
mod commands;
mod diagnostics;
mod documents;
mod failure;
mod handshake;
mod lenses;
mod pages;
mod positions;
mod reading;
mod routes;
mod server;
mod settings;
mod transport;
mod verdict;

pub use server::{Ended, serve};
pub use transport::connect;

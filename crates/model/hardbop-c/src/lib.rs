//! The C front end: from C source to a checked program IR.
//!
//! [`load()`] reads files through a [`Loader`] the caller passes in, parses, lowers and links them.
//! This crate does no IO of its own but for [`loader::SystemLoader`], which the command line uses.
//!
//! Reading order: [`loader`], [`compile_commands`], [`mod@load`], [`source`], [`syntax`], [`types`],
//! [`lower`], [`builtins`], [`library`], [`locks`], [`goals`], [`prp`], [`property`].

pub mod builtins;
mod child;
pub mod compile_commands;
pub mod goals;
pub mod headers;
pub mod library;
pub mod load;
pub mod loader;
pub mod locks;
pub mod lower;
pub mod property;
pub mod prp;
mod scoped;
mod scratch;
pub mod source;
mod standard;
pub mod syntax;
pub mod text;
pub mod types;
mod unsaved;

pub use goals::Goals;
pub use load::{CProgram, load, load_text};
pub use loader::{Loader, SystemLoader};
pub use lower::{Options, Returns};
pub use source::{Position, Sources};
pub use types::DataModel;

//! Symbolic execution of the C program IR: what instructions do to a state whose registers and bytes
//! are terms (King, CACM 1976), with states merged where paths meet.
//!
//! The [`Executor`] knows instructions and no loops. How a program is gone through is up to who asks:
//!
//! ```text
//!              ┌─ Walk + Policy   whole runs, calls in place; loops as the policy says
//! Executor ◄───┼─ stretch         from one cut to the next ones        (engine cegar)
//!              └─ step            one block from an arbitrary state    (engine fsoft)
//! ```
//! Policies live with their engines: bounds in `hardbop-bmc`, induction in `hardbop-kind`.
//!
//! Wherever the executor knows less than the program does it either keeps more behaviours (a fresh
//! variable) or gives the path up, which is remembered in [`Facts`]. So what is true of all states
//! that were not given up is true of all executions.
//!
//! Reading order: [`value`], [`layout`], [`notes`], [`chunks`], [`state`], [`executor`], `ops`, `objects`, `expr`,
//! `float`, `access`, `blocks`, `addresses`, `shadows`, `texts`, `conds`, `leak`, `going_on`, [`forget`], [`calls`]; [`order`], [`walk`]; [`region`], [`step`]; [`model`].

mod access;
mod addresses;
mod blocks;
pub mod calls;
pub mod chunks;
mod conds;
pub mod executor;
mod expr;
mod float;
pub mod forget;
mod going_on;
pub mod layout;
mod leak;
pub mod model;
pub mod notes;
mod objects;
mod ops;
pub mod order;
mod places;
pub mod region;
mod shadows;
pub mod state;
pub mod step;
mod texts;
pub mod value;
pub mod walk;

pub use executor::{Executor, Facts, Input, Knowledge, Stance};
pub use expr::binary;
pub use walk::{Called, LoopId, Policy, Visit, Walk};

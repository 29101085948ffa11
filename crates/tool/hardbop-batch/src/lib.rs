//! Many checks: plans become tasks, tasks have keys, results by key live in one store, and a pool of processes works
//! on what has no result yet.
//!
//! Read in this order: [`task`], [`plan`], [`key`], [`store`], [`pool`], [`batch`], [`split`], [`report`]. The command line is a
//! thin layer above; no engine is known here, only the command `hardbop check` and what it prints.

#![warn(missing_docs)]

pub mod batch;
pub mod error;
pub mod key;
pub mod limits;
pub mod plan;
pub mod pool;
pub mod report;
pub mod row;
pub mod shard;
pub mod slurm;
pub mod split;
mod stat;
pub mod store;
pub mod task;
pub mod tool;
pub mod units;
pub mod verify;

pub use error::Trouble;

//! What a run is given, and what comes out of it.

use hardbop_base::{Budget, Exhausted, Name, Span};
use rustc_hash::FxHashMap;

use super::memory::{Addresses, Fault, Placed};
use super::race::Race;
use super::schedule::{Schedule, Turn};
use super::took::Took;
use crate::check::{CheckId, Class};
use crate::program::{FuncId, ObjId, Source, VarId};

/// How to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The inputs in the order they are asked for; then 0.
    pub inputs: Vec<u128>,
    /// Instead of those: for each register its arbitrary values, in order; then 0.
    pub inputs_of: Option<FxHashMap<VarId, Vec<u128>>>,
    /// What standard input holds; without it, its bytes are inputs as others are.
    pub stdin: Option<Vec<u8>>,
    /// What bytes of memory hold that have no value yet, times the number of their object, counted from
    /// 1: unless it is 0, what was never written differs from object to object.
    pub fresh_byte: u8,
    /// Classes whose checks are looked at; others count as absent.
    pub classes: Vec<Class>,
    pub max_steps: u64,
    pub max_depth: usize,
    /// Instances of objects, dead ones included.
    pub max_instances: usize,
    /// Of one instance, and of all that are alive.
    pub max_bytes: u64,
    pub ends_at: EndsAt,
    /// Where objects lie.
    pub addresses: Addresses,
    /// Addresses to be taken instead, where they are possible.
    pub placed: Placed,
    /// Which thread runs when.
    pub schedule: Schedule,
    pub budget: Budget,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            inputs: Vec::new(),
            inputs_of: None,
            stdin: None,
            fresh_byte: 0,
            classes: Class::ALL.to_vec(),
            max_steps: u64::MAX,
            max_depth: 100_000,
            max_instances: usize::MAX,
            max_bytes: 1 << 30,
            ends_at: EndsAt::Fatal,
            addresses: Addresses::Rise,
            placed: Placed::new(),
            schedule: Schedule::default(),
            budget: Budget::unlimited(),
        }
    }
}

/// Which violations end a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndsAt {
    /// Those after which nothing sensible follows.
    Fatal,
    /// And this one.
    Check(CheckId),
    /// Each.
    Any,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// `main` returned, or `exit` was called.
    Exit(u8),
    Abort,
    /// The check failed.
    Violation(CheckId),
    /// An assumption does not hold on these inputs.
    AssumptionFailed(Span),
    /// An access without meaning, with no check that was looked at before it.
    Undefined(Fault, Span),
    Unsupported(Name, Span),
    /// Marked as impossible, but it was not.
    Unreachable(Span),
    /// Threads wait, and none of those left can move.
    Deadlock,
    /// Too many steps or calls.
    TooLong,
    Exhausted(Exhausted),
}

#[derive(Clone, Debug)]
pub struct Run {
    pub ending: Ending,
    /// What was written to standard output.
    pub output: Vec<u8>,
    pub n_steps: u64,
    /// Checks that failed and let the execution go on, each once.
    pub violations: Vec<CheckId>,
    /// The inputs asked for, with their source and value.
    pub inputs: Vec<(Source, u128)>,
    /// What it took that C does not determine.
    pub took: Took,
    /// Where each of the calls was when it ended, outermost first.
    pub stack: Vec<(FuncId, Span)>,
    /// Where it was lost: an object of which an instance was lost.
    pub leaked: Option<ObjId>,
    /// The object that the violated check is about, where it asks about one.
    pub faulty: Option<ObjId>,
    /// Which thread ran when, from the start of the first beside `main` on.
    pub turns: Vec<Turn>,
    /// The first two accesses that nothing orders.
    pub race: Option<Race>,
}

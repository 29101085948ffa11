//! Families of programs whose verdict is known by construction, each in a size the user chooses.
//!
//! A family is a row of [`all`]. Its text begins with comments in the notation of our file tests:
//! `// expect:`, `// goal:`, `// threads:`, `// initial-threads:`, and why the verdict holds.

mod args;
mod arithmetic;
mod bebop;
mod bluetooth;
mod calls;
mod lockfree;
mod locks;
mod rendezvous;
mod text;
mod wide;

use args::{Args, Param, Threads, Variant};

/// One family of programs.
pub struct Family {
    /// As on the command line: `hardbop gen NAME ARGS`.
    pub name: &'static str,
    /// The arguments as a user writes them: `BITS [safe|unsafe]`.
    pub usage: &'static str,
    /// What the programs are and what growth to expect of an engine.
    pub about: &'static str,
    /// The program's text, or what is wrong with the arguments.
    pub generate: fn(&[String]) -> Result<String, String>,
}

/// Every family, sequential ones first.
pub fn all() -> &'static [Family] {
    &[
        bebop::BEBOP_T,
        wide::MANY_GLOBALS,
        wide::DRIVERS,
        calls::CALL_CHAIN,
        calls::MUTUAL_RECURSION,
        calls::FAN_IN,
        calls::SHARED_CALLEES,
        arithmetic::COUNTER,
        arithmetic::STRAIGHT,
        arithmetic::ADDER,
        arithmetic::COMPARATOR,
        bluetooth::BLUETOOTH,
        bluetooth::BLUETOOTH_FIXED,
        locks::SPIN_LOCK,
        locks::TICKET_LOCK,
        locks::READERS_WRITERS,
        lockfree::WORK_QUEUE,
        lockfree::CAS_STACK,
        rendezvous::BARRIER,
        rendezvous::TOKEN_RING,
    ]
}

/// The family of this name.
pub fn find(name: &str) -> Option<&'static Family> {
    all().iter().find(|family| family.name == name)
}

//! Why a program is safe, for people: a line for each place.

use std::fmt::Write;

use crate::explain::Invariant;

/// The places in their order.
pub fn invariants(list: &[Invariant]) -> String {
    let mut out = String::from("\n");
    for it in list {
        let line = it.line.map(|line| format!("line {line}, ")).unwrap_or_default();
        writeln!(out, "  {line}{}: {}", it.at, it.holds).expect("writing to a string");
    }
    out
}

//! Small procedures for tests of graph algorithms.

use hardbop_base::Name;

use crate::build::ProcBuilder;
use crate::program::{Action, Loc, Proc};

/// Locations 0 to `n`, 0 being the exit and 1 the entry.
pub(crate) fn graph(n: u32, edges: &[(u32, u32)]) -> Proc {
    let mut builder = ProcBuilder::new(Name::from("f"), None);
    for _ in 0..n {
        builder.loc(None);
    }
    builder.entry(Loc::from_u32(1));
    for &(from, to) in edges {
        builder.edge(Loc::from_u32(from), Action::Skip, Loc::from_u32(to));
    }
    builder.finish()
}

/// Random edges over up to `largest` statements and the exit, the same for the same seed.
pub(crate) fn random_edges(seed: u64, largest: u64) -> (u32, Vec<(u32, u32)>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut next = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let n = 1 + next(largest);
    let edges = (0..next(3 * n)).map(|_| (1 + next(n) as u32, next(n + 1) as u32)).collect();
    (n as u32, edges)
}

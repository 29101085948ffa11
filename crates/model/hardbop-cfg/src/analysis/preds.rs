//! The way back: which edges lead to a location.

use super::lists::Lists;
use crate::program::{Action, Edge, EdgeId, Loc, Proc, Spawn};

/// The predecessors within one procedure.
#[derive(Clone, Debug)]
pub struct Preds {
    edges: Lists<EdgeId>,
    starts: Lists<EdgeId>,
}

impl Preds {
    pub fn of(proc: &Proc) -> Self {
        let (mut edges, mut starts) = (Vec::new(), Vec::new());
        for (id, edge) in proc.edges.iter_enumerated() {
            if edge.falls_through() {
                edges.push((edge.to.as_u32(), id));
            }
            if let Some(target) = edge.starts_at() {
                starts.push((target.as_u32(), id));
            }
        }
        let n = proc.locs.len();
        Preds { edges: Lists::group(n, &edges), starts: Lists::group(n, &starts) }
    }

    /// The edges after which the thread is at `loc`; a call counts as one, the end of a thread not.
    pub fn edges(&self, loc: Loc) -> &[EdgeId] {
        self.edges.of(loc.as_u32() as usize)
    }

    /// The edges that start a new thread at `loc`.
    pub fn starts(&self, loc: Loc) -> &[EdgeId] {
        self.starts.of(loc.as_u32() as usize)
    }
}

impl Edge {
    /// Where in this procedure the edge starts a new thread.
    pub fn starts_at(&self) -> Option<Loc> {
        match &self.action {
            Action::StartThread(spawn) => match **spawn {
                Spawn::Goto(target) => Some(target),
                Spawn::Call { .. } => None,
            },
            _ => None,
        }
    }
}

/// The control graph of one procedure as lists. A thread started at a location of the same
/// procedure gets there from the statement that starts it: those are edges here too, so that what
/// only a new thread runs has its place in every order.
#[derive(Debug)]
pub(crate) struct ControlGraph {
    pub(crate) entry: u32,
    pub(crate) succ: Lists<u32>,
    pub(crate) pred: Lists<u32>,
}

impl ControlGraph {
    pub(crate) fn of(proc: &Proc) -> Self {
        let mut forth = Vec::with_capacity(proc.edges.len());
        for edge in &proc.edges {
            let falls = edge.falls_through().then_some(edge.to);
            let targets = falls.into_iter().chain(edge.starts_at());
            forth.extend(targets.map(|to| (edge.from.as_u32(), to.as_u32())));
        }
        let back: Vec<(u32, u32)> = forth.iter().map(|&(from, to)| (to, from)).collect();
        let n = proc.locs.len();
        let (succ, pred) = (Lists::group(n, &forth), Lists::group(n, &back));
        ControlGraph { entry: proc.entry.as_u32(), succ, pred }
    }
}

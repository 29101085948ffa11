//! A shortest trace, read off the tabulation (BEB section 3.2).
//!
//! Each path edge knows the last step of a cheapest way from its entry, each entry the nearest call
//! it was met from. Going back along these and writing out every summary as the call it stands for
//! gives a run with the fewest statements; `tabulate` says why.

use hardbop_base::Bits;
use hardbop_cfg::{EdgeId, EdgeRef, Program};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Event, Initial, Step, ThreadIx, Trace};

use crate::tabulate::{Found, Origin, PathId, Tabulation};

/// Longer traces are not written out: summaries nest, so a run can be exponentially longer than
/// the work that found it.
pub const MAX_STATEMENTS: u64 = 1 << 21;

/// The run to `found`; `None` if it is longer than [`MAX_STATEMENTS`].
pub fn shortest_trace(program: &Program, table: &Tabulation<'_>, found: &Found) -> Option<Trace> {
    if found.n_statements > MAX_STATEMENTS {
        return None;
    }
    let mut writer = Writer { table, todo: Vec::new(), steps: Vec::new() };
    let start = writer.plan(found.path);
    writer.write();
    if let GoalSite::Assert(edge) = found.site {
        writer.step(Event::Violate(edge), &table.paths[found.path].scope);
    }
    let n_shared = program.n_shared();
    let initial = Initial { shared: start.below(n_shared), locals: vec![start.from(n_shared)] };
    Some(Trace::flat(initial, writer.steps))
}

struct Writer<'a> {
    table: &'a Tabulation<'a>,
    /// What is still to be written, the next last.
    todo: Vec<Part>,
    steps: Vec<Step>,
}

/// A part of the run.
enum Part {
    /// From the entry of a path edge to the path edge.
    UpTo(PathId),
    Step(PathId, EdgeId),
    /// The step by which a call at the first enters the entry of the second.
    Enter {
        call: PathId,
        edge: EdgeId,
        inside: PathId,
    },
    /// The step by which control comes back to the path edge after a call.
    Return(PathId),
}

impl Writer<'_> {
    /// Plans the run to a path edge: up to each pending call, into it, and on. Returns the scope
    /// the run starts in.
    fn plan(&mut self, goal: PathId) -> Bits {
        let mut inside = goal;
        loop {
            self.todo.push(Part::UpTo(inside));
            let entry = &self.table.entries[self.table.paths[inside].entry];
            let Some((call, edge)) = entry.nearest_call else { return entry.scope.clone() };
            self.todo.push(Part::Enter { call, edge, inside });
            inside = call;
        }
    }

    fn write(&mut self) {
        let table = self.table;
        while let Some(part) = self.todo.pop() {
            match part {
                Part::UpTo(path) => match table.paths[path].origin {
                    Origin::Entry => {}
                    Origin::Step { from, edge } => {
                        self.todo.extend([Part::Step(path, edge), Part::UpTo(from)]);
                    }
                    Origin::Call { call, edge, exit } => self.todo.extend([
                        Part::Return(path),
                        Part::UpTo(exit),
                        Part::Enter { call, edge, inside: exit },
                        Part::UpTo(call),
                    ]),
                },
                Part::Step(path, edge) => {
                    let event = Event::Take(self.edge_ref(path, edge));
                    self.step(event, &table.paths[path].scope);
                }
                Part::Enter { call, edge, inside } => {
                    let event = Event::Take(self.edge_ref(call, edge));
                    self.step(event, &table.entries[table.paths[inside].entry].scope);
                }
                Part::Return(path) => self.step(Event::Return, &table.paths[path].scope),
            }
        }
    }

    fn edge_ref(&self, path: PathId, edge: EdgeId) -> EdgeRef {
        EdgeRef { proc: self.table.entries[self.table.paths[path].entry].proc, edge }
    }

    fn step(&mut self, event: Event, after: &Bits) {
        let thread = ThreadIx::from_u32(0);
        self.steps.push(Step { thread, event, after: after.clone(), others: Vec::new() });
    }
}

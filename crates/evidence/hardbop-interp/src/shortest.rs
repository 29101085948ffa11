//! A shortest trace, read off the tabulation (BEB section 3.2).
//!
//! Each path edge knows the last step of a cheapest way from its entry, each entry the nearest call
//! it was met from. Going back along these, every summary as the passage it stands for,
//! gives a run with the fewest statements; `tabulate` says why.

use hardbop_base::{Bits, IndexVec};
use hardbop_cfg::{EdgeId, EdgeRef, Program};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Event, Initial, Passage, PassageId, Step, ThreadIx, Trace};
use rustc_hash::FxHashMap;

use crate::tabulate::{Found, Origin, PathId, Tabulation};

/// The run to `found`.
pub fn shortest_trace(program: &Program, table: &Tabulation<'_>, found: &Found) -> Trace {
    let mut writer = Writer {
        table,
        todo: Vec::new(),
        steps: vec![Vec::new()],
        passages: IndexVec::new(),
        known: FxHashMap::default(),
    };
    let start = writer.plan(found.path);
    writer.write();
    if let GoalSite::Assert(edge) = found.site {
        writer.step(Event::Violate(edge), &table.paths[found.path].scope);
    }
    let n_shared = program.n_shared();
    let initial = Initial { shared: start.below(n_shared), locals: vec![start.from(n_shared)] };
    let steps = writer.steps.pop().expect("the run is at the bottom");
    Trace { initial, steps, passages: writer.passages }.readable()
}

struct Writer<'a> {
    table: &'a Tabulation<'a>,
    /// What is still to be written, the next last.
    todo: Vec<Part>,
    /// The steps of the run, and above them those of passages under way.
    steps: Vec<Vec<Step>>,
    passages: IndexVec<PassageId, Passage>,
    /// By the path edge at the exit.
    known: FxHashMap<PathId, PassageId>,
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
    /// The step over a call by the passage to `exit`, to the path edge `to`.
    Over {
        to: PathId,
        edge: EdgeId,
        exit: PathId,
    },
    /// The passage to a path edge at an exit is written.
    End(PathId),
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
                    Origin::Call { call, edge, exit } => {
                        self.todo.extend([Part::Over { to: path, edge, exit }, Part::UpTo(call)]);
                    }
                },
                Part::Step(path, edge) => {
                    let event = Event::Take(self.edge_ref(path, edge));
                    self.step(event, &table.paths[path].scope);
                }
                Part::Enter { call, edge, inside } => {
                    let event = Event::Take(self.edge_ref(call, edge));
                    self.step(event, &table.entries[table.paths[inside].entry].scope);
                }
                Part::Over { to, edge, exit } => match self.known.get(&exit) {
                    Some(&passage) => {
                        let event = Event::Over(self.edge_ref(to, edge), passage);
                        self.step(event, &table.paths[to].scope);
                    }
                    None => {
                        self.steps.push(Vec::new());
                        let again = Part::Over { to, edge, exit };
                        self.todo.extend([again, Part::End(exit), Part::UpTo(exit)]);
                    }
                },
                Part::End(exit) => {
                    let entry = &table.entries[table.paths[exit].entry];
                    let steps = self.steps.pop().expect("a passage was begun");
                    let passage = Passage { proc: entry.proc, entry: entry.scope.clone(), steps };
                    let id = self.passages.push(passage);
                    self.known.insert(exit, id);
                }
            }
        }
    }

    fn edge_ref(&self, path: PathId, edge: EdgeId) -> EdgeRef {
        EdgeRef { proc: self.table.entries[self.table.paths[path].entry].proc, edge }
    }

    fn step(&mut self, event: Event, after: &Bits) {
        let thread = ThreadIx::from_u32(0);
        let steps = self.steps.last_mut().expect("the run is at the bottom");
        steps.push(Step { thread, event, after: after.clone(), others: Vec::new() });
    }
}

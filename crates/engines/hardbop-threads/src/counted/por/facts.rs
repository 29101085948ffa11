//! What is known of each location before any state is seen.

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cfg::analysis::{
    AtomicFuture, CallGraph, Effects, Footprint, Future, LocMap, Reading, reverse_postorder,
};
use hardbop_cfg::{Action, Edge, EdgeRef, Expr, ExprId, Goal, Loc, LocRef, Proc, ProcId, Program};

/// Facts about every location.
#[derive(Debug)]
pub struct Facts<'a> {
    program: &'a Program,
    effects: Effects,
    sections: AtomicFuture,
    future: Future,
    /// Of all edges out of a location, `atomic_begin` with its section; of the return at an exit.
    steps: LocMap<Footprint>,
    /// Locations whose step never blocks, starts nothing and closes no cycle: see [`Facts::is_plain`].
    plain: LocMap<bool>,
    /// Locations from which a thread may start another, by itself or by one it started.
    starts: LocMap<bool>,
    /// The number of each procedure's location 0.
    first: IndexVec<ProcId, usize>,
}

impl<'a> Facts<'a> {
    pub fn of(program: &'a Program, goal: &Goal, exhaustive: bool) -> Self {
        let reading = if exhaustive || *goal != Goal::Assert {
            Reading::DependencePastAsserts
        } else {
            Reading::Dependence
        };
        let effects = Effects::of(program, reading);
        let calls = CallGraph::of(program);
        let sections = AtomicFuture::of(program, &effects, &calls);
        let future = Future::of(program, &effects, &calls);
        let mut steps = LocMap::new(program, Footprint::default());
        for (at, _) in program.all_locs() {
            let body = &program.procs[at.proc];
            for (edge, _) in body.out_edges(at.loc) {
                let edge = EdgeRef { proc: at.proc, edge };
                steps[at].union_with(&sections.step(program, &effects, edge));
            }
            if at.loc == body.exit {
                steps[at] = Footprint::of_return(program, &effects, &calls, at.proc);
            }
        }
        let mut first = IndexVec::new();
        let mut n = 0;
        for proc in &program.procs {
            first.push(n);
            n += proc.locs.len();
        }
        Facts {
            plain: Totality { program, reading, calls: &calls }.plain(),
            starts: starts(program, &calls),
            program,
            effects,
            sections,
            future,
            steps,
            first,
        }
    }

    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// What the next step of a thread at the location may touch.
    pub fn step(&self, at: LocRef) -> &Footprint {
        &self.steps[at]
    }

    /// What one edge may touch as one step.
    pub fn edge(&self, at: EdgeRef) -> Footprint {
        self.sections.step(self.program, &self.effects, at)
    }

    /// What a thread at the location, and those it starts, may touch from now on.
    pub fn future(&self, at: LocRef) -> &Footprint {
        self.future.at(at)
    }

    /// Whether the step at the location is always possible, ends with its statement or section,
    /// starts no thread, and is not one that closes a cycle of locations.
    pub fn is_plain(&self, at: LocRef) -> bool {
        self.plain[at]
    }

    /// Whether a thread at the location may start others.
    pub fn may_start(&self, at: LocRef) -> bool {
        self.starts[at]
    }

    /// Whether the step at the location may end the thread: then there is room for another.
    pub fn may_end(&self, at: LocRef) -> bool {
        let body = &self.program.procs[at.proc];
        at.loc == body.exit || body.out_edges(at.loc).any(|(_, edge)| !edge.falls_through())
    }

    /// Where a thread of a vector may run on after the edge: not after a start, because the new
    /// thread is part of no vector, nor after an atomic section, which is a step by itself.
    pub fn runs_on_to(&self, at: EdgeRef) -> Option<LocRef> {
        let edge = self.program.edge(at);
        match &edge.action {
            Action::Skip | Action::Assume(_) | Action::Assert(_) | Action::Assign(_) => {
                Some(LocRef { proc: at.proc, loc: edge.to })
            }
            Action::Call(call) => {
                let loc = self.program.procs[call.callee].entry;
                Some(LocRef { proc: call.callee, loc })
            }
            Action::StartThread(_)
            | Action::EndThread
            | Action::AtomicBegin
            | Action::AtomicEnd => None,
        }
    }

    /// Locations as numbers, from 0.
    pub fn number(&self, at: LocRef) -> usize {
        self.first[at.proc] + at.loc.index()
    }
}

/// Which locations a thread always passes.
struct Totality<'a> {
    program: &'a Program,
    reading: Reading,
    calls: &'a CallGraph,
}

impl Totality<'_> {
    fn plain(&self) -> LocMap<bool> {
        let mut plain = LocMap::new(self.program, false);
        for (proc, body) in self.program.procs.iter_enumerated() {
            let position = positions(body);
            for loc in body.locs.ids() {
                plain[LocRef { proc, loc }] = self.is_plain(proc, loc, &position);
            }
        }
        plain
    }

    fn is_plain(&self, proc: ProcId, loc: Loc, position: &IndexVec<Loc, usize>) -> bool {
        let body = &self.program.procs[proc];
        let is_free = |proc: ProcId| self.program.procs[proc].enforce.is_none();
        if !is_free(proc) {
            return false;
        }
        if loc == body.exit {
            return self.calls.call_sites(proc).iter().all(|site| is_free(site.proc));
        }
        let goes_on = |edge: &Edge| position[edge.to] > position[loc];
        let is_plain = |edge: &Edge| match &edge.action {
            Action::StartThread(_) => false,
            Action::Assign(assign) => assign.broadcast.is_empty() && goes_on(edge),
            Action::Call(call) => is_free(call.callee) && goes_on(edge),
            Action::AtomicBegin => goes_on(edge) && self.passes_section(body, edge.to, position),
            Action::EndThread => true,
            Action::Skip | Action::Assume(_) | Action::Assert(_) | Action::AtomicEnd => {
                goes_on(edge)
            }
        };
        self.is_total(body, loc) && body.out_edges(loc).all(|(_, edge)| is_plain(edge))
    }

    /// Whether every way from here leads to the end of the section: a section that gets stuck, or
    /// runs for ever, stops all threads for good.
    fn passes_section(&self, body: &Proc, from: Loc, position: &IndexVec<Loc, usize>) -> bool {
        let (mut seen, mut todo) = (Bits::new(), vec![from]);
        while let Some(loc) = todo.pop() {
            if !seen.insert(loc.index()) {
                continue;
            }
            if !self.is_total(body, loc) {
                return false;
            }
            for (_, edge) in body.out_edges(loc) {
                match &edge.action {
                    // No cycle, neither inside the section nor by its end.
                    _ if position[edge.to] <= position[loc] => return false,
                    Action::Assign(assign) if !assign.broadcast.is_empty() => return false,
                    Action::AtomicEnd => {}
                    Action::Skip | Action::Assume(_) | Action::Assert(_) | Action::Assign(_) => {
                        todo.push(edge.to);
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// Whether some edge can be taken whatever the values are.
    fn is_total(&self, body: &Proc, loc: Loc) -> bool {
        let exprs = &self.program.exprs;
        let guards: Vec<ExprId> = body
            .out_edges(loc)
            .filter_map(|(_, edge)| match edge.action {
                Action::Assume(guard) => Some(guard),
                _ => None,
            })
            .collect();
        let is_negated = |guard: ExprId| guards.iter().any(|&it| exprs.get(it) == Expr::Not(guard));
        body.out_edges(loc).any(|(_, edge)| match &edge.action {
            Action::Assume(guard) => {
                matches!(exprs.get(*guard), Expr::Choice | Expr::Const(true)) || is_negated(*guard)
            }
            // Where the first failure ends the run, a failing assertion does not block.
            Action::Assert(_) => self.reading == Reading::Dependence,
            Action::Assign(assign) => assign.constrain.is_none(),
            _ => true,
        })
    }
}

/// Numbers such that every cycle of locations has an edge to one that is not larger.
fn positions(body: &Proc) -> IndexVec<Loc, usize> {
    // The others cannot be reached from the entry, but by threads that start there: any order will do.
    let mut position: IndexVec<Loc, usize> =
        body.locs.ids().map(|loc| body.locs.len() + loc.index()).collect();
    for (at, loc) in reverse_postorder(body).into_iter().enumerate() {
        position[loc] = at;
    }
    position
}

/// Backwards from every `start_thread`, through calls and past exits into all callers.
fn starts(program: &Program, calls: &CallGraph) -> LocMap<bool> {
    let mut before: LocMap<Vec<LocRef>> = LocMap::new(program, Vec::new());
    let mut todo = Vec::new();
    for (EdgeRef { proc, .. }, edge) in program.all_edges() {
        let from = LocRef { proc, loc: edge.from };
        if matches!(edge.action, Action::StartThread(_)) {
            todo.push(from);
        }
        if let Action::Call(call) = &edge.action {
            let entry = program.procs[call.callee].entry;
            before[LocRef { proc: call.callee, loc: entry }].push(from);
        }
        if edge.falls_through() {
            before[LocRef { proc, loc: edge.to }].push(from);
        }
    }
    for (proc, body) in program.procs.iter_enumerated() {
        for &site in calls.call_sites(proc) {
            let back = LocRef { proc: site.proc, loc: program.edge(site).to };
            before[back].push(LocRef { proc, loc: body.exit });
        }
    }
    let mut starts = LocMap::new(program, false);
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut starts[at], true) {
            todo.extend(&before[at]);
        }
    }
    starts
}

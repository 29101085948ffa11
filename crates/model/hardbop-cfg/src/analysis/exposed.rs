//! What a call may read before it writes it, and what may come through a call unwritten.
//!
//! Phase 1 of the interprocedural live-variable analysis of BOOM section 10.9 and appendix C (after
//! Srivastava and Wall 1992). For each procedure and shared variable, in one thread:
//! * *exposed*: some path from the entry reads the variable before it surely writes it;
//! * *passing*: some path from the entry to the exit does not write it for sure.
//!
//! Appendix C computes LIVE as a least and DEAD as a greatest fixpoint. We take *passing* for DEAD:
//! both are then properties of "some finite path", that is least fixpoints of one pass, and a
//! procedure that never returns lets nothing pass. DEAD of appendix C, surely overwritten before
//! read on every path that returns, is the complement of the two: [`Exposed::must_mod`].
//!
//! `enforce` is read at every location of its procedure. A result is written after the callee ran.

use hardbop_base::{Bits, Idx, IndexVec};

use super::backward::{Backward, Procs};
use super::callgraph::CallGraph;
use super::effects::{Effects, Reading};
use super::worklist::Worklist;
use crate::program::{Action, Call, EdgeRef, LocRef, ProcId, Program, VarId};

/// Exposed and passing shared variables per procedure.
#[derive(Clone, Debug)]
pub struct Exposed {
    n_shared: usize,
    exposed: IndexVec<ProcId, Bits>,
    passing: IndexVec<ProcId, Bits>,
}

impl Exposed {
    /// `effects` in the reading of data flow.
    pub fn of(program: &Program, effects: &Effects, calls: &CallGraph) -> Self {
        Exposed::with(program, effects, calls, &Backward::of(program))
    }

    pub(crate) fn with(
        program: &Program,
        effects: &Effects,
        calls: &CallGraph,
        backward: &Backward,
    ) -> Self {
        debug_assert_eq!(effects.reading(), Reading::DataFlow);
        let n_locs = backward.base.len();
        let (exposed, passing) = (vec![Bits::new(); n_locs], vec![Bits::new(); n_locs]);
        let mut solver = Solver { program, effects, calls, backward, exposed, passing };
        solver.solve();
        let n = program.procs.len();
        let mut all = Exposed {
            n_shared: program.n_shared(),
            exposed: IndexVec::from_elem(Bits::new(), n),
            passing: IndexVec::from_elem(Bits::new(), n),
        };
        for (id, proc) in program.procs.iter_enumerated() {
            let entry = backward.base.flat(id, proc.entry);
            all.exposed[id] = std::mem::take(&mut solver.exposed[entry]);
            all.passing[id] = std::mem::take(&mut solver.passing[entry]);
        }
        all
    }

    /// Nothing known to be read: for programs whose shared variables are live everywhere anyway.
    pub(crate) fn nothing(program: &Program) -> Self {
        let n = program.procs.len();
        Exposed {
            n_shared: program.n_shared(),
            exposed: IndexVec::from_elem(Bits::new(), n),
            passing: IndexVec::from_elem(Bits::new(), n),
        }
    }

    /// Shared variables whose value before the call a statement of the call may read.
    pub fn exposed(&self, proc: ProcId) -> &Bits {
        &self.exposed[proc]
    }

    /// Shared variables that may have the same value after the call because nothing wrote them.
    pub fn passing(&self, proc: ProcId) -> &Bits {
        &self.passing[proc]
    }

    /// Shared variables that a call of `proc` overwrites before it reads them, whenever it returns.
    pub fn must_mod(&self, proc: ProcId) -> Bits {
        let mut all = Bits::full(self.n_shared);
        all.subtract(&self.exposed[proc]);
        all.subtract(&self.passing[proc]);
        all
    }

    /// From what matters after a call has stored its results to what matters before it: shared
    /// variables only, arguments not counted.
    pub(crate) fn before_call(&self, callee: ProcId, after: &Bits) -> Bits {
        let mut before = after.clone();
        before.intersect_with(&self.passing[callee]);
        before.union_with(&self.exposed[callee]);
        before
    }
}

/// What is live once the callee has returned and the results are not stored yet.
pub(crate) fn before_results(call: &Call, after: &Bits) -> Bits {
    let mut before = after.clone();
    for result in call.results.iter().flatten() {
        before.remove(result.index());
    }
    before
}

struct Solver<'a> {
    program: &'a Program,
    effects: &'a Effects,
    calls: &'a CallGraph,
    backward: &'a Backward,
    /// By location number.
    exposed: Vec<Bits>,
    passing: Vec<Bits>,
}

impl Solver<'_> {
    fn solve(&mut self) {
        let Backward { base, refs, preds, .. } = self.backward;
        let order = self.backward.order(self.calls, Procs::CalleesFirst);
        let mut todo = Worklist::full(&order);
        while let Some(node) = todo.pop() {
            let (exposed, passing) = self.transfer(refs[node]);
            if exposed == self.exposed[node] && passing == self.passing[node] {
                continue;
            }
            (self.exposed[node], self.passing[node]) = (exposed, passing);
            let LocRef { proc, loc } = refs[node];
            let body = &self.program.procs[proc];
            for &edge in preds[proc].edges(loc) {
                todo.push(base.flat(proc, body.edges[edge].from));
            }
            if loc == body.entry {
                for &site in self.calls.call_sites(proc) {
                    todo.push(base.flat(site.proc, self.program.edge(site).from));
                }
            }
        }
    }

    /// The two sets of a location from those of its successors.
    fn transfer(&self, at: LocRef) -> (Bits, Bits) {
        let body = &self.program.procs[at.proc];
        let (mut exposed, mut passing) = (Bits::new(), Bits::new());
        if at.loc == body.exit {
            passing = Bits::full(self.program.n_shared());
        }
        self.read(self.effects.enforce(at.proc), &mut exposed);
        for (id, edge) in body.out_edges(at.loc) {
            let edge_ref = EdgeRef { proc: at.proc, edge: id };
            self.read(self.effects.reads(edge_ref), &mut exposed);
            if !edge.falls_through() {
                continue;
            }
            let to = self.backward.base.flat(at.proc, edge.to);
            let (mut exposed_after, mut passing_after) =
                (self.exposed[to].clone(), self.passing[to].clone());
            for var in self.effects.writes(edge_ref) {
                exposed_after.remove(var.index());
                passing_after.remove(var.index());
            }
            if let Action::Call(call) = &edge.action {
                let entry =
                    self.backward.base.flat(call.callee, self.program.procs[call.callee].entry);
                exposed_after.intersect_with(&self.passing[entry]);
                exposed_after.union_with(&self.exposed[entry]);
                passing_after.intersect_with(&self.passing[entry]);
            }
            exposed.union_with(&exposed_after);
            passing.union_with(&passing_after);
        }
        (exposed, passing)
    }

    fn read(&self, vars: &[VarId], into: &mut Bits) {
        into.extend(vars.iter().filter(|&&var| self.program.is_shared(var)).map(|var| var.index()));
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{CallGraph, Effects, Exposed, Reading};
    use crate::text::read;

    /// Exposed / passing / surely modified, of the procedure `f` with these edges.
    fn check(edges: &str, expect: &str) {
        let text = format!(
            "hardbop-cfg 1\nshared a\nshared b\nshared c\nmain f\n\
             proc f()\nentry l1\nexit l0\nloc l0\nloc l1\nloc l2\nloc l3\n{edges}\nend\n\
             proc set_a() returns (r)\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l0: a := *\nend\n\
             proc get_a()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l0: assert a\nend\n\
             proc spin()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l1: skip\nend\n"
        );
        let program = read(&text).unwrap();
        let effects = Effects::of(&program, Reading::DataFlow);
        let all = Exposed::of(&program, &effects, &CallGraph::of(&program));
        let set = |bits: &hardbop_base::Bits| {
            bits.iter().map(|i| &*program.shared[i].name).collect::<String>()
        };
        let (exposed, passing) = (all.exposed(program.main), all.passing(program.main));
        let found =
            format!("{}/{}/{}", set(exposed), set(passing), set(&all.must_mod(program.main)));
        assert_eq!(found, expect, "{edges}");
    }

    #[test]
    fn reads_writes_and_branches() {
        check("l1 -> l0: skip", "/abc/");
        check("l1 -> l2: a := b\nl2 -> l0: b := a", "b/c/a");
        check("l1 -> l0: a := !a", "a/bc/");
        check("l1 -> l0: a := *\nl1 -> l0: skip", "/abc/");
        check("l1 -> l0: a, b := *, *\nl1 -> l0: b := *", "/ac/b");
        check("l1 -> l1: b := *\nl1 -> l0: a := *", "/bc/a");
        check("l1 -> l0: end_thread\nl1 -> l0: a := *", "/bc/a");
    }

    #[test]
    fn calls() {
        check("l1 -> l2: call set_a()\nl2 -> l0: call get_a()", "/bc/a");
        check("l1 -> l2: call get_a()\nl2 -> l0: call set_a()", "a/bc/");
        check("l1 -> l0: b := call set_a()", "/c/ab");
        check("l1 -> l2: call f()\nl2 -> l0: assert b\nl1 -> l0: a := *", "b/bc/a");
        // What comes after a call that never returns does not matter, nor does anything pass.
        check("l1 -> l2: call spin()\nl2 -> l0: assert a", "//abc");
        check("l1 -> l0: call f()", "//abc");
    }
}

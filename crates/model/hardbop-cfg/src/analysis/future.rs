//! What a thread may still read and write: R∞ and W∞ of BOOM table 6.1.
//!
//! The table has no calls. Here the future of a location goes on past the exit of its procedure
//! into every caller (callers are not told apart), a call brings all that the callee may do, and a
//! started thread belongs to the future of the one that starts it: it does not exist yet when
//! persistent sets are computed (BOOM algorithm 6.2).

use super::callgraph::{CallGraph, Follow};
use super::effects::{Effects, Reading};
use super::footprint::{Footprint, Reached, whole};
use super::lists::Lists;
use super::locmap::LocBase;
use crate::program::{Action, EdgeRef, LocRef, Program, Spawn};

/// The infinite future of a thread at each location.
#[derive(Clone, Debug)]
pub struct Future {
    reached: Reached,
}

impl Future {
    /// `effects` in a reading of dependence.
    pub fn of(program: &Program, effects: &Effects, calls: &CallGraph) -> Self {
        debug_assert_ne!(effects.reading(), Reading::DataFlow);
        let whole = whole(program, effects, calls, Follow::CallsAndStarts);
        let base = LocBase::new(program);
        let (mut own, mut succ) = (Vec::with_capacity(base.len()), Lists::new());
        let mut next = Vec::new();
        for (LocRef { proc, loc }, _) in program.all_locs() {
            let body = &program.procs[proc];
            let mut footprint = Footprint::default();
            next.clear();
            for (edge, it) in body.out_edges(loc) {
                footprint.add_edge(program, effects, EdgeRef { proc, edge });
                match &it.action {
                    Action::Call(call) => {
                        footprint.union_with(&whole[call.callee]);
                        footprint.store(program, call);
                    }
                    Action::StartThread(spawn) => {
                        if let Spawn::Call { callee, .. } = **spawn {
                            footprint.union_with(&whole[callee]);
                        }
                    }
                    _ => {}
                }
                let after = it.falls_through().then_some(it.to).into_iter().chain(it.starts_at());
                next.extend(after.map(|to| base.flat(proc, to) as u32));
            }
            if loc == body.exit {
                footprint.union_with(&Footprint::of_return(program, effects, calls, proc));
                next.extend(return_sites(program, &base, calls, proc));
            }
            own.push(footprint);
            succ.push(&next);
        }
        Future { reached: Reached::of(base, &own, &succ) }
    }

    /// What a thread at the location may do from there on.
    pub fn at(&self, at: LocRef) -> &Footprint {
        self.reached.at(at)
    }
}

/// Where a thread may be after leaving the exit of `proc`.
pub(crate) fn return_sites<'a>(
    program: &'a Program,
    base: &'a LocBase,
    calls: &'a CallGraph,
    proc: crate::program::ProcId,
) -> impl Iterator<Item = u32> + 'a {
    let sites = calls.call_sites(proc).iter();
    sites.map(|&site| base.flat(site.proc, program.edge(site).to) as u32)
}

#[cfg(test)]
mod tests {
    use crate::analysis::{AtomicFuture, CallGraph, Effects, Footprint, Future, Reading};
    use crate::program::{Loc, LocRef, Program};
    use crate::text::read;

    fn facts(text: &str) -> (Program, Effects, CallGraph) {
        let program = read(text).unwrap();
        let effects = Effects::of(&program, Reading::Dependence);
        let calls = CallGraph::of(&program);
        (program, effects, calls)
    }

    /// BOOM listing 6.1: `assume(s)` and `assume(!s)` must not be taken for independent.
    #[test]
    fn an_assume_may_disable_another_thread() {
        let (program, effects, calls) = facts(
            "hardbop-cfg 1
shared s
main main
proc main()
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: s := *
  loc l2
    l2 -> l3: start_thread goto l5
  loc l3 P1
    l3 -> l4: assume s
  loc l4
    l4 -> l0: end_thread
  loc l5 P2
    l5 -> l6: assume !s
  loc l6
    l6 -> l0: assert false
end
",
        );
        let step = |edge| {
            let at = crate::EdgeRef { proc: program.main, edge: crate::EdgeId::from_u32(edge) };
            Footprint::of_edge(&program, &effects, at)
        };
        assert!(step(2).depends_on(&step(4)));
        assert!(!step(5).depends_on(&step(4)));
        let future = Future::of(&program, &effects, &calls);
        let at = |loc| future.at(LocRef { proc: program.main, loc: Loc::from_u32(loc) });
        assert!(at(1).writes.contains(0) && at(2).writes.contains(0));
        assert_eq!(*at(4), Footprint::default());
        assert_eq!(*at(6), Footprint::default());
    }

    /// BOOM listing 6.2: `l := T` is invisible, what follows it is not.
    #[test]
    fn the_future_sees_what_the_next_step_does_not() {
        let (program, effects, calls) = facts(
            "hardbop-cfg 1
shared s
main main
proc main()
  local l
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: s := true
  loc l2
    l2 -> l3: start_thread goto l6
  loc l3 P1
    l3 -> l4: l := true
  loc l4
    l4 -> l5: s := false
  loc l5
    l5 -> l0: end_thread
  loc l6 P2
    l6 -> l0: assert s
end
",
        );
        let future = Future::of(&program, &effects, &calls);
        let at = |loc| future.at(LocRef { proc: program.main, loc: Loc::from_u32(loc) });
        let next = crate::EdgeRef { proc: program.main, edge: crate::EdgeId::from_u32(2) };
        assert!(!Footprint::of_edge(&program, &effects, next).depends_on(at(6)));
        assert!(at(3).depends_on(at(6)) && !at(6).depends_on(at(6)));
        assert!(at(6).reads.contains(0) && !at(6).writes.contains(0));
    }

    #[test]
    fn calls_returns_and_atomic_sections() {
        let (program, effects, calls) = facts(
            "hardbop-cfg 1
shared a
shared b
shared c
shared d
main main
proc main()
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: atomic_begin
  loc l2
    l2 -> l3: b := call f(a)
  loc l3
    l3 -> l4: atomic_end
  loc l4
    l4 -> l5: assert c
  loc l5
    l5 -> l0: start_thread call g()
end
proc f(x) returns (r)
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l0: r := x
end
proc g()
  local x
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l0: d := x broadcast x := d
end
",
        );
        let show = |footprint: &Footprint| {
            let set = |bits: &hardbop_base::Bits| {
                bits.iter().map(|i| &*program.shared[i].name).collect::<String>()
            };
            let broadcasts = if footprint.broadcasts { "$" } else { "" };
            format!("{}/{}{broadcasts}", set(&footprint.reads), set(&footprint.writes))
        };
        let future = Future::of(&program, &effects, &calls);
        let atomic = AtomicFuture::of(&program, &effects, &calls);
        let check = |proc: &str, loc, expect_future: &str, expect_atomic: &str| {
            let proc = program.proc_named(proc).unwrap();
            let at = LocRef { proc, loc: Loc::from_u32(loc) };
            assert_eq!(show(future.at(at)), expect_future, "future at {at:?}");
            assert_eq!(show(atomic.at(at)), expect_atomic, "atomic future at {at:?}");
        };
        check("main", 1, "acd/bd$", "a/b");
        check("main", 2, "acd/bd$", "a/b");
        check("main", 3, "cd/d$", "/");
        check("main", 4, "cd/d$", "c/");
        check("main", 5, "d/d$", "/");
        check("f", 1, "cd/bd$", "/b");
        check("g", 1, "d/d$", "d/d$");
        let begin = crate::EdgeRef { proc: program.main, edge: crate::EdgeId::from_u32(0) };
        assert_eq!(show(&atomic.step(&program, &effects, begin)), "a/b");
    }
}

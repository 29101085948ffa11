//! Who calls and who starts whom; components of mutual recursion, callees first.
//!
//! Components by Tarjan (see `scc`). Calls and starts of threads are kept apart: recursion is a
//! cycle of calls, a thread that starts another of its own kind does not deepen any stack.

use std::collections::VecDeque;

use hardbop_base::{Bits, Idx, IndexVec, Name};

use super::lists::Lists;
use super::scc::components;
use crate::program::{Action, EdgeRef, ProcId, Program, Spawn};

/// Which edges between procedures count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    Calls,
    CallsAndStarts,
}

/// Calls and starts between procedures.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Each callee once, in order of first appearance.
    callees: Lists<ProcId>,
    /// Called or started, each once.
    followers: Lists<ProcId>,
    /// The edges that call a procedure.
    call_sites: Lists<EdgeRef>,
    /// The edges that start a thread with a procedure.
    start_sites: Lists<EdgeRef>,
    by_calls: Components,
    by_all: Components,
    main: ProcId,
}

/// Components in reverse topological order, and each procedure's component.
#[derive(Clone, Debug)]
struct Components {
    members: Lists<ProcId>,
    of: IndexVec<ProcId, u32>,
}

impl CallGraph {
    pub fn of(program: &Program) -> Self {
        let n = program.procs.len();
        let (mut calls, mut starts) = (Vec::new(), Vec::new());
        let (mut callees, mut followers) = (Lists::new(), Lists::new());
        // The last procedure whose list a callee was put on.
        let mut noted: [Vec<u32>; 2] = [vec![u32::MAX; n], vec![u32::MAX; n]];
        for (proc, body) in program.procs.iter_enumerated() {
            let mut lists: [Vec<ProcId>; 2] = [Vec::new(), Vec::new()];
            let mut note = |list: usize, callee: ProcId| {
                if std::mem::replace(&mut noted[list][callee.index()], proc.as_u32())
                    != proc.as_u32()
                {
                    lists[list].push(callee);
                }
            };
            for (edge, it) in body.edges.iter_enumerated() {
                match &it.action {
                    Action::Call(call) => {
                        calls.push((call.callee.as_u32(), EdgeRef { proc, edge }));
                        note(0, call.callee);
                        note(1, call.callee);
                    }
                    Action::StartThread(spawn) => {
                        if let Spawn::Call { callee, .. } = **spawn {
                            starts.push((callee.as_u32(), EdgeRef { proc, edge }));
                            note(1, callee);
                        }
                    }
                    _ => {}
                }
            }
            callees.push(&lists[0]);
            followers.push(&lists[1]);
        }
        CallGraph {
            by_calls: Components::of(&callees),
            by_all: Components::of(&followers),
            callees,
            followers,
            call_sites: Lists::group(n, &calls),
            start_sites: Lists::group(n, &starts),
            main: program.main,
        }
    }

    /// The procedures called in `proc`, each once, in order of appearance.
    pub fn callees(&self, proc: ProcId) -> &[ProcId] {
        self.callees.of(proc.index())
    }

    /// The procedures called, or started as threads, in `proc`.
    pub fn followers(&self, proc: ProcId, follow: Follow) -> &[ProcId] {
        match follow {
            Follow::Calls => self.callees(proc),
            Follow::CallsAndStarts => self.followers.of(proc.index()),
        }
    }

    /// The edges that call `proc`.
    pub fn call_sites(&self, proc: ProcId) -> &[EdgeRef] {
        self.call_sites.of(proc.index())
    }

    /// The edges that start a thread with `proc`.
    pub fn start_sites(&self, proc: ProcId) -> &[EdgeRef] {
        self.start_sites.of(proc.index())
    }

    /// The procedures that call `proc`, each once, in order.
    pub fn callers(&self, proc: ProcId) -> Vec<ProcId> {
        let mut callers: Vec<ProcId> = self.call_sites(proc).iter().map(|at| at.proc).collect();
        // Call sites are listed procedure by procedure.
        callers.dedup();
        callers
    }

    /// The strongly connected components, each after all it calls; members in increasing order.
    pub fn components(&self, follow: Follow) -> impl DoubleEndedIterator<Item = &[ProcId]> {
        let components = self.by(follow);
        (0..components.members.len()).map(|i| components.members.of(i))
    }

    /// Two procedures have the same component if each can lead to the other; callees have smaller
    /// numbers than callers of other components.
    pub fn component(&self, proc: ProcId, follow: Follow) -> u32 {
        self.by(follow).of[proc]
    }

    fn by(&self, follow: Follow) -> &Components {
        match follow {
            Follow::Calls => &self.by_calls,
            Follow::CallsAndStarts => &self.by_all,
        }
    }

    /// What each procedure has together with all it leads to: `own` adds the procedure's own part,
    /// `join` that of a callee. One pass, since components come callees first and their members
    /// have the same whole.
    pub(crate) fn close<T: Clone + Default>(
        &self,
        follow: Follow,
        own: impl Fn(ProcId, &mut T),
        join: impl Fn(&mut T, &T),
    ) -> IndexVec<ProcId, T> {
        let mut all = IndexVec::from_elem(T::default(), self.callees.len());
        for component in self.components(follow) {
            let mut whole = T::default();
            for &proc in component {
                own(proc, &mut whole);
                let outside = |callee: &&ProcId| component.binary_search(callee).is_err();
                for &callee in self.followers(proc, follow).iter().filter(outside) {
                    join(&mut whole, &all[callee]);
                }
            }
            component.iter().for_each(|&proc| all[proc] = whole.clone());
        }
        all
    }

    /// The procedures reachable from `main`, itself included.
    pub fn reachable(&self, follow: Follow) -> Bits {
        let mut reached: Bits = [self.main.index()].into_iter().collect();
        let mut todo = vec![self.main];
        while let Some(proc) = todo.pop() {
            todo.extend(
                self.followers(proc, follow).iter().filter(|next| reached.insert(next.index())),
            );
        }
        reached
    }

    /// Whether a call of `proc` may lead to a call of `proc` again.
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        let component = self.by_calls.members.of(self.by_calls.of[proc] as usize);
        component.len() > 1 || self.callees(proc).contains(&proc)
    }

    /// A shortest cycle of calls through the first recursive procedure that some thread can reach;
    /// nothing if no such procedure is recursive. Its last member calls its first.
    pub fn recursive_cycle(&self) -> Option<Vec<ProcId>> {
        let reached = self.reachable(Follow::CallsAndStarts);
        let start = reached.iter().map(ProcId::new).find(|&proc| self.is_recursive(proc))?;
        let mut parent: IndexVec<ProcId, Option<ProcId>> =
            IndexVec::from_elem(None, self.callees.len());
        let mut todo = VecDeque::from([start]);
        while let Some(proc) = todo.pop_front() {
            for &callee in self.callees(proc) {
                if parent[callee].is_none() {
                    parent[callee] = Some(proc);
                    todo.push_back(callee);
                }
            }
            if let Some(mut at) = parent[start] {
                let mut cycle = vec![at];
                while at != start {
                    at = parent[at]?;
                    cycle.push(at);
                }
                cycle.reverse();
                return Some(cycle);
            }
        }
        None
    }

    /// The cycle's names, the first again at the end, for messages.
    pub fn recursive_cycle_names(&self, program: &Program) -> Option<Vec<Name>> {
        let cycle = self.recursive_cycle()?;
        let names = cycle.iter().chain(cycle.first());
        Some(names.map(|&proc| program.procs[proc].name.clone()).collect())
    }
}

impl Components {
    fn of(succ: &Lists<ProcId>) -> Self {
        let mut plain = Lists::new();
        for i in 0..succ.len() {
            let list: Vec<u32> = succ.of(i).iter().map(|proc| proc.as_u32()).collect();
            plain.push(&list);
        }
        let found = components(&plain);
        let mut members = Lists::new();
        let mut of = IndexVec::from_elem(0, succ.len());
        for i in 0..found.len() {
            let mut list: Vec<ProcId> = found.of(i).iter().map(|&p| ProcId::from_u32(p)).collect();
            list.sort_unstable();
            list.iter().for_each(|&proc| of[proc] = i as u32);
            members.push(&list);
        }
        Components { members, of }
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::Idx;

    use super::{CallGraph, Follow};
    use crate::program::ProcId;
    use crate::text::read;

    /// `calls[i]` lists what procedure `pi` calls; a trailing `!` makes it a start.
    fn program(calls: &[&[&str]]) -> crate::Program {
        let mut text = String::from("hardbop-cfg 1\nmain p0\n");
        for (i, callees) in calls.iter().enumerate() {
            text += &format!("proc p{i}()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l0: skip\n");
            for callee in *callees {
                text += &match callee.strip_suffix('!') {
                    Some(started) => format!("l1 -> l0: start_thread call {started}()\n"),
                    None => format!("l1 -> l0: call {callee}()\n"),
                };
            }
            text += "end\n";
        }
        read(&text).unwrap()
    }

    fn ids(ids: &[u32]) -> Vec<ProcId> {
        ids.iter().map(|&id| ProcId::from_u32(id)).collect()
    }

    #[test]
    fn components_come_callees_first() {
        let program = program(&[&["p1", "p4"], &["p2", "p2"], &["p3"], &["p1"], &["p0!"], &["p0"]]);
        let graph = CallGraph::of(&program);
        let components: Vec<_> = graph.components(Follow::Calls).map(<[_]>::to_vec).collect();
        assert_eq!(components, [ids(&[1, 2, 3]), ids(&[4]), ids(&[0]), ids(&[5])]);
        assert_eq!(graph.components(Follow::CallsAndStarts).count(), 3);
        assert_eq!(graph.callees(ProcId::from_u32(1)), ids(&[2]));
        assert_eq!(graph.call_sites(ProcId::from_u32(2)).len(), 2);
        assert_eq!(graph.callers(ProcId::from_u32(1)), ids(&[0, 3]));
        assert_eq!(graph.reachable(Follow::Calls).len(), 5);
        let names = graph.recursive_cycle_names(&program).unwrap();
        assert_eq!(names.join(" -> "), "p1 -> p2 -> p3 -> p1");
    }

    #[test]
    fn starting_oneself_is_no_recursion() {
        let graph = CallGraph::of(&program(&[&["p1!"], &["p1!", "p0!"], &["p2"]]));
        assert_eq!(graph.recursive_cycle(), None);
        assert_eq!(graph.reachable(Follow::Calls).len(), 1);
        assert_eq!(graph.reachable(Follow::CallsAndStarts).len(), 2);
        assert!(graph.is_recursive(ProcId::new(2)));
    }

    #[test]
    fn a_procedure_that_calls_itself_is_its_own_cycle() {
        let program = program(&[&["p1"], &["p2", "p1"], &[]]);
        let cycle = CallGraph::of(&program).recursive_cycle();
        assert_eq!(cycle, Some(ids(&[1])));
    }
}

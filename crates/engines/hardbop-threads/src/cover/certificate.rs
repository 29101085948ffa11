//! What the engines have found, in the words of a certificate: a cover, or views and what never occurs.
//!
//! A view knows of the flag's holder only that there is one, the engines know which. So combinations of a
//! holder and another thread that do not occur, although each alone has its view, are listed as `never`.
//! That is right to say: the pairs of control and local states are closed under steps.

use crate::counted::certificate::{MOST_STATES, Table};
use crate::counted::counters::{self, SharedId};
use hardbop_base::Idx;
use hardbop_engine::{InitialThreads, Task};
use hardbop_evidence::threads::{
    Count, Counted, Flag, SharedValues, ThreadState, ThreadStates, View,
};
use hardbop_evidence::{Certificate, ThreadProof, ThreadSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cover::counts::{LocalId, OMEGA};
use crate::cover::programs::{Control, ProgramSystem, from_local};
use crate::cover::system::{ControlId, State};

/// All states below these ones, closed under steps.
pub fn cover(
    system: &ProgramSystem<'_>,
    task: &Task<'_>,
    states: &[&State],
) -> Option<Certificate> {
    let words = Words::of(system);
    let states: Vec<_> = states.iter().filter_map(|state| words.counted(system, state)).collect();
    (states.len() <= MOST_STATES).then(|| proof(task, words.states, ThreadSet::Cover { states }))
}

/// All states whose threads are among `occurs`, and that are above none of `never`, closed under steps.
pub fn views<'p>(
    system: &ProgramSystem<'_>,
    task: &Task<'_>,
    occurs: impl Iterator<Item = (ControlId, &'p [LocalId])>,
    never: &[&State],
) -> Option<Certificate> {
    let words = Words::of(system);
    let mut views = FxHashSet::default();
    let mut held: FxHashMap<SharedValues, Vec<(ThreadState, &[LocalId])>> = FxHashMap::default();
    for (id, locals) in occurs {
        let Some(Control { shared, holder }) = system.control(id) else { continue };
        let shared = words.shareds[shared.index()];
        if let Some(holder) = holder {
            let thread = words.locals[holder.index()];
            views.insert(View { shared, flag: Flag::Mine, thread });
            held.entry(shared).or_default().push((thread, locals));
        }
        let flag = if holder.is_some() { Flag::Others } else { Flag::Free };
        views.extend(locals.iter().map(|&local| View { shared, flag, thread: words.local(local) }));
    }
    let mut views: Vec<_> = views.into_iter().collect();
    views.sort_unstable();
    let mut never: Vec<_> = never.iter().filter_map(|state| words.counted(system, state)).collect();
    for view in views.iter().filter(|view| view.flag == Flag::Others) {
        for (holder, beside) in held.get(&view.shared).into_iter().flatten() {
            if beside.iter().all(|&local| words.local(local) != view.thread) {
                let counts = vec![(view.thread, Count::ONE)];
                never.push(Counted { shared: view.shared, holder: Some(*holder), counts });
                if never.len() > MOST_STATES {
                    return None;
                }
            }
        }
    }
    never.sort_unstable();
    never.dedup();
    let is_small = views.len() + never.len() <= MOST_STATES;
    is_small.then(|| proof(task, words.states, ThreadSet::Views { views, never }))
}

fn proof(task: &Task<'_>, states: ThreadStates, set: ThreadSet) -> Certificate {
    let initial = match task.initial_threads {
        InitialThreads::Count(n) => Count::finite(n),
        InitialThreads::Unbounded => Count::OMEGA,
    };
    Certificate::Threads(ThreadProof { goal: task.goal.clone(), initial, states, set })
}

/// The numbers of the search as those of the certificate.
struct Words {
    states: ThreadStates,
    shareds: Vec<SharedValues>,
    locals: Vec<ThreadState>,
}

impl Words {
    fn of(system: &ProgramSystem<'_>) -> Self {
        let explorer = &system.explorer;
        let mut table = Table::new(explorer.threads.program, &explorer.threads.contexts);
        let shareds = (0..explorer.n_shareds()).map(SharedId::new);
        let shareds = shareds.map(|id| table.shared(&explorer.shared(id))).collect();
        let locals = (0..explorer.n_locals()).map(counters::LocalId::new);
        let locals = locals.map(|id| table.thread(&explorer.local(id))).collect();
        Words { states: table.states, shareds, locals }
    }

    fn local(&self, local: LocalId) -> ThreadState {
        self.locals[from_local(local).index()]
    }

    /// `None` for a goal.
    fn counted(&self, system: &ProgramSystem<'_>, state: &State) -> Option<Counted> {
        let Control { shared, holder } = system.control(state.control)?;
        let count = |n| if n == OMEGA { Count::OMEGA } else { Count::finite(n) };
        let mut counts: Vec<_> =
            state.counts.iter().map(|(local, n)| (self.local(local), count(n))).collect();
        counts.sort_unstable();
        let holder = holder.map(|holder| self.locals[holder.index()]);
        Some(Counted { shared: self.shareds[shared.index()], holder, counts })
    }
}

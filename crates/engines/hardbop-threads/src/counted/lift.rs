//! From a run of inlined threads to a trace of the program as it was written.
//!
//! A context knows its calls, so every frame can be read off a thread's state: the lift computes
//! nothing, it only writes the values down frame by frame.

use hardbop_base::Idx;
use hardbop_evidence::{FrameUpdate, Initial, Step, ThreadIx, Trace};

use crate::counted::identify::Run;
use crate::counted::inline::{Contexts, Local};

/// The trace of a run.
pub fn lift(contexts: &Contexts<'_>, run: &Run) -> Trace {
    let locals = |local: &Local| contexts.locals(local.context, &local.values);
    let initial =
        Initial { shared: run.shared.clone(), locals: run.locals.iter().map(locals).collect() };
    // Every thread there ever was, as it was last.
    let mut threads = run.locals.clone();
    let mut steps = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        let mut others = Vec::new();
        for (thread, local) in &step.others {
            others.extend(changed_frames(contexts, *thread, threads.get(thread.index()), local));
            match threads.get_mut(thread.index()) {
                Some(old) => *old = local.clone(),
                None => threads.push(local.clone()),
            }
        }
        let after = match &step.local {
            Some(local) => {
                threads[step.thread.index()] = local.clone();
                contexts.scope(&step.shared, local)
            }
            None => step.shared.clone(),
        };
        steps.push(Step { thread: step.thread, event: step.event, after, others });
    }
    Trace::flat(initial, steps)
}

/// The frames of another thread that are new or have other locals than before.
fn changed_frames(
    contexts: &Contexts<'_>,
    thread: ThreadIx,
    before: Option<&Local>,
    after: &Local,
) -> Vec<FrameUpdate> {
    let mut updates = Vec::new();
    for context in contexts.frames(after.context) {
        let locals = contexts.locals(context, &after.values);
        if before.is_none_or(|before| contexts.locals(context, &before.values) != locals) {
            updates.push(FrameUpdate { thread, frame: contexts.depth(context), locals });
        }
    }
    updates.reverse();
    updates
}

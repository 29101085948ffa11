//! Whether a thread certificate speaks about this program at all: its stacks can occur, its numbers
//! are in range.

use hardbop_base::Bits;
use hardbop_cfg::{Action, ProcId, Program};
use hardbop_evidence::threads::{
    Count, Counted, FrameAt, FrameShape, SharedValues, StackShape, ThreadState, View,
};
use hardbop_evidence::{ThreadProof, ThreadSet};
use rustc_hash::FxHashMap;

use crate::Rejected;

/// The stack at these places, bottom first.
pub type Places = FxHashMap<Vec<(ProcId, FrameAt)>, StackShape>;

pub fn check(program: &Program, proof: &ThreadProof) -> Result<Places, Rejected> {
    let unfit = |why: String| Err(Rejected::Unfit(why));
    if !proof.states.fixed_shared().is_subset(&Bits::full(program.n_shared())) {
        return unfit("the certificate fixes shared variables that the program has not".into());
    }
    let mut places = Places::default();
    for (id, frames) in proof.states.stacks() {
        if !is_stack(program, frames) {
            return unfit(format!("the program has no stack {id}"));
        }
        let at = frames.iter().map(|frame| (frame.proc, frame.at)).collect();
        if let Some(other) = places.insert(at, id) {
            return unfit(format!("{other} and {id} are the same stack with other fixed locals"));
        }
    }
    if proof.initial.is_zero() {
        return unfit("no thread runs main".into());
    }
    let (states, views): (&[Counted], &[View]) = match &proof.set {
        ThreadSet::Bounded { states, .. } | ThreadSet::Cover { states } => (states, &[]),
        ThreadSet::Views { views, never } => (never, views),
    };
    if !states.iter().all(|state| is_state(proof, state))
        || !views.iter().all(|view| has(proof, view.shared, view.thread))
    {
        return unfit("a state that is none: not in the tables, or not in order".into());
    }
    let is_finite = |state: &Counted| state.counts.iter().all(|&(_, n)| n != Count::OMEGA);
    match &proof.set {
        ThreadSet::Bounded { bound, states } => {
            if proof.initial.as_finite().is_none_or(|initial| initial > *bound) {
                return unfit(format!("more initial threads than the {bound} allowed"));
            }
            if !states.iter().all(is_finite) {
                return unfit("counts without bound in a certificate for a bound".into());
            }
        }
        ThreadSet::Cover { .. } => {}
        ThreadSet::Views { never, .. } => {
            if !never.iter().all(is_finite) {
                return unfit("counts without bound in a state that never occurs".into());
            }
        }
    }
    Ok(places)
}

fn has(proof: &ThreadProof, shared: SharedValues, thread: ThreadState) -> bool {
    let (shared, thread) = (shared.as_u32() as usize, thread.as_u32() as usize);
    shared < proof.states.shared_values().len() && thread < proof.states.threads().len()
}

/// In the tables; sorted, each thread state once, no count 0.
fn is_state(proof: &ThreadProof, state: &Counted) -> bool {
    let mut threads = state.holder.iter().chain(state.counts.iter().map(|(thread, _)| thread));
    (state.shared.as_u32() as usize) < proof.states.shared_values().len()
        && threads.all(|&thread| has(proof, state.shared, thread))
        && state.counts.iter().all(|(_, n)| !n.is_zero())
        && state.counts.windows(2).all(|pair| pair[0].0 < pair[1].0)
}

fn is_stack(program: &Program, frames: &[FrameShape]) -> bool {
    let mut above: Option<ProcId> = None;
    for frame in frames.iter().rev() {
        let Some(body) = program.procs.get(frame.proc) else { return false };
        let fits = match (frame.at, above) {
            (FrameAt::Loc(loc), None) => body.locs.get(loc).is_some(),
            (FrameAt::Call(edge), Some(above)) => {
                let action = body.edges.get(edge).map(|edge| &edge.action);
                matches!(action, Some(Action::Call(call)) if call.callee == above)
            }
            _ => false,
        };
        let locals = Bits::full(program.scope_width(frame.proc)).from(program.n_shared());
        if !fits || !frame.fixed.is_subset(&locals) {
            return false;
        }
        above = Some(frame.proc);
    }
    above.is_some()
}

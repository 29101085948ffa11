//! Ample sets: one thread whose next step concerns nobody else (BOOM section 6.2, algorithm 6.1).
//!
//! **Computes** a thread whose step is independent of everything the others may ever do (C1), is
//! always possible (C0), and does not close a cycle (C3).
//!
//! **Why it is right.** Take a run to a goal. If the thread moves in it, its first step commutes to
//! the front. If it does not, its step can be put in front, and the run still reaches its goal: this
//! does not bring the goal nearer, but cannot go on for ever, because a cycle of states takes some
//! thread, or several in turn, round a cycle of locations.
//!
//! **Departures.** The thesis tests whether the set of successors is empty; a step that is possible
//! for some valuations of a set only would lose the others, so steps must be possible for all. An atomic
//! section counts only if it surely comes to its end. The end of a thread makes room for another and
//! depends on every start.

use hardbop_cfg::LocRef;

use super::facts::Facts;

/// The position of the first such thread.
pub fn thread(facts: &Facts<'_>, threads: &[LocRef]) -> Option<usize> {
    (0..threads.len()).find(|&it| is_ample(facts, threads, it))
}

fn is_ample(facts: &Facts<'_>, threads: &[LocRef], thread: usize) -> bool {
    let at = threads[thread];
    let others = || threads.iter().enumerate().filter(|&(it, _)| it != thread);
    facts.is_plain(at)
        && others().all(|(_, &other)| !facts.step(at).depends_on(facts.future(other)))
        && (!facts.may_end(at) || others().all(|(_, &other)| !facts.may_start(other)))
}

//! Persistent sets: groups of threads that never touch what another group touches (BOOM section
//! 6.3, algorithms 6.2 and 6.3).
//!
//! **Computes** the finest partition of the threads such that the futures of two threads in different
//! groups are independent.
//!
//! **Why it is right.** Take a run to a goal of some thread and leave out the steps of all groups but
//! its own. What is left is a run: nobody left out has written anything it reads. So the groups can be
//! explored one by one, each without the others, and no cycle needs a test.
//!
//! **Departure.** Threads compete for places where there is a bound: as long as anybody may start a
//! thread, all are one group. The thesis' algorithm merges pairs in one sweep and may leave dependent
//! sets apart; here groups are closed.

use hardbop_cfg::LocRef;

use super::Plan;
use super::facts::Facts;

/// The groups, or [`Plan::All`] if there is only one.
pub fn groups(facts: &Facts<'_>, threads: &[LocRef]) -> Plan {
    if threads.iter().any(|&at| facts.may_start(at)) {
        return Plan::All;
    }
    // Which group each thread is in; groups are named by their first thread.
    let mut group: Vec<usize> = (0..threads.len()).collect();
    for (one, &at) in threads.iter().enumerate() {
        for (other, &there) in threads.iter().enumerate().skip(one + 1) {
            if group[one] != group[other] && facts.future(at).depends_on(facts.future(there)) {
                let (kept, gone) = (group[one].min(group[other]), group[one].max(group[other]));
                group.iter_mut().filter(|it| **it == gone).for_each(|it| *it = kept);
            }
        }
    }
    let members = |name: usize| (0..threads.len()).filter(|&it| group[it] == name).collect();
    let names = (0..threads.len()).filter(|&it| group[it] == it);
    let groups: Vec<Vec<usize>> = names.map(members).collect();
    if groups.len() > 1 { Plan::Groups(groups) } else { Plan::All }
}

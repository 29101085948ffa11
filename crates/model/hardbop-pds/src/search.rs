//! The meaning of a system, step by step: a search over whole stacks, breadth first.
//!
//! What a rule does is read off the rule and nothing else, so that engines can be compared with it. Stacks grow without
//! bound; the search gives up when it has seen too many.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::read::System;
use crate::state::State;

/// Whether the target is reached; `None` if more than `most` configurations are there.
pub fn reaches(system: &System, init: &State, target: &State, most: usize) -> Option<bool> {
    let start = (init.shared, init.stacks.clone());
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut todo = VecDeque::from([start]);
    let is_target = |shared: u32, stacks: &[Vec<u32>]| {
        let tops = stacks.iter().map(|it| it.first());
        shared == target.shared && tops.eq(target.stacks.iter().map(|it| it.first()))
    };
    while let Some((shared, stacks)) = todo.pop_front() {
        if is_target(shared, &stacks) {
            return Some(true);
        }
        if seen.len() > most {
            return None;
        }
        for (thread, rules) in system.threads.iter().enumerate() {
            for rule in &rules.rules {
                let stack = &stacks[thread];
                if rule.from != shared || rule.top != stack.first().copied() {
                    continue;
                }
                let below = stack.iter().skip(1);
                let mut next = stacks.clone();
                next[thread] = rule.word.iter().chain(below).copied().collect();
                if seen.insert((rule.to, next.clone())) {
                    todo.push_back((rule.to, next));
                }
            }
        }
    }
    Some(false)
}

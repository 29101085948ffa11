//! Makes a run shorter: steps that nothing needs, and detours that come back to where they began.
//!
//! Unrolled accelerations repeat loops more often than the target asks for. Going backward, each step is
//! known by what the rest of the run needs before it; a step that keeps the control state and gives nothing
//! needed is left out. Going forward, from a state the run jumps to the last place of the same control state
//! whose need the state covers. Both again until nothing changes.
//!
//! Only for runs without broadcasts: what a broadcast does depends on everybody.

use crate::cover::counts::Counts;
use crate::cover::system::{ControlId, Rule, State};

/// The rules of a shorter run from `initial` to `target`, if the given ones are such a run.
pub fn shorten(initial: &State, rules: Vec<Rule>, target: &State) -> Vec<Rule> {
    let mut rules = rules;
    loop {
        let needed = needed(initial.control, &rules, target);
        let shorter = jump(initial, &needed, target);
        if shorter.len() >= rules.len() {
            return rules;
        }
        rules = shorter;
    }
}

/// A step, and what the run needs before it.
struct Needed {
    from: ControlId,
    need: Counts,
    rule: Rule,
}

fn needed(first: ControlId, rules: &[Rule], target: &State) -> Vec<Needed> {
    let mut need = target.counts.clone();
    let mut kept = Vec::new();
    for (at, rule) in rules.iter().enumerate().rev() {
        let from = at.checked_sub(1).map_or(first, |before| rules[before].to);
        let helps = rule.put.locals().any(|local| need.get(local) > 0);
        if from == rule.to && !helps {
            continue;
        }
        need.subtract_all(&rule.put);
        need.add_all(&rule.take);
        kept.push(Needed { from, need: need.clone(), rule: rule.clone() });
    }
    kept.reverse();
    kept
}

fn jump(initial: &State, steps: &[Needed], target: &State) -> Vec<Rule> {
    let mut now = initial.clone();
    let mut taken = Vec::new();
    let mut at = 0;
    while at < steps.len() && !now.covers(target) {
        let fits = |step: &Needed| step.from == now.control && now.counts.covers(&step.need);
        let Some(ahead) = steps[at..].iter().rposition(fits) else { break };
        at += ahead;
        let rule = &steps[at].rule;
        now.counts.subtract_all(&rule.take);
        now.counts.add_all(&rule.put);
        now.control = rule.to;
        taken.push(rule.clone());
        at += 1;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::shorten;
    use crate::cover::counts::{Counts, LocalId};
    use crate::cover::system::{ControlId, Rule, State};

    fn counts(items: &[u32]) -> Counts {
        items.iter().map(|&local| (LocalId::from_u32(local), 1)).collect()
    }

    fn rule(take: &[u32], to: u32, put: &[u32]) -> Rule {
        let to = ControlId::from_u32(to);
        Rule { take: counts(take), to, put: counts(put), transfer: None, tag: 0 }
    }

    #[test]
    fn detours_and_useless_steps_are_left_out() {
        let state = |control, items: &[u32]| State {
            control: ControlId::from_u32(control),
            counts: counts(items),
        };
        let (start, other) = (rule(&[0], 0, &[0, 1]), rule(&[1], 0, &[2]));
        let (away, back) = (rule(&[0], 1, &[0]), rule(&[0], 0, &[0]));
        let long = vec![
            start.clone(),
            start.clone(),
            away,
            back,
            start.clone(),
            other.clone(),
            other.clone(),
        ];
        let short = shorten(&state(0, &[0]), long, &state(0, &[0, 2]));
        assert_eq!(short, [start, other]);
    }
}

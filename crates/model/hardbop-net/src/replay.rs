//! Walks through a run of a net: every step is recomputed from the rule and compared.
//!
//! Nothing is searched: a step says which rule fires and where transferred tokens go.

use crate::net::{Marking, Net, Question, merged};

/// A run from an initial state to one that covers a target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetTrace {
    pub initial: Marking,
    pub steps: Vec<NetStep>,
}

/// One rule fires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetStep {
    /// Index of the rule.
    pub rule: usize,
    /// For places whose tokens have a choice, or move: from, to, how many. Vanishing tokens are not
    /// named.
    pub moved: Vec<(u32, u32, u32)>,
}

/// The states along the run, the initial one first, or why it is none.
pub fn replay(net: &Net, question: &Question, trace: &NetTrace) -> Result<Vec<Marking>, String> {
    check_initial(question, &trace.initial)?;
    let mut states = vec![trace.initial.clone()];
    for (number, step) in trace.steps.iter().enumerate() {
        let after = fire(net, &states[number], step)
            .map_err(|why| format!("step {}: {why}", number + 1))?;
        states.push(after);
    }
    let last = &states[states.len() - 1];
    if question.targets.iter().any(|target| last.covers(target)) {
        Ok(states)
    } else {
        Err(format!("the last state {last} covers no target"))
    }
}

fn check_initial(question: &Question, state: &Marking) -> Result<(), String> {
    let initial = &question.initial;
    if state.control != initial.control {
        return Err(format!("the run begins in {}, not {}", state.control, initial.control));
    }
    for range in &initial.ranges {
        let count = state.get(range.place);
        if count < range.low || range.high.is_some_and(|high| count > high) {
            return Err(format!("{count} tokens in place {} are not initial", range.place));
        }
    }
    let named = |place| initial.ranges.iter().any(|range| range.place == place);
    match state.counts.iter().find(|&&(place, _)| !named(place)) {
        Some((place, _)) => Err(format!("place {place} is not empty initially")),
        None => Ok(()),
    }
}

fn fire(net: &Net, before: &Marking, step: &NetStep) -> Result<Marking, String> {
    let rule = net.rules.get(step.rule).ok_or("there is no such rule")?;
    if before.control != rule.from {
        return Err(format!("the rule is for {}, not {}", rule.from, before.control));
    }
    // What is left of each place when the rule has taken its tokens.
    let mut left = Vec::new();
    for &(place, need) in &rule.take {
        if before.get(place) < need {
            return Err(format!("place {} has too few tokens", net.place_name(place)));
        }
    }
    for &(place, most) in &rule.at_most {
        if before.get(place) > most {
            return Err(format!("place {} has too many tokens", net.place_name(place)));
        }
    }
    for &(place, count) in &before.counts {
        let taken = rule.take.iter().find(|&&(it, _)| it == place).map_or(0, |&(_, n)| n);
        left.push((place, count - taken));
    }
    let mut after = rule.put.clone();
    for (place, count) in left {
        let targets = rule.targets_of(place);
        let moved = step.moved.iter().filter(|&&(from, _, _)| from == place);
        match targets.as_slice() {
            [] => {}
            &[only] => after.push((only, count)),
            several => {
                let moved: Vec<_> = moved.collect();
                let total: u64 = moved.iter().map(|&&(_, _, n)| u64::from(n)).sum();
                let allowed = moved.iter().all(|(_, to, _)| several.contains(to));
                if total != u64::from(count) || !allowed {
                    return Err(format!("tokens of place {} move wrongly", net.place_name(place)));
                }
                after.extend(moved.iter().map(|&&(_, to, n)| (to, n)));
            }
        }
    }
    Ok(Marking { control: rule.to, counts: merged(after) })
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;

    use super::{NetStep, NetTrace, replay};
    use crate::net::{Marking, Question};
    use crate::query;

    fn step(rule: usize, moved: &[(u32, u32, u32)]) -> NetStep {
        NetStep { rule, moved: moved.to_vec() }
    }

    #[test]
    fn a_run_is_accepted_and_its_forgeries_are_not() {
        let text = "2 5\n0 0 -> 1 1 0 ~> 2 0 ~> 3\n1 2 +> 0 4\n";
        let net = crate::tts::parse(&SourceFile::new("t.tts", text)).unwrap();
        let initial = query::initial("0/0").unwrap();
        let targets = vec![query::target("0|1,2,3,4").unwrap()];
        let question = Question { initial, targets };
        let steps = vec![step(0, &[(0, 2, 1), (0, 3, 1)]), step(1, &[])];
        let trace = NetTrace { initial: Marking::new(0, [(0, 3)]), steps };
        let states = replay(&net, &question, &trace).unwrap();
        assert_eq!(states[2], Marking::new(0, [(1, 1), (2, 1), (3, 1), (4, 1)]));
        let forge = |change: &dyn Fn(&mut NetTrace)| {
            let mut forged = trace.clone();
            change(&mut forged);
            assert!(replay(&net, &question, &forged).is_err(), "{forged:?}");
        };
        forge(&|it| it.initial = Marking::new(0, [(0, 2)]));
        forge(&|it| it.initial = Marking::new(0, [(0, 3), (4, 1)]));
        forge(&|it| it.initial.control = 1);
        forge(&|it| it.steps[0].moved = vec![(0, 2, 2)]);
        forge(&|it| it.steps[0].moved = vec![(0, 4, 2)]);
        forge(&|it| it.steps[1].rule = 0);
        forge(&|it| it.steps[1].rule = 7);
        forge(&|it| _ = it.steps.pop());
    }
}

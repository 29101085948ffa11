//! Runs without ω: what an engine shows when it has covered a target.
//!
//! An engine knows the rules in order and what each needs. Where threads react to a rule, it also says
//! which reactions the rest of the run counts on; all others react as they like.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;

use crate::cover::counts::{Counts, LocalId};
use crate::cover::system::{MOST_CHOICES, Rule, State, System};

/// How transferred threads were distributed: from, to, how many.
pub type Moved = Vec<(LocalId, LocalId, u32)>;

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    pub initial: State,
    pub steps: Vec<RunStep>,
}

#[derive(Clone, Debug)]
pub struct RunStep {
    pub rule: Rule,
    /// For a rule with a transfer: every thread that was not taken and did not vanish.
    pub moved: Moved,
    pub after: State,
}

impl Run {
    /// The largest number of threads alive at once.
    pub fn n_threads(&self) -> u64 {
        let after = self.steps.iter().map(|step| step.after.counts.total());
        after.chain([self.initial.counts.total()]).max().unwrap_or(0)
    }
}

/// Executes the rules from `initial`; `None` if one of them cannot be taken, which is a mistake of ours.
pub fn execute(
    system: &mut dyn System,
    initial: State,
    rules: Vec<(Rule, Moved)>,
    meter: &mut Meter<'_>,
) -> Result<Option<Run>, Exhausted> {
    let mut now = initial.clone();
    let mut steps = Vec::with_capacity(rules.len());
    for (rule, wanted) in rules {
        meter.tick()?;
        if !now.counts.covers(&rule.take) {
            return Ok(None);
        }
        now.counts.subtract_all(&rule.take);
        let mut moved = Moved::new();
        if let Some(transfer) = rule.transfer {
            let mut after = Counts::new();
            for (local, count) in now.counts.iter() {
                let mut left = count;
                for &(_, to, n) in wanted.iter().filter(|&&(from, _, _)| from == local) {
                    let Some(rest) = left.checked_sub(n) else { return Ok(None) };
                    left = rest;
                    moved.push((local, to, n));
                    after.add(to, n);
                }
                if let Some(&any) = system.react(transfer, local, meter)?.first()
                    && left > 0
                {
                    moved.push((local, any, left));
                    after.add(any, left);
                }
            }
            now.counts = after;
        }
        now.counts.add_all(&rule.put);
        now.control = rule.to;
        steps.push(RunStep { rule, moved, after: now.clone() });
    }
    Ok(Some(Run { initial, steps }))
}

/// The least states from which a rule leads to `need` or more, with the reactions counted on. Each
/// thread of `need` that the rule does not put was a thread that reacted, one of `sources`.
pub fn pre(
    need: &Counts,
    rule: &Rule,
    sources: impl Fn(LocalId) -> Vec<LocalId>,
    meter: &mut Meter<'_>,
) -> Result<Vec<(Counts, Moved)>, Exhausted> {
    let mut rest = need.clone();
    rest.subtract_all(&rule.put);
    if rule.transfer.is_none() {
        rest.add_all(&rule.take);
        return Ok(vec![(rest, Moved::new())]);
    }
    let mut all = vec![(rule.take.clone(), Moved::new())];
    for (local, count) in rest.iter() {
        let sources = sources(local);
        if let [only] = sources[..] {
            for (before, moved) in &mut all {
                before.add(only, count);
                moved.push((only, local, count));
            }
            continue;
        }
        for _ in 0..if sources.is_empty() { 1 } else { count } {
            meter.tick()?;
            let longer = all.iter().flat_map(|(before, moved)| {
                sources.iter().map(move |&from| {
                    let (mut before, mut moved) = (before.clone(), moved.clone());
                    before.add(from, 1);
                    moved.push((from, local, 1));
                    (before, moved)
                })
            });
            all = longer.collect();
            all.sort_unstable();
            all.dedup_by(|next, first| next.0 == first.0);
            if all.len() > MOST_CHOICES {
                return Err(Exhausted::States(MOST_CHOICES as u64));
            }
        }
    }
    Ok(all)
}

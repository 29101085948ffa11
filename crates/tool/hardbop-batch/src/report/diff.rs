//! What has changed from one run to another, task by task.

use std::collections::HashMap;

use crate::row::Answer;
use crate::store::Listed;

/// How a task differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is in the second run only.
    New(Option<Answer>),
    /// It is in the first run only.
    Gone(Option<Answer>),
    /// It has another answer.
    Other(Option<Answer>, Option<Answer>),
}

/// Two runs against each other.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// By name, in the order of the second run, those that are gone behind.
    pub changes: Vec<(String, Change)>,
    /// Tasks that both have decided, with the seconds that each took.
    pub times: Vec<(String, f64, f64)>,
}

impl Diff {
    /// From the first to the second.
    pub fn of(first: &[Listed], second: &[Listed]) -> Diff {
        let by_name = |tasks: &[Listed]| -> HashMap<String, usize> {
            tasks.iter().enumerate().map(|(at, it)| (it.task.name.clone(), at)).collect()
        };
        let (before, after) = (by_name(first), by_name(second));
        let answer = |it: &Listed| it.result.as_ref().map(|it| it.answer);
        let mut diff = Diff::default();
        for now in second {
            let name = now.task.name.clone();
            let Some(&at) = before.get(&name) else {
                diff.changes.push((name, Change::New(answer(now))));
                continue;
            };
            let then = &first[at];
            if let (Some(a), Some(b)) = (&then.result, &now.result)
                && a.answer.is_decided()
                && b.answer.is_decided()
            {
                diff.times.push((name.clone(), a.wall.as_secs_f64(), b.wall.as_secs_f64()));
            }
            if answer(then) != answer(now) {
                diff.changes.push((name, Change::Other(answer(then), answer(now))));
            }
        }
        let gone = first.iter().filter(|it| !after.contains_key(&it.task.name));
        diff.changes.extend(gone.map(|it| (it.task.name.clone(), Change::Gone(answer(it)))));
        diff
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |it: &Option<Answer>| it.map_or("no result", Answer::name);
        match self {
            Change::New(now) => write!(f, "new: {}", word(now)),
            Change::Gone(then) => write!(f, "gone: was {}", word(then)),
            Change::Other(then, now) => write!(f, "{} -> {}", word(then), word(now)),
        }
    }
}

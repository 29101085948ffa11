//! One hard task on many machines: it becomes parts, which are tasks like any other, and what they say is joined.
//!
//! *By property*: one part for each class of checks. Soundness: in the part of a class the checks of all others cut an
//! execution where they fail. The first check that fails in an execution is cut off by no other, so it fails in the part
//! of its class: if every part is safe, nothing fails first, and nothing fails.
//!
//! *By cubes*: part I of N of the executions (`hardbop check --cube I/N`). Soundness: each part says which bits it has
//! fixed, and [`covers`] sees that all combinations of the same bits are there; how they were chosen is not trusted.

use std::collections::BTreeSet;
use std::time::Duration;

use hardbop_cir::Class;
use serde_json::{Value, json};

use crate::error::Trouble;
use crate::plan::Plan;
use crate::row::{Answer, Row};
use crate::store::{Listed, Store};
use crate::task::Task;

/// How tasks are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// One part for each class of checks of a C program.
    Properties,
    /// So many parts, a power of two.
    Cubes(u32),
}

impl Split {
    /// The plan of all parts, and how many each task has, in order.
    pub fn apply(self, plan: &Plan) -> (Plan, Vec<usize>) {
        let parts: Vec<Vec<Task>> = plan.tasks.iter().map(|it| self.parts(it)).collect();
        let counts = parts.iter().map(Vec::len).collect();
        let tasks = parts.into_iter().flatten().collect();
        (
            Plan { tasks, name: format!("parts of {}", plan.name), folder: plan.folder.clone() },
            counts,
        )
    }

    fn parts(self, task: &Task) -> Vec<Task> {
        let part = |what: &str| {
            let mut part = task.clone();
            part.name = format!("{} ({what})", task.name);
            part.expected = None;
            part
        };
        match self {
            Split::Properties => {
                let classes =
                    task.is_c().then(|| classes(task.asked.property.as_deref())).flatten();
                let of = |class: &Class| {
                    let mut part = part(class.name());
                    part.asked.property = Some(class.name().into());
                    part
                };
                match classes {
                    Some(classes) if classes.len() > 1 => classes.iter().map(of).collect(),
                    _ => vec![part("whole")],
                }
            }
            Split::Cubes(n) => {
                let of = |nth: u32| {
                    let mut part = part(&format!("cube {nth}/{n}"));
                    part.asked.options.extend(["--cube".into(), format!("{nth}/{n}")]);
                    part
                };
                (1..=n).map(of).collect()
            }
        }
    }

    /// What the parts of a task say together.
    pub fn join(
        self,
        store: &Store,
        task: &Task,
        parts: &[Listed],
    ) -> Result<Option<Row>, Trouble> {
        let mut said = Vec::new();
        for part in parts {
            let Some(result) = &part.result else { return Ok(None) };
            let record = store.record_of(result.id)?;
            let record: Value =
                record.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or(Value::Null);
            said.push((result.clone(), record));
        }
        let joined = self.joined(&said.iter().map(|it| (it.0.answer, &it.1)).collect::<Vec<_>>());
        let sum = |of: fn(&crate::store::Stored) -> Duration| said.iter().map(|it| of(&it.0)).sum();
        let reason = match joined.answer {
            Answer::Safe => None,
            _ => said[joined.by].0.reason.clone().filter(|_| joined.answer != Answer::Unsafe),
        };
        let record = joined.record(task, &said[joined.by].1, said.len());
        Ok(Some(Row {
            answer: joined.answer,
            reason: joined.why.or(reason),
            cpu: sum(|it| it.cpu),
            wall: sum(|it| it.wall),
            memory: said.iter().map(|it| it.0.memory).max().unwrap_or(0),
            limits: task.limits,
            record,
            evidence: None,
            log: String::new(),
        }))
    }

    fn joined(self, parts: &[(Answer, &Value)]) -> Joined {
        let find = |answer: Answer| parts.iter().position(|it| it.0 == answer);
        // One execution that goes wrong is enough, whatever else is not known.
        for answer in [Answer::Unsafe, Answer::Crashed, Answer::Error, Answer::Rejected] {
            if let Some(by) = find(answer) {
                return Joined { answer, by, is_certified: true, why: None };
            }
        }
        let is_safe = |(answer, record): &(Answer, &Value)| match self {
            Split::Properties => *answer == Answer::Safe,
            Split::Cubes(_) => record["part"]["safe"] == json!(true),
        };
        if let Some(by) = parts.iter().position(|it| !is_safe(it)) {
            return Joined { answer: Answer::Unknown, by, is_certified: false, why: None };
        }
        let is_certified = parts
            .iter()
            .all(|it| it.1["certified"] == json!(true) || it.1["part"]["empty"] == json!(true));
        let is_covered = match self {
            Split::Properties => true,
            Split::Cubes(_) => covers(&parts.iter().map(|it| it.1).collect::<Vec<_>>()),
        };
        match is_covered {
            true => Joined { answer: Answer::Safe, by: 0, is_certified, why: None },
            false => {
                let why = Some("internal: the parts do not cover all executions".into());
                Joined { answer: Answer::Crashed, by: 0, is_certified, why }
            }
        }
    }
}

/// What is said of the whole, and by which part.
struct Joined {
    answer: Answer,
    by: usize,
    is_certified: bool,
    why: Option<String>,
}

impl Joined {
    /// The record of the part that decides, as one of the whole.
    fn record(&self, task: &Task, part: &Value, n_parts: usize) -> Option<Value> {
        let mut record = part.as_object()?.clone();
        record.remove("part");
        if self.answer == Answer::Safe {
            record.insert("verdict".into(), json!("safe"));
            record.insert("certified".into(), json!(self.is_certified));
            record.insert("engine".into(), json!("parts"));
            record.insert("reason".into(), Value::Null);
            record.insert(
                "detail".into(),
                json!(format!("{n_parts} parts are safe, and cover {}", task.name)),
            );
            record.insert("invariants".into(), json!([]));
        }
        Some(Value::Object(record))
    }
}

/// Whether parts fix the same bits, in all combinations. Those that are empty say so and count for nothing.
fn covers(parts: &[&Value]) -> bool {
    let fixed = |part: &Value| -> Option<Vec<(String, bool)>> {
        let list = part["part"]["fixed"].as_array()?.iter();
        list.map(|it| Some((it["what"].as_str()?.to_string(), it["value"].as_bool()?))).collect()
    };
    let full = parts.iter().filter(|it| it["part"]["empty"] != json!(true));
    let Some(all) = full.map(|it| fixed(it)).collect::<Option<Vec<_>>>() else { return false };
    let Some(first) = all.first() else { return false };
    let names = |it: &[(String, bool)]| it.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    let bits = names(first);
    let distinct: BTreeSet<&String> = bits.iter().collect();
    let values: BTreeSet<Vec<bool>> =
        all.iter().map(|it| it.iter().map(|it| it.1).collect()).collect();
    distinct.len() == bits.len()
        && all.iter().all(|it| names(it) == bits)
        && u32::try_from(bits.len()).is_ok_and(|k| k < 32 && values.len() == 1 << k)
}

/// The classes that are asked for; `None` for a property file, which is one question.
fn classes(property: Option<&str>) -> Option<Vec<Class>> {
    let Some(property) = property else {
        return Some(Class::ALL.into_iter().filter(|it| it.is_default()).collect());
    };
    let mut all: Vec<Class> = Vec::new();
    for name in property.split(',') {
        all.extend(Class::select(name)?);
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Split, covers};
    use crate::row::Answer;

    fn part(fixed: &[(&str, bool)], is_safe: bool) -> Value {
        let fixed: Vec<Value> =
            fixed.iter().map(|(what, value)| json!({ "what": what, "value": value })).collect();
        json!({ "certified": true, "part": { "fixed": fixed, "safe": is_safe, "empty": false } })
    }

    #[test]
    fn all_combinations_of_the_same_bits_cover() {
        let (a, b) = (part(&[("g", false)], true), part(&[("g", true)], true));
        let empty = json!({ "part": { "fixed": [], "safe": true, "empty": true } });
        assert!(covers(&[&a, &b]) && covers(&[&a, &b, &empty]) && covers(&[&part(&[], true)]));
        assert!(!covers(&[&a]) && !covers(&[&a, &a]) && !covers(&[&empty]) && !covers(&[]));
        assert!(!covers(&[&a, &part(&[("h", true)], true)]), "other bits");
        assert!(!covers(&[&a, &json!({})]), "a part that does not say what it fixes");
        let both = part(&[("g", true), ("g", false)], true);
        assert!(!covers(&[&both]), "one bit twice");
    }

    #[test]
    fn the_worst_part_decides() {
        let (a, b) = (part(&[("g", false)], true), part(&[("g", true)], true));
        let open = part(&[("g", true)], false);
        let join = |parts: &[(Answer, &Value)]| Split::Cubes(2).joined(parts).answer;
        let unknown = Answer::Unknown;
        assert_eq!(join(&[(unknown, &a), (unknown, &b)]), Answer::Safe);
        assert_eq!(join(&[(unknown, &a), (unknown, &open)]), Answer::Unknown);
        assert_eq!(join(&[(unknown, &open), (Answer::Unsafe, &b)]), Answer::Unsafe);
        assert_eq!(join(&[(unknown, &a), (unknown, &a)]), Answer::Crashed);
        let safe = json!({});
        let join = |parts: &[(Answer, &Value)]| Split::Properties.joined(parts).answer;
        assert_eq!(join(&[(Answer::Safe, &safe), (Answer::Safe, &safe)]), Answer::Safe);
        assert_eq!(join(&[(Answer::Safe, &safe), (unknown, &safe)]), Answer::Unknown);
    }
}

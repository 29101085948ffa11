//! A part of a plan: for schedulers that know how many they are and which one they are.

use std::str::FromStr;

use crate::plan::Plan;

/// Part `nth` of `of`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    nth: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let (nth, of) =
            parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or("expected I/N, such as 2/8")?;
        Ok(Shard { nth, of })
    }
}

impl Shard {
    /// Every so manieth task: neighbours are often alike, and parts shall be.
    pub fn of(self, plan: Plan) -> Plan {
        let tasks = plan.tasks.into_iter().skip(self.nth - 1).step_by(self.of).collect();
        Plan { tasks, ..plan }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;
    use crate::plan::Plan;
    use crate::task::Task;

    #[test]
    fn parts_are_a_partition() {
        let tasks: Vec<Task> = (0..10).map(|n| Task::of(vec![format!("{n}").into()])).collect();
        let plan = Plan { name: "p".into(), folder: ".".into(), tasks };
        let mut seen: Vec<String> = Vec::new();
        for nth in 1..=3 {
            let shard: Shard = format!("{nth}/3").parse().unwrap();
            seen.extend(shard.of(plan.clone()).tasks.into_iter().map(|it| it.name));
        }
        seen.sort();
        let all: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        assert_eq!(seen, all);
        for wrong in ["", "0/3", "4/3", "1", "1/0", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}

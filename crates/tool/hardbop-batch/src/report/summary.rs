//! A run in numbers.

use std::fmt::Write;
use std::time::Duration;

use super::judgement::{Judgement, points};
use crate::row::Answer;
use crate::store::Listed;

/// Counts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// All tasks.
    pub n_tasks: usize,
    /// Those with a result, by answer.
    pub by_answer: Vec<(Answer, usize)>,
    /// Those without.
    pub n_missing: usize,
    /// Whose answer is another than the known one.
    pub n_wrong: usize,
    /// SV-COMP's points, and how many there could be; `None` if nothing is known of any task.
    pub score: Option<(i64, i64)>,
    /// Of the processor, in all.
    pub cpu: Duration,
    /// The worst of all.
    pub worst: Option<Judgement>,
}

impl Summary {
    /// Counts.
    pub fn of(tasks: &[Listed]) -> Summary {
        let results = || tasks.iter().filter_map(|it| it.result.as_ref());
        let count = |answer: Answer| results().filter(|it| it.answer == answer).count();
        let judged: Vec<Judgement> = tasks.iter().map(Judgement::of).collect();
        let known = || tasks.iter().filter_map(|it| it.task.expected);
        let most = known().map(|it| if it == crate::task::Expected::True { 2 } else { 1 }).sum();
        Summary {
            n_tasks: tasks.len(),
            by_answer: Answer::ALL.into_iter().map(|it| (it, count(it))).collect(),
            n_missing: tasks.len() - results().count(),
            n_wrong: judged.iter().filter(|it| **it == Judgement::Wrong).count(),
            score: known().next().map(|_| (tasks.iter().map(points).sum(), most)),
            cpu: results().map(|it| it.cpu).sum(),
            worst: judged.into_iter().max(),
        }
    }

    /// One line.
    pub fn line(&self) -> String {
        let mut line = format!("{} tasks:", self.n_tasks);
        let always = [Answer::Safe, Answer::Unsafe, Answer::Unknown];
        let shown = self.by_answer.iter().filter(|(it, n)| *n > 0 || always.contains(it));
        let mut parts: Vec<String> = shown.map(|(answer, n)| format!("{n} {answer}")).collect();
        if self.n_missing > 0 {
            parts.push(format!("{} without a result", self.n_missing));
        }
        let _ = write!(line, " {}", parts.join(", "));
        if self.n_wrong > 0 {
            let _ = write!(line, "; {} not as expected", self.n_wrong);
        }
        if let Some((points, most)) = self.score {
            let _ = write!(line, "; score {points} of {most}");
        }
        let _ = write!(line, "; {:.1} s of the processor", self.cpu.as_secs_f64());
        line
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Summary;
    use crate::key::Key;
    use crate::limits::Limits;
    use crate::report::Judgement;
    use crate::row::Answer;
    use crate::store::{Listed, ResultId, Stored};
    use crate::task::{Expected, Task};

    fn listed(answer: Option<Answer>, expected: Option<Expected>) -> Listed {
        let mut task = Task::of(vec!["a".into()]);
        task.expected = expected;
        let second = Duration::from_secs(1);
        let result = answer.map(|answer| Stored {
            id: ResultId(1),
            answer,
            reason: None,
            cpu: second,
            wall: second,
            memory: 0,
            limits: Limits::default(),
        });
        Listed { task, key: Key(String::new()), result }
    }

    #[test]
    fn points_are_those_of_the_competition() {
        use Expected::{False, True};
        let rows = [
            (Answer::Safe, True, 2),
            (Answer::Unsafe, False, 1),
            (Answer::Safe, False, -32),
            (Answer::Unsafe, True, -16),
            (Answer::Unknown, True, 0),
            (Answer::Crashed, False, 0),
        ];
        for (answer, expected, points) in rows {
            let summary = Summary::of(&[listed(Some(answer), Some(expected))]);
            assert_eq!(summary.score.unwrap().0, points, "{answer} {expected:?}");
        }
    }

    #[test]
    fn a_summary_is_one_line() {
        let tasks = [
            listed(Some(Answer::Safe), Some(Expected::True)),
            listed(Some(Answer::Unsafe), None),
            listed(None, None),
            listed(Some(Answer::Crashed), None),
        ];
        let summary = Summary::of(&tasks);
        assert_eq!(
            summary.line(),
            "4 tasks: 1 safe, 1 unsafe, 0 unknown, 1 crashed, 1 without a result; score 2 of 2; 3.0 s of the processor"
        );
        assert_eq!(summary.worst, Some(Judgement::Crashed));
    }
}

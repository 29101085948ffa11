//! What came of a task: one row, whatever happened to its process.

use std::fmt;
use std::time::Duration;

use hardbop_report::{Record, Verdict};
use serde_json::Value;

use crate::limits::Limits;
use crate::pool::{Ended, How, Resource};

/// The answer, or why there is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// The input is no program.
    Rejected,
    /// The question cannot be asked: a file is not there, an option means nothing.
    Error,
    /// Our mistake: the process ended without a report, or said that it failed.
    Crashed,
}

impl Answer {
    /// In the order of reports.
    pub const ALL: [Answer; 6] = [
        Answer::Safe,
        Answer::Unsafe,
        Answer::Unknown,
        Answer::Rejected,
        Answer::Error,
        Answer::Crashed,
    ];

    /// The word in the store and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Unknown => "unknown",
            Answer::Rejected => "rejected",
            Answer::Error => "error",
            Answer::Crashed => "crashed",
        }
    }

    /// By its word.
    pub fn named(name: &str) -> Option<Answer> {
        Answer::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether the question is settled.
    pub fn is_decided(self) -> bool {
        matches!(self, Answer::Safe | Answer::Unsafe)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is kept of a task that was run.
#[derive(Clone, Debug)]
pub struct Row {
    /// The answer.
    pub answer: Answer,
    /// The word for why there is none, with its sentence.
    pub reason: Option<String>,
    /// Of the processor, by all processes.
    pub cpu: Duration,
    /// By the clock.
    pub wall: Duration,
    /// Bytes at most.
    pub memory: u64,
    /// What it was allowed.
    pub limits: Limits,
    /// `hardbop.result/1`, where there is one.
    pub record: Option<Value>,
    /// The certificate.
    pub evidence: Option<Vec<u8>>,
    /// What was said on standard error, its end if it is long.
    pub log: String,
}

impl Row {
    /// Makes a row of what a process left behind.
    pub fn of(ended: Ended, limits: Limits, evidence: Option<Vec<u8>>) -> Row {
        let log = tail(&String::from_utf8_lossy(&ended.stderr));
        let text = String::from_utf8_lossy(&ended.stdout);
        let record = hardbop_report::read(&text).ok().and_then(|it| it.into_iter().next());
        let (answer, reason) = judged(&ended, record.as_ref(), &log);
        // Of a question without an answer there is nothing to show, and of a limit no late answer counts.
        let record = record.filter(|_| !matches!(ended.how, How::OutOf(_)));
        let evidence = evidence.filter(|_| answer.is_decided() || is_safe_part(record.as_ref()));
        let Ended { cpu, wall, memory, .. } = ended;
        Row { answer, reason, cpu, wall, memory, limits, record, evidence, log }
    }

    /// Whether it is an answer to the same question under other limits. Soundness: what was not decided is asked
    /// again where there is more to spend; what went wrong may go right.
    pub fn answers(answer: Answer, had: Limits, asked: Limits) -> bool {
        match answer {
            Answer::Safe | Answer::Unsafe | Answer::Rejected => true,
            Answer::Unknown => had.cover(asked),
            Answer::Error | Answer::Crashed => false,
        }
    }
}

/// Whether a part of the executions was asked about, and is safe: a proof of it is one.
pub fn is_safe_part(record: Option<&Value>) -> bool {
    record.is_some_and(|it| it["part"]["safe"] == Value::Bool(true))
}

fn judged(ended: &Ended, record: Option<&Value>, log: &str) -> (Answer, Option<String>) {
    let said = || log.lines().next().unwrap_or("nothing was said").to_string();
    match (ended.how, record.map(Record::of)) {
        (How::OutOf(resource), _) => (Answer::Unknown, Some(out_of(resource))),
        // 70: the report says itself that we are wrong.
        (How::Exited(70), Some(Ok(record))) => (Answer::Crashed, because(&record)),
        (How::Exited(_), Some(Ok(record))) => {
            let answer = match record.verdict {
                Verdict::Safe => Answer::Safe,
                Verdict::Unsafe => Answer::Unsafe,
                Verdict::Unknown => Answer::Unknown,
                Verdict::Rejected => Answer::Rejected,
                Verdict::Error => Answer::Error,
            };
            (answer, because(&record))
        }
        (How::Exited(1 | 3), _) => (Answer::Error, Some(said())),
        (How::Exited(code), _) => (Answer::Crashed, Some(format!("exit code {code}: {}", said()))),
        (How::Signalled(signal), _) => (Answer::Crashed, Some(format!("signal {signal}"))),
        (How::Interrupted, _) => (Answer::Error, Some("interrupted".into())),
    }
}

fn because(record: &Record) -> Option<String> {
    match (&record.reason, &record.detail) {
        (Some(word), Some(detail)) => Some(format!("{word}: {detail}")),
        (Some(word), None) => Some(word.clone()),
        (None, _) => None,
    }
}

fn out_of(resource: Resource) -> String {
    match resource {
        Resource::Wall => "time: the process did not end in time and was ended",
        Resource::Cpu => "cpu: the processor time is over, the process was ended",
        Resource::Memory => "memory: the process took more than its limit and was ended",
    }
    .into()
}

/// The end of what was said, from a line on.
fn tail(text: &str) -> String {
    const MOST: usize = 16 << 10;
    if text.len() <= MOST {
        return text.into();
    }
    let mut from = text.len() - MOST;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let rest = &text[from..];
    rest.split_once('\n').map_or(rest, |it| it.1).into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Answer, Row};
    use crate::limits::Limits;
    use crate::pool::{Ended, How, Resource};

    const SAFE: &str = r#"{"schema":"hardbop.result/1","file":"a","verdict":"safe"}"#;

    fn row(how: How, stdout: &str, stderr: &str) -> Row {
        let (cpu, wall) = (Duration::ZERO, Duration::ZERO);
        let (stdout, stderr) = (stdout.into(), stderr.into());
        let ended = Ended { how, stdout, stderr, cpu, wall, memory: 0 };
        Row::of(ended, Limits::default(), Some(b"proof".to_vec()))
    }

    #[test]
    fn whatever_happens_is_one_row() {
        let of = |how, stdout: &str, stderr: &str| row(how, stdout, stderr).answer;
        assert_eq!(of(How::Exited(0), SAFE, ""), Answer::Safe);
        assert_eq!(of(How::Exited(1), "", "hardbop: no such option"), Answer::Error);
        assert_eq!(of(How::Exited(101), "", "thread panicked"), Answer::Crashed);
        assert_eq!(of(How::Exited(0), "{", ""), Answer::Crashed);
        assert_eq!(of(How::Exited(70), SAFE, ""), Answer::Crashed);
        assert_eq!(of(How::Signalled(11), "", ""), Answer::Crashed);
        let told = row(How::Signalled(11), "", "");
        assert_eq!((told.reason.as_deref(), told.evidence), (Some("signal 11"), None));
    }

    #[test]
    fn an_answer_that_came_too_late_is_none() {
        let late = row(How::OutOf(Resource::Memory), SAFE, "");
        assert_eq!((late.answer, late.record, late.evidence), (Answer::Unknown, None, None));
    }

    #[test]
    fn what_went_wrong_is_asked_again() {
        let none = Limits::default();
        let little = Limits { memory: Some(1), ..none };
        assert!(Row::answers(Answer::Safe, little, none));
        assert!(Row::answers(Answer::Unknown, none, little));
        assert!(!Row::answers(Answer::Unknown, little, none));
        assert!(!Row::answers(Answer::Crashed, none, none));
    }
}

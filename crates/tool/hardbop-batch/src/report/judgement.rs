//! An answer against what is known of the task, and SV-COMP's points for it.

use crate::row::Answer;
use crate::store::Listed;
use crate::task::Expected;

/// What is to be thought of a task; the larger one decides the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// It is safe, or as it should be.
    Good,
    /// There is no result yet.
    Missing,
    /// There is no answer.
    Undecided,
    /// It is unsafe, and nobody had said so before.
    Violated,
    /// The answer is another than the known one.
    Wrong,
    /// It is no program.
    Refused,
    /// A file cannot be read, or an option says nothing about it.
    Unasked,
    /// Our mistake.
    Crashed,
}

impl Judgement {
    /// By the answer and what is known.
    pub fn of(listed: &Listed) -> Judgement {
        let Some(result) = &listed.result else { return Judgement::Missing };
        match (result.answer, listed.task.expected) {
            (Answer::Safe, Some(Expected::False)) | (Answer::Unsafe, Some(Expected::True)) => {
                Judgement::Wrong
            }
            (Answer::Safe, _) | (Answer::Unsafe, Some(Expected::False)) => Judgement::Good,
            (Answer::Unsafe, None) => Judgement::Violated,
            (Answer::Unknown, _) => Judgement::Undecided,
            (Answer::Rejected, _) => Judgement::Refused,
            (Answer::Error, _) => Judgement::Unasked,
            (Answer::Crashed, _) => Judgement::Crashed,
        }
    }
}

/// SV-COMP's points: 2 for a proof and 1 for an alarm that is right, -32 and -16 for those that are wrong. Alarms and
/// proofs count whatever a validator of witnesses would say.
pub fn points(listed: &Listed) -> i64 {
    let answer = listed.result.as_ref().map(|it| it.answer);
    match (answer, listed.task.expected) {
        (Some(Answer::Safe), Some(Expected::True)) => 2,
        (Some(Answer::Safe), Some(Expected::False)) => -32,
        (Some(Answer::Unsafe), Some(Expected::False)) => 1,
        (Some(Answer::Unsafe), Some(Expected::True)) => -16,
        _ => 0,
    }
}

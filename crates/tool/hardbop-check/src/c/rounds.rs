//! The rounds of engine `cegar`, for somebody who wants to see how the abstraction became what it is.

use std::sync::{Arc, Mutex, PoisonError};

use hardbop_base::Span;
use hardbop_c::Sources;
use hardbop_cegar::{Event, Learned, Spot};

/// A round: a Boolean program, and what was learned from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// What is followed where.
    pub predicates: Vec<(At, Vec<String>)>,
    /// The Boolean program as text; empty if it is too long to be shown.
    pub program: String,
    /// The path of it that was looked at, with the values of the predicates.
    pub path: Vec<(At, Vec<(String, bool)>)>,
    /// What came of it.
    pub learned: &'static str,
}

/// A place of the C program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The function.
    pub proc: String,
    /// What is there.
    pub what: &'static str,
}

/// So many of the first rounds are kept, and so many of the last.
const MOST: (usize, usize) = (10, 40);
/// A longer text is not shown.
const MOST_BYTES: usize = 200_000;
/// So many places of a path are told, the last ones.
const MOST_VISITS: usize = 500;

/// What is written down while the engine works; it outlives one that does not stop.
#[derive(Clone)]
pub(super) struct Book {
    sources: Arc<Sources>,
    rounds: Arc<Mutex<Vec<Round>>>,
}

impl Book {
    pub fn of(sources: &Sources) -> Book {
        Book { sources: Arc::new(sources.clone()), rounds: Arc::default() }
    }

    pub fn read(&self) -> Vec<Round> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn note(&self, event: &Event<'_>) {
        // A writer that failed has left whole rounds.
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Made(it) => {
                if rounds.len() == MOST.0 + MOST.1 {
                    rounds.remove(MOST.0);
                }
                let followed = it.followed().into_iter();
                let program = it.text(&|span| {
                    let at = self.sources.position(span);
                    format!("{}:{}", at.file, at.line)
                });
                rounds.push(Round {
                    number: it.number,
                    predicates: followed.map(|it| (self.at(it.spot), it.predicates)).collect(),
                    program: if program.len() > MOST_BYTES { String::new() } else { program },
                    path: Vec::new(),
                    learned: "not ended",
                });
            }
            Event::Path(it, moves) => {
                let mut visits = it.path(moves);
                visits.drain(..visits.len().saturating_sub(MOST_VISITS));
                let Some(round) = rounds.last_mut() else { return };
                round.path = visits.into_iter().map(|it| (self.at(it.spot), it.values)).collect();
            }
            Event::Ended(learned) => {
                let Some(round) = rounds.last_mut() else { return };
                round.learned = words(*learned);
            }
            Event::Decided(..) => {}
        }
    }

    fn at(&self, spot: Spot) -> At {
        let position = |span: Span| self.sources.position(span);
        let position = spot.span.map(position);
        At {
            file: position.as_ref().map(|it| it.file.to_string()),
            line: position.as_ref().map(|it| it.line),
            proc: spot.func,
            what: spot.at,
        }
    }
}

fn words(learned: Learned) -> &'static str {
    match learned {
        Learned::Safe => "the Boolean program is safe, and with it the C program",
        Learned::Steps => "no execution takes some step of this path: the Boolean program loses it",
        Learned::Predicates => "no execution takes this path: predicates are added that exclude it",
        Learned::Violation => "an execution takes this path: it is a violation",
        Learned::Nothing => "nothing was learned from it",
    }
}

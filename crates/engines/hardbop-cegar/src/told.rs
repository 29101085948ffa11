//! A round in words: what is followed where, and the path of the Boolean program that was looked at.

use hardbop_base::Span;
use hardbop_cir::{CheckId, ExprId, Program};
use hardbop_engine_c::Finding;
use hardbop_kind::print::c_expr;

use crate::boolean::{Move, span_of};
use crate::cuts::{Cut, Place};
use crate::print::Iteration;
use crate::regions::Exit;

/// What a user who looks on is shown.
pub enum Event<'a> {
    /// The Boolean program of a round, before it is checked.
    Made(&'a Iteration<'a>),
    /// A trace of it, in terms of the C program.
    Path(&'a Iteration<'a>, &'a [Move]),
    /// How the round ended.
    Ended(Learned),
    /// A check is decided, whatever becomes of the others.
    Decided(CheckId, &'a Finding),
}

/// What came of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// The Boolean program is safe, and so is the C program, but for what was found before.
    Safe,
    /// Steps of the path that no execution takes.
    Steps,
    /// Predicates that exclude the path.
    Predicates,
    /// The path is one of the program.
    Violation,
    /// Nothing more.
    Nothing,
}

/// A cut of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Where it is in the source; the end of a function is nowhere.
    pub span: Option<Span>,
    pub func: String,
    /// What is there, as in `each time the loop begins`.
    pub at: &'static str,
}

/// The predicates that have been chosen for a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    pub spot: Spot,
    pub predicates: Vec<String>,
}

/// A place on a path, with the values the predicates have there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    pub spot: Spot,
    pub values: Vec<(String, bool)>,
    /// Whether something goes wrong between here and the next place.
    pub is_last: bool,
}

impl Iteration<'_> {
    pub fn followed(&self) -> Vec<Followed> {
        let words = self.printer();
        let chosen = self.precision.places().filter(|it| !it.1.is_empty());
        let followed = |(place, predicates): (&Place, &_)| Followed {
            spot: self.spot(*place),
            predicates: strings(&words, predicates),
        };
        chosen.map(followed).collect()
    }

    pub fn path(&self, moves: &[Move]) -> Vec<Visit> {
        let words = self.printer();
        let along = |it: &Move| match it {
            Move::Along { arrow: (place, exit), before, .. } => Some(Visit {
                spot: self.spot(*place),
                values: before.iter().map(|&(it, value)| (c_expr(&words, it), value)).collect(),
                is_last: *exit == Exit::Error,
            }),
            Move::Call | Move::Return => None,
        };
        moves.iter().filter_map(along).collect()
    }

    /// The printer of C expressions wants a program that has them.
    pub(crate) fn printer(&self) -> Program {
        Program { exprs: self.pool.clone(), ..self.normal.program.clone() }
    }

    fn spot(&self, place: Place) -> Spot {
        let at = match place.cut {
            Cut::Start => "at the start",
            Cut::Block(_) if place == Place::entry(place.func) => "where the function begins",
            Cut::Block(_) => "each time the loop begins",
            Cut::Call(_) => "before the call",
            Cut::After(_) => "behind the call",
            Cut::Exit => "where the function ends",
        };
        let span = (place.cut != Cut::Exit).then(|| span_of(self.normal, place));
        Spot { span, func: self.normal.program.funcs[place.func].name.to_string(), at }
    }
}

fn strings<'a>(words: &Program, list: impl IntoIterator<Item = &'a ExprId>) -> Vec<String> {
    list.into_iter().map(|&it| c_expr(words, it)).collect()
}

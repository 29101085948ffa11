//! A part of all executions, so that one hard question is several smaller ones.
//!
//! A program is split by bits that each of its executions fixes at most once: the initial value of a shared variable of
//! a Boolean program, a bit of an input that a C program reads outside of loops. Part `nth` of `2^k` fixes k of them.
//! An execution that has all bits is in one part; one that never comes to a bit is in both halves. So the parts with all
//! combinations of values **cover** all executions: if each of them is safe, the program is, and what is unsafe in one
//! of them is unsafe. Who joins parts sees that they cover by what each says it has fixed, not by trust in the choice.
//!
//! Soundness: that a part is safe says nothing about the others. Its verdict is unknown, and [`Part::is_safe`] says so.

mod boolean;
mod c;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hardbop_c::CProgram;
use hardbop_cfg::Program;
use hardbop_engine::{Horizon, Reason, RunCtx, Verdict};

use crate::outcome::{Asked, Outcome};
use crate::run::Request;
use crate::subject::{Subject, whole};

/// Part `nth`, counted from 1, of `of`, a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    nth: u32,
    of: u32,
}

/// A bit that a part fixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// What it is a bit of, in the words of the source.
    pub what: String,
    /// Its value in this part.
    pub value: bool,
}

/// What is said of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which.
    pub cube: Cube,
    /// What it fixes: fewer bits than asked for where the program has no more.
    pub fixed: Vec<Fixed>,
    /// Whether nothing goes wrong in it.
    pub is_safe: bool,
    /// Whether no execution is in it: the program has fewer bits than parts were asked for.
    pub is_empty: bool,
}

impl FromStr for Cube {
    type Err = String;

    fn from_str(text: &str) -> Result<Cube, String> {
        let parts =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let is_part = |&(nth, of): &(u32, u32)| {
            of.is_power_of_two() && of <= 1 << 16 && 1 <= nth && nth <= of
        };
        let (nth, of) =
            parts.filter(is_part).ok_or("expected I/N, N a power of two, such as 3/8")?;
        Ok(Cube { nth, of })
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.nth, self.of)
    }
}

impl Cube {
    /// The values of as many bits as there are, at most those it has; `None` if others say all there is to say.
    fn values(self, n_bits: usize) -> Option<Vec<bool>> {
        let k = (self.of.trailing_zeros() as usize).min(n_bits);
        let nth = self.nth - 1;
        (nth < 1 << k).then(|| (0..k).map(|bit| nth >> bit & 1 == 1).collect())
    }

    /// The executions of a Boolean program that are in this part; `None` if it is empty.
    pub fn of_program(self, program: &Program) -> Option<(Program, Vec<Fixed>)> {
        boolean::restrict(program, |n_bits| self.values(n_bits))
    }

    /// Those of a C program.
    pub fn of_c(self, program: &CProgram) -> Option<(CProgram, Vec<Fixed>)> {
        c::restrict(program, |n_bits| self.values(n_bits))
    }
}

/// Decides a request about a part.
pub(crate) fn check(subject: Subject<'_>, cube: Cube, request: &Request, ctx: &RunCtx) -> Outcome {
    let mut request = request.clone();
    request.cube = None;
    match subject {
        Subject::Program { program, source } => match cube.of_program(program) {
            Some((part, fixed)) => {
                let program = &Arc::new(part);
                let outcome = whole(Subject::Program { program, source }, &request, ctx);
                of_part(outcome, cube, fixed)
            }
            None => empty(cube, Asked::Goal(request.task(program).goal)),
        },
        Subject::C(program) => match cube.of_c(program) {
            Some((part, fixed)) => {
                let mut outcome = whole(Subject::C(&part), &request, ctx);
                // What is shown is shown on the part.
                outcome.program = outcome.program.or_else(|| Some(Box::new(part)));
                of_part(outcome, cube, fixed)
            }
            None => empty(cube, Asked::Properties(request.c.classes.clone())),
        },
        Subject::Net(_) => {
            let why = "a net has no initial values to be split by".to_string();
            Outcome::new(Asked::Targets(String::new()), Verdict::Unknown(Reason::Unsupported(why)))
        }
    }
}

/// There are fewer bits than parts: the first parts have them all.
fn empty(cube: Cube, asked: Asked) -> Outcome {
    let mut outcome = of_part(Outcome::new(asked, Verdict::Safe), cube, Vec::new());
    outcome.detail = Some(format!("no execution is in part {cube}"));
    outcome.part = outcome.part.map(|it| Part { is_empty: true, ..it });
    outcome
}

/// Soundness: safe is said of the part only.
fn of_part(mut outcome: Outcome, cube: Cube, fixed: Vec<Fixed>) -> Outcome {
    let is_safe = matches!(outcome.verdict, Verdict::Safe);
    if is_safe {
        let values: Vec<String> = fixed.iter().map(ToString::to_string).collect();
        let where_ = if values.is_empty() { "nothing more".into() } else { values.join(", ") };
        outcome.detail = Some(format!("only part {cube} is safe: {where_}"));
        outcome.verdict = Verdict::Unknown(Reason::Bounded(Horizon::Scope));
    }
    outcome.part = Some(Part { cube, fixed, is_safe, is_empty: false });
    outcome
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.what, u8::from(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::Cube;

    #[test]
    fn parts_have_all_combinations_once() {
        let cube = |text: &str| text.parse::<Cube>().unwrap();
        let values: Vec<_> = (1..=4).map(|nth| cube(&format!("{nth}/4")).values(9)).collect();
        let all = [[false, false], [true, false], [false, true], [true, true]];
        assert_eq!(values, all.map(|it| Some(it.to_vec())));
        // With one bit two parts say everything, without any the first does.
        assert_eq!(cube("2/4").values(1), Some(vec![true]));
        assert_eq!((cube("3/4").values(1), cube("1/4").values(0)), (None, Some(vec![])));
        for wrong in ["", "0/2", "3/2", "1/3", "1/0", "x"] {
            assert!(wrong.parse::<Cube>().is_err(), "{wrong}");
        }
    }
}

//! The claims of a witness in the text of the program, on the lines they speak of.
//!
//! * an invariant of a loop: `while (c)` becomes `while (inv ? 0 : (broken(), 0), c)`, so that it is looked at each time
//!   before the condition is; of `do`, each time the body begins;
//! * an invariant of a place, and an assumption: a statement before the one that begins there;
//! * a waypoint: the counter [`SEGMENT`] says how many segments an execution has passed. Where it is that of a waypoint and
//!   the waypoint's condition holds, it grows, once at a time: a waypoint is passed at the first occasion. Where the
//!   waypoint is to be avoided, it becomes [`LOST`], which is that of no waypoint.
//!
//! Soundness: what is put in changes nothing that the program can see. Expressions only look ([`crate::expression`]).

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::expression::{looks_only, macros};
use crate::place::{Hook, Places, Refused};
use crate::witness::{Action, Content, Invariant, InvariantKind, Waypoint, WaypointKind, Witness};

/// The function that is called where an invariant does not hold; its number, from 1, follows.
pub const BROKEN: &str = "__hardbop_broken_";
/// The function that is called when a segment has been passed; its number, from 1, follows.
pub const PASSED: &str = "__hardbop_passed_";
/// The segments that have been passed.
pub const SEGMENT: &str = "__hardbop_segment";
/// The counter of executions that have met a waypoint that is to be avoided.
const LOST: u32 = u32::MAX;
/// What the call that returns has returned.
const RESULT: &str = "__hardbop_result";

/// A program with a witness in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Woven {
    pub text: String,
    /// Segments before the one with the target.
    pub n_segments: u32,
    /// The line of the target.
    pub target: Option<u32>,
}

/// Why a witness cannot be put into the program: which part of it, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misplaced {
    /// `invariant 3`, `waypoint 1 of segment 2`
    pub what: String,
    pub why: Refused,
}

/// The program `text`, called `name`, with the witness in it.
pub fn weave(witness: &Witness, name: &str, text: &str) -> Result<Woven, Misplaced> {
    let mut weaver =
        Weaver { places: Places::of(name, text), macros: macros(text), hooks: BTreeMap::new() };
    let mut head = format!("unsigned {SEGMENT};");
    let mut define = |prefix: &str, number: usize| {
        // Writing to a string does not fail.
        let _ = write!(head, " void {prefix}{number}(void) {{}}");
    };
    let (mut n_segments, mut target) = (0, None);
    match &witness.content {
        Content::Correctness(all) => {
            for (number, it) in (1..).zip(all) {
                define(BROKEN, number);
                let what = || format!("invariant {number}");
                weaver.invariant(number, it).map_err(|why| Misplaced { what: what(), why })?;
            }
        }
        Content::Violation(segments) => {
            for (segment, waypoints) in segments.iter().enumerate() {
                for (number, it) in (1..).zip(waypoints) {
                    if it.kind == WaypointKind::Target {
                        (n_segments, target) = (segment as u32, Some(it.at.line));
                    } else if it.action == Action::Follow {
                        define(PASSED, segment + 1);
                    }
                    let what = || format!("waypoint {number} of segment {}", segment + 1);
                    weaver.waypoint(segment, it).map_err(|why| Misplaced { what: what(), why })?;
                }
            }
        }
    }
    let text = format!("{head}\n#line 1 {name:?}\n{}", weaver.woven());
    Ok(Woven { text, n_segments, target })
}

/// What is put in at a hook.
#[derive(Default)]
struct Put {
    /// Expressions, one after the other.
    looks: Vec<String>,
    /// Steps of the counter with the branch they are for: of those of a branch one is taken.
    steps: Vec<(bool, String)>,
}

impl Put {
    /// `a ? … : b ? … : 0`, as one expression.
    fn chain(&self, branch: bool) -> String {
        let steps: String =
            self.steps.iter().filter(|it| it.0 == branch).map(|it| &*it.1).collect();
        format!("({steps}0)")
    }

    /// Everything that is not for a branch, as expressions.
    fn all(&self) -> Vec<String> {
        let mut all = self.looks.clone();
        all.extend((!self.steps.is_empty()).then(|| self.chain(true)));
        all
    }
}

struct Weaver<'a> {
    places: Places<'a>,
    macros: BTreeMap<&'a str, &'a str>,
    hooks: BTreeMap<Hook, Put>,
}

impl Weaver<'_> {
    fn invariant(&mut self, number: usize, it: &Invariant) -> Result<(), Refused> {
        looks_only(&it.value, &self.macros)?;
        let hook = match it.kind {
            InvariantKind::Loop => self.places.loop_at(&it.at)?,
            InvariantKind::Location => self.places.statement_at(&it.at)?,
        };
        let look = format!("(({}) ? 0 : ({BROKEN}{number}(), 0))", it.value);
        self.hooks.entry(hook).or_default().looks.push(look);
        Ok(())
    }

    fn waypoint(&mut self, segment: usize, it: &Waypoint) -> Result<(), Refused> {
        let (hook, branch, condition) = match &it.kind {
            WaypointKind::Target => return self.places.is_of_file(&it.at),
            WaypointKind::Assumption(value) => {
                looks_only(value, &self.macros)?;
                (self.places.statement_at(&it.at)?, true, value.clone())
            }
            WaypointKind::Branching(value) => (self.places.branch_at(&it.at)?, *value, "1".into()),
            WaypointKind::FunctionEnter => (self.places.call_at(&it.at)?, true, "1".into()),
            WaypointKind::FunctionReturn(value) => {
                let value = value.replace("\\result", "hardbop_result");
                looks_only(&value, &self.macros)?;
                (self.places.return_at(&it.at)?, true, value.replace("hardbop_result", RESULT))
            }
        };
        let effect = match it.action {
            Action::Follow => format!("{SEGMENT} = {0}u, {PASSED}{0}(), 0", segment + 1),
            Action::Avoid => format!("{SEGMENT} = {LOST}u, 0"),
        };
        let step = format!("{SEGMENT} == {segment}u && ({condition}) ? ({effect}) : ");
        self.hooks.entry(hook).or_default().steps.push((branch, step));
        Ok(())
    }

    /// The text with everything put in; lines stay lines.
    fn woven(&self) -> String {
        // Behind what ends at an offset come the openings of what begins there, the outermost first.
        let mut insertions: Vec<(usize, u8, String)> = Vec::new();
        for (hook, put) in &self.hooks {
            let text = |list: Vec<String>, behind: &str| {
                list.into_iter().map(|it| it + behind).collect::<String>()
            };
            match *hook {
                Hook::Statement { start, end: None } => {
                    insertions.push((start, 1, text(put.all(), "; ")))
                }
                Hook::Statement { start, end: Some(end) } => {
                    insertions.push((start, 1, format!("{{ {}", text(put.all(), "; "))));
                    insertions.push((end, 0, " }".into()));
                }
                Hook::Condition { start, is_empty } => {
                    let always = if is_empty { "1" } else { "" };
                    insertions.push((start, 2, text(put.all(), ", ") + always));
                }
                Hook::Branch { start, end } => {
                    insertions.push((
                        start,
                        2,
                        if start == end { "((1".into() } else { "((".into() },
                    ));
                    let ways = format!(") ? ({}, 1) : ({}, 0))", put.chain(true), put.chain(false));
                    insertions.push((end, if start == end { 3 } else { 0 }, ways));
                }
                Hook::Call { start, end } => {
                    insertions.push((start, 3, format!("({}", text(put.all(), ", "))));
                    insertions.push((end, 0, ")".into()));
                }
                Hook::Return { start, end } => {
                    let call = &self.places.text[start..end];
                    insertions.push((start, 4, format!("({{ __typeof__({call}) {RESULT} = ")));
                    insertions.push((end, 0, format!("; {}{RESULT}; }})", text(put.all(), "; "))));
                }
            }
        }
        insertions.sort();
        let (mut woven, mut at) = (String::new(), 0);
        for (offset, _, text) in insertions {
            woven += &self.places.text[at..offset];
            woven += &text;
            at = offset;
        }
        woven + &self.places.text[at..]
    }
}

#[cfg(test)]
mod tests {
    use super::{LOST, weave};
    use crate::place::Refused;
    use crate::witness::{
        Action, Content, Invariant, InvariantKind, Location, Waypoint, WaypointKind, Witness,
    };

    fn location(line: u32, column: u32) -> Location {
        Location { file: "p.c".into(), line, column: Some(column) }
    }

    /// The line of a program after weaving.
    fn woven(content: Content, text: &str) -> Result<String, Refused> {
        let witness =
            Witness { specification: String::new(), is_32_bit: None, hashes: Vec::new(), content };
        let woven = weave(&witness, "p.c", text).map_err(|it| it.why)?;
        let (head, body) = woven.text.split_once("#line 1 \"p.c\"\n").expect("a line begins");
        assert!(head.starts_with("unsigned __hardbop_segment;"));
        assert_eq!(body.lines().count(), text.lines().count(), "lines stay lines");
        Ok(body.into())
    }

    fn invariant(kind: InvariantKind, column: u32, text: &str) -> Result<String, Refused> {
        let it = Invariant { kind, at: location(1, column), value: "x".into() };
        woven(Content::Correctness(vec![it]), text)
    }

    #[test]
    fn invariants_stand_where_they_are_meant() {
        let look = "((x) ? 0 : (__hardbop_broken_1(), 0))";
        for (kind, column, text, expected) in [
            (InvariantKind::Loop, 2, "{while (a) b;}", "{while (@, a) b;}"),
            (InvariantKind::Loop, 2, "{for (;;) b;}", "{for (;@, 1;) b;}"),
            (
                InvariantKind::Loop,
                2,
                "{for (i = f(;); i; i++) b;}",
                "{for (i = f(;);@,  i; i++) b;}",
            ),
            (InvariantKind::Loop, 2, "{do {b;} while (a);}", "{do {@; b;} while (a);}"),
            (InvariantKind::Location, 2, "{b;}", "{@; b;}"),
            (InvariantKind::Location, 4, "{b;c;}", "{b;@; c;}"),
            (InvariantKind::Location, 9, "{if (a) b; c;}", "{if (a) { @; b; } c;}"),
            (InvariantKind::Location, 2, "{l: b;}", "{l: @; b;}"),
            (InvariantKind::Location, 2, "{case 3: b;}", "{case 3: @; b;}"),
        ] {
            assert_eq!(invariant(kind, column, text), Ok(expected.replace('@', look)), "{text}");
        }
    }

    #[test]
    fn places_that_are_none_are_refused() {
        for (kind, column, text) in [
            (InvariantKind::Loop, 2, "{if (a) b;}"),
            (InvariantKind::Loop, 3, "{while (a) b;}"),
            (InvariantKind::Loop, 9, "{do {b;} while (a);}"),
            (InvariantKind::Location, 9, "{while (a) b;}"),
            (InvariantKind::Location, 10, "{x = a ? b : c;}"),
            (InvariantKind::Location, 7, "{x = a + b;}"),
        ] {
            assert!(invariant(kind, column, text).is_err(), "{text}");
        }
        // It may be a statement, and we cannot tell where it ends.
        let nested = invariant(InvariantKind::Location, 9, "{if (a) while (b) c;}");
        assert!(matches!(nested, Err(Refused::Limit(_))), "{nested:?}");
    }

    #[test]
    fn waypoints_at_one_place_are_passed_one_at_a_time() {
        let point =
            |kind, action, column| Waypoint { kind, action, at: location(1, column), line: 1 };
        let returned =
            |action| point(WaypointKind::FunctionReturn("\\result > 1".into()), action, 9);
        let target = point(WaypointKind::Target, Action::Follow, 1);
        let segments = vec![
            vec![returned(Action::Avoid), returned(Action::Follow)],
            vec![returned(Action::Follow)],
            vec![target],
        ];
        let text = woven(Content::Violation(segments), "{x = f(1);}");
        let step = |segment: u32, effect: String| {
            format!("__hardbop_segment == {segment}u && (__hardbop_result > 1) ? ({effect}) : ")
        };
        let lost = step(0, format!("__hardbop_segment = {LOST}u, 0"));
        let first = step(0, "__hardbop_segment = 1u, __hardbop_passed_1(), 0".into());
        let second = step(1, "__hardbop_segment = 2u, __hardbop_passed_2(), 0".into());
        let expected = format!(
            "{{x = ({{ __typeof__(f(1)) __hardbop_result = f(1); ({lost}{first}{second}0); __hardbop_result; }});}}"
        );
        assert_eq!(text, Ok(expected));
        let branch = point(WaypointKind::Branching(false), Action::Follow, 2);
        let target = point(WaypointKind::Target, Action::Follow, 1);
        let text =
            woven(Content::Violation(vec![vec![branch], vec![target]]), "{if (a) b;}").unwrap();
        assert!(
            text.starts_with("{if (((a) ? ((0), 1) : ((__hardbop_segment == 0u && (1)"),
            "{text}"
        );
    }
}

//! Tests as data for the IR of C and its passes: files `tests/cir/*.cir`, programs in the IR's text form.
//!
//! ```text
//! // test: pass inline, constants     read | pass NAME, NAME, … | run
//! // has: set v1 i32:7                the result has a line with this, behind the one before
//! // lacks: call                      no line of the result has this
//! // fails: b3 does not exist         reading fails with a message that has this
//! // violated: c0                     run: of all executions, these checks fail; without it, none
//! ```
//! The result of `pass` is verified, printed and read back to the same text, and on all inputs the same checks fail
//! before and after. A directive that nobody knows fails, and so does a test that expects nothing.

use std::collections::BTreeSet;
use std::path::Path;

use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::all_runs::violated;
use hardbop_cir::pass::{self, Keep};
use hardbop_cir::{CheckId, Class, Program, text, verify};

enum Test {
    Read,
    Pass(Vec<String>),
    Run,
}

struct Directives {
    test: Test,
    has: Vec<String>,
    lacks: Vec<String>,
    fails: Option<String>,
    violated: BTreeSet<String>,
}

/// `Err` tells how the file differs from what it says about itself.
pub fn run_cir_file(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let it = Directives::read(&text)?;
    // Comments are ours; lines keep their numbers.
    let line = |line: &str| if line.starts_with("//") { String::new() } else { line.to_string() };
    let program = text.lines().map(line).collect::<Vec<_>>().join("\n");
    let program = match (text::read(&program), &it.fails) {
        (Ok(program), None) => program,
        (Ok(_), Some(_)) => return Err("it is read without an error".into()),
        (Err(error), Some(wanted)) if error.to_string().contains(wanted) => return Ok(()),
        (Err(error), _) => return Err(error.to_string()),
    };
    let result = match &it.test {
        Test::Read => text::print(&program),
        Test::Pass(names) => passed(&program, names)?,
        Test::Run => return same("fail", &it.violated, &failing(&program)?),
    };
    it.judge(&result).map_err(|why| format!("{why}\n{result}"))
}

/// The program after the passes.
fn passed(program: &Program, names: &[String]) -> Result<String, String> {
    let mut small = program.clone();
    for name in names {
        let points_to = PointsTo::of(&small);
        match name.as_str() {
            "callees" => drop(pass::resolve_calls(&mut small, &points_to)),
            "constants" => pass::propagate(&mut small),
            "dead" => drop(pass::drop_dead(&mut small)),
            "inline" => drop(pass::inline(&mut small)),
            "promote" => drop(pass::promote(&mut small)),
            "slice" => drop(pass::slice(&mut small, &points_to, Keep::Checks)),
            "tail" => drop(pass::drop_tails(&mut small)),
            "unreachable" => drop(pass::drop_uncalled(&mut small)),
            other => return Err(format!("there is no pass {other}")),
        }
        verify(&small).map_err(|error| format!("after {name}: {error}"))?;
    }
    same("fail before and after", &failing(program)?, &failing(&small)?)?;
    let printed = text::print(&small);
    let again = text::read(&printed).map_err(|error| format!("{error}\n{printed}"))?;
    same("are printed and read back", &printed, &text::print(&again))?;
    Ok(printed)
}

/// The checks that some execution violates.
fn failing(program: &Program) -> Result<BTreeSet<String>, String> {
    let failing = violated(program, &Class::ALL).ok_or("it has too many executions")?;
    Ok(failing.iter().map(CheckId::to_string).collect())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("these {what}: {one:?} and {other:?}")) }
}

impl Directives {
    fn read(text: &str) -> Result<Self, String> {
        let mut test = None;
        let (mut has, mut lacks, mut fails) = (Vec::new(), Vec::new(), None);
        let mut violated = BTreeSet::new();
        for (at, line) in (1..).zip(text.lines()) {
            let Some((key, value)) = line.strip_prefix("// ").and_then(|it| it.split_once(": "))
            else {
                continue;
            };
            let value = value.trim().to_string();
            match key {
                "test" => test = Some(value),
                "has" => has.push(value),
                "lacks" => lacks.push(value),
                "fails" => fails = Some(value),
                "violated" => violated.extend(value.split_whitespace().map(String::from)),
                // A sentence with a colon is a comment; a single word is a misspelt directive.
                _ if key.contains(' ') => {}
                _ => return Err(format!("line {at}: no directive is called `{key}`")),
            }
        }
        let test = test.ok_or("the file has no `// test: …`")?;
        let test = match test.split_once(' ') {
            None if test == "read" => Test::Read,
            None if test == "run" => Test::Run,
            Some(("pass", names)) => {
                Test::Pass(names.split(',').map(|it| it.trim().to_string()).collect())
            }
            _ => return Err(format!("test: {test}?")),
        };
        let expects = !has.is_empty() || !lacks.is_empty() || fails.is_some();
        if !expects && !matches!(test, Test::Run) {
            return Err("the file expects nothing".into());
        }
        Ok(Directives { test, has, lacks, fails, violated })
    }

    fn judge(&self, result: &str) -> Result<(), String> {
        let mut lines = result.lines();
        for wanted in &self.has {
            if !lines.any(|line| line.contains(wanted.as_str())) {
                return Err(format!("no line has `{wanted}`, or not in this order"));
            }
        }
        for unwanted in &self.lacks {
            if result.lines().any(|line| line.contains(unwanted.as_str())) {
                return Err(format!("a line has `{unwanted}`"));
            }
        }
        Ok(())
    }
}

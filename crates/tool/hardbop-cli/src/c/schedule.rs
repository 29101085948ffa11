//! The file of `--schedule`: which thread runs when, and the inputs of that run.
//!
//! Lines `THREAD STEPS`, `input VALUE`, `property NAME`, and `all-inputs` where the values also stand for what
//! functions without a body and variables without a value give; `#` begins a comment. `check` writes it, `run`
//! follows it. Checks are steps, too: so the properties belong to it.

use std::fmt::Write;

use hardbop_cir::Class;
use hardbop_cir::interp::Turn;
use hardbop_engine_c::Counterexample;

/// A run, and the properties that the program was read with.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Replayed {
    pub run: Counterexample,
    pub classes: Vec<Class>,
}

/// A violation of a program with threads.
pub fn print(found: &Counterexample, classes: &[Class]) -> String {
    let mut text = String::from("# hardbop run --schedule THIS_FILE\n");
    for class in classes {
        writeln!(text, "property {class}").expect("writing to a string");
    }
    if found.fixes_all {
        text.push_str("all-inputs\n");
    }
    for input in &found.inputs {
        writeln!(text, "input {input}").expect("writing to a string");
    }
    for turn in &found.turns {
        writeln!(text, "{} {}", turn.thread, turn.n_steps).expect("writing to a string");
    }
    text
}

pub fn parse(text: &str) -> Result<Replayed, String> {
    let Replayed { run: mut found, mut classes } = Replayed::default();
    for (at, line) in text.lines().enumerate() {
        let wrong = || format!("line {}: `{line}` is not THREAD STEPS or input VALUE", at + 1);
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        match words[..] {
            [] => {}
            ["all-inputs"] => found.fixes_all = true,
            ["property", name] => {
                let class = Class::ALL.into_iter().find(|it| it.name() == name);
                classes.push(class.ok_or_else(wrong)?);
            }
            ["input", value] => found.inputs.push(value.parse().map_err(|_| wrong())?),
            [thread, n_steps] => found.turns.push(Turn {
                thread: thread.parse().map_err(|_| wrong())?,
                n_steps: n_steps.parse().map_err(|_| wrong())?,
            }),
            _ => return Err(wrong()),
        }
    }
    Ok(Replayed { run: found, classes })
}

#[cfg(test)]
mod tests {
    use super::{Class, Counterexample, Replayed, Turn, parse, print};

    #[test]
    fn what_is_written_is_read_again() {
        let turns = vec![Turn { thread: 0, n_steps: 12 }, Turn { thread: 2, n_steps: 1 }];
        let inputs = vec![0, u128::MAX];
        let found = Counterexample { inputs, fixes_all: true, turns, ..Counterexample::default() };
        let classes = vec![Class::Assert, Class::Deadlock];
        let text = print(&found, &classes);
        assert_eq!(parse(&text), Ok(Replayed { run: found, classes }));
        assert!(parse("1 2 3").is_err() && parse("input x").is_err() && parse("one 2").is_err());
        assert!(parse("property locks").is_err());
    }
}

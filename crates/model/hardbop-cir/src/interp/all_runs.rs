//! All runs of a program that asks for few inputs from 0 to 3: what random programs are compared with.

use std::collections::BTreeSet;

use super::{Config, Ending, Run, run};
use crate::check::{CheckId, Class};
use crate::program::Program;

/// More runs than this and the program is left out.
const MAX_RUNS: usize = 5_000;

/// The checks that some run violates; `None` if the runs are too many or not understood.
pub fn violated(program: &Program, classes: &[Class]) -> Option<BTreeSet<CheckId>> {
    let mut violated = BTreeSet::new();
    let is_understood = for_each_run(program, classes, &mut |result| {
        violated.extend(&result.violations);
        match result.ending {
            Ending::Violation(check) => drop(violated.insert(check)),
            Ending::Exit(_) | Ending::Abort => {}
            _ => return false,
        }
        true
    });
    is_understood.then_some(violated)
}

/// Runs the program on all inputs, as long as it is told to go on; `false` if it was told to stop or
/// there are too many.
pub fn for_each_run(
    program: &Program,
    classes: &[Class],
    look: &mut dyn FnMut(&Run) -> bool,
) -> bool {
    let mut inputs: Vec<u128> = Vec::new();
    for _ in 0..MAX_RUNS {
        let config = Config {
            inputs: inputs.clone(),
            classes: classes.to_vec(),
            max_steps: 100_000,
            ..Config::default()
        };
        let result = run(program, &config);
        if !look(&result) {
            return false;
        }
        // The next inputs in the order of an odometer, as long as this run asked for.
        inputs = result.inputs.iter().map(|it| it.1).collect();
        loop {
            match inputs.pop() {
                None => return true,
                Some(3) => {}
                Some(last) => {
                    inputs.push(last + 1);
                    break;
                }
            }
        }
    }
    false
}

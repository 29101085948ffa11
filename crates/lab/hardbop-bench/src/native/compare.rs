//! Runs the programs of a folder on the interpreter, as lowered and after all passes, and compiled
//! by `cc`, with all inputs 0, and compares what they print and how they end.

use std::path::{Path, PathBuf};

use hardbop_c::{Options, SystemLoader, load};
use hardbop_cir::interp::{Config, Ending, Run, run};
use hardbop_cir::pass::{self, Keep, Passes};
use hardbop_cir::{Class, Program};

use super::compiled::{self, Native};

/// What there is to count, in the order of the table.
const OUTCOMES: [&str; 7] = [
    "compared, the same",
    "compared, different",
    "not read",
    "a property other than `assert` is violated: C gives no meaning",
    "not modelled (threads, signals, jumps)",
    "not ended in 2,000,000 steps",
    "not compiled or not ended in 2 s when compiled",
];

pub fn run_all(root: &Path, native: &Native) {
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    let mut counts = [0; OUTCOMES.len()];
    for path in &files {
        counts[compare(path, native)] += 1;
    }
    println!("| outcome | files |\n|---|---|");
    for (name, count) in OUTCOMES.iter().zip(counts) {
        println!("| {name} | {count} |");
    }
    println!("| all | {} |", files.len());
}

/// The index of the outcome.
fn compare(path: &Path, native: &Native) -> usize {
    let Ok(loaded) = load(&[path], &SystemLoader::default(), &Options::default()) else { return 2 };
    let program = &loaded.program;
    let mut classes: Vec<Class> = Class::ALL.to_vec();
    classes.retain(|it| !it.is_of_heap());
    let config = Config { classes, max_steps: 2_000_000, ..Config::default() };
    let first = run(program, &config);
    let is_assert = |check| program.checks[check].class == Class::Assert;
    if !first.violations.is_empty() {
        return 3;
    }
    let expected = match &first.ending {
        Ending::Exit(code) => i32::from(*code),
        Ending::Abort => 128 + 6,
        Ending::AssumptionFailed(_) => compiled::ASSUMPTION_FAILED,
        Ending::Violation(check) if is_assert(*check) => compiled::VIOLATION,
        Ending::Violation(_) | Ending::Undefined(..) | Ending::Unreachable(_) => return 3,
        Ending::Unsupported(..) => return 4,
        Ending::TooLong | Ending::Exhausted(_) | Ending::Deadlock => return 5,
    };
    let small = run(&shrunk(program), &config);
    if !same(&first, &small) {
        println!("{}: the passes change it: {:?}", path.display(), small.ending);
        return 1;
    }
    let flags = ["-fwrapv", "-pthread"];
    let Some(binary) = native.compile(path, &flags) else { return 6 };
    let Some(ran) = native.run(&binary, &[]) else { return 6 };
    let has_status = program.funcs.iter().any(|it| &*it.name == "main" && it.result.is_some());
    // `timeout` ends with 124.
    if ran.code == 124 {
        return 6;
    }
    // A failing `assert` of the library aborts.
    let is_failure =
        expected == compiled::VIOLATION && matches!(ran.code, 134 | compiled::VIOLATION);
    if ran.stdout == first.output
        && (ran.code == expected || is_failure || !has_status && expected == 0)
    {
        return 0;
    }
    println!("{}: {} when compiled, {:?} interpreted", path.display(), ran.code, first.ending);
    println!("  compiled prints {:?}", String::from_utf8_lossy(&ran.stdout));
    println!("  interpreted prints {:?}", String::from_utf8_lossy(&first.output));
    1
}

fn same(a: &Run, b: &Run) -> bool {
    // Spans and checks keep their numbers through the passes.
    a.output == b.output && a.ending == b.ending
}

fn shrunk(program: &Program) -> Program {
    let mut small = program.clone();
    pass::shrink(&mut small, Keep::ChecksAndOutput, Passes::ALL);
    small
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "c" || it == "i") {
            files.push(path);
        }
    }
}

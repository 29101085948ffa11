//! The testbench of every violation in the C corpus, compiled and run: it fails as predicted, or the reason
//! why it does not is one of a fixed list ([`Excuse`]).
//!
//! This is the oracle of `unsafe` that shares nothing with us: the compiler, its sanitizers and the system's
//! library decide. A row that runs through without an excuse ends the command with an error.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use clap::Args;
use serde_json::Value;

use crate::c::{self, CORPUS, Row};

#[derive(Args)]
pub struct TestbenchArgs {
    /// Seconds of processor time for finding the violation, and as many for each run of a testbench
    #[arg(long, default_value_t = 5)]
    cpu: u64,
    /// Rows at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only rows whose file contains this
    #[arg(long, default_value = "")]
    only: String,
    /// The command; without it the one beside this program
    #[arg(long)]
    hardbop: Option<PathBuf>,
    /// Keep the testbenches here
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// Why a testbench need not fail as predicted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Excuse {
    /// The command said so beside the testbench: it depends on what no testbench can fix.
    Announced,
    /// The program calls functions that no library on this machine has.
    NotLinked,
    /// The overflow is in an expression that the compiler computes while it compiles.
    Folded,
    /// The program is for 32 bits, and there is no 32-bit library to link with.
    OtherWidth,
}

/// What became of a testbench.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ending {
    /// A sanitizer, `assert` or our own `reach_error` speaks up.
    Predicted,
    /// The same, of a 32-bit program compiled for 64 bits.
    PredictedAt64Bits,
    Excused(Excuse),
    /// Nothing explains it.
    Unexplained(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Predicted => f.write_str("fails as predicted"),
            Ending::PredictedAt64Bits => {
                f.write_str("fails as predicted, a 32-bit program compiled for 64 bits")
            }
            Ending::Excused(Excuse::Announced) => {
                f.write_str("may not fail, as the command says beside it")
            }
            Ending::Excused(Excuse::NotLinked) => {
                f.write_str("calls functions that no library here has")
            }
            Ending::Excused(Excuse::Folded) => {
                f.write_str("overflows in a constant expression, which the compiler folds")
            }
            Ending::Excused(Excuse::OtherWidth) => {
                f.write_str("is for 32 bits, and there is no such library here")
            }
            Ending::Unexplained(what) => write!(f, "UNEXPLAINED: {what}"),
        }
    }
}

/// What is printed when a violation is noticed.
const NOTICED: [&str; 5] = [
    "hardbop: the violation is reached",
    "AddressSanitizer",
    "LeakSanitizer",
    "runtime error:",
    "Assertion `",
];

pub fn run(args: &TestbenchArgs) -> Result<(), String> {
    let hardbop = c::command_beside(args.hardbop.as_deref())?;
    let rows = c::corpus(&args.only)?;
    let folder = args.keep.clone().unwrap_or_else(|| {
        std::env::temp_dir().join(format!("hardbop-testbenches-{}", std::process::id()))
    });
    let todo = Mutex::new(rows.iter());
    let found: Mutex<BTreeMap<Ending, Vec<&Row>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let Some(row) = todo.lock().ok().and_then(|mut it| it.next()) else { return };
                    let bench = folder.join(format!("{}@{}", row.file, row.property));
                    let Some(ending) = ending(&hardbop, row, &bench, args.cpu) else { continue };
                    println!("{}  {}  {ending}", row.file, row.property);
                    if let Ok(mut found) = found.lock() {
                        found.entry(ending).or_default().push(row);
                    }
                }
            });
        }
    });
    if args.keep.is_none() {
        // Nothing is there if no violation was found.
        let _ = std::fs::remove_dir_all(&folder);
    }
    let found = found.into_inner().map_err(|_| "a row failed".to_string())?;
    print!("{}", table(&found));
    match found.keys().find(|it| matches!(it, Ending::Unexplained(_))) {
        Some(_) => Err("a testbench does not do what was predicted".into()),
        None => Ok(()),
    }
}

fn table(found: &BTreeMap<Ending, Vec<&Row>>) -> String {
    let mut text = String::from("\n| testbench | rows | which |\n|---|---|---|\n");
    for (ending, rows) in found {
        let is_rare = rows.len() <= 12;
        let names: Vec<&str> = rows.iter().filter(|_| is_rare).map(|it| &*it.file).collect();
        text += &format!("| {ending} | {} | {} |\n", rows.len(), names.join(", "));
    }
    text + &format!("| **all** | {} | |\n", found.values().map(Vec::len).sum::<usize>())
}

/// `None` if the row is not `unsafe` within its time.
fn ending(hardbop: &Path, row: &Row, bench: &Path, cpu: u64) -> Option<Ending> {
    let model = c::data_model(row);
    let found = limited(cpu, hardbop)
        .arg("check")
        .arg(Path::new(CORPUS).join(&row.file))
        .args(["--property", &row.property, "--data-model", model, "--format", "json"])
        .args(["--time-limit", &format!("{}s", cpu * c::BUSY), "--testbench"])
        .arg(bench)
        .output();
    let found = match found {
        Ok(found) => found,
        Err(error) => return Some(Ending::Unexplained(format!("start: {error}"))),
    };
    let result: Value = serde_json::from_slice(&found.stdout).ok()?;
    if result["verdict"] != "unsafe" {
        return None;
    }
    let (made, is_64_bit) = match made(bench, model) {
        Ok(made) => made,
        Err(why) => return Some(Ending::Unexplained(why)),
    };
    if !made.status.success() {
        return Some(match said(&made) {
            text if text.contains("undefined reference") => Ending::Excused(Excuse::NotLinked),
            text => Ending::Unexplained(format!("does not compile: {}", first_error(&text))),
        });
    }
    let run = limited(cpu, Path::new("sh")).arg("./run").current_dir(bench).output();
    let run = match run {
        Ok(run) => run,
        Err(error) => return Some(Ending::Unexplained(format!("run: {error}"))),
    };
    let text = said(&run);
    Some(if !run.status.success() && NOTICED.iter().any(|it| text.contains(it)) {
        if is_64_bit { Ending::PredictedAt64Bits } else { Ending::Predicted }
    } else if said(&found).contains("the testbench may not fail") {
        Ending::Excused(Excuse::Announced)
    } else if is_folded(row, &result) {
        Ending::Excused(Excuse::Folded)
    } else if is_64_bit {
        Ending::Excused(Excuse::OtherWidth)
    } else {
        let text = text.lines().next().unwrap_or_default();
        Ending::Unexplained(format!("{}: {text}", run.status))
    })
}

/// The compiled testbench, and whether it was compiled for 64 bits although the program is for 32.
fn made(bench: &Path, model: &str) -> Result<(Output, bool), String> {
    let make = || Command::new("make").arg("program").current_dir(bench).output();
    let told = |error: std::io::Error| format!("make: {error}");
    let made = make().map_err(told)?;
    let is_missing = |it: &str| it.contains("skipping incompatible") || it.contains("bits/");
    if made.status.success() || model != "ilp32" || !is_missing(&said(&made)) {
        return Ok((made, false));
    }
    let makefile = bench.join("Makefile");
    let text = std::fs::read_to_string(&makefile).map_err(told)?;
    std::fs::write(&makefile, text.replace(" -m32", "")).map_err(told)?;
    for entry in std::fs::read_dir(bench).map_err(told)?.flatten() {
        if entry.path().extension().is_some_and(|it| it == "o") {
            std::fs::remove_file(entry.path()).map_err(told)?;
        }
    }
    Ok((make().map_err(told)?, true))
}

/// The compiler itself warns of the overflow at the line of the violation.
fn is_folded(row: &Row, result: &Value) -> bool {
    let file = Path::new(CORPUS).join(&row.file);
    let warned =
        Command::new("cc").args(["-x", "c", "-fsyntax-only", "-Woverflow"]).arg(&file).output();
    let line = result["violation"]["line"].as_u64().unwrap_or(0);
    let place = format!("{}:{line}:", file.display());
    warned.is_ok_and(|it| {
        said(&it).lines().any(|it| it.contains("-Woverflow") && it.starts_with(&place))
    })
}

fn limited(cpu: u64, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t \"$1\"; shift; exec \"$@\"", "sh", &cpu.to_string()]);
    command.arg(program);
    command
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn first_error(text: &str) -> String {
    text.lines().find(|it| it.contains("error")).unwrap_or_default().to_string()
}

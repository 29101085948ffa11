//! `hardbop run`: a C program on the interpreter of the IR.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use hardbop_base::{Budget, CancelToken, Span};
use hardbop_batch::units;
use hardbop_c::CProgram;
use hardbop_check::c::told_race;
use hardbop_cir::interp::{self, Config, Ending, Fault, Schedule};
use hardbop_cir::{CheckId, Class, Op, Source, Stream};
use hardbop_diag::{Code, Diagnostic, codes};

use super::schedule::{self, Replayed};
use super::{CArgs, inputs, is_c, load, tell};
use crate::args::budget;
use crate::exit::Exit;
use crate::input::{self, Limits};
use crate::refusal::Refusal;
use crate::voice;

/// Execute a C program on the interpreter, checking its properties
///
/// The program's output is printed; how it ended goes to standard error. Exit code 10 says that a
/// property was violated, 5 that the run could not be followed to its end.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// C files (.c, .i, or a compile_commands.json), linked into one program
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Numbers that `__VERIFIER_nondet_int()` and similar functions return, in order; when they are used
    /// up, 0
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,

    /// Which thread runs when: lines `THREAD STEPS`, `input VALUE` and `property NAME`, as `check --schedule`
    /// writes them. After the last line each thread runs as long as it can, the lowest number first
    #[arg(long, value_name = "FILE", conflicts_with = "schedule_seed")]
    schedule: Option<PathBuf>,

    /// Switch between threads at random, with few preemptions, using this seed
    #[arg(long, value_name = "N")]
    schedule_seed: Option<u64>,

    #[command(flatten)]
    c: CArgs,

    /// Wall-clock limit, such as 30s or 5m
    #[arg(long, value_parser = units::duration)]
    time_limit: Option<Duration>,

    /// Memory limit, such as 512MB or 4GB
    #[arg(long, value_parser = units::bytes)]
    memory_limit: Option<u64>,
}

impl RunArgs {
    /// The clock starts now.
    pub fn budget(&self, interrupt: &CancelToken) -> Budget {
        budget(self.time_limit, self.memory_limit, interrupt)
    }
}

pub fn run(args: &RunArgs, limits: &Limits) -> Result<Exit, Refusal> {
    if let Some(other) = args.files.iter().find(|it| !is_c(it)) {
        let why = format!("{}: only C programs can be run", other.display());
        return Err(Refusal::Misfit(why));
    }
    if let Some(why) = args.c.misfit() {
        return Err(Refusal::Misfit(why));
    }
    let Replayed { run: mut replayed, classes } = match &args.schedule {
        None => Replayed::default(),
        Some(path) => schedule::parse(&String::from_utf8_lossy(&input::read(path, limits)?))
            .map_err(|why| Refusal::of_file(&path.display().to_string(), why))?,
    };
    let has_inputs = !replayed.inputs.is_empty();
    let inputs = match &args.inputs {
        None => std::mem::take(&mut replayed.inputs),
        Some(path) => inputs::parse(&String::from_utf8_lossy(&input::read(path, limits)?))
            .map_err(|why| Refusal::of_file(&path.display().to_string(), why))?,
    };
    let schedule = match args.schedule_seed {
        Some(seed) => Schedule::Seed(seed),
        None => Schedule::Turns(std::mem::take(&mut replayed.turns)),
    };
    // Most programs leave it to the system to take their memory back.
    let is_usual = |it: &Class| *it == Class::Uninit || it.is_default() && *it != Class::Leak;
    let usual: Vec<Class> = match classes.is_empty() {
        true => Class::ALL.into_iter().filter(is_usual).collect(),
        false => classes,
    };
    let classes = args.c.classes(&usual);
    let (loaded, _) = load(&args.files, &args.c, &args.c.options(classes.clone()), limits)?;
    let budget = limits.budget.clone();
    let stdin = if has_inputs { None } else { stdin_of(&loaded, limits)? };
    let config = Config { inputs, stdin, classes, schedule, budget, ..Config::default() };
    let result = interp::run(&replayed.program(&loaded.program), &config);
    voice::raw(&result.output)?;
    for &check in &result.violations {
        violated(&loaded, check, &result);
    }
    let exit = ended(&loaded, &result);
    // What is known to be wrong stays wrong however the run went on.
    Ok(if result.violations.is_empty() { exit } else { Exit::Unsafe })
}

/// What comes in on standard input, if the program may ask for it.
fn stdin_of(loaded: &CProgram, limits: &Limits) -> Result<Option<Vec<u8>>, Refusal> {
    let is_stdin = |source: &Source| {
        matches!(source, Source::Byte(Stream::Stdin) | Source::Scanned(Stream::Stdin, _))
    };
    let asks = |op: &Op| matches!(op, Op::Nondet { source, .. } if is_stdin(source));
    if !loaded.program.insts().any(|(_, _, inst)| asks(&inst.op)) {
        return Ok(None);
    }
    input::read(Path::new("-"), limits).map(Some)
}

fn violated(loaded: &CProgram, check: CheckId, run: &interp::Run) {
    let check = &loaded.program.checks[check];
    let users = |it: &Span| !loaded.sources.is_ours(*it);
    let (told, place) = match (check.class, &run.race) {
        (Class::Race, Some(race)) => {
            (told_race(loaded, race), race.later.stack.iter().rev().copied().find(users))
        }
        (Class::Deadlock, _) => {
            (check.message.to_string(), run.stack.iter().rev().map(|it| it.1).find(users))
        }
        _ => (check.message.to_string(), None),
    };
    let message = format!("{}: {told}", check.class);
    at_place(loaded, codes::c::VIOLATED, place.unwrap_or(check.span), message);
}

fn at_place(loaded: &CProgram, code: Code, span: Span, message: String) {
    tell(&loaded.sources, &[Diagnostic::error(code, span, message)]);
}

fn ended(loaded: &CProgram, run: &interp::Run) -> Exit {
    let lost = |span, message: String| at_place(loaded, codes::c::NO_MEANING, span, message);
    match &run.ending {
        Ending::Exit(status) => {
            voice::tell!("hardbop: the program ended with status {status}");
            return Exit::Safe;
        }
        Ending::Abort => {
            voice::tell!("hardbop: the program aborted");
            return Exit::Safe;
        }
        Ending::AssumptionFailed(span) => {
            let at = loaded.sources.position(*span);
            voice::tell!(
                "hardbop: {}:{}: these inputs do not meet the assumption: nothing was checked \
                 beyond it",
                at.file,
                at.line
            );
            return Exit::Safe;
        }
        Ending::Violation(check) => {
            violated(loaded, *check, run);
            return Exit::Unsafe;
        }
        Ending::Undefined(fault, span) => {
            let what = match fault {
                Fault::Null => "a pointer is used that points to nothing",
                Fault::Dead => "memory is used whose life has ended",
                Fault::Outside => "memory is used outside of its object",
                Fault::TooLarge => "more memory is asked for than the interpreter gives",
            };
            lost(*span, what.into());
        }
        Ending::Unsupported(what, span) => lost(*span, format!("{what} is not supported")),
        Ending::Unreachable(span) => {
            lost(*span, "this place is marked as one that is never reached".into());
        }
        Ending::Deadlock => {
            voice::tell!("hardbop: threads wait for each other: none can move");
            return Exit::Safe;
        }
        Ending::TooLong => voice::tell!("hardbop: calls are nested too deeply"),
        Ending::Exhausted(limit) => voice::tell!("hardbop: {limit}"),
    }
    Exit::Unknown
}

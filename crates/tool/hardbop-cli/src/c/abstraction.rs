//! `hardbop abstract`: the Boolean programs that engine `cegar` makes of a C program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use hardbop_base::{Budget, CancelToken};
use hardbop_batch::units;
use hardbop_cegar::{Answer, Event, Iteration, Saved, check_watched};
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options, Report};

use super::{CArgs, CegarArgs, is_c, load};
use crate::args::budget;
use crate::exit::Exit;
use crate::input::Limits;
use crate::refusal::Refusal;
use crate::{output, voice};

/// Print the Boolean program that engine cegar makes of a C program
///
/// It is the program of the last round: if the engine proves the C program, `hardbop check` proves this
/// one, too. Comments name the predicate of each variable and the line of each statement. How the
/// refinement ended is printed to standard error; the exit codes are those of `check`.
#[derive(Args, Debug)]
pub struct AbstractArgs {
    /// C files (.c, .i, or a compile_commands.json), linked into one program
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Also write the Boolean program of each round to this folder, as round-001.bp and so on
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,

    /// Begin with the predicates that --save-precision has written, even if the program has changed since
    #[arg(long, value_name = "FILE")]
    precision: Option<PathBuf>,

    /// Write the predicates and their places to a file, in every round: an interrupted run loses nothing
    #[arg(long, value_name = "FILE")]
    save_precision: Option<PathBuf>,

    /// Print the new predicates of each round
    #[arg(long)]
    progress: bool,

    #[command(flatten)]
    cegar: CegarArgs,

    #[command(flatten)]
    c: CArgs,

    /// Wall-clock limit, such as 30s or 5m
    #[arg(long, value_parser = units::duration)]
    time_limit: Option<Duration>,

    /// Memory limit, such as 512MB or 4GB
    #[arg(long, value_parser = units::bytes)]
    memory_limit: Option<u64>,
}

impl AbstractArgs {
    /// The clock starts now.
    pub fn budget(&self, interrupt: &CancelToken) -> Budget {
        budget(self.time_limit, self.memory_limit, interrupt)
    }
}

pub fn run(args: &AbstractArgs, limits: &Limits) -> Result<Exit, Refusal> {
    if let Some(other) = args.files.iter().find(|it| !is_c(it)) {
        let why = format!("{}: only C programs are abstracted", other.display());
        return Err(Refusal::Misfit(why));
    }
    if let Some(why) = args.c.misfit() {
        return Err(Refusal::Misfit(why));
    }
    let usual: Vec<Class> = Class::ALL.into_iter().filter(|it| it.is_default()).collect();
    let classes = args.c.classes(&usual);
    let (loaded, _) = load(&args.files, &args.c, &args.c.options(classes.clone()), limits)?;
    if let Some(dir) = &args.save {
        std::fs::create_dir_all(dir).map_err(|error| output::named(dir, &error))?;
    }
    let saved = match &args.precision {
        Some(file) => read_precision(file)?,
        None => Saved::default(),
    };
    let options = Options { classes, unwind: None, stop_at_first: true };
    if loaded.program.has_threads() {
        return run_threads(args, &loaded, &options, limits);
    }
    let mut followed = BTreeSet::new();
    let mut last = String::new();
    let mut written = Ok(());
    let mut watch = |event: Event<'_>| {
        let Event::Made(it) = event else { return };
        last = it.text(&|span| {
            let at = loaded.sources.position(span);
            format!("{}:{}", at.file, at.line)
        });
        if let (Some(dir), Ok(())) = (&args.save, &written) {
            written = output::write(&dir.join(format!("round-{:03}.bp", it.number)), &last);
        }
        let precision = it.precision();
        if let (Some(file), Ok(())) = (&args.save_precision, &written) {
            written = output::write(file, &precision);
        }
        if args.progress {
            tell_round(it, &precision, &mut followed);
        }
    };
    let settings = args.cegar.settings();
    let (program, budget) = (&loaded.program, &limits.budget);
    let Answer { report, stats, .. } =
        check_watched(program, &options, budget, settings, &saved, &mut watch);
    written?;
    voice::raw(last.as_bytes())?;
    let (exit, word) = ending(&report);
    if args.precision.is_some() {
        let (n, all) = (stats.n_found_again, saved.len());
        voice::tell!("hardbop: {n} of {all} predicates of the file are in this program");
    }
    voice::tell!(
        "hardbop: {word}; {} rounds, {} refinements, {} predicates, {} clauses; at most {} predicates \
         at once, {} variables; abstracting {:.2} s, checking {:.2} s, refining {:.2} s",
        stats.n_rounds,
        stats.n_refinements,
        stats.n_predicates,
        stats.n_clauses,
        stats.n_at_once,
        stats.n_variables,
        stats.abstracting.as_secs_f64(),
        stats.checking.as_secs_f64(),
        stats.refining.as_secs_f64()
    );
    Ok(exit)
}

/// Of a program with threads there is one concurrent Boolean program in each round.
fn run_threads(
    args: &AbstractArgs,
    loaded: &hardbop_c::CProgram,
    options: &Options,
    limits: &Limits,
) -> Result<Exit, Refusal> {
    if args.cegar.is_given() || args.precision.is_some() || args.save_precision.is_some() {
        let why = "--cegar-…, --precision and --save-precision are for programs without threads";
        return Err(Refusal::Misfit(why.into()));
    }
    let (mut last, mut written) = (String::new(), Ok(()));
    let mut watch = |round: &hardbop_cegar_threads::Round<'_>| {
        last = round.text(&|span| {
            let at = loaded.sources.position(span);
            format!("{}:{}", at.file, at.line)
        });
        if let (Some(dir), Ok(())) = (&args.save, &written) {
            written = output::write(&dir.join(format!("round-{:03}.bp", round.number)), &last);
        }
        if args.progress {
            voice::tell!("hardbop: round {}, {} predicates", round.number, round.n_predicates);
        }
    };
    let budget = &limits.budget;
    let said = hardbop_cegar_threads::check(&loaded.program, options, budget, &mut watch);
    written?;
    voice::raw(last.as_bytes())?;
    let (exit, word) = ending(&said.report);
    let stats = said.stats;
    let many = if stats.n_many > 0 { "any number of threads" } else { "threads started once" };
    voice::tell!(
        "hardbop: {word}; {many}; {} rounds, {} refinements, {} predicates, {} clauses; abstracting {:.2} s, \
         checking {:.2} s, refining {:.2} s",
        stats.n_rounds,
        stats.n_refinements,
        stats.n_predicates,
        stats.n_clauses,
        stats.abstracting.as_secs_f64(),
        stats.checking.as_secs_f64(),
        stats.refining.as_secs_f64()
    );
    Ok(exit)
}

/// The exit code and the word for it.
fn ending(report: &Report) -> (Exit, String) {
    match report.overall() {
        Finding::Safe => (Exit::Safe, "safe".to_string()),
        Finding::Unsafe(_) => (Exit::Unsafe, "unsafe".to_string()),
        Finding::Unknown(reason) => (Exit::Unknown, format!("unknown: {reason}")),
    }
}

fn read_precision(file: &Path) -> Result<Saved, Refusal> {
    let text = std::fs::read_to_string(file).map_err(|error| output::named(file, &error))?;
    Saved::read(&text).map_err(|why| Refusal::Misfit(format!("{}: {why}", file.display())))
}

/// One line for the round, and one for each predicate that is new.
fn tell_round(it: &Iteration, precision: &str, followed: &mut BTreeSet<String>) {
    voice::tell!("hardbop: round {}, {} predicates", it.number, it.n_predicates());
    for line in precision.lines().skip(1).filter_map(|it| it.strip_prefix("at ")) {
        if followed.insert(line.to_string())
            && let Some((place, rest)) = line.split_once(": ")
        {
            let predicate = rest.split_once('#').map_or(rest, |it| it.1).trim();
            voice::tell!("  {place}: {predicate}");
        }
    }
}

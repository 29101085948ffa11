//! `hardbop-fuzz`: random programs against the parser, the engines and the meaning of C.
//!
//! Exit code 0 if nothing was found, 1 with the seed and a shrunk program if something was.

mod c;
mod campaign;
mod caught;
mod command;
mod csmith;
mod engines;
mod faults;
mod parse;
mod pushdown;
mod small;
mod unbounded;
mod variant;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use hardbop_base::fault::Fault;
use hardbop_check::{EngineEntry, Kind};
use hardbop_engine::{Order, Reduction};
use hardbop_gen::random::Profile;

use campaign::{Outcome, Report};

#[derive(Parser)]
#[command(
    name = "hardbop-fuzz",
    version,
    about = "Random programs against the parser and the engines"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Random and mangled programs: no panic, and printing and reading again changes nothing
    Parse(Seeds),
    /// Engines against a reference: same answers, traces that replay, certificates that prove
    Engines {
        #[command(flatten)]
        seeds: Seeds,
        /// Engines to test, each perhaps with the nodes of its first manager, as in `symbolic:40`
        #[arg(long = "engine", value_name = "NAME", required = true, value_parser = engines::named)]
        engines: Vec<engines::EngineRef>,
        /// The engine that is believed
        #[arg(long, value_name = "NAME", default_value = "explicit", value_parser = engines::named)]
        against: engines::EngineRef,
        /// Bound on the threads alive at once, for programs that start threads
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
        threads: u32,
        /// Partial-order reduction of the engines tested; the reference uses none
        #[arg(long, default_value_t = Reduction::None)]
        por: Reduction,
        /// Have the certificate of every safe answer checked
        #[arg(long)]
        certify: bool,
        /// Demand traces as short as those of the reference
        #[arg(long)]
        shortest: bool,
        #[command(flatten)]
        hints: Hints,
    },
    /// Engines for any number of threads, against each other and against few threads by brute force
    Unbounded {
        #[command(flatten)]
        seeds: Seeds,
        /// Engines to test [default: all for any number of threads]
        #[arg(long = "engine", value_name = "NAME", value_parser = engines::named)]
        engines: Vec<engines::EngineRef>,
        /// Threads of the largest brute-force run
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
        most: u32,
        /// Milliseconds that brute force may take for each goal
        #[arg(long, value_name = "MILLISECONDS", default_value_t = 200)]
        brute_force: u64,
        #[command(flatten)]
        hints: Hints,
    },
    /// Random pushdown systems: an engine against a search over whole stacks
    Pushdown {
        /// How many seeds
        #[arg(long, default_value_t = 10_000)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, value_name = "NAME", default_value = "contexts-explicit", value_parser = engines::named)]
        engine: engines::EngineRef,
        /// Context switches at most
        #[arg(long, value_name = "K", default_value_t = 12)]
        contexts: u32,
        /// Configurations that the search looks at
        #[arg(long, default_value_t = 5_000)]
        most: usize,
        /// Seconds one system may take
        #[arg(long, value_name = "SECONDS", default_value_t = 5)]
        time_limit: u64,
    },
    /// The command itself: random options, inputs, limits and signals
    #[command(name = "command")]
    Process {
        /// How many runs
        #[arg(long, default_value_t = 10_000)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// The command under test [default: `hardbop` beside this program]
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// Runs side by side
        #[arg(long, default_value_t = 2)]
        jobs: usize,
        /// What a busy machine may cost: the second that a limit may be passed by is multiplied by it
        #[arg(long, default_value_t = 1.0)]
        slack: f64,
    },
    /// Small random C programs: the engines against the interpreter on all inputs
    C {
        /// How many seeds
        #[arg(long, default_value_t = 1_000)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 1_000)]
        seed: u64,
        /// What kind of programs
        #[arg(long, value_enum, default_value_t = c::Programs::Mixed)]
        programs: c::Programs,
        /// Engines to test [default: all for C]
        #[arg(long = "engine", value_name = "NAME", value_parser = c_engine)]
        engines: Vec<EngineEntry>,
        /// Milliseconds that an engine may take for each question
        #[arg(long, value_name = "MILLISECONDS", default_value_t = 400)]
        time_limit: u64,
    },
    /// Mistakes made on purpose in engines, passes and solvers: no wrong proof is certified
    ///
    /// Release builds have them with `--features faults` only.
    Faults {
        /// Programs that are not safe
        #[arg(long, value_name = "FOLDER", default_value = "tests/faults")]
        programs: PathBuf,
        /// Random programs beside them
        #[arg(long, default_value_t = 20)]
        random: u64,
        /// Mistakes to make [default: all]
        #[arg(long = "fault", value_name = "NAME", value_parser = fault)]
        faults: Vec<Fault>,
        /// Engines to ask [default: those with the mistake in them]
        #[arg(long = "engine", value_name = "NAME", value_parser = c_engine)]
        engines: Vec<EngineEntry>,
        /// Milliseconds that an engine may take for each program
        #[arg(long, value_name = "MILLISECONDS", default_value_t = 1_000)]
        time_limit: u64,
    },
    /// Programs of csmith: the interpreter of C prints the checksum that the compiled program prints
    Csmith {
        /// How many seeds
        #[arg(long, default_value_t = 100)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Seconds one program may take
        #[arg(long, value_name = "SECONDS", default_value_t = 20)]
        time_limit: u64,
    },
    /// Print the program of a seed
    Show {
        seed: u64,
        #[arg(long, default_value = "sequential", value_parser = profile)]
        profile: Profile,
    },
}

#[derive(Args)]
struct Seeds {
    /// How many seeds
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Kind of programs (sequential, recursive, threads, broadcast,
    /// recursive-threads); without it, all of them
    #[arg(long, value_parser = profile)]
    profile: Option<Profile>,
    /// Seconds one program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    time_limit: u64,
}

/// What some engines can be told.
#[derive(Args)]
struct Hints {
    /// Variable order to begin with: force, declared, reversed or random:SEED
    #[arg(long)]
    order: Option<Order>,
    /// Context switches at most, for engines that bound them [default: as many as the time allows]
    #[arg(long, value_name = "K")]
    contexts: Option<u32>,
}

fn profile(name: &str) -> Result<Profile, String> {
    let names = || Profile::all().iter().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
    Profile::named(name).ok_or_else(|| format!("the profiles are {}", names()))
}

fn c_engine(name: &str) -> Result<EngineEntry, String> {
    let entry = hardbop_check::entry_named(name).filter(|it| it.takes(Kind::C));
    entry.ok_or_else(|| "there is no such engine for C".into())
}

fn fault(name: &str) -> Result<Fault, String> {
    let fault = Fault::ALL.iter().copied().find(|it| format!("{it:?}") == name);
    fault.ok_or_else(|| "there is no such fault in `hardbop-base/src/fault.rs`".into())
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Parse(seeds) => {
            let limit = Duration::from_secs(seeds.time_limit);
            let shrunk = |profile: &Profile, seed, kind| parse::shrunk(profile, seed, kind);
            each_profile(&seeds, &|profile, seed| parse::check(profile, seed, limit), &shrunk)
        }
        Command::Engines { seeds, engines, against, threads, por, certify, shortest, hints } => {
            let limit = Duration::from_secs(seeds.time_limit);
            let Hints { order, contexts } = hints;
            let setup = engines::Setup {
                engines,
                against,
                threads,
                por,
                limit,
                certify,
                shortest,
                order,
                contexts,
            };
            let shrunk =
                |profile: &Profile, seed, kind| engines::shrunk(&setup, profile, seed, kind);
            each_profile(&seeds, &|profile, seed| engines::check(&setup, profile, seed), &shrunk)
        }
        Command::Unbounded { seeds, engines, most, brute_force, hints } => {
            let engines = if engines.is_empty() { engines::for_any_number() } else { engines };
            let limit = Duration::from_secs(seeds.time_limit);
            let brute_force = Duration::from_millis(brute_force);
            let Hints { order, contexts } = hints;
            let setup = unbounded::Setup { engines, most, limit, brute_force, order, contexts };
            let shrunk =
                |profile: &Profile, seed, kind| unbounded::shrunk(&setup, profile, seed, kind);
            each_profile(&seeds, &|profile, seed| unbounded::check(&setup, profile, seed), &shrunk)
        }
        Command::Pushdown { count, seed, engine, contexts, most, time_limit } => {
            let limit = Duration::from_secs(time_limit);
            let setup = pushdown::Setup { engine, limit, most, contexts };
            let n_workers = std::thread::available_parallelism().map_or(1, |n| n.get());
            let range = seed..seed.saturating_add(count);
            let report =
                campaign::run(range.clone(), n_workers, &|seed| pushdown::check(&setup, seed));
            finish("pushdown", &range, report, &|_, _| None)
        }
        Command::Process { count, seed, binary, jobs, slack } => {
            let setup = command::Setup { binary: binary.unwrap_or_else(command::beside), slack };
            let range = seed..seed.saturating_add(count);
            let report = campaign::run(range.clone(), jobs, &|seed| command::check(&setup, seed));
            finish("command", &range, report, &|_, _| None)
        }
        Command::C { count, seed, programs, engines, time_limit } => {
            let all = || hardbop_check::entries().filter(|it| it.takes(Kind::C)).collect();
            let engines = if engines.is_empty() { all() } else { engines };
            let setup = c::Setup { programs, engines, limit: Duration::from_millis(time_limit) };
            let n_workers = std::thread::available_parallelism().map_or(1, |n| n.get());
            let range = seed..seed.saturating_add(count);
            let report = campaign::run(range.clone(), n_workers, &|seed| setup.check(seed));
            finish("c", &range, report, &|_, _| None)
        }
        Command::Faults { programs, random, faults, engines, time_limit } => {
            let faults = if faults.is_empty() { Fault::ALL.to_vec() } else { faults };
            let limit = Duration::from_millis(time_limit);
            try_out(&faults::Setup { faults, engines, limit }, &programs, random)
        }
        Command::Csmith { count, seed, time_limit } => {
            let Some(setup) = csmith::Setup::find(Duration::from_secs(time_limit)) else {
                return ExitCode::SUCCESS;
            };
            let n_workers = std::thread::available_parallelism().map_or(1, |n| n.get());
            let range = seed..seed.saturating_add(count);
            let report = campaign::run(range.clone(), n_workers, &|seed| setup.check(seed));
            finish("csmith", &range, report, &|_, _| None)
        }
        Command::Show { seed, profile } => {
            print!("{}", hardbop_bp::print(&hardbop_gen::random::program(seed, &profile)));
            ExitCode::SUCCESS
        }
    }
}

/// Makes each mistake, after a look at the programs without any.
fn try_out(setup: &faults::Setup, folder: &Path, random: u64) -> ExitCode {
    if !hardbop_base::fault::BUILT {
        eprintln!("hardbop-fuzz: built without faults; `--features faults` has them");
        return ExitCode::from(2);
    }
    let mut programs = match faults::Subjected::of_folder(folder) {
        Ok(programs) => programs,
        Err(why) => {
            eprintln!("hardbop-fuzz: {why}");
            return ExitCode::from(2);
        }
    };
    programs.extend(faults::Subjected::random(random));
    if let Some(program) = programs.iter().find(|it| !it.is_unsafe()) {
        eprintln!("hardbop-fuzz: {} is not found unsafe", program.name);
        return ExitCode::FAILURE;
    }
    if setup.run(&programs) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the campaign for each profile asked for, until one fails.
fn each_profile(
    seeds: &Seeds,
    check: &(dyn Fn(&Profile, u64) -> Outcome + Sync),
    shrunk: &dyn Fn(&Profile, u64, campaign::FailureKind) -> String,
) -> ExitCode {
    let profiles = seeds.profile.clone().map_or_else(Profile::all, |profile| vec![profile]);
    let n_workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let range = seeds.seed..seeds.seed.saturating_add(seeds.count);
    for profile in &profiles {
        let report = campaign::run(range.clone(), n_workers, &|seed| check(profile, seed));
        let shrunk = |seed, kind| Some(shrunk(profile, seed, kind));
        let code = finish(profile.name, &range, report, &shrunk);
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    ExitCode::SUCCESS
}

/// Tells what came of a campaign.
fn finish(
    name: &str,
    range: &std::ops::Range<u64>,
    report: std::io::Result<Report>,
    shrunk: &dyn Fn(u64, campaign::FailureKind) -> Option<String>,
) -> ExitCode {
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            eprintln!("hardbop-fuzz: cannot start threads: {error}");
            return ExitCode::from(3);
        }
    };
    tell(name, range, &report);
    let Some((seed, failure)) = &report.failure else { return ExitCode::SUCCESS };
    println!("\nFAILURE ({:?}), {name}, seed {seed}\n{}", failure.kind, failure.detail);
    if let Some(text) = shrunk(*seed, failure.kind) {
        println!("\nshrunk:\n\n{text}");
    }
    ExitCode::FAILURE
}

/// The table of a campaign: what was counted, how often.
fn tell(name: &str, seeds: &std::ops::Range<u64>, report: &Report) {
    println!("{name}: seeds {}..{}, {:.1} s", seeds.start, seeds.end, report.time.as_secs_f64());
    for (word, count) in &report.tally {
        println!("  {count:>8}  {word}");
    }
}

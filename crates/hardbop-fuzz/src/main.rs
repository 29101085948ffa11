//! `hardbop-fuzz`: random programs against the parser and the engines.
//!
//! Exit code 0 if nothing was found, 1 with the seed and a shrunk program if something was.

mod campaign;
mod caught;
mod engines;
mod parse;
mod small;
mod unbounded;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use hardbop_engine::Reduction;
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
        /// Engines to test; each may be given once
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
    /// Kind of programs (sequential, recursive, threads, broadcast); without it, all of them
    #[arg(long, value_parser = profile)]
    profile: Option<Profile>,
    /// Seconds one program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    time_limit: u64,
}

fn profile(name: &str) -> Result<Profile, String> {
    let names = || Profile::all().iter().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
    Profile::named(name).ok_or_else(|| format!("the profiles are {}", names()))
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Parse(seeds) => {
            let limit = Duration::from_secs(seeds.time_limit);
            let shrunk = |profile: &Profile, seed, kind| parse::shrunk(profile, seed, kind);
            each_profile(&seeds, &|profile, seed| parse::check(profile, seed, limit), &shrunk)
        }
        Command::Engines { seeds, engines, against, threads, por, certify, shortest } => {
            let limit = Duration::from_secs(seeds.time_limit);
            let setup = engines::Setup { engines, against, threads, por, limit, certify, shortest };
            let shrunk =
                |profile: &Profile, seed, kind| engines::shrunk(&setup, profile, seed, kind);
            each_profile(&seeds, &|profile, seed| engines::check(&setup, profile, seed), &shrunk)
        }
        Command::Unbounded { seeds, engines, most, brute_force } => {
            let engines = if engines.is_empty() { engines::for_any_number() } else { engines };
            let limit = Duration::from_secs(seeds.time_limit);
            let brute_force = Duration::from_millis(brute_force);
            let setup = unbounded::Setup { engines, most, limit, brute_force };
            let shrunk =
                |profile: &Profile, seed, kind| unbounded::shrunk(&setup, profile, seed, kind);
            each_profile(&seeds, &|profile, seed| unbounded::check(&setup, profile, seed), &shrunk)
        }
        Command::Show { seed, profile } => {
            print!("{}", hardbop_bp::print(&hardbop_gen::random::program(seed, &profile)));
            ExitCode::SUCCESS
        }
    }
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
        match campaign::run(range.clone(), n_workers, &|seed| check(profile, seed)) {
            Ok(report) => {
                tell(profile, &range, &report);
                if let Some((seed, failure)) = &report.failure {
                    println!(
                        "\nFAILURE ({:?}), profile {}, seed {seed}",
                        failure.kind, profile.name
                    );
                    println!(
                        "{}\n\nshrunk:\n\n{}",
                        failure.detail,
                        shrunk(profile, *seed, failure.kind)
                    );
                    return ExitCode::FAILURE;
                }
            }
            Err(error) => {
                eprintln!("hardbop-fuzz: cannot start threads: {error}");
                return ExitCode::from(3);
            }
        }
    }
    ExitCode::SUCCESS
}

/// The table of a profile: what was counted, how often.
fn tell(profile: &Profile, seeds: &std::ops::Range<u64>, report: &Report) {
    println!(
        "{}: seeds {}..{}, {:.1} s",
        profile.name,
        seeds.start,
        seeds.end,
        report.time.as_secs_f64()
    );
    for (word, count) in &report.tally {
        println!("  {count:>8}  {word}");
    }
}

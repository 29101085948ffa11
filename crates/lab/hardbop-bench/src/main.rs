//! Tables: suite, file, engine, verdict, time, memory, ratio to a baseline.
//!
//! Each measurement is a process of its own, so that memory is the measurement's and a crash is a
//! row, not an end. `docs/results/` keeps the tables worth keeping, with the command and the date.

mod against;
mod analyses;
mod auto;
mod c;
mod corpus;
mod diagrams;
mod engines;
mod measure;
mod native;
mod nets;
mod plot;
mod shrink;
mod suites;
mod table;
mod testbenches;
mod threads;
mod wins;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, Subcommand};

use measure::Job;

#[derive(Parser)]
#[command(name = "hardbop-bench", about = "Benchmark tables of Hardbop's engines")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a suite and print its table; without one, list the suites
    Run {
        suite: Option<String>,
        /// Engines, the first one is the baseline of the ratios; `hardbop-bench engines` lists them.
        /// `ENGINE@REDUCTION` is an engine with a partial-order reduction
        #[arg(long, value_delimiter = ',', default_value = "bdd")]
        engine: Vec<String>,
        /// Seconds for each row
        #[arg(long, default_value_t = 20)]
        time_limit: u64,
        /// Explore exhaustively, without traces and certificates: the cost of the fixpoint alone
        #[arg(long)]
        all: bool,
        /// Take each row this many times and keep the fastest
        #[arg(long, default_value_t = 1)]
        repeat: u32,
        /// Also write the table as CSV
        #[arg(long)]
        csv: Option<PathBuf>,
        /// A table written with `--csv` before: tells what is worse now
        #[arg(long, value_name = "CSV")]
        against: Option<PathBuf>,
    },
    /// Whether `auto` takes more than twice the processor time of the best engine
    Auto(auto::AutoArgs),
    /// The C corpus: each row a process of its own under limits
    C(c::CArgs),
    /// The testbench of every violation in the C corpus, compiled and run
    Testbenches(testbenches::TestbenchArgs),
    /// The C front end: reads and lowers every C file of a folder, and counts
    Corpus(corpus::CorpusArgs),
    /// The interpreter of C against compiled programs
    #[command(subcommand)]
    Native(native::Native),
    /// What slicing and ranges save of C programs
    Shrink(shrink::ShrinkArgs),
    /// Times of the analyses of Boolean programs on large generated ones
    Analyses,
    /// Times of the operations on decision diagrams
    Diagrams,
    Plot(plot::PlotArgs),
    /// List the engines and engine variants that can be measured
    Engines,
    /// One measurement: a job as JSON on standard input, its result on standard output
    #[command(hide = true)]
    Measure,
}

fn main() {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Engines => {
            engines::names().iter().for_each(|name| println!("{name}"));
            Ok(())
        }
        Command::Auto(args) => auto::run(&args),
        Command::C(args) => c::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Testbenches(args) => testbenches::run(&args),
        Command::Corpus(args) => {
            corpus::run(&args);
            Ok(())
        }
        Command::Native(what) => native::run(&what),
        Command::Shrink(args) => shrink::run(&args),
        Command::Analyses => {
            analyses::run();
            Ok(())
        }
        Command::Diagrams => diagrams::run().map_err(|_| "out of nodes".to_string()),
        Command::Measure => measure::child(),
        Command::Run { suite: None, .. } => {
            for suite in suites::all() {
                println!("{:12} {}", suite.name, suite.about);
            }
            Ok(())
        }
        Command::Run { suite: Some(name), engine, time_limit, all, repeat, csv, against } => {
            let limit = Duration::from_secs(time_limit);
            run(&name, &engine, limit, all, repeat).and_then(|table| {
                print!("\n{}{}", table.totals(), table.wins());
                finish(&table, csv.as_deref(), against.as_deref())
            })
        }
    };
    if let Err(why) = done {
        eprintln!("hardbop-bench: {why}");
        std::process::exit(1);
    }
}

fn run(
    name: &str,
    engines: &[String],
    limit: Duration,
    all: bool,
    repeat: u32,
) -> Result<table::Table, String> {
    let suite = suites::all().into_iter().find(|suite| suite.name == name);
    let suite = suite.ok_or_else(|| format!("there is no suite {name}; `run` lists them"))?;
    for engine in engines {
        engines::named(engine).ok_or_else(|| format!("there is no engine {engine}"))?;
    }
    let cases = (suite.cases)()?;
    let mut table = table::Table::new(suite.name, engines, &cases);
    print!("{}", table.head());
    for case in &cases {
        for engine in engines {
            let job = Job::new(case, engine, limit, all);
            let runs = (0..repeat.max(1)).map(|_| measure::measure(&job));
            let best = runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
            table.add(case, engine, best.expect("at least one run"));
            // Row by row, so that an interrupted run has not been for nothing.
            print!("{}", table.last());
        }
    }
    Ok(table)
}

/// Writes the table, and says what is wrong or worse.
fn finish(table: &table::Table, csv: Option<&Path>, against: Option<&Path>) -> Result<(), String> {
    // Before it is overwritten, if it is the same file.
    let worse = against.map(|kept| against::compare(kept, &table.csv())).transpose()?;
    if let Some(path) = csv {
        std::fs::write(path, table.csv()).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if let Some(wrong) = table.wrong() {
        return Err(wrong);
    }
    match worse {
        Some(worse) if !worse.is_empty() => {
            Err(format!("worse than before:\n{}", worse.join("\n")))
        }
        _ => Ok(()),
    }
}

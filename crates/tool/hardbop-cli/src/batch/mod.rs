//! `hardbop batch`: many checks, and what is kept of them. The work is done by `hardbop-batch`; here are words,
//! the terminal and the exit code.

mod kept;
mod live;
mod run;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use hardbop_batch::Trouble;
use hardbop_batch::report::Judgement;
use hardbop_batch::shard::Shard;
use hardbop_batch::units;

use crate::examples::{BATCH_COLLECT, BATCH_DIFF, BATCH_MERGE, BATCH_SHOW};
use crate::exit::Exit;
use crate::format::Format;
use crate::voice::tell;

/// Check many programs, store the results, and later check only what has changed
///
/// A plan is a folder, a small TOML or YAML file, a CSV file whose first line names the columns, a
/// set or a task of SV-COMP (.set, .yml), or a compile_commands.json with --entry. After an
/// interruption, a crash or a full disk the same command continues where it stopped.
///
/// The exit code is that of the worst task. A task whose answer is the one its plan expects counts
/// as safe (0), any other answer as unsafe (10).
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BatchArgs {
    #[command(subcommand)]
    command: Option<Kept>,

    #[command(flatten)]
    run: RunArgs,
}

/// A file of results.
#[derive(Args, Debug, Clone)]
struct StoreArg {
    /// Where results are kept
    #[arg(long, value_name = "FILE", default_value = "hardbop.db")]
    store: PathBuf,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// What to check
    plan: Option<PathBuf>,

    #[command(flatten)]
    store: StoreArg,

    /// Tasks at once [default: as many as cores and memory allow]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,

    /// Wall-clock limit of each task, such as 30s or 5m
    #[arg(long, value_parser = units::duration)]
    time_limit: Option<Duration>,

    /// Processor time of each task, all its processes together
    #[arg(long, value_parser = units::duration)]
    cpu_limit: Option<Duration>,

    /// Memory of each task, all its processes together, such as 2GB
    #[arg(long, value_parser = units::bytes)]
    memory_limit: Option<u64>,

    /// C: a function to start with; each makes a task of its own
    #[arg(long = "entry", value_name = "FUNC")]
    entries: Vec<String>,

    /// Part I of N of the tasks, for a scheduler that starts N of us
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// C: split each task into one for each class of checks, and join what they say
    #[arg(long)]
    per_property: bool,

    /// Split each task into N parts of its executions, a power of two, and join what they say
    #[arg(long, value_name = "N", value_parser = power_of_two, conflicts_with = "per_property")]
    cube: Option<u32>,

    /// Write and submit an array job of Slurm in this folder instead of running here; `collect` takes what it found
    #[arg(long, value_name = "DIR", requires = "time_limit", conflicts_with_all = ["shard", "per_property", "cube"])]
    slurm: Option<PathBuf>,

    /// Members of the array job
    #[arg(long, value_name = "N", default_value_t = 16, requires = "slurm", value_parser = clap::value_parser!(u32).range(1..))]
    parts: u32,

    /// Slurm's partition [default: Slurm's]
    #[arg(long, value_name = "NAME", requires = "slurm")]
    partition: Option<String>,

    /// Only tasks that have no result yet: the others are not part of this run and its report
    #[arg(long, conflicts_with_all = ["per_property", "cube"])]
    only_changed: bool,

    /// How to print results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Further options of `hardbop check` for all tasks
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

#[derive(Subcommand, Debug)]
enum Kept {
    /// List the runs of a store
    Status {
        #[command(flatten)]
        store: StoreArg,
    },
    /// Print what is kept of one task
    #[command(after_help = BATCH_SHOW)]
    Show {
        /// The name of the task, or the end of its name
        task: String,
        #[command(flatten)]
        of: OfRun,
    },
    /// Print what differs between two runs
    #[command(after_help = BATCH_DIFF)]
    Diff {
        /// A number of `status`
        first: i64,
        /// A number of `status`
        second: i64,
        #[command(flatten)]
        store: StoreArg,
    },
    /// Print a run: a table (csv), or results in a format of `hardbop check`
    Export {
        #[command(flatten)]
        of: OfRun,
        /// A format of `hardbop check`; without it CSV
        #[arg(long, value_enum)]
        format: Option<Format>,
    },
    /// Write a run as pages: overview, plots, what is new, every result in the explorer
    Report {
        #[command(flatten)]
        of: OfRun,
        /// The folder to write index.html and explorer.html to
        #[arg(long, value_name = "DIR")]
        html: PathBuf,
        /// The run to compare with [default: the one before]
        #[arg(long, value_name = "RUN")]
        against: Option<i64>,
    },
    /// Forget old runs and the results that only they have
    Gc {
        #[command(flatten)]
        store: StoreArg,
        /// How many runs to keep
        #[arg(long, value_name = "N", default_value_t = 2)]
        keep: usize,
    },
    /// Check the stored proofs of a run again, by the certifier that no engine uses
    Verify {
        #[command(flatten)]
        of: OfRun,
    },
    /// Take over what an array job of Slurm has found so far
    #[command(after_help = BATCH_COLLECT)]
    Collect {
        /// The folder of `--slurm`
        folder: PathBuf,
        #[command(flatten)]
        store: StoreArg,
    },
    /// Take over the results of other stores
    #[command(after_help = BATCH_MERGE)]
    Merge {
        /// Stores that stay as they are
        #[arg(required = true)]
        others: Vec<PathBuf>,
        #[command(flatten)]
        store: StoreArg,
    },
}

fn power_of_two(text: &str) -> Result<u32, String> {
    let n = text.parse().ok().filter(|n: &u32| n.is_power_of_two() && (2..=1024).contains(n));
    n.ok_or_else(|| "expected 2, 4, 8, … 1024".into())
}

#[derive(Args, Debug)]
struct OfRun {
    #[command(flatten)]
    store: StoreArg,
    /// A number of `status` [default: the last]
    #[arg(long, value_name = "RUN")]
    run: Option<i64>,
}

pub fn batch(args: BatchArgs) -> Exit {
    let done = match (args.command, &args.run.plan) {
        (Some(command), _) => kept::answer(command),
        (None, Some(plan)) => run::run(plan, &args.run),
        (None, None) => Err(Trouble::Usage("say what to check: hardbop batch PLAN".into())),
    };
    done.unwrap_or_else(|trouble| {
        tell!("hardbop: {trouble}");
        match trouble {
            Trouble::Plan(_) => Exit::Rejected,
            Trouble::Usage(_) => Exit::Usage,
            Trouble::Io(_) | Trouble::Store(_) => Exit::Io,
        }
    })
}

/// The exit code of a run, by its worst task.
fn exit_of(worst: Option<Judgement>) -> Exit {
    match worst {
        None | Some(Judgement::Good) => Exit::Safe,
        Some(Judgement::Missing | Judgement::Undecided) => Exit::Unknown,
        Some(Judgement::Violated | Judgement::Wrong) => Exit::Unsafe,
        Some(Judgement::Refused) => Exit::Rejected,
        Some(Judgement::Unasked) => Exit::Io,
        Some(Judgement::Crashed) => Exit::Internal,
    }
}

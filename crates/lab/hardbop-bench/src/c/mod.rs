//! The suite `c`: every row of the C corpus by each engine, each measurement a process of its own
//! under limits of processor time and memory.
//!
//! Measurements are written down as they come, and a campaign that was interrupted goes on where it
//! ended. Rows are taken in an order that mixes the sets, so that the time that is left can be told.

mod journal;
mod measure;
mod summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;

use journal::Journal;
use measure::{Measured, measure};

#[derive(Args)]
pub struct CArgs {
    /// Engines of `hardbop check` for C: bmc, kind, runs, shape, cegar, auto, fsoft
    #[arg(long, value_delimiter = ',', default_value = "auto")]
    engine: Vec<String>,
    /// Seconds of processor time for each engine and row
    #[arg(long, default_value_t = 30)]
    cpu: u64,
    /// Memory for each row
    #[arg(long, default_value = "2GB")]
    memory: String,
    /// Rows at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only rows whose file contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Part I of N of the rows, as I/N, counted from 1
    #[arg(long, value_parser = slice, default_value = "1/1")]
    slice: (usize, usize),
    /// Minutes after which no further row is begun; the tables then say how many are missing
    #[arg(long)]
    within: Option<u64>,
    /// The command; without it the one beside this program
    #[arg(long)]
    hardbop: Option<PathBuf>,
    /// Write measurements here as they come, as tab-separated text, and take those that are there
    /// already as done
    #[arg(long)]
    rows: Option<PathBuf>,
    /// Further options for `hardbop check`, such as --fsoft-method=bmc
    #[arg(last = true)]
    options: Vec<String>,
}

fn slice(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| "expected I/N".into())
}

pub const CORPUS: &str = "../shared/bench/c";
/// A machine so busy that one of this many seconds is ours.
pub const BUSY: u64 = 8;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub file: String,
    pub property: String,
    /// `safe` or `unsafe`.
    pub expected: String,
}

impl Row {
    pub fn set(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }
}

/// By row and engine.
type Done = BTreeMap<(Row, String), Measured>;

pub fn run(args: &CArgs) -> Result<(), String> {
    let hardbop = command_beside(args.hardbop.as_deref())?;
    let rows = rows(args)?;
    let (journal, done) = Journal::open(args)?;
    let wanted = |row: &Row| -> Vec<(Row, String)> {
        args.engine.iter().map(|engine| (row.clone(), engine.clone())).collect()
    };
    let todo: Vec<(Row, String)> =
        mixed(&rows).flat_map(wanted).filter(|it| !done.contains_key(it)).collect();
    let campaign = Campaign {
        args,
        hardbop: &hardbop,
        n_todo: todo.len(),
        start: Instant::now(),
        state: Mutex::new(State { todo: todo.into_iter(), journal, done, n_done: 0, failed: None }),
    };
    campaign.announce(rows.len());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| campaign.work());
        }
    });
    let state = campaign.state.into_inner().map_err(|_| "a measurement failed".to_string())?;
    if let Some(why) = state.failed {
        return Err(why);
    }
    print!("{}", summary::tables(&rows, &args.engine, &state.done));
    Ok(())
}

/// The command that is named, or the one beside this program.
pub fn command_beside(named: Option<&Path>) -> Result<PathBuf, String> {
    let beside = || std::env::current_exe().map(|me| me.with_file_name("hardbop"));
    let hardbop = named.map_or_else(beside, |it| Ok(it.into())).map_err(|it| it.to_string())?;
    match hardbop.exists() {
        true => Ok(hardbop),
        false => Err(format!("{} is not there: build it, or say --hardbop", hardbop.display())),
    }
}

/// Preprocessed files and those of CIL were made for 32 bits.
pub fn data_model(row: &Row) -> &'static str {
    let is_32_bit = row.file.ends_with(".i") || row.file.ends_with(".cil.c");
    if is_32_bit { "ilp32" } else { "lp64" }
}

struct Campaign<'a> {
    args: &'a CArgs,
    hardbop: &'a Path,
    n_todo: usize,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    todo: std::vec::IntoIter<(Row, String)>,
    journal: Journal,
    done: Done,
    /// In this run.
    n_done: usize,
    /// The journal could not be written.
    failed: Option<String>,
}

impl Campaign<'_> {
    fn announce(&self, n_rows: usize) {
        let args = self.args;
        let most = self.n_todo as u64 * args.cpu / args.jobs.max(1) as u64 / 60;
        eprintln!(
            "{n_rows} rows by {}: {} measurements of at most {} s and {}, {} at a time, {most} min \
             if none is decided",
            args.engine.join(", "),
            self.n_todo,
            args.cpu,
            args.memory,
            args.jobs,
        );
    }

    fn work(&self) {
        loop {
            let next = match self.state.lock() {
                Ok(mut state) if state.failed.is_none() && !self.is_late() => state.todo.next(),
                _ => None,
            };
            let Some((row, engine)) = next else { return };
            let measured = measure(self.hardbop, &row, &engine, self.args);
            let Ok(mut state) = self.state.lock() else { return };
            println!("{}", journal::line(&row, &engine, &measured).replace('\t', "  "));
            if let Err(error) = state.journal.add(&row, &engine, &measured) {
                state.failed = Some(error);
            }
            state.done.insert((row, engine), measured);
            state.n_done += 1;
            self.progress(&state);
        }
    }

    fn is_late(&self) -> bool {
        self.args.within.is_some_and(|it| self.start.elapsed() > Duration::from_secs(60 * it))
    }

    fn progress(&self, state: &State) {
        let spent = self.start.elapsed();
        let left = spent.mul_f64((self.n_todo - state.n_done) as f64 / state.n_done as f64);
        let decided = state.done.values().filter(|it| it.is_decided()).count();
        let minutes = |it: Duration| format!("{}:{:02}", it.as_secs() / 60, it.as_secs() % 60);
        eprintln!(
            "{} of {} measured in {}, about {} left; {decided} decided",
            state.n_done,
            self.n_todo,
            minutes(spent),
            minutes(left),
        );
    }
}

fn rows(args: &CArgs) -> Result<Vec<Row>, String> {
    let (i, n) = args.slice;
    let rows = corpus(&args.only)?.into_iter().enumerate();
    Ok(rows.filter(|(at, _)| at % n == i - 1).map(|it| it.1).collect())
}

/// The rows of the corpus whose file contains a text, without those that have threads.
pub fn corpus(only: &str) -> Result<Vec<Row>, String> {
    let manifest = Path::new(CORPUS).join("manifest.csv");
    let text = std::fs::read_to_string(&manifest)
        .map_err(|error| format!("{}: {error}; run this beside shared/", manifest.display()))?;
    let rows = text.lines().skip(1).filter_map(|line| {
        let mut columns = line.split(',');
        let (file, property, expected) = (columns.next()?, columns.next()?, columns.next()?);
        let expected = if expected == "true" { "safe" } else { "unsafe" };
        Some(Row { file: file.into(), property: property.into(), expected: expected.into() })
    });
    // Threads are not for these engines.
    Ok(rows.filter(|it| !it.file.starts_with("pthread") && it.file.contains(only)).collect())
}

/// All rows, far jumps from one to the next.
fn mixed(rows: &[Row]) -> impl Iterator<Item = &Row> {
    const STRIDE: usize = 31;
    (0..STRIDE).flat_map(move |first| rows.iter().skip(first).step_by(STRIDE))
}

#[cfg(test)]
mod tests {
    use super::{Row, mixed};

    #[test]
    fn every_row_is_taken_once() {
        for n in [0, 1, 30, 31, 32, 100] {
            let row = |at: usize| Row {
                file: at.to_string(),
                property: String::new(),
                expected: String::new(),
            };
            let rows: Vec<Row> = (0..n).map(row).collect();
            let mut taken: Vec<Row> = mixed(&rows).cloned().collect();
            taken.sort();
            let mut all = rows.clone();
            all.sort();
            assert!(taken == all, "{n}");
        }
    }
}

//! Whether `auto` is ever slower than twice the best engine (issue: races cost what they save).
//!
//! Each program is put to `auto`, and where that takes long enough to matter, to every engine by itself. The best is
//! the one that takes the least processor time of those that say the same with the same evidence. What takes no
//! longer than [`SHORT`] counts as that long: below it starting threads is most of the time.

use std::time::Duration;

use clap::Args;
use hardbop_check::{Kind, entries};

use crate::measure::{Job, Measured, measure};
use crate::suites::{self, Case};

/// Seconds.
const SHORT: f64 = 0.05;

/// How many times the best.
const MOST: f64 = 2.0;

/// Not rivals: the reference for small programs, and engines that bound what `auto` does not.
const NO_RIVALS: [&str; 3] = ["explicit", "contexts", "contexts-pdr"];

#[derive(Args)]
pub struct AutoArgs {
    /// Suites of `run`
    #[arg(
        value_delimiter = ',',
        default_value = "families,wide,bp,threads,threads-bp,nets,unbounded"
    )]
    suite: Vec<String>,
    /// Seconds by the clock for each measurement
    #[arg(long, default_value_t = 20)]
    time_limit: u64,
    /// Only programs whose name has this in it
    #[arg(long, default_value = "")]
    only: String,
}

pub fn run(args: &AutoArgs) -> Result<(), String> {
    let limit = Duration::from_secs(args.time_limit);
    let mut total = Total::default();
    println!("| suite | program | verdict | auto, s | clock | by | best | s | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in &args.suite {
        let suite = suites::all().into_iter().find(|suite| suite.name == *name);
        let suite = suite.ok_or_else(|| format!("there is no suite {name}; `run` lists them"))?;
        for case in (suite.cases)()?.iter().filter(|case| case.name.contains(&args.only)) {
            total.add(suite.name, case, limit);
        }
    }
    println!();
    println!("{}", total.line());
    match total.n_over {
        0 => Ok(()),
        n => Err(format!("{n} programs take `auto` more than {MOST} times the best engine")),
    }
}

#[derive(Default)]
struct Total {
    n_rows: u32,
    n_short: u32,
    n_over: u32,
    n_undecided: u32,
    auto: f64,
    best: f64,
}

impl Total {
    fn add(&mut self, suite: &str, case: &Case, limit: Duration) {
        self.n_rows += 1;
        let auto = measure(&Job::new(case, "auto", limit, false));
        if auto.seconds <= MOST * SHORT && auto.is_decided() {
            return self.n_short += 1;
        }
        // Whoever takes longer than `auto` is not the best.
        let enough = limit.min(Duration::from_secs_f64(1.0 + 2.0 * auto.wall.max(0.0)));
        let mut best: Option<(&str, Measured)> = None;
        for engine in rivals(case) {
            let alone = measure(&Job::new(case, engine, enough, false));
            if is_as_good(&alone, &auto)
                && best.as_ref().is_none_or(|(_, it)| alone.seconds < it.seconds)
            {
                best = Some((engine, alone));
            }
        }
        let Some((engine, best)) = best else {
            // Nobody does by itself what `auto` does, or nobody decides it.
            self.n_undecided += u32::from(!auto.is_decided());
            let Measured { verdict, seconds, wall, by, .. } = &auto;
            let name = &case.name;
            return println!(
                "| {suite} | {name} | {verdict} | {seconds:.3} | {wall:.3} | {by} | none | | |"
            );
        };
        let ratio = match auto.is_decided() {
            true => auto.seconds / best.seconds.max(SHORT),
            false => f64::INFINITY,
        };
        self.n_over += u32::from(ratio > MOST);
        self.auto += auto.seconds;
        self.best += best.seconds;
        let mark = if ratio > MOST { "**" } else { "" };
        println!(
            "| {suite} | {} | {} | {:.3} | {:.3} | {} | {engine} | {:.3} | {mark}{ratio:.2}{mark} |",
            case.name, auto.verdict, auto.seconds, auto.wall, auto.by, best.seconds
        );
    }

    fn line(&self) -> String {
        let Total { n_rows, n_short, n_over, n_undecided, auto, best } = self;
        format!(
            "{n_rows} programs: {n_short} take `auto` at most {} s, {n_undecided} nobody decides, {n_over} take it \
             more than {MOST} times the best; of the long ones {auto:.2} s for the best's {best:.2} s",
            MOST * SHORT
        )
    }
}

/// Every engine that may take the case; one that does not says so at once.
fn rivals(case: &Case) -> Vec<&'static str> {
    let kind = if case.net.is_some() { Kind::Net } else { Kind::Program };
    let names = entries().filter(|it| it.takes(kind)).map(|it| it.name);
    names.filter(|name| !NO_RIVALS.contains(name)).collect()
}

/// Whether it decides the same with the same evidence; anything is as good as nothing.
fn is_as_good(alone: &Measured, auto: &Measured) -> bool {
    let says_same = alone.verdict == auto.verdict && alone.certified >= auto.certified;
    alone.is_decided() && (says_same || !auto.is_decided())
}

//! The suite `c`: every row of the C corpus, each a process of its own under limits of processor
//! time and memory. A table row by row, then what each set and each reason adds up to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use serde_json::Value;

#[derive(Args)]
pub struct CArgs {
    /// Engines of `hardbop check` for C, one after the other until one decides
    #[arg(long, value_delimiter = ',', default_value = "bmc,kind")]
    engine: Vec<String>,
    /// Seconds of processor time for each engine and row
    #[arg(long, default_value_t = 30)]
    cpu: u64,
    /// Memory for each row
    #[arg(long, default_value = "2GB")]
    memory: String,
    /// Rows at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only rows whose file contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Part I of N of the rows, as I/N, counted from 1
    #[arg(long, value_parser = slice, default_value = "1/1")]
    slice: (usize, usize),
    /// The command; without it the one beside this program
    #[arg(long)]
    hardbop: Option<PathBuf>,
    /// Also write the rows as tab-separated text
    #[arg(long)]
    tsv: Option<PathBuf>,
}

fn slice(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| "expected I/N".into())
}

/// A machine so busy that one of this many seconds is ours.
const BUSY: u64 = 20;
const CORPUS: &str = "../shared/bench/c";

#[derive(Clone)]
struct Row {
    file: String,
    property: String,
    /// `safe` or `unsafe`.
    expected: &'static str,
}

struct Measured {
    /// `safe`, `unsafe`, `unknown`, or how the process ended.
    got: String,
    engine: String,
    /// Of the processor.
    seconds: f64,
    megabytes: f64,
    reason: String,
}

impl Measured {
    fn is_decided(&self) -> bool {
        self.got == "safe" || self.got == "unsafe"
    }
}

pub fn run(args: &CArgs) -> Result<(), String> {
    let beside = std::env::current_exe().map(|me| me.with_file_name("hardbop"));
    let hardbop = args.hardbop.clone().map_or(beside, Ok).map_err(|error| error.to_string())?;
    let rows = rows(args)?;
    println!("| file | property | expected | got | engine | CPU s | MB | reason |");
    println!("|---|---|---|---|---|---|---|---|");
    let done: Mutex<Vec<Option<Measured>>> = Mutex::new(rows.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let measured = decide(&hardbop, row, args);
                    println!("{}", line(row, &measured, " | "));
                    let at = rows.iter().position(|it| std::ptr::eq(it, row)).unwrap_or(0);
                    done.lock().expect("no row panics")[at] = Some(measured);
                }
            });
        }
    });
    let done: Vec<Measured> =
        done.into_inner().expect("no row panics").into_iter().flatten().collect();
    print!("{}", summary(&rows, &done));
    if let Some(path) = &args.tsv {
        let lines: Vec<_> = rows.iter().zip(&done).map(|(row, it)| line(row, it, "\t")).collect();
        std::fs::write(path, lines.join("\n") + "\n")
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn rows(args: &CArgs) -> Result<Vec<Row>, String> {
    let manifest = Path::new(CORPUS).join("manifest.csv");
    let text = std::fs::read_to_string(&manifest)
        .map_err(|error| format!("{}: {error}; run this beside shared/", manifest.display()))?;
    let rows = text.lines().skip(1).filter_map(|line| {
        let mut columns = line.split(',');
        let (file, property, expected) = (columns.next()?, columns.next()?, columns.next()?);
        Some(Row {
            file: file.into(),
            property: property.into(),
            expected: if expected == "true" { "safe" } else { "unsafe" },
        })
    });
    // Threads are not for these engines.
    let rows = rows.filter(|it| !it.file.starts_with("pthread") && it.file.contains(&args.only));
    let (i, n) = args.slice;
    Ok(rows.enumerate().filter(|(at, _)| at % n == i - 1).map(|it| it.1).collect())
}

/// The first engine that decides, or the last; the time of all.
fn decide(hardbop: &Path, row: &Row, args: &CArgs) -> Measured {
    let mut last: Option<Measured> = None;
    for engine in &args.engine {
        let mut measured = measure(hardbop, row, engine, args);
        if let Some(before) = last {
            measured.seconds += before.seconds;
            measured.megabytes = measured.megabytes.max(before.megabytes);
            if !measured.is_decided() && !before.reason.is_empty() {
                measured.reason = format!("{}; {engine}: {}", before.reason, measured.reason);
            }
        }
        let is_over = measured.is_decided() || measured.got == "rejected";
        last = Some(measured);
        if is_over {
            break;
        }
    }
    last.unwrap_or_else(|| not_measured("failed", "no engine".into()))
}

fn not_measured(got: &str, reason: String) -> Measured {
    Measured { got: got.into(), engine: String::new(), seconds: 0.0, megabytes: 0.0, reason }
}

fn measure(hardbop: &Path, row: &Row, engine: &str, args: &CArgs) -> Measured {
    let file = Path::new(CORPUS).join(&row.file);
    // Preprocessed files and those of CIL were made for 32 bits.
    let is_32_bit = row.file.ends_with(".i") || row.file.ends_with(".cil.c");
    let model = if is_32_bit { "ilp32" } else { "lp64" };
    // The shell's limit is of processor time; the command's own, of wall-clock time, is for those who
    // wait without working.
    let wall = format!("{}s", args.cpu * BUSY);
    let output = Command::new("sh")
        .args(["-c", "ulimit -t \"$1\"; shift; exec \"$@\"", "sh", &args.cpu.to_string()])
        .arg(hardbop)
        .arg("check")
        .arg(&file)
        .args(["--property", &row.property, "--data-model", model, "--format", "json"])
        .args(["--engine", engine, "--time-limit", &wall, "--memory-limit", &args.memory])
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => return not_measured("failed", error.to_string()),
    };
    let Ok(json) = serde_json::from_slice::<Value>(&output.stdout) else {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default().to_string();
        return match output.status.code() {
            Some(2) => not_measured("rejected", format!("rejected: {said}")),
            Some(code) => not_measured("failed", format!("exit code {code}: {said}")),
            None => Measured {
                engine: engine.into(),
                seconds: args.cpu as f64,
                ..not_measured("unknown", format!("cpu: {} s of processor time are over", args.cpu))
            },
        };
    };
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_string();
    let number = |key: &str| json["stats"][key].as_f64().unwrap_or(f64::NAN);
    let reason = match text("reason") {
        reason if reason.is_empty() => reason,
        reason => format!("{reason}: {}", text("detail")),
    };
    Measured {
        got: text("verdict"),
        engine: text("engine"),
        seconds: number("cpu_ms") / 1e3,
        megabytes: number("peak_memory_bytes") / 1e6,
        reason,
    }
}

fn line(row: &Row, it: &Measured, between: &str) -> String {
    let cells = [
        row.file.clone(),
        row.property.clone(),
        row.expected.into(),
        if it.is_decided() && it.got != row.expected {
            format!("WRONG {}", it.got)
        } else {
            it.got.clone()
        },
        it.engine.clone(),
        format!("{:.2}", it.seconds),
        format!("{:.0}", it.megabytes),
        it.reason.clone(),
    ];
    let bar = between.trim();
    let line = cells.join(between);
    if bar == "|" { format!("| {line} |") } else { line }
}

/// Rows, right and wrong verdicts of each set; and how often each reason.
fn summary(rows: &[Row], done: &[Measured]) -> String {
    #[derive(Default)]
    struct Sum {
        n: usize,
        safe: usize,
        r#unsafe: usize,
        wrong: usize,
        seconds: f64,
    }
    let mut sets: BTreeMap<&str, Sum> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, it) in rows.iter().zip(done) {
        for set in [row.file.split('/').next().unwrap_or_default(), "~ all"] {
            let sum = sets.entry(set).or_default();
            sum.n += 1;
            sum.wrong += usize::from(it.is_decided() && it.got != row.expected);
            sum.safe += usize::from(it.got == "safe" && row.expected == "safe");
            sum.r#unsafe += usize::from(it.got == "unsafe" && row.expected == "unsafe");
            sum.seconds += if it.seconds.is_finite() { it.seconds } else { 0.0 };
        }
        if !it.is_decided() {
            *reasons.entry(it.reason.split(':').next().unwrap_or_default()).or_default() += 1;
        }
    }
    let mut text = String::from(
        "\n| set | rows | safe | unsafe | wrong | decided % | CPU s |\n|---|---|---|---|---|---|---|\n",
    );
    for (set, it) in sets {
        let decided = 100.0 * (it.safe + it.r#unsafe) as f64 / it.n as f64;
        text += &format!(
            "| {set} | {} | {} | {} | {} | {decided:.1} | {:.1} |\n",
            it.n, it.safe, it.r#unsafe, it.wrong, it.seconds
        );
    }
    text += "\n| reason of unknown | rows |\n|---|---|\n";
    for (reason, n) in reasons {
        text += &format!("| {reason} | {n} |\n");
    }
    text
}

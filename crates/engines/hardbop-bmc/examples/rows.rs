//! Runs the rows of a benchmark manifest and prints solved, wrong and unknown per folder:
//! `rows FOLDER [PREFIX…] [--time SECONDS] [-v]`. Each row runs in a process of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use hardbop_base::Budget;
use hardbop_bmc::check;
use hardbop_c::{DataModel, SystemLoader, load};
use hardbop_cir::Class;
use hardbop_engine::c::{Finding, Options};

#[derive(Default)]
struct Tally {
    n_rows: usize,
    n_safe: usize,
    n_unsafe: usize,
    n_wrong: usize,
    n_unknown: usize,
    n_crashed: usize,
    time: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|it| it == "--one") && args.len() == 4 {
        println!("{}", one(Path::new(&args[1]), &args[2], args[3].parse().unwrap_or(10)));
        return;
    }
    let mut seconds = 10;
    let (mut is_verbose, mut rest) = (false, Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-v" => is_verbose = true,
            "--time" => seconds = args.next().and_then(|it| it.parse().ok()).unwrap_or(10),
            _ => rest.push(arg),
        }
    }
    let Some(root) = rest.first() else {
        eprintln!("usage: rows FOLDER [PREFIX…] [--time SECONDS] [-v]");
        std::process::exit(1);
    };
    let Ok(manifest) = std::fs::read_to_string(Path::new(root).join("manifest.csv")) else {
        eprintln!("no manifest.csv in {root}");
        std::process::exit(1);
    };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, property, expected, ..] = fields[..] else { continue };
        if rest.len() > 1 && !rest[1..].iter().any(|it| file.starts_with(it.as_str())) {
            continue;
        }
        let folder = file.split('/').next().unwrap_or_default();
        row(
            root,
            file,
            property,
            expected,
            seconds,
            is_verbose,
            tallies.entry(folder.into()).or_default(),
        );
    }
    println!("| folder | rows | safe | unsafe | wrong | unknown | crashed | seconds |");
    println!("|---|---|---|---|---|---|---|---|");
    for (folder, it) in &tallies {
        println!(
            "| {folder} | {} | {} | {} | {} | {} | {} | {:.1} |",
            it.n_rows,
            it.n_safe,
            it.n_unsafe,
            it.n_wrong,
            it.n_unknown,
            it.n_crashed,
            it.time.as_secs_f64()
        );
    }
}

fn row(
    root: &str,
    file: &str,
    property: &str,
    expected: &str,
    seconds: u64,
    is_verbose: bool,
    tally: &mut Tally,
) {
    let start = Instant::now();
    let path = Path::new(root).join(file);
    let child = std::env::current_exe().and_then(|exe| {
        Command::new(exe).arg("--one").arg(&path).arg(property).arg(seconds.to_string()).output()
    });
    let answer = match &child {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        }
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            let text = errors.lines().take(3).collect::<Vec<_>>().join(" ");
            format!("crashed {} {text}", output.status)
        }
        Err(error) => format!("crashed {error}"),
    };
    tally.n_rows += 1;
    tally.time += start.elapsed();
    let is_right = match answer.split(' ').next() {
        Some("safe") => {
            tally.n_safe += 1;
            expected == "true"
        }
        Some("unsafe") => {
            tally.n_unsafe += 1;
            expected.starts_with("false")
        }
        Some("crashed") => {
            tally.n_crashed += 1;
            true
        }
        _ => {
            tally.n_unknown += 1;
            true
        }
    };
    tally.n_wrong += usize::from(!is_right);
    if is_verbose || !is_right {
        let mark = if is_right { "" } else { "WRONG " };
        println!(
            "{mark}{file} {property} {expected}: {answer} ({:.2} s)",
            start.elapsed().as_secs_f64()
        );
    }
}

fn one(path: &Path, property: &str, seconds: u64) -> String {
    let classes = Class::select(property).unwrap_or_default();
    let is_preprocessed = path.extension().is_some_and(|it| it == "i");
    let model = if is_preprocessed { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = hardbop_c::Options { model, classes: classes.clone(), ..Default::default() };
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds)).with_memory(2 << 30);
    let loaded = match load(&[path], &SystemLoader::default(), &options) {
        Ok(loaded) => loaded,
        Err(rejected) => return format!("unknown: refused: {}", rejected.message()),
    };
    let options = Options { classes, stop_at_first: true, ..Options::default() };
    let report = check(&loaded.program, &options, &budget);
    match report.overall() {
        Finding::Safe => format!("safe (bound {})", report.bound),
        Finding::Unsafe(it) => {
            let mark = if it.fixes_all { ", not only by inputs" } else { "" };
            format!("unsafe ({} values{mark}, bound {})", it.inputs.len(), report.bound)
        }
        Finding::Unknown(reason) => format!("unknown: {reason} (bound {})", report.bound),
    }
}

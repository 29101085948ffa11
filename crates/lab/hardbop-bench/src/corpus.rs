//! Reads and lowers every C file under a folder and prints how many were taken, refused with a place, or went wrong.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hardbop_c::{DataModel, Loader, Options, SystemLoader, load_text};
use hardbop_cir::analysis::Ranges;
use hardbop_cir::{Program, pass};

#[derive(Default)]
struct Row {
    n_files: usize,
    n_lowered: usize,
    n_partly: usize,
    n_refused: usize,
    n_unreadable: usize,
    n_panics: usize,
    n_lines: usize,
    time: Duration,
}

#[derive(clap::Args)]
pub struct CorpusArgs {
    /// Folder with C files
    folder: PathBuf,
    /// Also tell of each file
    #[arg(short, long)]
    verbose: bool,
}

pub fn run(args: &CorpusArgs) {
    let (root, is_verbose) = (&args.folder, args.verbose);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    for path in &files {
        let set = path.strip_prefix(root).unwrap_or(path).iter().next();
        let set = set.map_or(String::new(), |it| it.to_string_lossy().into_owned());
        one(path, rows.entry(set).or_default(), is_verbose);
    }
    println!(
        "| set | files | lowered | of these with parts unsupported | refused at a place | not preprocessed | panics | lines | ms per 1,000 lines |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut all = Row::default();
    for (name, row) in &rows {
        print_row(name, row);
        all.n_files += row.n_files;
        all.n_lowered += row.n_lowered;
        all.n_partly += row.n_partly;
        all.n_refused += row.n_refused;
        all.n_unreadable += row.n_unreadable;
        all.n_panics += row.n_panics;
        all.n_lines += row.n_lines;
        all.time += row.time;
    }
    print_row("all", &all);
}

fn print_row(name: &str, row: &Row) {
    let rate = row.time.as_secs_f64() * 1e6 / row.n_lines.max(1) as f64;
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {rate:.2} |",
        row.n_files,
        row.n_lowered,
        row.n_partly,
        row.n_refused,
        row.n_unreadable,
        row.n_panics,
        row.n_lines
    );
}

fn one(path: &Path, row: &mut Row, is_verbose: bool) {
    row.n_files += 1;
    let is_preprocessed = path.extension().is_some_and(|it| it == "i");
    let loader = SystemLoader::default();
    let text = loader.read(path).and_then(|text| {
        let plain = is_preprocessed || !text.lines().any(|it| it.trim_start().starts_with('#'));
        if plain { Ok(text) } else { loader.preprocess(path) }
    });
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            row.n_unreadable += 1;
            if is_verbose {
                println!("{}: {error}", path.display());
            }
            return;
        }
    };
    row.n_lines += text.lines().count();
    let model = if is_preprocessed { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = Options { model, ..Options::default() };
    let name = path.to_string_lossy().into_owned();
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| load_text(vec![(name, text)], &options)));
    row.time += start.elapsed();
    match result {
        Ok(Ok(program)) => {
            let passed = catch_unwind(AssertUnwindSafe(|| passes(&program.program)));
            let passed = passed.unwrap_or_else(|_| Err("a pass panics".into()));
            if let Err(error) = passed {
                println!("{}: not well formed: {error}", path.display());
                row.n_panics += 1;
                return;
            }
            row.n_lowered += 1;
            row.n_partly += usize::from(!program.warnings.is_empty());
            if is_verbose {
                for it in &program.warnings {
                    let at = program.sources.position(it.primary.span);
                    println!("{}:{}: {}: {}", at.file, at.line, it.code, it.message);
                }
            }
        }
        Ok(Err(rejected)) => {
            row.n_refused += 1;
            if is_verbose {
                let at = rejected.sources.position(rejected.diagnostics[0].primary.span);
                println!(
                    "{} ({}:{}): {}: {}",
                    path.display(),
                    at.file,
                    at.line,
                    rejected.diagnostics[0].code,
                    rejected.message()
                );
            }
        }
        Err(_) => {
            println!("{}: panic", path.display());
            row.n_panics += 1;
        }
    }
}

/// The text form and every pass give well-formed programs.
fn passes(program: &Program) -> Result<(), String> {
    let verified = |it: &Program| hardbop_cir::verify(it).map_err(|error| error.to_string());
    verified(program)?;
    let text = hardbop_cir::text::print(program);
    let read = hardbop_cir::text::read(&text).map_err(|error| error.to_string())?;
    if hardbop_cir::text::print(&read) != text {
        return Err("the text form is not read back".into());
    }
    let mut small = read;
    pass::shrink(&mut small, pass::Keep::Checks, pass::Passes::ALL);
    verified(&small)?;
    Ranges::of(&small);
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "c" || it == "i") {
            files.push(path);
        }
    }
}

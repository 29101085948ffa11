//! The programs of `../shared/findings` that once got a wrong answer. They stay outside of the repository: without
//! the folder the test says that it was skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// Of the rows, so many in a hundred must be decided in the test build, also on a busy machine (94 in a hundred are on an
/// idle one); none may be decided wrongly.
const DECIDED: usize = 92;

struct Row {
    folder: PathBuf,
    file: String,
    options: Vec<String>,
    expected: String,
}

/// `file,options,expected`: the first two columns of a row may hold commas only in the middle one.
fn rows(folder: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("expected.csv")).expect("expected.csv is there");
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let (file, rest) = line.split_once(',').expect("a row has three columns");
        let (options, expected) = rest.rsplit_once(',').expect("a row has three columns");
        rows.push(Row {
            folder: folder.to_path_buf(),
            file: file.to_string(),
            options: options.trim_matches('"').split_whitespace().map(String::from).collect(),
            expected: expected.trim().to_string(),
        });
    }
    rows
}

fn verdict(row: &Row) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .current_dir(&row.folder)
        .args(["check", &row.file, "--format", "json", "--time-limit", "3s"])
        .args(&row.options)
        .output()
        .expect("hardbop starts");
    match serde_json::from_slice::<Value>(&output.stdout) {
        Ok(result) => result["verdict"].as_str().unwrap_or("no verdict").to_string(),
        Err(_) => format!("exit code {:?}", output.status.code()),
    }
}

#[test]
fn none_is_answered_wrongly_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/findings");
    if !root.is_dir() {
        eprintln!("SKIPPED: ../shared/findings is not there");
        return;
    }
    let rows: Vec<Row> =
        [root.clone(), root.join("corners")].iter().flat_map(|it| rows(it)).collect();
    assert!(rows.len() > 500, "only {} rows were read", rows.len());
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = verdict(row);
                    answers.lock().expect("no panic").push((row, verdict));
                }
            });
        }
    });
    let answers = answers.into_inner().expect("no panic");
    let told = |(row, verdict): &(&Row, String)| {
        let options = row.options.join(" ");
        format!("{} {options}: {verdict}, not {}", row.file, row.expected)
    };
    let (right, other): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|(row, verdict)| *verdict == row.expected);
    let (wrong, open): (Vec<_>, Vec<_>) =
        other.iter().partition(|(_, verdict)| verdict == "safe" || verdict == "unsafe");
    let list =
        |rows: &[&(&Row, String)]| rows.iter().map(|it| told(it)).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "wrong:\n{}", list(&wrong));
    assert!(
        right.len() * 100 >= rows.len() * DECIDED,
        "{} of {} are decided, not these:\n{}",
        right.len(),
        rows.len(),
        list(&open)
    );
}

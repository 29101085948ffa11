//! Every program under `tests/` and `examples/` behaves as it says.

use std::path::Path;

use hardbop_filetests::{files_below, run_file};

fn run_all(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let files = files_below(&root.join(folder));
    assert!(!files.is_empty(), "no programs in {folder}");
    let failures: Vec<_> = files
        .iter()
        .filter_map(|file| Some(format!("{}: {}", file.display(), run_file(file).err()?)))
        .collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn tests() {
    run_all("tests/bp");
}

#[test]
fn examples() {
    run_all("examples");
}

//! Every program under `tests/` and `examples/` behaves as it says.

use std::path::Path;

use hardbop_filetests::{files_below, run_cir_file, run_file};

fn run_all(folder: &str, extension: &str, run_file: fn(&Path) -> Result<(), String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let files = files_below(&root.join(folder), extension);
    assert!(!files.is_empty(), "no programs in {folder}");
    let failures: Vec<_> = files
        .iter()
        .filter_map(|file| Some(format!("{}: {}", file.display(), run_file(file).err()?)))
        .collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn tests() {
    run_all("tests/bp", "bp", run_file);
}

#[test]
fn examples() {
    run_all("examples", "bp", run_file);
}

#[test]
fn ir_of_c() {
    run_all("tests/cir", "cir", run_cir_file);
}

//! The invariants of ARCHITECTURE.md that can be read off the manifests.

use std::collections::BTreeMap;
use std::path::Path;

/// What each crate depends on, outside of tests.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = BTreeMap::new();
    for folder in std::fs::read_dir(&crates).unwrap() {
        let folder = folder.unwrap();
        let Ok(text) = std::fs::read_to_string(folder.path().join("Cargo.toml")) else { continue };
        let section = text.split("\n[dependencies]\n").nth(1).unwrap_or("");
        let section = section.split("\n[").next().unwrap_or("");
        let names = section.lines().filter_map(|line| line.split(['.', '=', ' ']).next());
        let names = names.filter(|name| !name.is_empty()).map(String::from).collect();
        all.insert(folder.file_name().into_string().unwrap(), names);
    }
    assert!(all.len() > 10, "the manifests were not found");
    all
}

/// `crate` must not reach any of `others`, not even through another crate.
fn must_not_know(all: &BTreeMap<String, Vec<String>>, name: &str, others: &[&str]) {
    let mut known = vec![name.to_string()];
    let mut at = 0;
    while at < known.len() {
        for dependency in all.get(&known[at]).into_iter().flatten() {
            assert!(!others.contains(&dependency.as_str()), "{name} must not know {dependency}");
            if !known.contains(dependency) {
                known.push(dependency.clone());
            }
        }
        at += 1;
    }
}

#[test]
fn crates_know_only_what_they_may() {
    let all = dependencies();
    let engines = [
        "hardbop-interp",
        "hardbop-seq",
        "hardbop-conc",
        "hardbop-concdd",
        "hardbop-cover",
        "hardbop-coverdd",
        "hardbop-satseq",
        "hardbop-contexts",
        "hardbop-engine",
    ];
    let diagrams = ["hardbop-dd", "oxidd"];
    must_not_know(&all, "hardbop-certify", &engines);
    must_not_know(&all, "hardbop-certify", &diagrams);
    must_not_know(&all, "hardbop-certify", &["hardbop-sat", "hardbop-bp", "hardbop-smt"]);
    must_not_know(&all, "hardbop-evidence", &engines);
    must_not_know(&all, "hardbop-cfg", &["hardbop-bp", "hardbop-diag", "hardbop-evidence"]);
    must_not_know(&all, "hardbop-bp", &engines);
    must_not_know(&all, "hardbop-interp", &diagrams);
    must_not_know(&all, "hardbop-net", &engines);
    must_not_know(&all, "hardbop-cover", &diagrams);
    for engine in ["hardbop-cover", "hardbop-coverdd"] {
        must_not_know(&all, engine, &["hardbop-bp", "hardbop-check", "serde_json"]);
    }
    let others = ["hardbop-interp", "hardbop-seq", "hardbop-conc", "hardbop-concdd"];
    for engine in others.into_iter().chain(["hardbop-contexts"]) {
        must_not_know(&all, engine, &["hardbop-bp", "hardbop-diag", "hardbop-check", "serde_json"]);
    }
    for name in ["hardbop-cir", "hardbop-bmc", "hardbop-kind", "hardbop-runs", "hardbop-fsoft"] {
        let above = ["hardbop-c", "hardbop-diag", "hardbop-check", "serde_json"];
        must_not_know(&all, name, &above);
        let interface = "hardbop-engine";
        let others: Vec<_> = engines.into_iter().filter(|&it| it != interface).collect();
        must_not_know(&all, name, &others);
    }
    must_not_know(&all, "hardbop-cir", &["hardbop-engine"]);
    must_not_know(&all, "hardbop-bmc", &["hardbop-kind", "hardbop-runs", "hardbop-fsoft"]);
    must_not_know(&all, "hardbop-runs", &["hardbop-kind", "hardbop-fsoft", "hardbop-gen"]);
    must_not_know(&all, "hardbop-fsoft", &["hardbop-kind"]);
    let above = ["hardbop-c", "hardbop-diag", "hardbop-check", "hardbop-runs", "serde_json"];
    must_not_know(&all, "hardbop-cegar", &above);
    must_not_know(&all, "hardbop-check", &["hardbop-cli", "clap", "indicatif"]);
}

//! The floors of the house and the invariants of ARCHITECTURE.md, read off folders, manifests and sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// From the ground up: a crate knows crates of its own floor and of those below.
const FLOORS: [&str; 6] = ["ground", "model", "evidence", "engines", "tool", "lab"];

struct Crate {
    folder: PathBuf,
    floor: usize,
    /// What it depends on, outside of tests.
    dependencies: Vec<String>,
}

fn crates() -> BTreeMap<String, Crate> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = BTreeMap::new();
    for (floor, name) in FLOORS.iter().enumerate() {
        for entry in std::fs::read_dir(root.join(name)).unwrap() {
            let folder = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
            let section = text.split("\n[dependencies]\n").nth(1).unwrap_or("");
            let section = section.split("\n[").next().unwrap_or("");
            let names = section.lines().filter_map(|line| line.split(['.', '=', ' ']).next());
            let dependencies = names.filter(|name| !name.is_empty()).map(String::from).collect();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            all.insert(name, Crate { folder, floor, dependencies });
        }
    }
    assert!(all.len() > 20, "the manifests were not found");
    all
}

/// `name` must not reach any of `others`, not even through another crate.
fn must_not_know(all: &BTreeMap<String, Crate>, name: &str, others: &[&str]) {
    assert!(all.contains_key(name), "there is no crate {name}");
    let mut known = vec![name.to_string()];
    let mut at = 0;
    while at < known.len() {
        for dependency in all.get(&known[at]).into_iter().flat_map(|it| &it.dependencies) {
            assert!(!others.contains(&dependency.as_str()), "{name} must not know {dependency}");
            if !known.contains(dependency) {
                known.push(dependency.clone());
            }
        }
        at += 1;
    }
}

/// No source file below a folder mentions any of the words.
fn must_not_mention(folder: &Path, words: &[&str]) {
    let mut folders = vec![folder.to_path_buf()];
    let mut n_files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            n_files += 1;
            for (line, text) in
                (1..).zip(text.lines()).filter(|(_, it)| !it.trim().starts_with("//"))
            {
                for word in words {
                    assert!(!text.contains(word), "{}:{line} mentions {word}", path.display());
                }
            }
        }
    }
    assert!(n_files > 0, "nothing was read below {}", folder.display());
}

#[test]
fn each_floor_rests_on_those_below() {
    let all = crates();
    for (name, it) in &all {
        for dependency in it.dependencies.iter().filter_map(|it| all.get_key_value(it)) {
            let (other, floor) = (dependency.0, dependency.1.floor);
            assert!(
                floor <= it.floor,
                "{name} on floor {} must not know {other} on floor {}",
                FLOORS[it.floor],
                FLOORS[floor]
            );
        }
    }
}

#[test]
fn crates_know_only_what_they_may() {
    let all = crates();
    // The certifier reads programs by itself and has a solver of its own.
    let trusted = ["hardbop-base", "hardbop-cfg", "hardbop-cir", "hardbop-evidence", "hardbop-net"];
    let certifier = ["hardbop-certify", "hardbop-diag"];
    let others: Vec<&str> = all.keys().map(|it| &**it).collect();
    let others: Vec<&str> = others
        .into_iter()
        .filter(|it| !trusted.contains(it) && !certifier.contains(it))
        .chain(["oxidd", "cadical"])
        .collect();
    must_not_know(&all, "hardbop-certify", &others);
    // That of C may know terms and clauses besides, and what these can be solved with, but no engine.
    let ground = ["hardbop-smt", "hardbop-sat", "hardbop-certify-c", "cadical"];
    let others: Vec<&str> = others.into_iter().filter(|it| !ground.contains(it)).collect();
    must_not_know(&all, "hardbop-certify-c", &others);
    let diagrams = ["hardbop-dd", "oxidd"];
    must_not_know(&all, "hardbop-interp", &diagrams);
    // Engines know neither the text of a program nor how an answer is shown.
    let above = ["hardbop-bp", "hardbop-c", "hardbop-diag", "hardbop-gen", "serde_json", "clap"];
    let engines = FLOORS.iter().position(|it| *it == "engines").unwrap();
    for (name, _) in all.iter().filter(|(_, it)| it.floor == engines) {
        // Who knows nets knows their reader, and that tells what is wrong with a file.
        let knows_nets = ["hardbop-threads", "hardbop-cegar", "hardbop-cegar-threads"];
        let knows_nets = knows_nets.contains(&name.as_str());
        let above = above.iter().copied().filter(|it| !knows_nets || *it != "hardbop-diag");
        must_not_know(&all, name, &above.collect::<Vec<_>>());
    }
    // Engines of C and of Boolean programs stay apart; abstraction is where they meet.
    let of_c = [
        "hardbop-bmc",
        "hardbop-kind",
        "hardbop-runs",
        "hardbop-shape",
        "hardbop-fsoft",
        "hardbop-cegar",
        "hardbop-cegar-threads",
        "hardbop-interleave",
    ];
    for name in of_c.into_iter().filter(|it| !it.starts_with("hardbop-cegar")) {
        must_not_know(&all, name, &["hardbop-sequential", "hardbop-threads"]);
    }
    // What they share is the executor, which knows none of them; nobody but the facade knows `bmc`.
    must_not_know(&all, "hardbop-symbolic", &of_c);
    for name in of_c.into_iter().filter(|it| *it != "hardbop-bmc") {
        must_not_know(&all, name, &["hardbop-bmc"]);
    }
    // It looks at lists in its own way, without the executor.
    must_not_know(&all, "hardbop-shape", &["hardbop-symbolic", "hardbop-smt", "hardbop-kind"]);
    must_not_know(&all, "hardbop-bmc", &["hardbop-kind", "hardbop-runs", "hardbop-fsoft"]);
    must_not_know(&all, "hardbop-check", &["hardbop-cli", "clap", "indicatif"]);
}

#[test]
fn modules_know_only_what_they_may() {
    let all = crates();
    let threads = all["hardbop-threads"].folder.join("src");
    // What enumerates needs no diagrams.
    for module in ["counted", "cover"] {
        must_not_mention(
            &threads.join(module),
            &["hardbop_dd", "hardbop_encode", "crate::symbolic", "crate::cover_symbolic"],
        );
    }
    let sequential = all["hardbop-sequential"].folder.join("src");
    must_not_mention(&sequential.join("sat"), &["hardbop_dd", "hardbop_encode", "crate::diagrams"]);
    must_not_mention(&sequential.join("diagrams"), &["hardbop_sat::", "crate::sat"]);
}

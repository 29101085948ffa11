//! The suites: lists of programs with what is known of them.

use std::path::Path;

use hardbop_gen::families;
use hardbop_gen::random::{self, Profile};

use crate::nets::{self, NetCase};
use crate::threads;

/// One program of a suite.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub text: String,
    /// `None` asks for asserts.
    pub label: Option<String>,
    pub threads: Option<u32>,
    pub initial_threads: Option<u32>,
    /// `safe` or `unsafe`, where it is known.
    pub expect: Option<String>,
    /// For a net instead of a program.
    pub net: Option<NetCase>,
}

/// A named list of programs.
pub struct Suite {
    pub name: &'static str,
    pub about: &'static str,
    pub cases: fn() -> Result<Vec<Case>, String>,
}

pub fn all() -> Vec<Suite> {
    vec![
        Suite {
            name: "bebop-t",
            about: "Bebop's T(N), figure 4: linear growth from 100 to 100,000",
            cases: || {
                ["100", "800", "1000", "3000", "10000", "30000", "100000"]
                    .into_iter()
                    .map(|n| family("bebop-t", &[n]))
                    .collect()
            },
        },
        Suite {
            name: "families",
            about: "sequential families of `hardbop gen`, growing, safe and unsafe",
            cases: || sequential_families(SEQUENTIAL),
        },
        Suite {
            name: "summaries",
            about: "the same families in sizes that every way to compute summaries can take",
            cases: || sequential_families(SUMMARIES),
        },
        Suite {
            name: "wide",
            about: "drivers with 400 and more variables: a shallow error, a wide state space",
            cases: || sequential_families(WIDE),
        },
        Suite {
            name: "random",
            about: "60 random programs with recursion, wider than those of the tests",
            cases: || (0..60).map(random_program).collect(),
        },
        Suite {
            name: "bp",
            about: "the sequential programs of ../shared/bench/bp with a recorded verdict",
            cases: || corpus("../shared/bench/bp"),
        },
        Suite {
            name: "nets",
            about: "the nets of ../shared/bench/tts and spec",
            cases: nets::corpus,
        },
        Suite {
            name: "unbounded",
            about: "../shared/bench/bp/ijit with any number of threads, each program and its net",
            cases: nets::programs_and_nets,
        },
        Suite {
            name: "threads",
            about: "families of threads, 2 to 8 of them, safe and unsafe",
            cases: threads::families,
        },
        Suite {
            name: "threads-bp",
            about: "the thread programs of ../shared/bench/bp, 2 to 8 threads",
            cases: threads::collected,
        },
    ]
}

type Sizes = &'static [(&'static str, &'static [&'static [&'static str]])];

/// Sizes of each sequential family: small, and twice or ten times as large, to show the growth.
const SEQUENTIAL: Sizes = &[
    ("call-chain", &[&["1000"], &["10000"], &["100000"]]),
    ("mutual-recursion", &[&["10"], &["100"], &["1000"]]),
    ("fan-in", &[&["8", "100"], &["8", "1000"], &["12", "1000"]]),
    ("shared-callees", &[&["10", "10"], &["100", "10"], &["1000", "10"]]),
    ("counter", &[&["8"], &["12"], &["14"]]),
    ("straight", &[&["1000"], &["10000"], &["100000"]]),
    ("many-globals", &[&["50"], &["100"], &["200"]]),
    ("drivers", &[&["20", "20"], &["50", "20"], &["50", "50"]]),
    ("adder", &[&["8"], &["16"], &["32"]]),
    ("comparator", &[&["8"], &["16"], &["32"]]),
];

const SUMMARIES: Sizes = &[
    ("bebop-t", &[&["100"], &["1000"]]),
    ("call-chain", &[&["100"], &["1000"]]),
    ("mutual-recursion", &[&["4"], &["20"]]),
    ("fan-in", &[&["8", "20"], &["8", "100"]]),
    ("shared-callees", &[&["5", "5"], &["10", "10"]]),
    ("counter", &[&["4"], &["8"]]),
    ("straight", &[&["1000"], &["10000"]]),
    ("many-globals", &[&["50"], &["200"]]),
    ("drivers", &[&["20", "20"], &["50", "50"]]),
    ("adder", &[&["8"], &["16"], &["32"]]),
    ("comparator", &[&["8"], &["32"]]),
];

const WIDE: Sizes = &[("drivers", &[&["20", "400"], &["100", "400"], &["100", "1000"]])];

fn sequential_families(families: Sizes) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (name, sizes) in families {
        for size in *sizes {
            for variant in ["safe", "unsafe"] {
                let args: Vec<_> = size.iter().copied().chain([variant]).collect();
                cases.push(family(name, &args)?);
            }
        }
    }
    Ok(cases)
}

/// A random program on which enumeration has something to do.
fn random_program(seed: u64) -> Result<Case, String> {
    let profile =
        Profile { globals: (7, 7), locals: (3, 4), stmts: (6, 12), ..Profile::recursive() };
    Ok(Case {
        name: format!("random {seed}"),
        text: hardbop_bp::print(&random::program(seed, &profile)),
        label: None,
        threads: None,
        initial_threads: None,
        expect: None,
        net: None,
    })
}

/// A program of `hardbop gen`, with the expectations written in it.
pub fn family(name: &str, args: &[&str]) -> Result<Case, String> {
    let family = families::find(name).ok_or_else(|| format!("there is no family {name}"))?;
    let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
    let text = (family.generate)(&args)?;
    let directive = |key: &str| {
        let start = format!("// {key}: ");
        text.lines()
            .find_map(|line| line.strip_prefix(&start))
            .map(|value| value.trim().to_string())
    };
    let number = |key| directive(key).and_then(|value| value.parse().ok());
    Ok(Case {
        name: format!("{name} {}", args.join(" ")),
        label: directive("goal").and_then(|goal| Some(goal.strip_prefix("label:")?.to_string())),
        threads: number("threads"),
        initial_threads: number("initial-threads"),
        expect: directive("expect"),
        net: None,
        text,
    })
}

/// The rows of a manifest: file, goal, threads, expected.
pub fn manifest(folder: &Path) -> Result<Vec<(String, String, String, String)>, String> {
    let manifest = folder.join("manifest.csv");
    let rows = std::fs::read_to_string(&manifest)
        .map_err(|error| format!("{}: {error}; run this beside shared/", manifest.display()))?;
    let columns = |row: &str| {
        let mut columns = row.split(',').map(String::from);
        Some((columns.next()?, columns.next()?, columns.next()?, columns.next()?))
    };
    Ok(rows.lines().skip(1).filter_map(columns).collect())
}

/// The sequential programs of a folder with a manifest.
fn corpus(folder: &str) -> Result<Vec<Case>, String> {
    let folder = Path::new(folder);
    let mut cases = Vec::new();
    for (file, goal, threads, expected) in manifest(folder)? {
        if threads == "inf" || !matches!(&*expected, "safe" | "unsafe") {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(&file))
            .map_err(|error| format!("{file}: {error}"))?;
        cases.push(Case {
            name: file,
            text,
            label: goal.strip_prefix("label:").map(Into::into),
            threads: None,
            initial_threads: None,
            expect: Some(expected),
            net: None,
        });
    }
    Ok(cases)
}

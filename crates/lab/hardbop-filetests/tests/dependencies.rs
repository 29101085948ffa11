//! What we build on may be built on: licences that fit MIT, and no need for a newer Rust than we state. (That our
//! own code needs no newer one is said by clippy's `incompatible_msrv`, part of what CI runs.)

use std::process::Command;

use serde_json::Value;

/// Licences that ask for nothing but a notice.
const FITTING: [&str; 9] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Whether one may choose only fitting licences. `/` is the old way to write `OR`; parentheses stand around an
/// operand, as in all expressions there are: anything deeper is refused.
fn fits(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ");
    let all = |part: &str| {
        part.split(" AND ").all(|it| FITTING.contains(&it.trim().trim_matches(['(', ')'])))
    };
    if licence.contains('(') {
        // (a OR b) AND c
        licence.split(" AND ").all(|it| it.trim_matches(['(', ')']).split(" OR ").any(all))
    } else {
        licence.split(" OR ").any(all)
    }
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the toolchain that builds this test is there");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// The packages of this build, ours included.
fn packages() -> Vec<Value> {
    let version = output(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|it| it.strip_prefix("host: ")).expect("rustc names it");
    let text = output(
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--offline", "--locked"])
            .args(["--filter-platform", host])
            .current_dir(env!("CARGO_MANIFEST_DIR")),
    );
    let mut metadata: Value = serde_json::from_str(&text).expect("cargo prints JSON");
    match metadata["packages"].take() {
        Value::Array(packages) if packages.len() > 30 => packages,
        other => panic!("no packages, but {other}"),
    }
}

#[test]
fn licences_fit() {
    assert!(fits("MIT/Apache-2.0") && fits("(MIT OR GPL-3.0) AND Unicode-3.0"));
    assert!(!fits("GPL-3.0") && !fits("MIT AND GPL-3.0") && !fits("(MIT OR Zlib) AND GPL-3.0"));
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or("none stated");
        assert!(fits(licence), "{}: {licence}", package["name"]);
    }
}

#[test]
fn no_newer_rust_is_needed_than_stated() {
    let number = |text: &str| -> Vec<u32> { text.split('.').flat_map(str::parse).collect() };
    let stated = number(env!("CARGO_PKG_RUST_VERSION"));
    for package in packages() {
        if let Some(needed) = package["rust_version"].as_str() {
            let is_new = number(needed)[..2] > stated[..2];
            assert!(!is_new, "{} needs Rust {needed}", package["name"]);
        }
    }
}

//! Small programs in the style of Unix tools, under `examples/c`: each is safe, and with `-D BUG` has one
//! mistake, which `auto` finds and the program fails with when it is compiled and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The tools, and the line that is wrong with `-D BUG`.
const TOOLS: [(&str, u64); 10] = [
    ("wc.c", 22),
    ("head.c", 26),
    ("cut.c", 29),
    ("ed.c", 30),
    ("csv.c", 21),
    ("url.c", 20),
    ("table.c", 27),
    ("arena.c", 34),
    ("ring.c", 36),
    ("args.c", 36),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/c")
}

fn check(tool: &str, more: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.current_dir(folder()).args(["check", tool, "--format", "json", "--time-limit", "60s"]);
    let output = command.args(more).output().expect("hardbop starts");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{tool}: {error}"))
}

fn make(bench: &Path) -> Output {
    Command::new("make").arg("-C").arg(bench).arg("test").output().expect("make starts")
}

#[test]
fn tools_are_safe() {
    for (tool, _) in TOOLS {
        let said = check(tool, &[]);
        assert_eq!(said["verdict"], "safe", "{tool}: {}", said["detail"]);
    }
}

#[test]
fn their_mistakes_are_found_and_happen() {
    let has_make = Command::new("make").arg("--version").output().is_ok();
    for (tool, line) in TOOLS {
        let bench = std::env::temp_dir().join(format!("hardbop-{}-{tool}", std::process::id()));
        let name = bench.display().to_string();
        let said = check(tool, &["-D", "BUG", "--testbench", &name]);
        assert_eq!(said["verdict"], "unsafe", "{tool}: {}", said["detail"]);
        assert_eq!(said["violation"]["line"], line, "{tool}");
        if has_make {
            let output = make(&bench);
            let told = String::from_utf8_lossy(&output.stderr);
            let is_shown = ["AddressSanitizer", "runtime error", "Assertion"];
            let is_shown = is_shown.iter().any(|it| told.contains(it));
            assert!(!output.status.success() && is_shown, "{tool}: {told}");
        }
        std::fs::remove_dir_all(&bench).expect("the testbench can be removed");
    }
}

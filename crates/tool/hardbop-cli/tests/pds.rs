//! `hardbop check` on concurrent pushdown systems: verdicts and bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Exit code, standard output and standard error.
fn hardbop(args: &[&str]) -> (i32, String, String) {
    let command =
        Command::new(env!("CARGO_BIN_EXE_hardbop")).args(args).current_dir(root()).output();
    let Output { status, stdout, stderr } = command.expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (status.code().expect("it ends by itself"), text(stdout), text(stderr))
}

/// The name of a system of this test's own, with what belongs to it.
fn system(name: &str, rules: &str, init: Option<&str>, spec: Option<&str>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("pds");
    let write = |path: &Path, text: Option<&str>| match text {
        Some(text) => std::fs::write(path, text).expect("the folder is ours"),
        // From an earlier run.
        None => drop(std::fs::remove_file(path)),
    };
    write(&path, Some(rules));
    write(&path.with_extension("init"), init);
    write(&path.with_extension("spec"), spec);
    path.display().to_string()
}

#[test]
fn threads_with_stacks_are_proved_and_refuted() {
    let args = ["check", "--format", "json", "examples/nested.pds"];
    let (code, out, err) = hardbop(&args);
    assert_eq!(code, 0, "{out}{err}");
    let result: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(result["verdict"], "safe");
    assert_eq!(result["engine"], "contexts-explicit");
    // Nobody looks at the lock.
    let rules = std::fs::read_to_string(root().join("examples/nested.pds")).expect("it is there");
    let open = rules.replace("0 1 -> 1 3", "0 1 -> 1 3\n1 1 -> 1 3");
    let path = system("open", &open, Some("0|1,1"), Some("1|3,3"));
    let (code, out, err) = hardbop(&["check", &path]);
    assert_eq!(code, 10, "{out}{err}");
    assert!(out.contains("1 1 -> 1 3") || out.contains("0 1 -> 0 1 2"), "{out}");
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    let rules = "2\nPDA 1 2\n0 1 -> 1 2\n";
    let path = system("no-init", rules, None, None);
    let (code, _, err) = hardbop(&["check", &path]);
    assert!(code == 3 && err.contains("no-init.init"), "{code}: {err}");
    let path = system("no-spec", rules, Some("0|1"), None);
    let (code, out, err) = hardbop(&["check", &path]);
    assert!(code == 0 && format!("{out}{err}").contains("nothing to check"), "{out}{err}");
    let path = system("wrong-rule", "2\nPDA 1 2\n0 1 => 1 2\n", Some("0|1"), None);
    let (code, _, err) = hardbop(&["check", &path]);
    assert!(code == 2 && err.contains("expected `->`, not `=>`"), "{code}: {err}");
    let path = system("wrong-spec", rules, Some("0|1"), Some("7|1"));
    let (code, _, err) = hardbop(&["check", &path]);
    assert!(code == 2 && err.contains("there are 2 shared states, no 7"), "{code}: {err}");
}

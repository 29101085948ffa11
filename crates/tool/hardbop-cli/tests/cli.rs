//! The command as a script sees it: what it prints where, and with which exit code it ends.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn hardbop(args: &[&str]) -> Output {
    hardbop_with(args, b"")
}

fn hardbop_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input is free to close it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", out(output), err(output));
    assert!(!err(output).contains("panicked"), "{}", err(output));
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&out(output)).unwrap()
}

#[test]
fn verdicts_and_exit_codes() {
    let safe = hardbop(&["check", "examples/lock.bp"]);
    ends_with(&safe, 0);
    assert!(out(&safe).starts_with("SAFE  examples/lock.bp: no assertion can fail\n"));
    let bug = hardbop(&["check", "examples/lock-bug.bp"]);
    ends_with(&bug, 10);
    assert!(out(&bug).starts_with("UNSAFE  examples/lock-bug.bp: assertion at line 14 can fail\n"));
    ends_with(&hardbop(&["check", "no/such/file.bp"]), 3);
    ends_with(&hardbop(&["check"]), 1);
    ends_with(&hardbop(&["check", "--engine", "nonsense", "examples/lock.bp"]), 1);
    ends_with(&hardbop(&["check", "--time-limit", "soon", "examples/lock.bp"]), 1);
    ends_with(&hardbop(&["--help"]), 0);
}

#[test]
fn figure_1_of_the_bebop_paper() {
    for engine in ["explicit", "bdd"] {
        let args = ["check", "--engine", engine, "--goal", "label:R", "examples/bebop-figure1.bp"];
        let figure = hardbop(&args);
        ends_with(&figure, 10);
        let result = hardbop(&[&args[..], &["--format", "json"]].concat());
        let result = json(&result);
        let steps = result["trace"]["steps"].as_array().unwrap();
        let places: Vec<_> = steps
            .iter()
            .map(|step| (step["line"].as_u64().unwrap(), step["depth"].as_u64().unwrap()))
            .collect();
        // The paper's lines, in the order of execution, with the paper's indentation.
        let once = [(20, 1), (21, 1), (20, 2), (24, 2), (22, 1)];
        let expected: Vec<_> = [(6, 0), (7, 0)]
            .into_iter()
            .chain(once)
            .chain([(8, 0), (9, 0)])
            .chain(once)
            .chain([(10, 0), (11, 0), (12, 0)])
            .collect();
        assert_eq!(places, expected, "{engine}");
        assert_eq!(steps[0]["values"], serde_json::json!({"g": true}), "h is unconstrained");
        assert_eq!(steps[1]["values"], serde_json::json!({"g": true, "h": false}));
    }
}

#[test]
fn json_has_the_fields_of_the_contract() {
    let result = json(&hardbop(&["check", "--format", "json", "examples/lock-bug.bp"]));
    assert_eq!(result["schema"], "hardbop.result/1");
    assert_eq!(result["verdict"], "unsafe");
    assert_eq!(result["certified"], true);
    assert_eq!(result["goal"], "assert");
    assert_eq!(result["reason"], Value::Null);
    assert_eq!(result["violation"]["line"], 14);
    assert_eq!(result["violation"]["what"], "assertion");
    assert_eq!(result["scope"]["threads"], Value::Null);
    let step = &result["trace"]["steps"][0];
    assert_eq!(step["thread"], 0);
    assert_eq!(step["proc"], "main");
    assert_eq!(step["text"], "retry := T;");
    assert!(result["stats"]["time_ms"].as_f64().unwrap() >= 0.0);
    assert!(result["stats"]["peak_memory_bytes"].as_u64().unwrap() > 0);
    let safe = json(&hardbop(&["check", "--format", "json", "examples/lock.bp"]));
    assert_eq!((&safe["verdict"], &safe["certified"]), (&"safe".into(), &true.into()));
    assert_eq!(safe["trace"], Value::Null);
}

#[test]
fn several_files_end_with_a_summary_and_the_worst_code() {
    let both = hardbop(&["check", "examples/lock.bp", "examples/lock-bug.bp", "no/file.bp"]);
    ends_with(&both, 3);
    assert!(out(&both).ends_with("3 files: 1 safe, 1 unsafe, 0 unknown, 1 unreadable\n"));
}

#[test]
fn bad_input_is_located_and_rejected() {
    let cases: &[(&str, &str)] = &[
        ("void main() begin x := 1; end", "bp"),
        ("void f(a) begin skip; end void main() begin f(); end", "bp"),
        ("void main() begin goto L; end", "bp"),
        ("void main() begin L: skip; L: skip; end", "bp"),
        ("void main() begin skip; /* no end", "bp"),
        ("", "bp"),
        ("\u{0}\u{1}\u{2}", "bp"),
    ];
    for (text, code) in cases {
        let output = hardbop_with(&["check", "-"], text.as_bytes());
        ends_with(&output, 2);
        assert!(err(&output).contains(&format!("error[{code}")), "{text}: {}", err(&output));
        assert!(out(&output).is_empty(), "results only on standard output");
    }
}

#[test]
fn what_is_no_program_says_what_to_do() {
    let root = root();
    let folder = root.join("examples");
    let output = hardbop(&["check", folder.to_str().unwrap()]);
    ends_with(&output, 3);
    assert!(err(&output).contains("is a folder; `hardbop batch "), "{}", err(&output));
    let cpp = std::env::temp_dir().join(format!("hardbop-{}.cpp", std::process::id()));
    std::fs::write(&cpp, "class A {};\n").unwrap();
    let output = hardbop(&["check", cpp.to_str().unwrap()]);
    ends_with(&output, 2);
    assert!(err(&output).contains("C++ is not read"), "{}", err(&output));
    std::fs::remove_file(&cpp).unwrap();
}

#[test]
fn monstrous_input_is_rejected_without_a_crash() {
    let mut noise = Vec::with_capacity(1 << 20);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    while noise.len() < 1 << 20 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        noise.extend(seed.to_le_bytes());
    }
    ends_with(&hardbop_with(&["check", "-"], &noise), 2);
    let deep =
        format!("void main() begin assert({}T{}); end", "(".repeat(100_000), ")".repeat(100_000));
    let output = hardbop_with(&["check", "-"], deep.as_bytes());
    ends_with(&output, 2);
    assert!(err(&output).contains("-:1:") || err(&output).contains("--> -"), "{}", err(&output));
    ends_with(&hardbop_with(&["check", "-"], &[0xff, 0xfe, b'x']), 2);
}

#[test]
fn limits_end_as_unknown() {
    // A counter of 40 bits runs longer than anyone waits.
    let counter = hardbop(&["gen", "counter", "40", "safe"]);
    ends_with(&counter, 0);
    for (limit, reason) in [("--time-limit=300ms", "time"), ("--memory-limit=1MB", "memory")] {
        let args = ["check", "--engine", "explicit", "--format", "json", limit, "-"];
        let output = hardbop_with(&args, &counter.stdout);
        ends_with(&output, 5);
        let result = json(&output);
        assert_eq!((&result["verdict"], &result["reason"]), (&"unknown".into(), &reason.into()));
    }
}

/// One operation of the diagram library can take minutes and cannot be interrupted.
#[test]
fn an_engine_that_does_not_stop_is_left_behind() {
    let program = hardbop(&["gen", "adder", "1000"]).stdout;
    let start = Instant::now();
    let args = ["check", "--engine=bdd", "--time-limit=2s", "--format=json", "-"];
    let output = hardbop_with(&args, &program);
    let elapsed = start.elapsed();
    ends_with(&output, 5);
    assert_eq!(json(&output)["reason"], "time");
    assert!(elapsed < Duration::from_secs(6), "a limit of 2 s took {elapsed:?}");
}

#[test]
fn diagrams_that_outgrow_the_memory_limit_end_as_unknown() {
    let adder = hardbop(&["gen", "adder", "400", "safe"]);
    ends_with(&adder, 0);
    let args = ["check", "--engine", "bdd", "--format", "json", "--memory-limit", "20MB", "-"];
    let output = hardbop_with(&args, &adder.stdout);
    ends_with(&output, 5);
    let result = json(&output);
    assert_eq!(result["verdict"], "unknown");
    assert!(["nodes", "memory"].iter().any(|reason| result["reason"] == *reason), "{result}");
}

#[test]
fn a_certificate_proves_its_own_program_only() {
    let folder = std::env::temp_dir().join(format!("hardbop-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("lock.cert");
    let file = file.to_str().unwrap();
    ends_with(&hardbop(&["check", "examples/lock.bp", "--certificate", file]), 0);
    let accepted = hardbop(&["certify", "examples/lock.bp", file]);
    ends_with(&accepted, 0);
    assert!(out(&accepted).starts_with("ACCEPTED"));
    let other = hardbop(&["certify", "examples/lock-bug.bp", file]);
    ends_with(&other, 2);
    assert!(out(&other).starts_with("REJECTED") && out(&other).contains("lock-bug.bp:"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_small_commands() {
    let formatted = hardbop(&["fmt", "examples/lock.bp"]);
    ends_with(&formatted, 0);
    let again = hardbop_with(&["fmt", "-"], &formatted.stdout);
    assert_eq!(out(&again), out(&formatted));
    ends_with(&hardbop_with(&["fmt", "--check", "-"], &formatted.stdout), 0);
    let graph = hardbop(&["graph", "examples/lock.bp"]);
    ends_with(&graph, 0);
    assert!(out(&graph).starts_with("digraph"));
    let listed = hardbop(&["engines"]);
    assert!(out(&listed).contains("explicit") && out(&listed).contains("bdd"));
    let codes = out(&hardbop(&["explain"]));
    let first = codes.split_whitespace().next().unwrap();
    ends_with(&hardbop(&["explain", first]), 0);
    ends_with(&hardbop(&["explain", "bp9999"]), 1);
    assert!(out(&hardbop(&["completions", "bash"])).contains("hardbop"));
    ends_with(&hardbop(&["gen", "no-such-family"]), 1);
}

//! `hardbop check` on nets: verdicts, formats, exit codes, bad input.

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

/// A file of this test's own.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the folder is ours");
    path.display().to_string()
}

#[test]
fn a_net_is_decided_with_the_target_beside_it() {
    let (code, out, _) = hardbop(&["check", "examples/lock.tts"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("SAFE  examples/lock.tts: 1|1,1 cannot be covered"), "{out}");
    let (code, out, _) = hardbop(&["check", "--target", "1|1,2", "examples/lock.tts"]);
    assert_eq!(code, 10, "{out}");
    assert!(out.starts_with("UNSAFE  examples/lock.tts: target 1|1,2 is reachable"), "{out}");
    assert!(out.contains("0 0 -> 1 1    from 0|0,0"), "{out}");
    // One thread alone cannot.
    let one = ["check", "--init", "0|0", "--target", "1|1,2", "examples/lock.tts"];
    assert_eq!(hardbop(&one).0, 0);
}

#[test]
fn every_engine_for_nets_answers_in_json() {
    for engine in ["auto", "karp-miller-explicit", "backward", "cutoff"] {
        let args = ["check", "--format", "json", "--engine", engine, "examples/lock.tts"];
        let (code, out, err) = hardbop(&args);
        assert_eq!(code, 0, "{engine}: {err}");
        let result: Value = serde_json::from_str(&out).expect("one object");
        assert_eq!(result["schema"], "hardbop.result/1");
        assert_eq!(result["verdict"], "safe");
        assert_eq!(result["goal"], "target:1|1,1");
        assert_eq!(result["scope"]["threads"], "inf");
    }
    assert_eq!(hardbop(&["check", "--engine", "bdd", "examples/lock.tts"]).0, 1);
    assert_eq!(hardbop(&["check", "--init", "0|0", "examples/lock.bp"]).0, 1);
}

/// A byte that is no UTF-8 means nothing in a comment, and is refused anywhere else.
#[test]
fn a_comment_may_be_of_another_encoding() {
    let net = file(
        "latin.spec",
        b"# d\xe9cembre\nvars x\nrules\nx >= 1 -> x' = x - 1;\ninit x = 1\ntarget x >= 2\n",
    );
    let (code, out, err) = hardbop(&["check", &net]);
    assert_eq!(code, 0, "{out}{err}");
    let net =
        file("byte.spec", b"vars x\nrules\nx >= \xe9 -> x' = x - 1;\ninit x = 1\ntarget x >= 2\n");
    let (code, _, err) = hardbop(&["check", &net]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("byte.spec:3: this byte is no text"), "{err}");
}

#[test]
fn petri_nets_are_read() {
    let text = "vars x y\nrules\nx >= 2 ->\n  x' = x - 2,\n  y' = y + 1;\ninit x >= 1, y = 0\ntarget y >= 3\n";
    let (code, out, _) = hardbop(&["check", &file("three.spec", text.as_bytes())]);
    assert_eq!(code, 10, "{out}");
    assert!(out.contains("x >= 2 -> x' = x - 2, y' = y + 1;"), "{out}");
}

#[test]
fn bad_nets_are_rejected_at_their_place() {
    for (name, bytes, at) in [
        ("arrow.tts", &b"2 2\n0 0 => 1 1\n"[..], "arrow.tts:2:5"),
        ("range.tts", b"2 2\n0 7 -> 1 1\n", "range.tts:2:3"),
        ("empty.tts", b"", "empty.tts:1:1"),
        ("bytes.tts", b"2 2\n\xff\n", "bytes.tts:2"),
        (
            "exact.spec",
            b"vars x rules x >= 0 -> x' = x+1; init x = 0 target x = 1",
            "exact.spec:1:52",
        ),
        ("cut.spec", b"vars x rules", "cut.spec:1:13"),
    ] {
        let target = if name.ends_with(".tts") { &["--target", "0|0"][..] } else { &[] };
        let path = file(name, bytes);
        let (code, out, err) = hardbop(&[&["check", &path], target].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{name}: {err}");
        assert!(err.contains(at), "{name}: {err}");
    }
    let (code, _, err) = hardbop(&["check", "--target", "9|0", "examples/lock.tts"]);
    assert_eq!(code, 2);
    assert!(err.contains("--target: there are 2 shared states, no 9"), "{err}");
    let (code, _, err) = hardbop(&["check", "--init", "0|x", "examples/lock.tts"]);
    assert_eq!(code, 2);
    assert!(err.contains("--init:1:3"), "{err}");
    assert_eq!(hardbop(&["check", &file("alone.tts", b"1 1\n")]).0, 3);
}

#[test]
fn a_test_for_an_exact_number_is_kept_by_runs() {
    let open = file("open.spec", b"vars x rules x = 0 -> x' = 1; init x = 0 target x >= 1");
    let (code, out, _) = hardbop(&["check", &open]);
    assert!(code == 10 && out.contains("trace replayed"), "{out}");
    // Without its test the rule could be used.
    let shut = b"vars x y rules x = 0 -> y' = y+1; init x = 1, y = 0 target y >= 1";
    let (code, out, _) = hardbop(&["check", &file("shut.spec", shut)]);
    assert!(code == 5 && out.starts_with("UNKNOWN"), "{out}");
}

#[test]
fn a_proof_is_written_and_checked_again() {
    let certificate = file("lock.cert", b"");
    let args = ["check", "--certificate", &certificate, "examples/lock.tts"];
    let (code, out, _) = hardbop(&args);
    assert!(code == 0 && out.contains("certified"), "{out}");
    let (code, out, _) = hardbop(&["certify", "examples/lock.tts", &certificate]);
    assert!(code == 0 && out.starts_with("ACCEPTED"), "{out}");
    // It does not answer another question, nor a question about a program.
    let other = ["certify", "--target", "1|1,2", "examples/lock.tts", &certificate];
    let (code, out, _) = hardbop(&other);
    assert!(code == 2 && out.contains("answers another question"), "{out}");
    let (code, out, _) = hardbop(&["certify", "examples/lock.bp", &certificate]);
    assert!(code == 2 && out.contains("about a net"), "{out}");
    // A set that a rule leads out of is refused at the rule.
    let text = std::fs::read_to_string(&certificate).expect("it was written");
    let without = |word: &str| {
        let kept = text.lines().filter(|line| !line.starts_with(word));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    let word = if text.contains("never") { "never" } else { "state 1" };
    let forged = file("forged.cert", without(word).as_bytes());
    let (code, out, _) = hardbop(&["certify", "examples/lock.tts", &forged]);
    assert!(code == 2 && out.starts_with("REJECTED"), "{out}");
}

#[test]
fn options_for_other_files_are_refused() {
    for (args, said) in [
        (&["check", "--threads", "3", "examples/lock.tts"][..], "--threads means nothing for nets"),
        (&["check", "--por", "ample", "--goal", "assert", "examples/lock.tts"], "--goal, --por"),
        (&["check", "--unwind", "3", "examples/lock.bp"], "--unwind means nothing for Boolean"),
        (&["check", "--property", "bounds", "examples/lock.bp"], "means nothing for Boolean"),
        (&["check", "--target", "0|0", "examples/lock.bp"], "--target means nothing for Boolean"),
        (&["check", "--threads", "2", "examples/ppp-rta.c"], "--threads means nothing for C"),
    ] {
        let (code, _, err) = hardbop(args);
        assert!(code == 1 && err.contains(said), "{args:?}: {code} {err}");
    }
    assert_eq!(hardbop(&["check", "--threads", "inf", "examples/lock.tts"]).0, 0);
}

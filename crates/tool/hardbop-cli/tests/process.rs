//! The command as a process: pipes, limits, signals, little memory, and the files it writes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const SAFE: &str = "void main() begin assert(T); end\n";
const UNSAFE: &str = "void main() begin assert(F); end\n";
/// The machine may be busy with other tests.
const SOON: Duration = Duration::from_secs(20);

/// A folder of one test with its files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path =
            std::env::temp_dir().join(format!("hardbop-process-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        Folder(path)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// In a shell, where `$0` is the command.
    fn shell(&self, script: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_hardbop")]).current_dir(&self.0);
        shell.output().unwrap()
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind in the temporary folder harms no one.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", out(output), err(output));
    assert!(!err(output).contains("panicked"), "{}", err(output));
}

#[track_caller]
fn objects(output: &Output) -> Vec<Value> {
    out(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn is_unknown(output: &Output, reason: &str) {
    ends_with(output, 5);
    let found = objects(output);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["verdict"], &found[0]["reason"]), (&"unknown".into(), &reason.into()));
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
}

/// Sends a signal after a while; what came out, and how long that took.
fn interrupted(mut command: Command, name: &str) -> (Output, Duration) {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // Held open: nothing comes, and no end either.
    let stdin = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it should still be at work");
    let start = Instant::now();
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    (output, start.elapsed())
}

#[test]
fn the_exit_code_is_the_verdicts_whatever_becomes_of_the_report() {
    let folder = Folder::new("pipe", &[("u.bp", UNSAFE), ("s.bp", SAFE)]);
    let mut child = folder.command(&["check", "u.bp"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(10));
    ends_with(&folder.shell("exec $0 check u.bp >&-"), 10);
    if Path::new("/dev/full").exists() {
        let full = folder.shell("exec $0 check u.bp > /dev/full");
        ends_with(&full, 3);
        assert!(err(&full).contains("standard output"), "{}", err(&full));
        // Nobody can read what is told: no reason to stop.
        ends_with(&folder.shell("exec $0 check u.bp nosuch.bp 2> /dev/full"), 3);
        ends_with(&folder.shell("exec $0 check --entry f s.bp 2> /dev/full"), 1);
    }
}

#[test]
fn the_time_limit_covers_reading() {
    let folder = Folder::new("reading", &[]);
    let start = Instant::now();
    let mut child = folder
        .command(&["check", "--time-limit", "300ms", "--format", "json", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    is_unknown(&output, "time");
    assert!(start.elapsed() < SOON);
}

#[test]
fn the_time_limit_covers_the_preprocessor_and_all_it_starts() {
    let program = "#define X 1\nint main(void) { return X; }\n";
    let folder = Folder::new("cc", &[("x.c", program)]);
    let script = "echo $$ > group; sleep 600 & sleep 600\n";
    std::fs::write(folder.0.join("cc"), format!("#!/bin/sh\n{script}")).unwrap();
    ends_with(&folder.shell("chmod +x cc"), 0);
    let mut command =
        folder.command(&["check", "--time-limit", "500ms", "--format", "json", "x.c"]);
    let start = Instant::now();
    is_unknown(&command.env("CC", "./cc").output().unwrap(), "time");
    let mut command = folder.command(&["check", "--format", "json", "x.c"]);
    command.env("CC", "./cc");
    let (output, _) = interrupted(command, "INT");
    is_unknown(&output, "interrupted");
    assert!(start.elapsed() < SOON);
    // Those that ended may not have been waited for by whoever inherited them.
    let group = folder.text("group");
    let alive = out(&folder.shell(&format!("ps -e -o pgid= -o stat= | grep -w {}", group.trim())));
    assert!(alive.lines().all(|line| line.contains('Z')), "left running: {alive}");
}

#[test]
fn an_input_without_an_end_is_rejected() {
    if !Path::new("/dev/zero").exists() {
        return;
    }
    let folder = Folder::new("zero", &[]);
    let output = folder.run(&["check", "--format", "json", "/dev/zero"]);
    ends_with(&output, 2);
    let found = objects(&output);
    assert_eq!(found[0]["verdict"], "rejected");
    let peak = found[0]["stats"]["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < 1 << 30, "{peak} bytes");
    assert!(err(&output).contains("longer than 256 MiB"), "{}", err(&output));
}

#[test]
fn signals_end_with_a_report_at_once() {
    let endless = "int main(void) { volatile int i = 0; for (;;) i = !i; }\n";
    let folder = Folder::new("signals", &[("endless.c", endless)]);
    for name in ["INT", "TERM"] {
        let json = ["check", "--format", "json", "-"];
        let (output, time) = interrupted(folder.command(&json), name);
        is_unknown(&output, "interrupted");
        assert!(time < SOON);
    }
    let (output, time) = interrupted(folder.command(&["run", "endless.c"]), "INT");
    ends_with(&output, 5);
    assert!(err(&output).contains("interrupted") && time < SOON, "{}", err(&output));
    ends_with(&folder.shell("mkfifo p.bp"), 0);
    let (output, time) = interrupted(folder.command(&["check", "p.bp", "--format=json"]), "INT");
    is_unknown(&output, "interrupted");
    assert!(time < SOON);
    let (output, _) = interrupted(folder.command(&["fmt", "-"]), "INT");
    ends_with(&output, 5);
}

#[test]
fn those_after_an_interrupt_have_their_object() {
    let folder = Folder::new("rest", &[("s.bp", SAFE)]);
    let command = folder.command(&["check", "--format=json", "-", "s.bp", "t.bp"]);
    let (output, _) = interrupted(command, "INT");
    ends_with(&output, 5);
    let found = objects(&output);
    let files: Vec<_> = found.iter().map(|it| it["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["-", "s.bp", "t.bp"]);
    assert!(found.iter().all(|it| it["reason"] == "interrupted"), "{found:?}");
}

#[test]
fn little_address_space_is_no_crash() {
    let counter =
        "int main(void) { unsigned i, s = 0; for (i = 0; i < 9; i++) s += i; return s; }\n";
    let net =
        "vars x y\nrules\nx >= 1 -> x' = x - 1, y' = y + 1;\ninit x >= 1, y = 0\ntarget y >= 3\n";
    let deep = format!("void main() begin assert({}T{}); end", "(".repeat(400), ")".repeat(400));
    let files = [("s.bp", SAFE), ("c.c", counter), ("n.spec", net), ("deep.bp", &deep)];
    let folder = Folder::new("ulimit", &files);
    for kilobytes in [60_000, 200_000, 500_000, 1_000_000] {
        for (file, _) in files {
            let run = format!("ulimit -v {kilobytes} && exec $0 check --format=json {file}");
            let output = folder.shell(&run);
            let found = objects(&output);
            assert_eq!(found.len(), 1, "{file} in {kilobytes}: {}{}", out(&output), err(&output));
            let (verdict, reason) = (&found[0]["verdict"], &found[0]["reason"]);
            let is_memory = verdict == "unknown" && reason == "memory";
            let verdict = if file == "n.spec" { 10 } else { 0 };
            ends_with(&output, if is_memory { 5 } else { verdict });
        }
    }
}

#[test]
fn inputs_are_never_overwritten() {
    let folder = Folder::new(
        "overwrite",
        &[("s.bp", SAFE), ("u.bp", UNSAFE), ("u.c", "int main(void) { return 1 / 0; }\n")],
    );
    ends_with(&folder.shell("ln s.bp hard.bin; ln -s s.bp soft.bin; cp u.c inputs.c"), 0);
    for (args, code) in [
        (["check", "s.bp", "--certificate", "s.bp"], 1),
        (["check", "s.bp", "--certificate", "./../overwrite/s.bp"], 3),
        (["check", "s.bp", "--certificate", "hard.bin"], 1),
        (["check", "s.bp", "--certificate", "soft.bin"], 1),
        (["check", "u.bp", "--trace", "s.bp"], 1),
        (["check", "u.bp", "--trace", "no/such/folder.json"], 3),
        (["check", "inputs.c", "--testbench", "."], 1),
        (["check", "u.c", "--witness", "u.c"], 1),
    ] {
        let output = folder.run(&args);
        ends_with(&output, code);
        assert!(out(&output).is_empty(), "{args:?} was checked before it was refused");
    }
    assert_eq!((folder.text("s.bp").as_str(), folder.text("u.bp").as_str()), (SAFE, UNSAFE));
    assert_eq!(
        folder.names(),
        ["hard.bin", "inputs.c", "s.bp", "soft.bin", "u.bp", "u.c"],
        "nothing was made"
    );
}

#[test]
fn several_programs_need_a_folder() {
    let folder = Folder::new("several", &[("s.bp", SAFE), ("t.bp", SAFE), ("u.bp", UNSAFE)]);
    let output = folder.run(&["check", "s.bp", "t.bp", "--certificate", "one.cert"]);
    ends_with(&output, 1);
    assert!(err(&output).contains("folder"), "{}", err(&output));
    ends_with(&folder.shell("mkdir out"), 0);
    let args = ["check", "s.bp", "t.bp", "u.bp", "--certificate", "out", "--trace", "out"];
    ends_with(&folder.run(&args), 10);
    let mut made: Vec<_> = std::fs::read_dir(folder.0.join("out"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    assert_eq!(made, ["s.bp.cert", "t.bp.cert", "u.bp.trace.json"]);
    ends_with(&folder.run(&["certify", "t.bp", "out/t.bp.cert"]), 0);
    // The report comes first where it goes to the same place.
    let output = folder.run(&["check", "u.bp", "--trace", "/dev/stdout"]);
    ends_with(&output, 10);
    assert!(out(&output).starts_with("UNSAFE") && out(&output).contains("\"steps\""));
}

#[test]
fn every_program_has_its_object() {
    let c = "int main(void) { return x; }\n";
    let folder = Folder::new(
        "objects",
        &[("s.bp", SAFE), ("bad.bp", "void main() begin x := ; end"), ("b.c", c)],
    );
    let args =
        ["check", "--format=json", "s.bp", "bad.bp", "b.c", "none.bp", ".", "/dev/null", "n.tts"];
    let output = folder.run(&args);
    ends_with(&output, 3);
    let found = objects(&output);
    let verdicts: Vec<_> = found.iter().map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["safe", "rejected", "rejected", "error", "error", "rejected", "error"]);
    for (at, line, column) in [(1, 1, 24), (2, 1, 25)] {
        let told = &found[at]["diagnostics"][0];
        assert_eq!(told["severity"], "error");
        assert_eq!((&told["line"], &told["column"]), (&line.into(), &column.into()), "{told}");
        assert!(told["code"].is_string() && told["message"].is_string(), "{told}");
    }
    assert_eq!(found[3]["reason"], "io");
    assert!(found[3]["detail"].as_str().unwrap().contains("none.bp"));
    ends_with(&folder.run(&["check", "--format=json", "bad.bp"]), 2);
}

#[test]
fn options_that_say_nothing_are_refused() {
    let net = "vars x\nrules\ninit x = 0\ntarget x >= 1\n";
    let folder = Folder::new(
        "misfit",
        &[("s.bp", SAFE), ("p.c", "int main(void) { return 0; }\n"), ("n.spec", net)],
    );
    let cases: &[(&[&str], &str)] = &[
        (&["check", "s.bp", "--data-model", "ilp32"], "--data-model"),
        (&["check", "s.bp", "--entry", "main"], "--entry"),
        (&["check", "s.bp", "-D", "X"], "-D"),
        (&["check", "s.bp", "-I", "."], "-I"),
        (&["check", "s.bp", "--por", "ample"], "--por"),
        (&["check", "s.bp", "--contexts", "2"], "--contexts"),
        (&["check", "s.bp", "--engine", "bdd", "--contexts", "2"], "--contexts"),
        (&["check", "s.bp", "--engine", "bmc"], "bmc"),
        (&["check", "p.c", "--list-properties", "--format", "sarif"], "--list-properties"),
        (&["check", "s.bp", "s.bp"], "twice"),
        (&["check", "s.bp", "--threads", "2", "--initial-threads", "inf"], "--initial-threads"),
        (&["check", "n.spec", "--target", "0|0"], "--target"),
        (&["check", "n.spec", "--all"], "--all"),
        (&["check", "p.c", "--goal", "assert"], "--goal"),
        (&["check", "p.c", "--engine", "bdd"], "bdd"),
        (&["check", "p.c", "--engine", "kind", "--unwind", "3"], "--unwind"),
        (&["check", "p.c", "--fsoft-depth", "3"], "--fsoft-"),
        (&["check", "p.c", "--list-properties", "--unwind", "3"], "--unwind"),
        (&["fmt", "p.c"], "fmt"),
        (&["graph", "n.spec"], "graph"),
        (&["certify", "s.bp", "x", "--entry", "main"], "C"),
        (&["certify", "p.c", "x", "--target", "0|0"], "--target"),
        (&["run", "s.bp"], "C"),
    ];
    for (args, word) in cases {
        let output = folder.run(args);
        ends_with(&output, 1);
        assert!(err(&output).contains(word), "{args:?}: {}", err(&output));
        assert!(out(&output).is_empty(), "{args:?}: {}", out(&output));
    }
    let nobody = folder.run(&["check", "p.c", "--entry", "nosuch"]);
    ends_with(&nobody, 2);
    assert!(err(&nobody).contains("nosuch"), "{}", err(&nobody));
    // Files of several kinds take what is for each.
    ends_with(&folder.run(&["check", "s.bp", "p.c", "--entry", "main"]), 0);
}

//! C on the command line: what is printed where, and the exit codes.

mod evidence;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of one test with its files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path =
            std::env::temp_dir().join(format!("hardbop-cli-c-{}-{name}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Folder(path)
    }

    fn hardbop(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap()
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

fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", out(output), err(output));
}

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success());
    if !found {
        eprintln!("SKIPPED: there is no C compiler `cc` to preprocess with");
    }
    found
}

const SUM: &str = "int printf(const char *, ...);
int __VERIFIER_nondet_int(void);
int a[3];
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        a[i] = i;
    printf(\"%d of %d\\n\", n, (int)sizeof(long));
    return n + 1;
}
";

#[test]
fn a_program_runs_on_its_inputs() {
    let folder = Folder::new(
        "run",
        &[
            ("sum.c", SUM),
            ("two.txt", "2 # and then zeros\n"),
            ("four.txt", "0x4"),
            ("bad.txt", "x"),
        ],
    );
    let zero = folder.hardbop(&["run", "sum.c"]);
    ends_with(&zero, 0);
    assert_eq!(out(&zero), "0 of 8\n");
    assert_eq!(err(&zero), "hardbop: the program ended with status 1\n");
    let two = folder.hardbop(&["run", "sum.c", "--inputs", "two.txt", "--data-model", "ilp32"]);
    ends_with(&two, 0);
    assert_eq!(out(&two), "2 of 4\n");
    let four = folder.hardbop(&["run", "sum.c", "--inputs", "four.txt"]);
    ends_with(&four, 10);
    assert_eq!(out(&four), "");
    let told = err(&four);
    assert!(told.starts_with("error[c0010]: bounds: "), "{told}");
    assert!(told.contains(" --> sum.c:7:9\n") && told.contains("^^^^"), "{told}");
    // Not looked at is not violated, but neither is the run understood.
    let blind = folder.hardbop(&["run", "sum.c", "--inputs", "four.txt", "--property", "assert"]);
    ends_with(&blind, 5);
    assert!(err(&blind).starts_with("error[c0011]: "), "{}", err(&blind));
    ends_with(&folder.hardbop(&["run", "sum.c", "--inputs", "bad.txt"]), 2);
    ends_with(&folder.hardbop(&["run", "sum.c", "--inputs", "none.txt"]), 3);
    ends_with(&folder.hardbop(&["run", "none.c"]), 3);
    ends_with(&folder.hardbop(&["run", "sum.c", "--property", "nonsense"]), 1);
    ends_with(&folder.hardbop(&["run", "two.txt"]), 1);
}

#[test]
fn endings_have_their_exit_codes() {
    let text = "void abort(void); void __VERIFIER_assume(int); int setjmp(void *);
int over(void) { int x = 2147483647; x = x + 1; return 3; }
int stops(void) { abort(); return 0; }
int assumes(void) { __VERIFIER_assume(0); return 0; }
int endless(void) { while (1); return 0; }
int jumps(void) { return setjmp(0); }
int main(void) { return 0; }
";
    let folder = Folder::new("endings", &[("e.c", text)]);
    for (entry, code, said) in [
        ("main", 0, "the program ended with status 0"),
        ("over", 10, "error[c0010]: overflow: "),
        ("stops", 0, "the program aborted"),
        ("assumes", 0, "e.c:4: these inputs do not meet the assumption"),
        ("endless", 5, "hardbop: "),
        ("jumps", 5, "error[c0011]: `setjmp` is not supported"),
        ("none", 2, "error[c0007]: "),
    ] {
        let run = folder.hardbop(&["run", "e.c", "--entry", entry, "--time-limit", "300ms"]);
        ends_with(&run, code);
        assert!(err(&run).contains(said), "{entry}: {}", err(&run));
    }
}

#[test]
fn checks_are_listed_with_their_places() {
    let reach = "CHECK( init(main()), LTL(G valid-deref) )";
    let folder = Folder::new("list", &[("sum.c", SUM), ("a.prp", reach), ("b.prp", "F end")]);
    let args = ["check", "sum.c", "--list-properties", "--property"];
    let named = folder.hardbop(&[&args[..], &["valid-deref"]].concat());
    let by_file = folder.hardbop(&[&args[..], &["a.prp"]].concat());
    ends_with(&by_file, 0);
    assert!(out(&by_file).contains("bounds") && out(&by_file) == out(&named), "{}", out(&by_file));
    ends_with(&folder.hardbop(&[&args[..], &["b.prp"]].concat()), 1);
    let all = folder.hardbop(&["check", "sum.c", "--list-properties"]);
    ends_with(&all, 0);
    assert!(out(&all).contains("sum.c:7: bounds: "), "{}", out(&all));
    assert!(out(&all).contains("sum.c:9: overflow: "), "{}", out(&all));
    let some = folder.hardbop(&["check", "sum.c", "--list-properties", "--property", "bounds,div"]);
    ends_with(&some, 0);
    assert!(out(&some).lines().all(|it| it.starts_with("sum.c:7: bounds: ")), "{}", out(&some));
    let json = folder.hardbop(&["check", "sum.c", "--list-properties", "--format", "json"]);
    ends_with(&json, 0);
    let json: Value = serde_json::from_str(&out(&json)).unwrap();
    assert_eq!(json["schema"], "hardbop.properties/1");
    let listed = json["properties"].as_array().unwrap();
    assert_eq!(listed.len(), out(&all).lines().count());
    assert!(listed.iter().any(|it| it["line"] == 7 && it["class"] == "bounds"));
}

/// What lies behind more rounds than can be unrolled, told in a few lines.
#[test]
fn runs_reach_what_is_far_away() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);
int a[60000];
int main(void) {
    for (int i = 0; i < 60000; i++) a[i] = __VERIFIER_nondet_int() & 1;
    int n = 0;
    for (int i = 0; i < 60000; i++) n += a[i] < 2;
    if (n == 60000) reach_error();
    for (;;) n ^= 1;
}
";
    let folder = Folder::new("far", &[("far.c", text), ("endless.c", ENDLESS)]);
    for engine in ["runs", "auto"] {
        let far = folder.hardbop(&["check", "far.c", "--property", "assert", "--engine", engine]);
        ends_with(&far, 10);
        let told = out(&far);
        assert!(told.contains("engine runs, violation replayed"), "{told}");
        assert!(told.contains(" steps not shown") && told.lines().count() < 200, "{told}");
    }
    // A program that goes on after its violation is told up to there.
    let endless = folder.hardbop(&["check", "endless.c", "--property", "overflow"]);
    ends_with(&endless, 10);
    let open = ["check", "endless.c", "--property", "assert", "--engine", "runs"];
    let open = folder.hardbop(&[&open[..], &["--time-limit", "1s", "--format", "json"]].concat());
    ends_with(&open, 5);
    let open: Value = serde_json::from_str(&out(&open)).unwrap();
    assert_eq!(open["reason"], "time");
    assert!(open["detail"].as_str().unwrap().contains(" runs of "), "{open}");
}

const ENDLESS: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int() + 1;
    for (;;) {
        x ^= 3;
        if (x == 123456 && x == 654321) reach_error();
    }
}
";

#[test]
fn each_property_gets_a_verdict() {
    let twice = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0, a[4];
    if (n < 0 || n > 4) return 0;
    for (int i = 0; i < n; i++) { a[i] = 1; s += 2; }
    if (s != 2 * n) reach_error();
    if (n == 3 && a[n] == 0) return 1;
    return 0;
}
";
    let folder = Folder::new("check", &[("t.c", twice), ("sum.c", SUM), ("bad.c", "int x = ;\n")]);
    let safe = folder.hardbop(&["check", "t.c", "--property", "assert,bounds"]);
    ends_with(&safe, 0);
    assert!(out(&safe).starts_with("SAFE  t.c: no property can be violated\n"), "{}", out(&safe));
    // `a[3]` has no value, which must be asked for.
    ends_with(&folder.hardbop(&["check", "t.c"]), 0);
    let uninit = ["check", "t.c", "--property", "uninit", "--engine"];
    for engine in ["bmc", "runs"] {
        ends_with(&folder.hardbop(&[&uninit[..], &[engine]].concat()), 10);
    }
    let json = folder.hardbop(&["check", "sum.c", "--all", "--format", "json", "--unwind", "5"]);
    ends_with(&json, 10);
    let json: Value = serde_json::from_str(&out(&json)).unwrap();
    assert_eq!((&json["verdict"], &json["engine"]), (&"unsafe".into(), &"bmc".into()));
    assert_eq!((&json["violation"]["line"], &json["certified"]), (&7.into(), &true.into()));
    let properties = json["properties"].as_array().unwrap();
    let of = |class: &str, verdict: &str| {
        properties.iter().filter(|it| it["class"] == class && it["verdict"] == verdict).count()
    };
    // Where the execution goes on, the numbers are small.
    assert_eq!((of("bounds", "unsafe"), of("overflow", "safe")), (1, 2), "{json}");
    assert_eq!(json["assumptions"].as_array().map(Vec::len), Some(1), "{json}");
}

#[test]
fn what_is_not_known_has_a_reason_with_numbers() {
    let endless = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
    unsigned x = 1;
    while (__VERIFIER_nondet_int())
        x = x * 3;
    if (x == 0) reach_error();
    return 0;
}
";
    let folder =
        Folder::new("reasons", &[("e.c", endless), ("a.bp", "void main() begin skip; end")]);
    let args = ["check", "e.c", "--property", "unreach-call", "--engine", "bmc"];
    let bound = folder.hardbop(&[&args[..], &["--unwind", "6"]].concat());
    ends_with(&bound, 5);
    let said = "UNKNOWN  e.c: bounded: the loop at e.c:4 can go on after 6 rounds";
    assert!(out(&bound).starts_with(said), "{}", out(&bound));
    let time =
        folder.hardbop(&[&args[..], &["--time-limit", "200ms", "--format", "json"]].concat());
    ends_with(&time, 5);
    let json: Value = serde_json::from_str(&out(&time)).unwrap();
    assert_eq!(json["reason"], "time");
    // Engines do not take what they cannot read.
    ends_with(&folder.hardbop(&["check", "e.c", "--engine", "bdd"]), 1);
    ends_with(&folder.hardbop(&["check", "a.bp", "--engine", "bmc"]), 1);
    ends_with(&folder.hardbop(&["check", "e.c", "--unwind", "0"]), 1);
}

#[test]
fn what_is_no_program_is_told_with_its_place() {
    let folder = Folder::new("rejected", &[("bad.c", "int x = ;\n")]);
    let bad = folder.hardbop(&["check", "bad.c"]);
    ends_with(&bad, 2);
    assert!(err(&bad).contains(" --> bad.c:1:9\n"), "{}", err(&bad));
    assert!(err(&bad).contains("1 | int x = ;\n  |         ^"), "{}", err(&bad));
}

#[test]
fn files_are_preprocessed_and_linked() {
    if !has_compiler() {
        return;
    }
    let a = "#include \"shared.h\"\n#include <stdio.h>\nstatic int secret = N;\nint table[] = {1, 2, 3};
int main(void) { printf(\"%d %d %d\\n\", twice(secret), calls, table_end()); return 0; }\n";
    let b = "#include \"shared.h\"\nstatic int secret = 100;\nint calls;\nextern int table[];
int twice(int x) { calls++; return 2 * x + secret; }\nint table_end(void) { return table[2]; }\n";
    let database = r#"[
        {"directory": "build", "file": "../a.c", "command": "cc -I../inc -DN=7 -O2 -c ../a.c"},
        {"directory": "build", "file": "../b.c", "arguments": ["cc", "-I", "../inc", "-c", "../b.c"]}
    ]"#;
    let folder = Folder::new(
        "link",
        &[
            ("a.c", a),
            ("b.c", b),
            ("inc/shared.h", "int twice(int); int table_end(void); extern int calls;\n"),
            ("build/keep", ""),
            ("compile_commands.json", database),
            ("bad.json", "[{}]"),
        ],
    );
    let linked = folder.hardbop(&["run", "a.c", "b.c", "-I", "inc", "-D", "N=5"]);
    ends_with(&linked, 0);
    assert_eq!(out(&linked), "110 1 3\n");
    let built = folder.hardbop(&["run", "compile_commands.json"]);
    ends_with(&built, 0);
    assert_eq!(out(&built), "114 1 3\n");
    ends_with(&folder.hardbop(&["run", "bad.json"]), 2);
    // The compiler's complaint is shown where it belongs.
    let lost = folder.hardbop(&["run", "a.c"]);
    ends_with(&lost, 2);
    assert!(err(&lost).contains("error[c0008]: shared.h: "), "{}", err(&lost));
    assert!(err(&lost).contains(" --> a.c:1:10\n"), "{}", err(&lost));
    assert!(Path::new(&folder.0).join("a.c").exists());
}

const DEEP: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); int sensor(int);
int step(int x, int by) { return x + by; }
int main(void) {
    int n = __VERIFIER_nondet_int(), unused = __VERIFIER_nondet_int(), s = 0;
    if (n < 3 || n > 20) return 0;
    for (int i = 0; i < n; i++)
        s = step(s, sensor(i) == 7);
    if (s == 4) reach_error();
    return unused & 1;
}
";

#[test]
fn a_violation_is_told_in_the_source() {
    let folder = Folder::new("trace", &[("d.c", DEEP)]);
    let human = folder.hardbop(&["check", "d.c", "--property", "assert", "--trace", "t.json"]);
    ends_with(&human, 10);
    let told = out(&human);
    assert!(
        told.starts_with("UNSAFE  d.c: assert: `reach_error` may be called at d.c:8\n"),
        "{told}"
    );
    assert!(told.contains("violation replayed"), "{told}");
    for line in
        ["4  __VERIFIER_nondet_int() returns ", "7  step(", "2    return 1", "s == 4 is true"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!told.contains("unused"), "{told}");
    let trace = std::fs::read_to_string(folder.0.join("t.json")).unwrap();
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let steps = trace["steps"].as_array().unwrap();
    assert!(steps.iter().any(|it| it["values"]["s"] == "4" && it["line"] == 7), "{trace}");
    assert_eq!(steps.last().unwrap()["text"], "assert: `reach_error` may be called");
}

/// One check is out of reach; the others are told to hold, by `kind` alone and where `auto` gives up.
#[test]
fn what_is_proved_of_single_checks_is_told() {
    let text = "unsigned nondet(void); void reach_error(void); int a[10];
int main(void)
{
    unsigned i = 0, x = 1;
    while (nondet()) {
        a[i] = 1;
        i = (i + 1) % 10;
        x = x * x * 3 + (x >> 7) * 5 + nondet() * 2 + 1;
        if (x == 0) reach_error();
        if (x * x * x + x * 7 == 2026 * x * x) reach_error();
    }
    return 0;
}
";
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("single", &[("a.c", text)]);
    let args = ["check", "a.c", "--engine", "kind", "--time-limit", "4s", "--format", "json"];
    let output = folder.hardbop(&args);
    ends_with(&output, 5);
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts = |class: &str| -> Vec<String> {
        let all = record["properties"].as_array().unwrap().iter();
        let of = all.filter(|it| it["class"] == class);
        of.map(|it| it["verdict"].as_str().unwrap().into()).collect()
    };
    assert_eq!(verdicts("bounds"), ["safe"]);
    assert!(verdicts("assert").contains(&"unknown".into()), "{:?}", verdicts("assert"));
}

//! Evidence about C: testbenches, certificates, witnesses.

use super::*;

/// Compiled and run, the testbench fails in the way that was predicted.
#[test]
fn testbenches_fail_as_predicted() {
    if !has_compiler() {
        return;
    }
    let head = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void); double __VERIFIER_nondet_double(void);\n";
    let over =
        format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); return x + 1 == 0; }}");
    let heap = format!(
        "{head}int main(void) {{ int n = __VERIFIER_nondet_int(); char *p = malloc(8);
        if (n >= 0 && n < 20) p[n] = 1; free(p); return 0; }}"
    );
    let twice = format!(
        "{head}int main(void) {{ char *p = malloc(8); free(p);
        if (__VERIFIER_nondet_int() == 77) free(p); return 0; }}"
    );
    let argc =
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 5); return 0; }";
    let elsewhere = "#include <assert.h>\nextern int level; extern unsigned char mode;
        int main(void) { if (mode == 7) assert(level != 4242); return 0; }";
    let copied = "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {
        char b[8]; if (argc < 2) return 1; strcpy(b, argv[1]); puts(b); return 0; }";
    let quoted = "int main(int argc, char **argv) {
        int z = 0; if (argc == 3 && argv[1][0] == '\\'' && argv[1][1] == '$' && argv[2][0] == 0) return 1 / z;
        return 0; }";
    let read = "#include <stdio.h>\n#include <assert.h>\nint main(void) {
        int a = getchar(), b = getchar(); assert(a != 'h' || b != 'i'); return 0; }";
    let cases = [
        ("my copy.c", copied, "bounds", "buffer-overflow"),
        ("quoted.c", quoted, "div", "division by zero"),
        ("read.c", read, "assert", "Assertion"),
        ("d.c", DEEP, "assert", "hardbop: the violation is reached"),
        ("elsewhere.c", elsewhere, "assert", "Assertion"),
        ("over.c", &over, "overflow", "signed integer overflow"),
        ("heap.c", &heap, "bounds", "heap-buffer-overflow"),
        ("twice.c", &twice, "free", "double-free"),
        ("argc.c", argc, "assert", "Assertion"),
    ];
    let files: Vec<_> = cases.iter().map(|it| (it.0, it.1)).collect();
    let folder = Folder::new("testbench", &files);
    for (file, _, property, said) in cases {
        let args = ["check", file, "--property", property, "--testbench", "bench"];
        ends_with(&folder.hardbop(&args), 10);
        let dir = folder.0.join("bench");
        let made = Command::new("make").args(["-B", "test"]).current_dir(&dir).output().unwrap();
        let told = out(&made) + &err(&made);
        assert!(!made.status.success() && told.contains(said), "{file}: {told}");
        let gdb = std::fs::read_to_string(dir.join("commands.gdb")).unwrap();
        assert!(gdb.lines().any(|it| it.starts_with("break ") && it.contains(file)), "{gdb}");
    }
}

/// A pointer without a value may happen to point somewhere: then the compiled program goes on.
/// Of threads that must take turns at the right places: the testbench makes them.
#[test]
fn testbenches_of_threads_fail_as_predicted() {
    if !has_compiler() {
        return;
    }
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nstatic int n, *p;
        static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n";
    let twice = "int main(void) { pthread_t s, t; p = malloc(4); pthread_create(&s, 0, one, 0);
        pthread_create(&t, 0, two, 0); pthread_join(s, 0); pthread_join(t, 0); ";
    let program = |one: &str, two: &str, end: &str| {
        format!(
            "{head}static void *one(void *arg) {{ {one} return arg; }}
            static void *two(void *arg) {{ {two} return arg; }}\n{twice}{end} return 0; }}"
        )
    };
    let lost = program("n++;", "n++;", "assert(n == 2);");
    let lock = |x, y| {
        let (lock, unlock) = ("pthread_mutex_lock", "pthread_mutex_unlock");
        format!("{lock}(&{x}); {lock}(&{y}); {unlock}(&{y}); {unlock}(&{x});")
    };
    let crossed = program(&lock("a", "b"), &lock("b", "a"), "");
    let drop = "int *mine; pthread_mutex_lock(&a); mine = p; pthread_mutex_unlock(&a); if (mine) free(mine);
        pthread_mutex_lock(&a); p = 0; pthread_mutex_unlock(&a);";
    let freed = program(drop, drop, "");
    // Only one order of these ten steps comes to the largest sum.
    let sums = program(
        "for (int k = 0; k < 5; k++) x += y;",
        "for (int k = 0; k < 5; k++) y += x;",
        "assert(x < 144 && y < 144);",
    )
    .replace("static int n,", "static int x = 1, y = 1; static int n,");
    let waits = program(
        "pthread_mutex_lock(&a); if (!n) pthread_cond_wait(&c, &a); assert(n); pthread_mutex_unlock(&a);",
        "pthread_cond_signal(&c); pthread_mutex_lock(&a); n = 1; pthread_mutex_unlock(&a);",
        "",
    )
    .replace("static int n,", "static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int n,");
    let cases = [
        ("lost.c", &lost, "assert", "Assertion"),
        ("crossed.c", &crossed, "deadlock", "hardbop: failed"),
        ("sums.c", &sums, "assert", "Assertion"),
        ("waits.c", &waits, "assert", "Assertion"),
        ("freed.c", &freed, "free", "double-free"),
        ("raced.c", &lost, "race", "data race"),
    ];
    let files: Vec<_> = cases.iter().map(|it| (it.0, it.1.as_str())).collect();
    let folder = Folder::new("testbench-threads", &files);
    for (file, _, property, said) in cases {
        let args = ["check", file, "--property", property, "--testbench", "bench"];
        ends_with(&folder.hardbop(&args), 10);
        let dir = folder.0.join("bench");
        let made = Command::new("make").args(["-B", "test"]).current_dir(&dir).output().unwrap();
        let told = out(&made) + &err(&made);
        assert!(!made.status.success() && told.contains(said), "{file}: {told}");
        assert!(told.contains("hardbop: failed under the schedule"), "{file}: {told}");
    }
}

#[test]
fn a_testbench_says_that_it_depends_on_a_variable_without_a_value() {
    let unset = "int main(void) { int *p; return *p; }";
    let set = "int main(void) { int *p; p = 0; return *p; }";
    let folder = Folder::new("unset", &[("unset.c", unset), ("set.c", set)]);
    for (file, is_doubted) in [("unset.c", true), ("set.c", false)] {
        let args = ["check", file, "--property", "null", "--testbench", "bench"];
        let found = folder.hardbop(&args);
        ends_with(&found, 10);
        assert_eq!(err(&found).contains("variables without a value"), is_doubted, "{file}");
    }
}

/// A loop that ends and one that need not, arrays and calls; then the certificate without its bounds and claims.
#[test]
fn proofs_are_certified() {
    let ends = "int __VERIFIER_nondet_int(void); void reach_error(void);
int a[10];
int twice(int x) { return x + x; }
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    if (n < 0 || n > 10) return 0;
    for (int i = 0; i < n; i++) { a[i] = twice(i); s += a[i]; }
    if (s > 90) reach_error();
    return 0;
}
";
    let goes_on = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) { x += 2; if (x > 1000) x = 0; }
    if (x % 2) reach_error();
    return 0;
}
";
    let folder = Folder::new("certified", &[("ends.c", ends), ("goes_on.c", goes_on)]);
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap();
    for (file, name, forged) in [
        ("ends.c", "ends", ["unroll 10\n", "unroll 3\n"]),
        ("goes_on.c", "goes_on", ["holds ", ""]),
    ] {
        let cert = format!("{name}.cert");
        let safe = folder.hardbop(&["check", file, "--certificate", &cert]);
        ends_with(&safe, 0);
        assert!(out(&safe).contains(", certified"), "{}", out(&safe));
        let accepted = folder.hardbop(&["certify", file, &cert]);
        ends_with(&accepted, 0);
        assert!(out(&accepted).starts_with("ACCEPTED"), "{}", out(&accepted));
        let text = read(&cert);
        let kept: String = match forged[1] {
            "" => text
                .lines()
                .filter(|it| !it.starts_with(forged[0]))
                .map(|it| format!("{it}\n"))
                .collect(),
            other => {
                let number = text.lines().find(|it| it.starts_with("unroll ")).unwrap();
                text.replace(&format!("{number}\n"), other)
            }
        };
        assert_ne!(kept, text);
        std::fs::write(folder.0.join("forged.cert"), kept).unwrap();
        let rejected = folder.hardbop(&["certify", file, "forged.cert"]);
        ends_with(&rejected, 2);
        assert!(out(&rejected).contains(&format!(" at {file}:")), "{}", out(&rejected));
        let without = folder.hardbop(&["check", file, "--no-certificate"]);
        assert!(out(&without).contains("not certified"), "{}", out(&without));
    }
    ends_with(&folder.hardbop(&["certify", "goes_on.c", "ends.cert"]), 2);
    let other = folder.hardbop(&["certify", "ends.c", "ends.cert", "--property", "uninit"]);
    ends_with(&other, 2);
    assert!(out(&other).contains("says nothing of property uninit"), "{}", out(&other));
}

#[test]
fn proofs_and_violations_have_witnesses() {
    let count = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0) return 0;
    while (i < n)
        i++;
    if (i != n) reach_error();
    return 0;
}
";
    let folder = Folder::new("witness", &[("count.c", count), ("d.c", DEEP)]);
    let args = ["--property", "unreach-call", "--witness", "w.yml"];
    let safe = folder.hardbop(&[&["check", "count.c", "--engine", "kind"], &args[..]].concat());
    ends_with(&safe, 0);
    assert!(out(&safe).contains("engine kind, certified"), "{}", out(&safe));
    let read = || std::fs::read_to_string(folder.0.join("w.yml")).unwrap();
    let proof = read();
    for part in [
        "- entry_type: invariant_set\n",
        "format_version: \"2.0\"",
        "LTL(G ! call(reach_error()))",
        "line: 5\n",
        "(i <= n)",
        "function: \"main\"",
    ] {
        assert!(proof.contains(part), "{part}: {proof}");
    }
    ends_with(&folder.hardbop(&[&["check", "d.c"], &args[..]].concat()), 10);
    let violation = read();
    for part in ["violation_sequence", "\\\\result == ", "type: target", "line: 8\n"] {
        assert!(violation.contains(part), "{part}: {violation}");
    }
}

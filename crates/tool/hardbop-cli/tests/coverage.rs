//! `--coverage`: which lines executions reach, which they do not.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

const PROGRAM: &str = r#"#include <stdio.h>
static int unused(int x)
{
    return x + 1;
}
int main(void)
{
    int c = getchar();
    if (c == 'a')
        puts("a");
    else if (c > 300)
        puts("never");
    for (int i = 0; i < 3; i++)
        c++;
    if (c < 3)
        return 1 / (c - c);
    return 0;
}
"#;

fn checked(name: &str, options: &[&str]) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, PROGRAM).expect("the folder of the tests can be written to");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    let done = command.arg("check").arg(&file).args(options).output().expect("it runs");
    String::from_utf8(done.stdout).expect("it prints text")
}

#[test]
fn every_line_is_told() {
    let text = checked("coverage.c", &["--coverage", "--format", "json"]);
    let report: Value = serde_json::from_str(&text).expect("one object");
    // The verdict is about what was asked, not about lines.
    assert_eq!(report["verdict"], "unsafe");
    assert!(
        report["properties"]
            .as_array()
            .is_some_and(|all| all.iter().all(|it| it["class"] != "line"))
    );
    let lines: BTreeMap<u64, &str> = report["coverage"]
        .as_array()
        .expect("there are lines")
        .iter()
        .map(|it| (it["line"].as_u64().expect("a number"), it["reached"].as_str().expect("a word")))
        .collect();
    let no = [4, 12];
    for (line, reached) in &lines {
        assert_eq!(*reached, if no.contains(line) { "no" } else { "yes" }, "line {line}");
    }
    assert_eq!(
        lines.keys().copied().collect::<Vec<_>>(),
        [4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
    );
}

#[test]
fn what_is_not_reached_is_listed() {
    let text = checked("coverage-told.c", &["--coverage"]);
    assert!(text.contains("of 11 lines 9 are reached, 2 are not, 0 may be"), "{text}");
    assert!(text.contains("coverage-told.c: 4, 12"), "{text}");
    assert!(!checked("coverage-none.c", &[]).contains("coverage:"));
}

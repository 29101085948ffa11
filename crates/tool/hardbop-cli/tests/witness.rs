//! `hardbop certify FILE.c WITNESS.yml`: 40 good and 40 broken witnesses, of proofs and of violations.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

const SAFE: &str = "int __VERIFIER_nondet_int(void);
void reach_error(void);
#define LIMIT 10
#define NEXT (s = 7)
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, s = 0, r = 0;
    if (n < 0 || n > 20) return 0;
    while (i < n)
        i++;
    for (int k = 0; k < LIMIT; k++) {
        s += k;
    }
    do {
        r++;
    } while (r < 5);
out:
    if (i != n || s != 45) reach_error();
    return 0;
}
";

const UNSAFE: &str = "int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 0;
    if (x < 0) return 0;
    if (x > 10) {
        y = 1;
    } else {
        y = 2;
    }
    while (y < 5) {
        y = y + x;
        if (x == 0) return 0;
    }
    if (y == 7)
        reach_error();
    return 0;
}
";

/// Line and column of the first place where a text stands in a program.
fn place(program: &str, text: &str) -> (usize, usize) {
    let at = program.find(text).unwrap_or_else(|| panic!("{text} should be in the program"));
    let before = &program[..at];
    (before.matches('\n').count() + 1, before.chars().rev().take_while(|&c| c != '\n').count() + 1)
}

fn head(kind: &str, data_model: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"1\"\n    producer:\n      \
         name: \"someone\"\n    task:\n      input_files:\n        - \"p.c\"\n      specification: \"CHECK( init(main()), \
         LTL(G ! call(reach_error())) )\"\n      data_model: {data_model}\n      language: C\n  content:\n"
    )
}

fn location(indent: &str, (line, column): (usize, usize)) -> String {
    format!(
        "{indent}location:\n{indent}  file_name: p.c\n{indent}  line: {line}\n{indent}  column: {column}\n"
    )
}

/// A witness of correctness: kind, place and expression of each invariant.
fn correctness(invariants: &[(&str, &str, &str)]) -> String {
    let mut text = head("invariant_set", "LP64");
    for (kind, at, value) in invariants {
        let _ = write!(
            text,
            "  - invariant:\n      type: {kind}_invariant\n{}",
            location("      ", place(SAFE, at))
        );
        let _ = write!(text, "      value: {value:?}\n      format: c_expression\n");
    }
    text
}

/// A waypoint: its type, its action, its place and its constraint, if it has one.
type Point<'a> = (&'a str, &'a str, &'a str, &'a str);

/// A witness of a violation, a segment for each waypoint that is followed.
fn violation(points: &[Point]) -> String {
    let mut text = head("violation_sequence", "LP64");
    let mut is_new = true;
    for (kind, action, at, value) in points {
        if is_new {
            text += "  - segment:\n";
        }
        is_new = *action == "follow";
        let (line, column) = place(UNSAFE, at);
        // The place of a call is its closing parenthesis.
        let column = if kind.starts_with("function") { column + at.len() - 1 } else { column };
        let _ = write!(text, "    - waypoint:\n        type: {kind}\n        action: {action}\n");
        text += &location("        ", (line, column));
        if !value.is_empty() {
            let _ = write!(text, "        constraint:\n          value: {value:?}\n");
        }
    }
    text
}

const TARGET: Point = ("target", "follow", "reach_error();\n    return", "");
const CALL: &str = "__VERIFIER_nondet_int();\n    int y";

fn returns(value: &str) -> Point<'_> {
    ("function_return", "follow", &CALL[..23], value)
}

struct Folder(PathBuf);

impl Folder {
    fn new(program: &str, name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("hardbop-validate-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("p.c"), program).unwrap();
        Folder(folder)
    }

    /// Exit code and text of a judgement.
    fn judged(&self, witness: &str, more: &[&str]) -> (i32, String) {
        std::fs::write(self.0.join("w.yml"), witness).unwrap();
        let command = Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .current_dir(&self.0)
            .args(["certify", "p.c", "w.yml", "--time-limit", "120s"])
            .args(more)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&command.stdout).into_owned();
        (command.status.code().unwrap(), text + &String::from_utf8_lossy(&command.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn good_proofs_are_accepted() {
    let folder = Folder::new(SAFE, "good-proofs");
    let (while_, for_, do_, end) = ("while (i < n)", "for (int k", "do {", "if (i != n");
    let one: [(&str, &str, &str); 18] = [
        ("loop", while_, "i <= n"),
        ("loop", while_, "0 <= i"),
        ("loop", while_, "i >= 0 && i <= n && n <= 20"),
        ("loop", while_, "(unsigned)i <= (unsigned)n"),
        ("loop", while_, "!(i > n)"),
        ("loop", while_, "s == 0 || r == 1"),
        ("loop", while_, "sizeof(i) == 4 && n < 2 * LIMIT + 1"),
        ("loop", for_, "k <= 10"),
        ("loop", for_, "s == k * (k - 1) / 2"),
        ("loop", for_, "s >= 0 && s <= 45"),
        ("loop", for_, "i == n"),
        ("loop", do_, "r < 5"),
        ("loop", do_, "r >= 0 && s == 45"),
        ("location", end, "i == n"),
        ("location", end, "r == 5 && s == 45"),
        ("location", "i++", "i < n"),
        ("location", "s += k", "k < LIMIT"),
        ("location", "out:", "i == n"),
    ];
    let mut all: Vec<String> = one.iter().map(|it| correctness(&[*it])).collect();
    all.push(correctness(&one));
    all.push(correctness(&[]).replace("content:\n", "content: []\n"));
    assert_eq!(all.len(), 20);
    for witness in all {
        let (code, text) = folder.judged(&witness, &[]);
        assert!(code == 0 && text.starts_with("ACCEPTED"), "{code} {text}\n{witness}");
    }
}

#[test]
fn broken_proofs_are_refused() {
    let folder = Folder::new(SAFE, "broken-proofs");
    let (while_, for_, do_, end) = ("while (i < n)", "for (int k", "do {", "if (i != n");
    // Refuted, with the invariant.
    for (kind, at, value) in [
        ("loop", while_, "i < n"),
        ("loop", while_, "i == 0"),
        ("loop", while_, "i <= 5"),
        ("loop", while_, "n > 0"),
        ("loop", for_, "k < 10"),
        ("loop", for_, "s <= 30"),
        ("loop", do_, "r > 0"),
        ("location", end, "i < n"),
        ("location", "i++", "i > 0"),
        ("location", "out:", "n != 3"),
    ] {
        let (code, text) =
            folder.judged(&correctness(&[("loop", while_, "i <= n"), (kind, at, value)]), &[]);
        assert!(code == 2 && text.starts_with("REFUTED"), "{code} {text}");
        assert!(text.contains("invariant 2 does not hold") && text.contains(value), "{text}");
    }
    // Not even a claim about this program.
    let good = correctness(&[("loop", while_, "i <= n")]);
    for (from, to, why) in [
        ("i <= n", "i = n", "changes the program"),
        ("i <= n", "i <= NEXT", "changes the program"),
        ("i <= n", "reach_error()", "is called"),
        ("i <= n", "i <= m", "means nothing"),
        ("i <= n", "i <= n)", "closes nothing"),
        ("line: 8", "line: 80", "no line 80"),
        ("column: 5", "column: 6", "no loop begins"),
        ("file_name: p.c", "file_name: q.c", "about file `q.c`"),
        ("LP64\n", "LP64\n      input_file_hashes:\n        \"p.c\": \"12\"\n", "the hash differs"),
        ("\"2.0\"", "\"1.0\"", "format 2.0"),
    ] {
        let broken = good.replacen(from, to, 1);
        assert_ne!(broken, good, "{from}");
        let (code, text) = folder.judged(&broken, &[]);
        assert!(code == 2 && text.contains(why), "{code} {text}\n{broken}");
    }
    let (code, text) = folder.judged(&good, &["--property", "no-overflow"]);
    assert!(code == 2 && text.contains("says nothing of property"), "{code} {text}");
    // The invariants hold, the program is wrong all the same.
    let folder = Folder::new(UNSAFE, "wrong-program");
    let (code, text) = folder.judged(&correctness(&[]).replace("content:\n", "content: []\n"), &[]);
    assert!(code == 2 && text.contains("the program violates the property"), "{code} {text}");
}

#[test]
fn good_violations_are_accepted() {
    let folder = Folder::new(UNSAFE, "good-violations");
    let (first, loop_, sum, last) = ("if (x > 10)", "while (y", "y = y + x", "if (y == 7)");
    let all: [Vec<Point>; 20] = [
        vec![],
        vec![returns("\\result == 5")],
        vec![returns("\\result > 4")],
        vec![returns("\\result >= 0 && \\result < 6")],
        vec![("function_enter", "follow", &CALL[..23], "")],
        vec![("branching", "follow", first, "false")],
        vec![("branching", "follow", loop_, "true")],
        vec![("branching", "follow", loop_, "false")],
        vec![("branching", "follow", last, "true")],
        vec![
            ("branching", "follow", "if (x < 0)", "false"),
            ("branching", "follow", first, "false"),
        ],
        vec![("assumption", "follow", sum, "y == 2")],
        vec![("assumption", "follow", sum, "x == 5 && y == 2")],
        vec![("assumption", "follow", last, "y == 7")],
        vec![("assumption", "follow", first, "x <= 10")],
        vec![
            returns("\\result == 5"),
            ("branching", "follow", first, "false"),
            ("branching", "follow", loop_, "true"),
        ],
        vec![
            returns("\\result != 6"),
            ("assumption", "follow", sum, "y < 5"),
            ("assumption", "follow", last, "y > 5"),
        ],
        vec![("branching", "avoid", first, "true"), ("branching", "follow", loop_, "true")],
        vec![("assumption", "avoid", sum, "x == 4"), ("branching", "follow", last, "true")],
        vec![
            ("function_return", "avoid", &CALL[..23], "\\result == 4"),
            ("branching", "follow", loop_, "true"),
        ],
        vec![("branching", "follow", loop_, "true"), ("branching", "follow", loop_, "false")],
    ];
    for points in all {
        let points: Vec<Point> = points.into_iter().chain([TARGET]).collect();
        let witness = violation(&points);
        let (code, text) = folder.judged(&witness, &[]);
        assert!(code == 10 && text.starts_with("ACCEPTED"), "{code} {text}\n{witness}");
    }
}

#[test]
fn broken_violations_are_refused() {
    let folder = Folder::new(UNSAFE, "broken-violations");
    let (first, loop_, sum, last) = ("if (x > 10)", "while (y", "y = y + x", "if (y == 7)");
    for (points, segment) in [
        (vec![returns("\\result == 4")], None),
        (vec![returns("\\result > 5")], None),
        (vec![("branching", "follow", first, "true")], None),
        (vec![("branching", "follow", last, "false")], None),
        (vec![("branching", "follow", "if (x < 0)", "true")], None),
        (vec![("assumption", "follow", sum, "y == 1")], None),
        (vec![("assumption", "follow", sum, "x == 6")], None),
        (vec![("assumption", "follow", last, "y < 5")], Some(1)),
        (vec![("branching", "follow", loop_, "true"), returns("\\result == 5")], Some(2)),
        (
            vec![("branching", "follow", loop_, "true"), ("branching", "follow", loop_, "true")],
            None,
        ),
        (vec![("branching", "avoid", first, "false"), ("branching", "follow", last, "true")], None),
        (vec![("assumption", "avoid", sum, "y == 2"), ("branching", "follow", last, "true")], None),
        (vec![returns("\\result == 5"), ("branching", "follow", first, "true")], Some(2)),
    ] {
        let points: Vec<Point> = points.into_iter().chain([TARGET]).collect();
        let witness = violation(&points);
        let (code, text) = folder.judged(&witness, &[]);
        assert!(code == 2 && text.starts_with("REFUTED"), "{code} {text}\n{witness}");
        if let Some(segment) = segment {
            assert!(text.contains(&format!("no execution passes segment {segment}")), "{text}");
        }
    }
    let good = violation(&[returns("\\result == 5"), TARGET]);
    for (from, to, why) in [
        ("line: 17", "line: 5", "nothing can go wrong"),
        ("line: 4", "line: 6", "no call begins"),
        ("type: target", "type: goal", "no waypoint"),
        ("\\\\result == 5", "\\\\result = 5", "changes the program"),
        ("action: follow", "action: avoid", "ends with a waypoint that is followed"),
        ("type: function_return", "type: target", "the target is the last"),
        ("segment:", "part:", "`segment` is missing"),
    ] {
        let broken = good.replacen(from, to, 1);
        assert_ne!(broken, good, "{from}");
        let (code, text) = folder.judged(&broken, &[]);
        assert!(code == 2 && text.contains(why), "{code} {text}\n{broken}");
    }
}

#[test]
fn our_own_witnesses_are_accepted() {
    let safe = Folder::new(SAFE, "own-safe");
    let wrong = Folder::new(UNSAFE, "own-unsafe");
    for (folder, expected) in [(&safe, 0), (&wrong, 10)] {
        let checked = Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .current_dir(&folder.0)
            .args([
                "check",
                "p.c",
                "--property",
                "unreach-call",
                "--witness",
                "own.yml",
                "--engine",
                "auto",
            ])
            .output()
            .unwrap();
        assert_eq!(checked.status.code(), Some(expected));
        let witness = std::fs::read_to_string(folder.0.join("own.yml")).unwrap();
        let (code, text) = folder.judged(&witness, &[]);
        assert!(code == expected && text.starts_with("ACCEPTED"), "{code} {text}\n{witness}");
    }
}

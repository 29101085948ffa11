//! What is wrong with a file: all of it, each thing once, at its place.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hardbop_base::rng::Rng;
use hardbop_base::{Budget, CancelToken, Exhausted};
use hardbop_c::load::Rejected;
use hardbop_c::{Options, load_text};

fn rejected(text: &str) -> Box<Rejected> {
    match load_text(vec![("t.c".into(), text.into())], &Options::default()) {
        Ok(_) => panic!("taken:\n{text}"),
        Err(it) => it,
    }
}

/// Line, code and message of each mistake.
fn mistakes(text: &str) -> Vec<(u32, &'static str, String)> {
    let rejected = rejected(text);
    let told = rejected.diagnostics.iter();
    told.map(|it| {
        let line = rejected.sources.position(it.primary.span).line;
        (line, it.code.0, it.message.clone())
    })
    .collect()
}

fn lines(text: &str) -> Vec<u32> {
    mistakes(text).into_iter().map(|it| it.0).collect()
}

#[test]
fn ten_mistakes_are_ten_messages() {
    let text = "\
int a = ;
fool b;
int c[-1];
struct s { int x; bar y; int z; };
int f(void) { return missing; }
int g(struct s *p) {
    int n = p->x + p->w
    n = p->z * ;
    if (n { n = 1; } else { n = 0x1g; }
    goto nowhere;
    return *n;
}
int main(void) { a = 1; b = c; return g(0) + f(); }
";
    let found = mistakes(text);
    let expected = [
        (1, "c0001"),
        (2, "c0005"),
        (3, "c0004"),
        (4, "c0005"),
        (5, "c0005"),
        (7, "c0005"),
        (8, "c0001"),
        (8, "c0001"),
        (9, "c0001"),
        (9, "c0001"),
        (10, "c0005"),
        (11, "c0004"),
    ];
    let places: Vec<_> = found.iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(places, expected, "{found:#?}");
}

/// What follows from a mistake is none.
#[test]
fn a_mistake_is_told_once() {
    for (text, expected) in [
        // A type that is not there, and what is declared with it.
        ("foo x;\nint main(void) { x->a = 1; x.b[2] = *x; foo y; return y; }", &[1][..]),
        ("foo f(foo a);\nint main(void) { foo b = f(b); return f(b).x; }", &[1]),
        ("int f(foo *a, bar b) { return a->x + b; }\nint main(void) { return f(1, 2); }", &[1, 1]),
        (
            "int main(void) {\n foo *p = 0;\n p->x = 1;\n return ((foo *)p)->y + sizeof(foo); }",
            &[2],
        ),
        ("int main(void) { for (foo i = 0;\n i < 3; i++) i--;\n return 0; }", &[1]),
        ("struct t { foo a; int b; };\nint main(void) { struct t v; v.a = 1; return v.b; }", &[1]),
        // A name that is not there.
        ("int main(void) {\n x = 1;\n x++;\n return x; }", &[2]),
        // A declaration that could not be read.
        (")\nint main(void) { return 0; }", &[1]),
        ("int x = (1;\nint main(void) { return x; }", &[1]),
        ("int f(int a { return a; }\nint main(void) { return f(1); }", &[1]),
        ("enum e { A, B = , C };\nint main(void) { return A + B + C; }", &[1]),
        ("enum e { A, B = x, C };\nint main(void) { return A + B + C; }", &[1]),
        (
            "struct s { int a; int b };;\nstruct t { int c d; int e; };\nint main(void) { struct t v; v.d = v.c = 1; return v.e; }",
            &[2],
        ),
        ("int a[] = { 1, ; 2 };\nint main(void) { return a[0]; }", &[1]),
        ("struct s { int , b; } v;\nint main(void) { return v.b; }", &[1]),
        // A `;`, `)` or `}` that is missing.
        ("int main(void) {\n int x = 1\n int y = 2;\n return x + y\n}", &[3, 5]),
        ("int main(void) { int i, n = 0;\n for (i = 0; i < 3 i++) n += i;\n return n; }", &[2]),
        ("int main(void) { int x = 0;\n while (x < 3 { x++; }\n return x; }", &[2]),
        ("int f(void) { return 1;\n\nint main(void) { return f(); }\n", &[3, 4]),
        ("int main(void) { return 0; }\n}\nint x = y;\n", &[2, 3]),
        // A label in a statement that could not be read.
        ("int main(void) { int x = 0; goto out;\n out: x = ;\n return x; }", &[2]),
        // A condition, a case and a label that are wrong, with what stands behind them.
        ("int main(void) { int x = 0;\n if (y) { x = z; }\n return x; }", &[2, 2]),
        (
            "int main(void) { int x = 0; switch (x) {\n case x: x = 1; out:\n default: goto out; } }",
            &[2],
        ),
        // Characters and literals.
        ("int main(void) { char *s = \"abc;\n return 08 + `1; }", &[1, 2, 2]),
        ("int main(void) { return 0; }\n/* no end", &[2]),
        // The unsupported is refused where it stands, and once.
        ("int main(void) { int f(int a) { return a; }\n return f(1) + f(2); }", &[1]),
        ("_Complex double z;\nint main(void) { z = 1; return z == 1; }", &[1]),
    ] {
        assert_eq!(lines(text), expected, "{:#?}\n{text}", mistakes(text));
    }
}

/// A `case` without a value was a label of that name.
#[test]
fn words_of_statements_are_no_names() {
    for text in [
        "int main(void) { switch (1) { case : return 0; } return 1; }",
        "int main(void) { while: return 0; }",
        "int if;",
        "int f(int do) { return do; }",
        "struct for { int x; };",
        "struct s { int return; };",
        "enum e { ONE, break };",
        "int main(void) { goto else; }",
        "int main(void) { return switch; }",
    ] {
        assert_eq!(lines(text).first(), Some(&1), "{text}");
    }
}

#[test]
fn help_names_what_is_near_or_the_header() {
    let help = |text: &str| rejected(text).diagnostics[0].help.clone().unwrap_or_default();
    let main = "int main(void) { return 0; }";
    assert_eq!(help(&format!("uint32_t x; {main}")), "`uint32_t` is declared in <stdint.h>");
    assert_eq!(help(&format!("typedef int length; lenght x; {main}")), "did you mean `length`?");
    assert_eq!(help(&format!("unsinged x; {main}")), "did you mean `unsigned`?");
    assert_eq!(help(&format!("itn y; {main}")), "did you mean `int`?");
    assert_eq!(help("int main(void) { int count = 0; return conut; }"), "did you mean `count`?");
    assert_eq!(
        help("int main(void) { void *p = NULL; return p == 0; }"),
        "`NULL` is declared in <stddef.h>"
    );
}

#[test]
fn of_very_many_mistakes_the_first_are_shown() {
    let text = "x y z;\n".repeat(100_000);
    let found = mistakes(&text);
    assert_eq!((found.len(), found[100].1), (101, "c0099"), "{:?}", found[100]);
    let deep = "{".repeat(200_000);
    assert_eq!(mistakes(&format!("int main(void) {deep}"))[0].1, "c0002");
}

/// What a limit has cut off is no mistake.
#[test]
fn reading_ends_where_the_budget_does() {
    let cancel = CancelToken::default();
    let budget = Budget::unlimited().with_cancel(cancel.clone());
    cancel.cancel();
    let options = Options { budget, ..Options::default() };
    let text = format!("int main(void) {{ int x = 0; {} return x; }}", "x += 1; ".repeat(10_000));
    let stopped = load_text(vec![("t.c".into(), text)], &options).expect_err("there is no time");
    assert_eq!(stopped.limit, Some(Exhausted::Cancelled));
}

/// The programs of `tests/c` that need no preprocessor.
fn programs() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("a workspace");
    let mut folders = vec![root.join("tests/c")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path)
                && path.extension().is_some_and(|it| it == "c")
                && !text.contains('#')
            {
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// Words, blanks and single characters.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|it| it != kind(c) || it == 2) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    pieces.push(&text[start..]);
    pieces
}

/// A program with one to three words taken away, repeated, exchanged or put in.
fn edited(text: &str, rng: &mut Rng) -> String {
    const WORDS: [&str; 20] = [
        ";", "{", "}", "(", ")", "[", "]", ",", "=", "*", "int", "struct", "if", "else", "return",
        "x", "0", "\"", "'", "case",
    ];
    let mut pieces: Vec<&str> = pieces(text);
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(pieces.len());
        let other = rng.below(pieces.len());
        match rng.below(4) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other]),
            2 => pieces.swap(at, other),
            _ => pieces.insert(at, WORDS[rng.below(WORDS.len())]),
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

/// Whether the compiler says that the text does not follow the grammar.
fn breaks_the_grammar(text: &str) -> bool {
    use std::io::Write;
    let mut compiler = Command::new("cc");
    compiler.args(["-fsyntax-only", "-w", "-std=gnu11", "-x", "c", "-"]).env("LC_ALL", "C");
    compiler.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = compiler.spawn().expect("a compiler");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stderr).contains("error: expected")
}

/// Edits of programs are taken or refused at a place inside them, without panic; what breaks the
/// grammar for the compiler is refused. `HARDBOP_EDITS` asks for more of them.
#[test]
fn edited_programs_are_refused_at_a_place() {
    let programs = programs();
    assert!(programs.len() > 100, "{} programs", programs.len());
    let n_edits = std::env::var("HARDBOP_EDITS").ok().and_then(|it| it.parse().ok()).unwrap_or(600);
    let mut rng = Rng::new(20261117);
    let (mut n_refused, mut n_grammar) = (0, 0);
    for at in 0..n_edits {
        let (path, text) = &programs[rng.below(programs.len())];
        let text = edited(text, &mut rng);
        let result = load_text(vec![("t.c".into(), text.clone())], &Options::default());
        let name = path.display();
        match &result {
            Ok(_) => {}
            Err(it) => {
                n_refused += 1;
                assert!(!it.diagnostics.is_empty(), "{name}: nothing is told\n{text}");
                for told in &it.diagnostics {
                    let span = told.primary.span;
                    let is_inside = span.start <= span.end && span.end as usize <= text.len();
                    assert!(is_inside, "{name}: {told:?}\n{text}");
                }
            }
        }
        if at % 10 == 0 && breaks_the_grammar(&text) {
            n_grammar += 1;
            assert!(result.is_err(), "{name}: taken, and yet no C:\n{text}");
        }
    }
    assert!(n_refused > n_edits / 2 && n_grammar > n_edits / 40, "{n_refused}, {n_grammar}");
}

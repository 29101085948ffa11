//! The tables of builtins, attributes and pragmas: the page for people says what the code does, and
//! what has no effect has none.

use std::fmt::Write;
use std::path::Path;

use hardbop_c::builtins::{FAMILIES, Space, TABLE};
use hardbop_c::syntax::known::{ATTRIBUTES, Attribute, PRAGMAS, Pragma};
use hardbop_c::{Options, load_text};

fn tables() -> String {
    let mut text = String::from("## Attributes\n\n| attribute | what is done |\n|---|---|\n");
    for (name, attribute) in ATTRIBUTES {
        let _ = writeln!(text, "| `{name}` | {} |", attribute.says());
    }
    text += "\n## Pragmas\n\n| pragma | what is done |\n|---|---|\n";
    for (name, pragma) in PRAGMAS {
        let _ = writeln!(text, "| `#pragma {name}` | {} |", pragma.says());
    }
    text += "\n## Functions\n\n| function | whose | what is done |\n|---|---|---|\n";
    let whose = |space: &Space| match space {
        Space::Compiler => "compiler",
        Space::Library => "library",
        Space::Verifier => "verifiers",
        Space::Kernel => "kernel",
    };
    for (name, space, _, builtin) in TABLE {
        let _ = writeln!(text, "| `{name}` | {} | {} |", whose(space), builtin.says());
    }
    for (prefix, space, builtin) in FAMILIES {
        let _ = writeln!(text, "| `{prefix}…` | {} | {} |", whose(space), builtin.says());
    }
    text
}

/// With `HARDBOP_WRITE_DOCS=1` the page is written.
#[test]
fn the_page_says_what_the_code_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let page = root.map(|it| it.join("docs/c-names.md")).find(|it| it.is_file());
    let page = page.expect("docs/c-names.md is there");
    let text = std::fs::read_to_string(&page).expect("the page can be read");
    let (head, found) = text.split_at(text.find("## Attributes\n").expect("the page has tables"));
    let wanted = tables();
    if std::env::var_os("HARDBOP_WRITE_DOCS").is_some() {
        std::fs::write(&page, format!("{head}{wanted}")).expect("the page can be written");
        return;
    }
    for (found, wanted) in found.lines().zip(wanted.lines()) {
        assert_eq!(found, wanted, "HARDBOP_WRITE_DOCS=1 writes docs/c-names.md");
    }
    assert_eq!(found.lines().count(), wanted.lines().count());
}

/// The IR of a text without its places.
fn lowered(text: String) -> String {
    let loaded = load_text(vec![("t.c".into(), text.clone())], &Options::default())
        .unwrap_or_else(|it| panic!("{}\n{text}", it.message()));
    let ir = hardbop_cir::text::print(&loaded.program);
    let words = |line: &str| {
        let words = line.split(' ').filter(|it| !it.starts_with('@'));
        words.collect::<Vec<_>>().join(" ") + "\n"
    };
    ir.lines().map(words).collect()
}

/// A program with `X` wherever an attribute may stand.
const PROGRAM: &str = "
struct X s { int a X; X char b : 3; } X;
typedef struct s t X;
enum X e { A X, B = 300 } X;
X static int counter = 1, other X = 2;
int X twice(int n X) X;
X int twice(X int n) { X int m X = n; label: X; m += n; return m; }
void nowhere(int *p) X;
int main(void) {
    t v = { 1, 2 };
    X struct s *p X = &v;
    switch (v.a) { case 1: counter++; X; default: other--; }
    nowhere(&v.a);
    if (twice(v.a) != 2 * v.a || p->b != 2) __builtin_trap();
    int list[sizeof(struct s) + _Alignof(t) + B];
    return list[counter + other];
}
";

#[test]
fn what_has_no_effect_has_none() {
    let mut n_tried = 0;
    let without = lowered(PROGRAM.replace('X', ""));
    for (name, attribute) in ATTRIBUTES {
        if !matches!(attribute, Attribute::Nothing(_)) {
            continue;
        }
        for spelled in [
            format!("__attribute__(({name}))"),
            format!("__attribute__((__{name}__(1, \"x\")))"),
            format!("[[gnu::{name}]]"),
        ] {
            let with = PROGRAM.replace('X', &spelled);
            assert_eq!(lowered(with), without, "{spelled}");
            n_tried += 1;
        }
    }
    for (name, pragma) in PRAGMAS {
        if matches!(pragma, Pragma::Nothing(_)) {
            let with = PROGRAM.replace('X', "").replace('\n', &format!("\n#pragma {name} 1\n"));
            assert_eq!(lowered(with), without, "#pragma {name}");
            n_tried += 1;
        }
    }
    assert!(n_tried > 250, "{n_tried}");
}

#[test]
fn what_is_refused_is_refused_everywhere() {
    for (name, attribute) in ATTRIBUTES {
        if *attribute != Attribute::Refused {
            continue;
        }
        let positions = PROGRAM.matches('X').count();
        for at in 0..positions {
            let mut parts = PROGRAM.split('X');
            let mut text = parts.next().unwrap_or_default().to_string();
            for (n, part) in parts.enumerate() {
                if n == at {
                    let _ = write!(text, "__attribute__(({name}(8)))");
                }
                text += part;
            }
            let result = load_text(vec![("t.c".into(), text.clone())], &Options::default());
            let message = result.err().map(|it| it.message());
            let wanted = format!("the attribute `{name}` is not supported");
            assert_eq!(message.map(|it| it.to_string()), Some(wanted), "{text}");
        }
    }
}

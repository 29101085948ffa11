//! Every code is provoked, at the right place, without a second message for the same mistake.

use std::collections::BTreeSet;

use hardbop_base::SourceFile;
use hardbop_diag::{codes, render};

/// A text and what is found in it: `line:column code` of each diagnostic, in order.
const CASES: &[(&str, &[&str])] = &[
    // Words.
    ("decl x; void main() begin x := x @# 1; x := 0; end", &["1:34 bp0003"]),
    ("decl größe; void main() begin end", &["1:6 bp0003"]),
    ("void main() begin skip; /* open\nend", &["1:25 bp0004"]),
    ("void main() begin {a := 1; skip; end", &["1:19 bp0005"]),
    ("decl x; void main() {\n  x := 1;\n  if (x) { x := 0; }\n}\n", &["1:21 bp0005"]),
    ("void main() { skip; }", &["1:13 bp0006"]),
    // Syntax.
    (
        "decl x; void main() begin x = 1; x := (x & ; assert(x; end",
        &["1:29 bp0006", "1:44 bp0006", "1:54 bp0006"],
    ),
    ("void main() begin x := ; ; end", &["1:24 bp0006", "1:26 bp0006"]),
    ("foo bar baz void main() begin end garbage; decl x;", &["1:1 bp0006", "1:35 bp0006"]),
    ("decl a b; void main() begin a := b; end", &["1:8 bp0006"]),
    ("void (x) begin x := 1; y := 1; end", &["1:6 bp0006"]),
    (
        "decl x; void main() begin x := 1 x := 0; skip\nskip; goto L\nL: skip end",
        &["1:33 bp0007", "1:46 bp0007", "2:13 bp0007"],
    ),
    (
        "decl x; void main() begin if x then skip; end void f() begin while x do skip; end",
        &["1:43 bp0008", "1:79 bp0008"],
    ),
    ("decl x; void main() begin while x do if x then skip; od end", &["1:54 bp0008"]),
    ("void main() begin skip; void f() begin skip; end g(a) begin end", &["1:25 bp0008"]),
    ("void main() begin f(); f() begin skip; end", &["1:24 bp0008"]),
    (
        "decl x; void main() begin if (x) skip; fi while x skip; od end void f() skip; end",
        &["1:33 bp0009", "1:50 bp0009", "1:72 bp0009"],
    ),
    (
        "decl x; void main() begin fi if x then skip; else skip; else skip; fi; od; end end",
        &["1:27 bp0010", "1:57 bp0010", "1:72 bp0010", "1:80 bp0010"],
    ),
    (
        "decl skip, end; void if() begin then: skip; skip := 1; end void main() begin goto fi; end",
        &["1:6 bp0011", "1:12 bp0011", "1:22 bp0011", "1:33 bp0011", "1:45 bp0011", "1:83 bp0011"],
    ),
    ("decl T; void main() begin T := F; end", &["1:6 bp0011", "1:27 bp0011"]),
    (
        "decl x; void main() begin x := 2 & 10; assume(01); end",
        &["1:32 bp0013", "1:36 bp0013", "1:47 bp0013"],
    ),
    ("void main() begin skip; decl y; y := 1; enforce y; end", &["1:25 bp0014", "1:41 bp0014"]),
    ("void main() begin sync l; end", &["1:19 bp0015"]),
    (
        "bool<65537> f() begin end bool<99999999999999999999999> g() begin end void main() begin f(); end",
        &["1:6 bp0016", "1:32 bp0016"],
    ),
    (
        "decl x; bool f() begin return 1; end void main() begin x := x & f(); if f() then skip; fi end",
        &["1:65 bp0017", "1:73 bp0017"],
    ),
    // Names.
    (
        "decl lock; void main() begin lokc := 1; lokc := x; end void f() begin lokc := 1; end",
        &["1:30 bp0020", "1:49 bp0020", "1:71 bp0020"],
    ),
    ("void main() begin dead x, x; print(y); end", &["1:24 bp0020", "1:36 bp0020"]),
    (
        "void main() begin f(); start_thread f(); g(x); end",
        &["1:19 bp0021", "1:42 bp0021", "1:44 bp0020"],
    ),
    (
        "void main() begin L: goto M, L, M; start_thread goto N; start_thread 12; end void f() begin goto L; end",
        &["1:27 bp0022", "1:54 bp0022", "1:70 bp0022", "1:98 bp0022"],
    ),
    (
        "decl a, a; void f(b, b) begin decl c, b; end void main() begin decl a; decl a; end",
        &["1:9 bp0023", "1:22 bp0023", "1:39 bp0023", "1:77 bp0023"],
    ),
    ("void f() begin end void main() begin end void f(a) begin end", &["1:47 bp0024"]),
    (
        "void main() begin L: M: skip; 1: L: skip; 1: skip; end void f() begin L: skip; end",
        &["1:34 bp0025", "1:43 bp0025"],
    ),
    // The same label twice in front of one statement, as c2bp writes it, is one label.
    (
        "void main() begin L: L: skip; goto L; M: skip; M: M: skip; end",
        &["1:48 bp0025", "1:51 bp0025"],
    ),
    // Counts.
    ("decl x, y; void main() begin x, y, x := 0, 1, 0; _, _ := 0, 1; end", &["1:36 bp0026"]),
    (
        "void f(a, b) begin end void main() begin f(1); f(0, 0, 0); start_thread f(); f(0, 1); end",
        &["1:42 bp0027", "1:48 bp0027", "1:73 bp0027"],
    ),
    (
        "decl x; void f() begin end bool<2> g() begin return 0, 1; end void main() begin x := f(); x := g(); x, _ := g(); g(); end",
        &["1:86 bp0028", "1:96 bp0028"],
    ),
    ("decl x, y; void main() begin x, y := 0; x := 0, 1; end", &["1:30 bp0029", "1:41 bp0029"]),
    (
        "void f() begin return 1; end bool<2> g() begin return 1; end void main() begin end",
        &["1:16 bp0030", "1:48 bp0030"],
    ),
    // Meaning.
    (
        "decl x; void main() begin decl l := 'x; enforce x'; assume('x); x := 'x; x := * constrain 'x & x'; end",
        &["1:38 bp0031", "1:49 bp0031", "1:61 bp0031", "1:71 bp0031"],
    ),
    (
        "decl a := b, b := b; decl c := a | b; void main() begin decl d := e, e; end",
        &["1:11 bp0032", "1:19 bp0032"],
    ),
    (
        "decl g; void main() begin decl l; g$ := 1; l := l$; g := g$; l$ := 1; l$, l := 1, 0; end",
        &["1:35 bp0033", "1:49 bp0033", "1:58 bp0033"],
    ),
    ("bool f() begin return 1; end void main() begin decl l; l$ := f(); end", &["1:56 bp0033"]),
    (
        "decl x; bool f() begin return 1; end void main() begin A: ASYNC_1: x := f(); ASYNC_2: f(); end",
        &["1:73 bp0034"],
    ),
    ("void start() begin end", &["1:1 bp0035"]),
    ("", &["1:1 bp0036"]),
    ("// nothing\n/* at all */", &["1:1 bp0036"]),
    ("decl g;", &["1:1 bp0036"]),
    ("decl x; void main() begin ASYNC_1: x := 1; end", &["1:27 bp0037"]),
    ("bool f() begin return; end void main() begin f(); end", &["1:16 bp0038"]),
];

fn found(text: &str) -> (bool, Vec<String>) {
    let file = SourceFile::new("f", text);
    let (program, diagnostics) = hardbop_bp::load(&file);
    let has_error = diagnostics.iter().any(|it| it.is_error());
    assert_eq!(program.is_none(), has_error, "no program if and only if there is an error: {text}");
    let place = |it: &hardbop_diag::Diagnostic| {
        let at = file.line_col(it.primary.span.start);
        format!("{}:{} {}", at.line, at.col, it.code)
    };
    (program.is_some(), diagnostics.iter().map(place).collect())
}

#[test]
fn each_mistake_is_found_once_and_in_its_place() {
    for (text, expected) in CASES {
        assert_eq!(found(text).1, *expected, "{text}");
    }
}

#[test]
fn every_code_is_provoked() {
    // Codes that need an input of their own, below and in `limits.rs`.
    let elsewhere = ["bp0001", "bp0002", "bp0012", "bp0099"];
    let mut provoked: BTreeSet<&str> = elsewhere.into_iter().collect();
    for (_, expected) in CASES {
        provoked.extend(expected.iter().filter_map(|it| it.split_once(' ')).map(|(_, code)| code));
    }
    let all: BTreeSet<&str> =
        codes::all().iter().map(|entry| entry.id).filter(|id| id.starts_with("bp")).collect();
    assert_eq!(provoked, all);
}

#[test]
fn warnings_do_not_reject() {
    assert!(found("bool f() begin return; end void main() begin f(); end").0);
}

#[test]
fn a_cut_text_has_one_mistake_wherever_it_is_cut_by_a_comment() {
    let text =
        "decl a; void main() begin if (a) then a := !a; fi while a do a := a & b; od end decl b;";
    for (at, _) in text.match_indices(' ') {
        let cut = format!("{} /* {}", &text[..at], &text[at..]);
        let (_, found) = found(&cut);
        assert_eq!(found.len(), 1, "{cut}: {found:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_in_place() {
    let codes = |bytes: &[u8]| {
        let (file, program, found) = hardbop_bp::load_bytes("f", bytes.to_vec());
        assert!(program.is_none());
        found.iter().map(|it| render::render_concise(&file, it)).collect::<Vec<_>>()
    };
    let expected = "f:2:3: error[bp0001]: the file is not text: byte 10 is 0xe9";
    assert_eq!(codes(b"decl x;\n//\xe9\xff\n"), [expected]);
    let expected = "f:1:5: error[bp0001]: the file is not text: byte 4 is 0x00";
    assert_eq!(codes(b"decl\0 \xff"), [expected]);
    assert_eq!(codes(b"decl\0"), [expected]);
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_file_beyond_four_gibibytes_is_refused_unread() {
    // Never touched, so never in memory.
    let (_, program, found) = hardbop_bp::load_bytes("f", vec![0; 1 << 32]);
    assert!(program.is_none());
    assert_eq!(found[0].code, codes::bp::TOO_LARGE);
}

#[test]
fn the_hundred_first_mistake_is_only_counted() {
    let text = format!("void main() begin {} end", "? ; ".repeat(150));
    let file = SourceFile::new("f", text);
    let (_, found) = hardbop_bp::load(&file);
    assert_eq!(found.len(), 101);
    let last = render::render_concise(&file, &found[100]);
    assert!(last.ends_with("error[bp0099]: 50 more mistakes are not shown"), "{last}");
}

#[test]
fn a_mistake_is_shown_with_its_story() {
    let text = "decl counter;\nvoid step(a) begin end\nvoid main() begin\n  if conuter then\n    step();\nend\n";
    let file = SourceFile::new("count.bp", text);
    let (_, found) = hardbop_bp::load(&file);
    let shown: Vec<_> = found.iter().map(|it| render::render_terminal(&file, it, false)).collect();
    let expected = "\
error[bp0020]: there is no variable `conuter`
 --> count.bp:4:6
  |
4 |   if conuter then
  |      ^^^^^^^
  |
  = help: did you mean `counter`?

error[bp0027]: `step` has 1 formal, but 0 arguments are given
 --> count.bp:5:5
  |
5 |     step();
  |     ^^^^
  |
 ::: count.bp:2:1
  |
2 | void step(a) begin end
  | ------------ defined here

error[bp0008]: `fi` is missing
 --> count.bp:6:1
  |
6 | end
  | ^^^ expected `fi` before this
  |
 ::: count.bp:4:3
  |
4 |   if conuter then
  |   -- this `if` is not closed";
    assert_eq!(shown.join("\n\n"), expected);
}

//! No input exhausts the stack, takes more than linear time or makes the front end panic.

use std::time::{Duration, Instant};

use hardbop_base::SourceFile;
use hardbop_diag::Diagnostic;

/// The main thread of some systems and the worker threads of most have this much.
const STACK: usize = 2 << 20;

/// Loads and prints on a small stack; the codes found, each once.
fn load(text: String) -> Vec<&'static str> {
    let work = move || {
        let file = SourceFile::new("f", text);
        let (tree, _) = hardbop_bp::parse(&file);
        assert!(hardbop_bp::print(&tree).len() > 4);
        let (program, found) = hardbop_bp::load(&file);
        assert_eq!(program.is_none(), found.iter().any(Diagnostic::is_error));
        let mut codes: Vec<_> = found.iter().map(|it| it.code.0).collect();
        codes.dedup();
        codes
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread can be started").join().expect("no panic")
}

fn main_with(body: &str) -> String {
    format!("decl x;\nvoid main() begin\n{body}\nend\n")
}

/// `open`, n times, then `middle`, then `close` n times.
fn nested(open: &str, middle: &str, close: &str, n: usize) -> String {
    format!("{}{middle}{}", open.repeat(n), close.repeat(n))
}

#[test]
fn nesting_beyond_the_limit_is_a_diagnostic() {
    for n in [600, 100_000] {
        for expr in [
            nested("(", "x", ")", n),
            nested("!", "x", "", n),
            nested("schoose[x,", "x", "]", n),
            nested("x ? x : ", "x", "", n),
            nested("x ? ", "x", " : x", n),
            nested("x => ", "x", "", n),
            nested("x = ", "x", "", n),
            nested("(x & x = ", "x", ") | x", n),
            nested("(x = x = x = x = x) = (", "x", ")", n),
            "(".repeat(n),
        ] {
            assert_eq!(
                load(main_with(&format!("x := {expr};"))),
                ["bp0012"],
                "{n} × {}",
                &expr[..20]
            );
        }
        for stmts in [
            nested("if x then ", "skip;", " fi ", n),
            nested("if x then skip; else ", "skip;", " fi; ", n),
            nested("while x do ", "skip;", " od ", n),
            nested("if x then skip; elsif x then while x do ", "", " od fi ", n),
        ] {
            assert_eq!(load(main_with(&stmts)), ["bp0012"]);
        }
    }
    let unclosed = load(main_with(&"if x then ".repeat(100_000)));
    assert!(unclosed.contains(&"bp0012"), "{unclosed:?}");
}

#[test]
fn heights_that_add_up_count_too() {
    let mut expr = "x".to_owned();
    for _ in 0..10 {
        expr = format!("({expr}{})", " = x".repeat(100));
    }
    assert_eq!(load(main_with(&format!("x := {expr};"))), ["bp0012"]);
}

#[test]
fn nesting_up_to_the_limit_is_fine() {
    let no_mistake: [&str; 0] = [];
    assert_eq!(
        load(main_with(&format!("x := {};", nested("(x & !(", "x", "))", 240)))),
        no_mistake
    );
    assert_eq!(load(main_with(&nested("if x then ", "x := !x;", " fi ", 490))), no_mistake);
    assert_eq!(load(main_with(&nested("while x do ", "assume(((x)));", " od ", 490))), no_mistake);
    let both =
        nested("if x then ", &format!("x := {};", nested("(x ? ", "x", ": 0)", 120)), " fi ", 240);
    assert_eq!(load(main_with(&both)), no_mistake);
}

#[test]
fn chains_may_be_as_long_as_they_like() {
    let no_mistake: [&str; 0] = [];
    for sign in [" & ", " | ", " ^ "] {
        let chain = vec!["x"; 1_000_000].join(sign);
        assert_eq!(load(main_with(&format!("x := {chain};"))), no_mistake);
    }
    let enforces = "enforce x; ".repeat(100_000);
    assert_eq!(load(main_with(&enforces)), no_mistake);
    let elsifs = "elsif x then x := !x; ".repeat(100_000);
    assert_eq!(load(main_with(&format!("if x then skip; {elsifs} else skip; fi"))), no_mistake);
}

/// A generator of bytes: the same every time.
fn noise(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

#[test]
fn a_megabyte_of_noise_is_refused() {
    let mut next = noise(1);
    let bytes: Vec<u8> = (0..1 << 20).map(|_| next() as u8).collect();
    assert!(hardbop_bp::load_bytes("f", bytes).1.is_none());
    let ascii: Vec<u8> = (0..1 << 20).map(|_| 32 + (next() % 95) as u8).collect();
    let (_, program, found) = hardbop_bp::load_bytes("f", ascii);
    assert!(program.is_none() && found.len() == 101);
}

#[test]
fn words_in_any_order_make_no_panic() {
    let words = "decl void bool begin end if then elsif else fi while do od goto return skip assert \
        assume enforce abortif constrain schoose start_thread end_thread atomic_begin x y f main L \
        x$ {a b} 0 1 2 T F choose call dfs print dead sync _ ; ; ; ; : := := , , ( ) ( ) [ ] < > ' ! & \
        | ^ = != => * ? @ /*c*/ //c\n";
    let words: Vec<&str> = words.split(' ').collect();
    for seed in 0..3000 {
        let mut next = noise(seed);
        let n = 1 + next() as usize % 60;
        let text: String =
            (0..n).map(|_| format!("{} ", words[next() as usize % words.len()])).collect();
        let text = if seed % 2 == 0 { main_with(&text) } else { text };
        let (program, found) = hardbop_bp::load(&SourceFile::new("f", text.clone()));
        assert_eq!(program.is_none(), found.iter().any(Diagnostic::is_error), "{text}");
    }
}

#[test]
fn time_is_linear_in_the_length() {
    let mut text = String::from("decl a, b, c;\n");
    for proc in 0..200 {
        text += &format!("void p{proc}(u, v) begin\n  decl w;\n");
        for line in 0..250 {
            let to = (line * 7 + 3) % 250;
            text += &format!("L{line}: a, w := b & !c | u, schoose[v, w];\n");
            text += &format!("if a then\ngoto L{to};\nfi\n");
        }
        text += "end\n";
    }
    text += "void main() begin p0(0, 1); end\n";
    assert!(text.lines().count() > 200_000);
    let start = Instant::now();
    let (program, found) = hardbop_bp::load(&SourceFile::new("f", text));
    let time = start.elapsed();
    println!("200,000 lines: {time:?}");
    assert!(program.is_some() && found.is_empty());
    // A generous bound: what is quadratic takes minutes.
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn many_mistakes_take_no_longer_than_few() {
    let decls: String = (0..20_000).map(|n| format!("decl variable_{n};\n")).collect();
    let uses: String = (0..20_000).map(|n| format!("varaible_{n} := 1; goto L{n};\n")).collect();
    let start = Instant::now();
    let (program, found) =
        hardbop_bp::load(&SourceFile::new("f", format!("{decls}{}", main_with(&uses))));
    assert!(program.is_none() && found.len() == 101);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

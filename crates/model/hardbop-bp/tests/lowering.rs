//! What the statements of each dialect become, read in the text form of the IR.

use hardbop_base::SourceFile;
use hardbop_cfg::{text, verify};

/// The IR of a program, without places in the source and without the parts that are always there.
fn lowered(source: &str) -> String {
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("f", source));
    let Some(program) = program else { panic!("{diagnostics:#?}") };
    verify::verify(&program).unwrap_or_else(|it| panic!("{it}\n{source}"));
    let mut out = String::new();
    for line in text::print(&program).lines().skip(1) {
        let line = line.split(" @").next().unwrap_or(line).trim();
        if !line.is_empty() && !["end", "exit l0", "loc l0"].contains(&line) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// The edges of `main` for a body over the globals g and h and the local x.
fn edges(body: &str) -> Vec<String> {
    let source = format!(
        "decl g, h; bool<2> f(a) begin return a, 1; end void p() begin end \
         void main() begin decl x; {body} end"
    );
    let text = lowered(&source);
    let (_, main) = text.split_once("proc main").expect("there is a main");
    main.lines().filter(|line| line.contains("->")).map(str::to_owned).collect()
}

#[test]
fn each_statement_is_a_location() {
    assert_eq!(edges("skip;"), ["l1 -> l0: skip"]);
    assert_eq!(edges("g, x := x, !g;"), ["l1 -> l0: g, x := x, !g"]);
    assert_eq!(edges("_, g := 1, *;"), ["l1 -> l0: g := *"]);
    assert_eq!(edges("_ := g;"), ["l1 -> l0: skip"]);
    assert_eq!(edges("g := * constrain 'g & x | g';"), ["l1 -> l0: g := * constrain g' & x | g'"]);
    assert_eq!(edges("x$, x := 0, 1;"), ["l1 -> l0: x := true broadcast x := false"]);
    assert_eq!(edges("assert(g); assume h;"), ["l1 -> l2: assert g", "l2 -> l0: assume h"]);
    assert_eq!(edges("dead x, g, x;"), ["l1 -> l0: g, x := *, *"]);
    assert_eq!(edges("print(x, g);"), ["l1 -> l0: skip"]);
    assert_eq!(edges("return;"), ["l1 -> l0: skip"]);
    assert_eq!(
        edges("atomic_begin; atomic_end; end_thread;"),
        ["l1 -> l2: atomic_begin", "l2 -> l3: atomic_end", "l3 -> l0: end_thread"]
    );
    assert_eq!(edges("thread_end"), ["l1 -> l0: end_thread"]);
}

#[test]
fn calls_and_threads() {
    assert_eq!(edges("g, _ := f(h);"), ["l1 -> l0: g, _ := call f(h)"]);
    assert_eq!(edges("call f(1); p();"), ["l1 -> l2: call f(true)", "l2 -> l0: call p()"]);
    assert_eq!(edges("L: start_thread goto L;"), ["l1 -> l0: start_thread goto l1"]);
    assert_eq!(edges("L: start_thread L;"), ["l1 -> l0: start_thread goto l1"]);
    assert_eq!(edges("12: start_thread 12;"), ["l1 -> l0: start_thread goto l1"]);
    assert_eq!(edges("start_thread f(*);"), ["l1 -> l0: start_thread call f(*)"]);
    assert_eq!(edges("L: ASYNC_1: M: f(g);"), ["l1 -> l0: start_thread call f(g)"]);
}

#[test]
fn branches_and_loops() {
    assert_eq!(
        edges("if g then skip; elsif h then x := 0; else x := 1; fi g := x;"),
        [
            "l1 -> l2: assume g",
            "l1 -> l3: assume !g",
            "l2 -> l6: skip",
            "l3 -> l4: assume h",
            "l3 -> l5: assume !h",
            "l4 -> l6: x := false",
            "l5 -> l6: x := true",
            "l6 -> l0: g := x",
        ]
    );
    assert_eq!(edges("if * then fi;"), ["l1 -> l0: assume *", "l1 -> l0: assume !*"]);
    assert_eq!(
        edges("if g then else if h then L: fi fi"),
        [
            "l1 -> l0: assume g",
            "l1 -> l2: assume !g",
            "l2 -> l3: assume h",
            "l2 -> l0: assume !h",
            "l3 -> l0: skip",
        ]
    );
    assert_eq!(
        edges("while (?) do while h do od g := h; od"),
        [
            "l1 -> l2: assume *",
            "l1 -> l0: assume !*",
            "l2 -> l2: assume h",
            "l2 -> l3: assume !h",
            "l3 -> l1: g := h",
        ]
    );
    assert_eq!(
        edges("A: goto B, 7, A; 7: skip; B: C:"),
        ["l1 -> l3: skip", "l1 -> l2: skip", "l1 -> l1: skip", "l2 -> l3: skip", "l3 -> l0: skip"]
    );
}

#[test]
fn precedence_from_loosest_to_tightest() {
    let value = |text: &str| {
        let edges = edges(&format!("x := {text};"));
        edges[0].split_once(":= ").expect("an assignment").1.to_owned()
    };
    assert_eq!(value("g | h & x"), "g | h & x");
    assert_eq!(value("(g | h) & x"), "(g | h) & x");
    assert_eq!(value("g => h => x"), value("(g => h) => x"));
    assert_ne!(value("g => h => x"), value("g => (h => x)"));
    assert_eq!(value("g | h => x | g"), value("((g | h) => x) | g"));
    assert_eq!(value("g | h ^ x & g = h"), value("g | (h ^ (x & (g = h)))"));
    assert_eq!(value("!g = h"), value("(!g) = h"));
    assert_eq!(value("g = h != x"), value("(g = h) != x"));
    assert_eq!(value("g | h ? x : g ? h : x"), value("(g | h) ? x : (g ? h : x)"));
    assert_eq!(value("? ? ? : *"), value("(*) ? (*) : (*)"));
    assert_eq!(value("g || h && ~x == T <> F"), value("g | (h & ((!x) = 1 != 0))"));
    assert_eq!(value("choose[g, h]"), value("schoose[g, h]"));
}

#[test]
fn declarations_initialisers_and_enforce() {
    let text = lowered(
        "decl g, h := *, k := !g | h; bool<2> f(a) begin decl l := a, m := l; \
         enforce (g); abortif l & m; return *, l; end main(z) begin end",
    );
    let expected = "\
shared g
shared h
shared k
main main
proc f(a
local l
local m
enforce g & !(l & m)
entry l1
loc l1
l1 -> l2: l := a
loc l2
l2 -> l3: m := l
loc l3
l3 -> l0: \"return$0\", \"return$1\" := *, l
proc main(z
entry l0
";
    assert_eq!(text, expected);
}

#[test]
fn a_local_hides_a_global() {
    assert_eq!(edges("x := g;").len(), 1);
    let text =
        lowered("decl x, y; void main() begin decl x; x := y; end void f() begin x := y; end");
    assert!(text.contains("l1 -> l0: x#2 := y") && text.contains("l1 -> l0: x := y"), "{text}");
}

#[test]
fn a_file_without_main_begins_with_init() {
    let text = lowered(
        "void init() begin help(); end void t1(a) begin end void t2() begin t2(); end \
         void t3() begin end void help() begin end",
    );
    let (_, main) = text.split_once("proc main()").expect("a main was made");
    let edges: Vec<_> = main.lines().filter(|line| line.contains("->")).collect();
    assert_eq!(
        edges,
        [
            "l1 -> l2: call init()",
            "l2 -> l3: start_thread call t1(*)",
            "l3 -> l4: start_thread call t2()",
            "l4 -> l0: call t3()",
        ]
    );
    assert!(lowered("void init() begin end").ends_with("l1 -> l0: call init()\n"));
}

#[test]
fn words_that_are_keywords_only_in_their_place_can_be_names() {
    let source = "void main() begin decl call, choose, dfs, print, dead, sync; call := choose; \
        choose := choose[call, dfs]; print(dead); dead dead; call main(); dead: sync := print; \
        dfs, print := 0, 1; sync: goto dead; end";
    assert!(lowered(source).contains("schoose["), "{}", lowered(source));
}

#[test]
fn figure_1_of_the_bebop_paper_is_a_program() {
    let text = lowered(
        "decl g; main() begin decl h; h := !g; A(g,h); skip; A(g,h); skip; \
         if (g) then R: skip; else skip; fi end \
         A(a1,a2) begin if (a1) then A(a2,a1); skip; else g := a2; fi end",
    );
    assert!(text.contains("loc l7 R") && text.contains("call A(a2, a1)"), "{text}");
    let odd = lowered("decl {*p==*q}, c$$x#1-2; void main() begin {*p==*q} := c$$x#1-2; end");
    assert!(odd.contains("\"{*p==*q}\" := "), "{odd}");
}

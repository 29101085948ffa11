//! One program per construct: what it prints, which check fails, what is refused and where.

use hardbop_c::load::Rejected;
use hardbop_c::{CProgram, DataModel, Options, load_text};
use hardbop_cir::Assumption;
use hardbop_cir::interp::{Config, Ending, Run, run};

fn lowered(text: &str, model: DataModel) -> Result<CProgram, Box<Rejected>> {
    let loaded =
        load_text(vec![("t.c".into(), text.into())], &Options { model, ..Options::default() })?;
    hardbop_cir::verify(&loaded.program).unwrap_or_else(|it| panic!("{it}\n{text}"));
    Ok(loaded)
}

fn executed(text: &str, model: DataModel) -> (CProgram, Run) {
    let loaded = lowered(text, model).unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
    let result = run(&loaded.program, &Config::default());
    (loaded, result)
}

/// The output of a program that ends well.
fn prints(text: &str) -> String {
    let (_, result) = executed(text, DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Exit(_)), "{:?}\n{text}", result.ending);
    String::from_utf8_lossy(&result.output).into_owned()
}

/// Line, class and message of the check that ends a program, or the first that failed.
fn violation(text: &str) -> (u32, &'static str, String) {
    let (loaded, result) = executed(text, DataModel::Lp64);
    let check = match (&result.ending, result.violations.first()) {
        (Ending::Violation(check), _) => *check,
        (_, Some(check)) => *check,
        (other, None) => panic!("{other:?}\n{text}"),
    };
    let check = &loaded.program.checks[check];
    (loaded.sources.position(check.span).line, check.class.name(), check.message.to_string())
}

fn refused(text: &str) -> (u32, &'static str) {
    match lowered(text, DataModel::Lp64) {
        Ok(_) => panic!("taken:\n{text}"),
        Err(it) => {
            (it.sources.position(it.diagnostics[0].primary.span).line, it.diagnostics[0].code.0)
        }
    }
}

const PRINTF: &str = "int printf(const char *, ...);";

#[test]
fn constructs_beyond_the_usual_grammar() {
    let text = format!(
        "{PRINTF}
        int f$(int a) {{ return a ?: 7; }}
        __int128 big = 1;
        static __thread int t;
        old(a, b) char a; int b; {{ return a + b; }}
        int main() {{
            __label__ out;
            __auto_type n = 3ul;
            int x = ({{ int y = 2; y * y; }});
            big = big << 100;
            switch (x) {{ case 1 ... 3: x = 0; break; case 4 ... 9: x++; __attribute__((fallthrough)); default: x += 10; }}
            if (n) goto out;
            x = 0;
          out:
            printf(\"%d %d %d %d %d %d %zu\\n\", f$(0), f$(3), x, (int)(big >> 99), old(1, 2),
                   _Generic(n, int: 1, unsigned long: 2, default: 3), __builtin_offsetof(struct {{ char a; struct {{ int b[4]; }} c; }}, c.b[2]));
            return t;
        }}"
    );
    assert_eq!(prints(&text), "7 3 15 2 3 2 12\n");
}

#[test]
fn layouts_of_both_data_models() {
    let text = format!(
        "{PRINTF}
        struct s {{ char a; long b; short c; double d; }};
        struct __attribute__((packed)) p {{ char a; long b; }};
        struct bits {{ unsigned a : 3; unsigned b : 30; char c; unsigned : 0; int d : 4; }};
        int main(void) {{ printf(\"%d %d %d %d %d\", (int)sizeof(struct s), (int)sizeof(struct p), (int)sizeof(struct bits), (int)sizeof(void *), (int)sizeof(long long)); return 0; }}"
    );
    let (_, lp64) = executed(&text, DataModel::Lp64);
    assert_eq!(String::from_utf8_lossy(&lp64.output), "32 9 16 8 8");
    let (_, ilp32) = executed(&text, DataModel::Ilp32);
    assert_eq!(String::from_utf8_lossy(&ilp32.output), "20 5 16 4 8");
}

#[test]
fn each_class_has_its_message() {
    let cases = [
        (
            "int buf[10]; int main(void) { int i = 10; return buf[i]; }",
            (1, "bounds", "index `i` out of bounds 0..9 of `buf`"),
        ),
        (
            "int main(void) { int *p = 0;\n return *p; }",
            (2, "null", "`p` may be null or no address where it is read through"),
        ),
        (
            "int main(void) { int z = 0; return 5 / z; }",
            (1, "div", "the divisor of `5 / z` may be 0"),
        ),
        (
            "int main(void) { int m = 2147483647; m = m + 1; return 0; }",
            (1, "overflow", "`m + 1` may overflow"),
        ),
        (
            "int main(void) { int n = 32; return 1 << n; }",
            (1, "shift", "the amount of `1 << n` may be negative or 32 or more"),
        ),
        (
            "int main(void) { int x; return x; }",
            (1, "uninit", "`x` may be read before it has a value"),
        ),
        (
            "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(4); free(p); *p = 1; return 0; }",
            (1, "dangling", "what `p` points to may no longer exist where it is written"),
        ),
        (
            "void *malloc(unsigned long); void free(void *); int main(void) { char *p = malloc(4); free(p + 1); return 0; }",
            (1, "free", "`p + 1` may not be allocated memory, or be freed already"),
        ),
        (
            "void *malloc(unsigned long); int main(void) { malloc(4); return 0; }",
            (1, "leak", "memory may be lost: at the end nothing points to it"),
        ),
        (
            "void spin_lock(int *); int l; int main(void) { spin_lock(&l); spin_lock(&l); return 0; }",
            (1, "lock", "`&l` may be held already where it is acquired"),
        ),
        (
            "int main(void) { __builtin_unreachable(); }",
            (1, "unreachable", "code marked as unreachable may be reached"),
        ),
        (
            "void __VERIFIER_assert(int); int main(void) { int a = 1;\n __VERIFIER_assert(a == 2); return 0; }",
            (2, "assert", "assertion `a == 2` may fail"),
        ),
        (
            "# 40 \"orig.c\"\nvoid reach_error(); int main(void) { reach_error(); }",
            (40, "assert", "`reach_error` may be called"),
        ),
        (
            "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
            (1, "dangling", "what `p` points to may no longer exist where it is read"),
        ),
        (
            "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }",
            (1, "bounds", "`s[0]` may point to constant memory where it is written"),
        ),
    ];
    for (text, (line, class, message)) in cases {
        assert_eq!(violation(text), (line, class, message.to_string()), "{text}");
    }
}

#[test]
fn what_is_not_modelled_is_seen_and_located() {
    let text = "int main(int argc, char **argv) {\n if (argc > 5)\n  asm(\"cli\");\n return 3; }";
    let (loaded, result) = executed(text, DataModel::Lp64);
    assert_eq!(result.ending, Ending::Exit(3));
    let places: Vec<u32> =
        loaded.warnings.iter().map(|it| loaded.sources.position(it.primary.span).line).collect();
    assert_eq!(places, [3]);
    let (_, result) = executed("int main(void) { asm(\"cli\"); return 0; }", DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Unsupported(..)), "{:?}", result.ending);
    assert_eq!(refused("int x;\n_Complex double z;\nint main(void) { return 0; }"), (2, "c0003"));
    assert_eq!(refused("int main(void) {\n return 1 +; }"), (2, "c0001"));
    assert_eq!(refused("int main(void) {\n return y; }"), (2, "c0005"));
    assert_eq!(refused("int f(void) { return 0; }"), (1, "c0007"));
}

#[test]
fn unknown_functions_are_assumptions() {
    let text = "int get(int *); int main(void) { int x = 5; int y = get(&x); return y + x; }";
    let loaded = lowered(text, DataModel::Lp64).expect("this is C");
    assert!(loaded.program.assumptions.contains(&Assumption::NoBody("get".into())));
}

#[test]
fn deep_text_is_no_stack_overflow() {
    let deep = 30_000;
    let text = format!("int main(void) {{ return {}1{}; }}", "(".repeat(deep), ")".repeat(deep));
    assert_eq!(refused(&text), (1, "c0002"));
    let text = format!("int main(void) {{ return {}", "(".repeat(300_000));
    assert_eq!(refused(&text), (1, "c0002"));
    let text = format!("int main(void) {{ return {}1{}; }}", "(".repeat(3000), ")".repeat(3000));
    assert_eq!(executed(&text, DataModel::Lp64).1.ending, Ending::Exit(1));
    let sum = vec!["x"; 10_000].join(" + ");
    let text = format!("int main(void) {{ int x = 1; int s = {sum}; return s == 10000; }}");
    assert_eq!(executed(&text, DataModel::Lp64).1.ending, Ending::Exit(1));
    let text = format!(
        "int main(void) {{ int x = 0; {} x++; {} return x; }}",
        "{".repeat(5000),
        "}".repeat(5000)
    );
    assert_eq!(executed(&text, DataModel::Lp64).1.ending, Ending::Exit(1));
}

#[test]
fn cut_texts_are_refused_or_taken_without_panic() {
    let text = "struct s { int a : 3; } g = { .a = 1 }; int f(int n, ...) { switch (n) { case 1: return n ?: 2; default: while (n--) if (n > 1) break; } return g.a; } int main(void) { return f(3, 4.5f, \"x\\n\", 'c'); }";
    for at in 0..text.len() {
        let _ = lowered(&text[..at], DataModel::Lp64);
        let mut odd = text.to_string();
        odd.remove(at);
        let _ = lowered(&odd, DataModel::Ilp32);
    }
    assert_eq!(executed(text, DataModel::Lp64).1.ending, Ending::Exit(1));
}

#[test]
fn files_are_linked_or_refused() {
    let link = |a: &str, b: &str| {
        let files = [("a.c", a), ("b.c", b)].map(|(name, text)| (name.into(), text.into()));
        load_text(files.into(), &Options::default())
    };
    let a = "static int hidden = 1; int shared = 2; int other(void);
        int main(void) { return hidden + shared * other(); }";
    let b =
        "static int hidden = 20; extern int shared; int other(void) { return hidden + shared; }";
    let loaded = link(a, b).unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    assert_eq!(run(&loaded.program, &Config::default()).ending, Ending::Exit(45));
    // A second definition without a value is the same variable, as old compilers link it.
    assert!(link("int x = 1; int main(void) { return x; }", "int x;").is_ok());
    for (a, b) in [
        ("int x = 1; int main(void) { return x; }", "int x = 2;"),
        ("int x; int main(void) { return x; }", "long x;"),
        ("int main(void) { return 0; }", "int main(void) { return 1; }"),
    ] {
        let refused = link(a, b).expect_err("the files do not fit");
        assert_eq!(refused.diagnostics[0].code.0, "c0009");
        assert_eq!(&*refused.sources.position(refused.diagnostics[0].primary.span).file, "b.c");
    }
}

/// At the top, in a block, in a record; what cannot be computed is an assumption.
#[test]
fn static_assertions_are_decided() {
    let read = |text: &str| load_text(vec![("t.c".into(), text.into())], &Options::default());
    for text in [
        "_Static_assert(sizeof(long) == 4, \"32\" \" bits\"); int main(void) { return 0; }",
        "int main(void) { static_assert(0); return 0; }",
        "struct s { int a; _Static_assert(sizeof(int) > 4, \"\"); }; int main(void) { return 0; }",
    ] {
        let refused = read(text).expect_err(text);
        assert_eq!(refused.diagnostics.len(), 1);
        assert_eq!(refused.diagnostics[0].code.0, "c0012");
    }
    let holds = "enum { N = 3 }; _Static_assert(N == 3 && sizeof(char) == 1, \"\");
        struct s { char a; _Static_assert(1, \"\"); int b; };
        int main(void) { _Static_assert(sizeof(struct s) == 8); return 0; }";
    let loaded = read(holds).unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    assert!(loaded.program.assumptions.is_empty());
    let open = "int x; _Static_assert(x == 0, \"\"); int main(void) { return 0; }";
    let loaded = read(open).unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    assert_eq!(
        loaded.program.assumptions[0].to_string(),
        "`x == 0` holds, as a static assertion says"
    );
}

/// `argc` is any number from 1 on; the interpreter takes 1. Words of other verifiers that have a
/// meaning we do not know end the path.
#[test]
fn arguments_of_main_and_foreign_words() {
    let ends = |text: &str| {
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.into())], &Default::default())
            .expect("the test's program is C");
        hardbop_cir::interp::run(&loaded.program, &Default::default()).ending
    };
    use hardbop_cir::interp::Ending;
    let argc = "int main(int argc, char **argv) { return 10 * argc + (argv[argc] == 0); }";
    assert_eq!(ends(argc), Ending::Exit(11));
    let foreign = ends("int main() { int a[1]; return __CPROVER_r_ok(a, sizeof a); }");
    assert!(matches!(foreign, Ending::Unsupported(..)), "{foreign:?}");
}

/// Jumping past a declaration, the object is there with no value (C11 6.2.4): also in a switch.
#[test]
fn jumps_into_a_scope_find_its_objects() {
    let text = format!(
        "{PRINTF}
        int main(void) {{
            int n = 0;
            for (int i = 0; i < 3; i++)
                switch (i) {{ int a[2]; case 0: case 2: a[0] = i; a[1] = 1; n += a[0] + a[1]; break; default: a[1] = 5; n += a[1]; }}
            goto in;
            {{ int s[2]; in: s[0] = 1; s[1] = 2; n += s[0] + s[1]; }}
            printf(\"%d\", n);
            return 0;
        }}"
    );
    assert_eq!(prints(&text), "12");
}

/// Every kind of nesting 10,000 deep, read, lowered, cut and run by a thread with a stack of 2 MB.
#[test]
fn hostile_nesting_needs_no_stack_of_the_caller() {
    let n = 10_000;
    let wrap = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let values = [
        wrap("(", "1", ")"),
        wrap("- ", "1", ""),
        wrap("!", "x", ""),
        wrap("x ? 1 : ", "1", ""),
        wrap("!x ? ", "1", " : 2"),
        wrap("x || ", "1", ""),
        wrap("x + (", "1", ")"),
        wrap("x, ", "1", ""),
        wrap("x = ", "1", ""),
        wrap("(int)", "1", ""),
        wrap("one(", "1", ")"),
        wrap("a[", "0", "]"),
        wrap("({", "1", ";})"),
    ];
    let statements = [
        wrap("{", "x = 1;", "}"),
        wrap("if (!x) ", "x = 1;", ""),
        wrap("if (x) ; else ", "x = 1;", ""),
        wrap("while (!x) ", "x = 1;", ""),
        wrap("for (; !x; ) ", "x = 1;", ""),
        wrap("do ", "x = 1;", " while (!x);"),
        (0..n).map(|at| format!("l{at}:")).collect::<String>() + "x = 1;",
        "switch (x) {".to_string()
            + &(0..n).map(|at| format!("case {at}:")).collect::<String>()
            + "x = 1; }",
    ];
    let texts = values.map(|it| format!("x = ({it});")).into_iter().chain(statements);
    for body in texts {
        let text = format!(
            "int one(int n) {{ return 1; }} int a[2] = {{ 0, 1 }}; int main(void) {{ int x = 0; {body} return 7; }}"
        );
        let ending = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            let loaded = load_text(vec![("deep.c".into(), text)], &Options::default())
                .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
            let mut program = loaded.program;
            hardbop_cir::pass::shrink(
                &mut program,
                hardbop_cir::pass::Keep::ChecksAndOutput,
                hardbop_cir::pass::Passes::ALL,
            );
            hardbop_cir::analysis::Ranges::of(&program);
            run(&program, &Config::default()).ending
        });
        let ending = ending.expect("a thread can be started").join();
        let start: String = body.chars().take(20).collect();
        assert_eq!(ending.expect("no panic"), Ending::Exit(7), "{start}");
    }
}

/// A statement expression that is looked at for its type only leaves nothing behind.
#[test]
fn statement_expressions_in_arms() {
    let text = format!(
        "{PRINTF}
        int main(void) {{
            int x = 1, n = 0;
            int y = x ? ({{ goto l; l: n++; 3; }}) : 4;
            x = n ? ({{ if (y > 5) goto out; n += 10; y; }}) : ({{ goto out; 1; }});
          out:
            printf(\"%d %d %d\", x, y, n);
            return 0;
        }}"
    );
    assert_eq!(prints(&text), "3 3 11");
}

/// Constructs of other compilers and of C23: taken, or refused where they stand by name.
#[test]
fn extensions_are_taken_or_named() {
    let text = "int main(void) { static int b[] = (int[]){ 4, 5 }; [[maybe_unused]] int x = 1;
        switch (x) { case 1: x = 0; [[fallthrough]]; default: return x + b[1] + sizeof b; } }";
    assert_eq!(executed(text, DataModel::Lp64).1.ending, Ending::Exit(13));
    let message = |text: &str| match lowered(text, DataModel::Lp64) {
        Ok(_) => panic!("taken:\n{text}"),
        Err(it) => (it.diagnostics[0].code.0, it.message()),
    };
    for (text, word) in [
        ("int main(void) { double x = 2.0i; return 0; }", "imaginary constant"),
        (
            "int main(void) { int f(int a) { return a; } return f(1); }",
            "function inside a function",
        ),
        ("int main(void) { int n = 3; struct { int b[n]; } v; return 0; }", "variable length"),
        (
            "typedef int v4 __attribute__((vector_size(16))); v4 a; int main(void) { return 0; }",
            "vector_size",
        ),
    ] {
        let (code, message) = message(text);
        assert!(message.contains(word) && matches!(code, "c0003" | "c0004"), "{code} {message}");
    }
    // This ends the path that comes there; the warning stands at the place.
    let text =
        "int main(void) { int x = 1;\n asm goto(\"jmp %l0\" :::: out); return 1; out: return 0; }";
    let (loaded, result) = executed(text, DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Unsupported(..)), "{:?}", result.ending);
    assert!(!loaded.warnings.is_empty());
}

#[test]
fn locks_by_a_table_that_can_be_extended() {
    let ends = |text: &str, entry: Option<&str>| {
        let mut options = Options::default();
        if let Some(entry) = entry {
            let entry: hardbop_c::locks::LockEntry = entry.parse().expect("an entry");
            options.locks.add(entry.function, entry.act);
        }
        let loaded = load_text(vec![("t.c".into(), text.into())], &options)
            .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
        let result = run(&loaded.program, &Config::default());
        match result.ending {
            Ending::Violation(check) => loaded.program.checks[check].message.to_string(),
            other => format!("{other:?}"),
        }
    };
    let own = "void grab(int *); void drop(int *); int l; int main(void) { grab(&l); grab(&l); return 0; }";
    assert_eq!(ends(own, None), "Exit(0)");
    assert_eq!(ends(own, Some("grab=acquire")), "`&l` may be held already where it is acquired");
    let irq = "typedef struct { int s; } spinlock_t; void spin_lock_irqsave(spinlock_t *, unsigned long);
        void spin_unlock_irqrestore(spinlock_t *, unsigned long); spinlock_t l;
        int main(void) { unsigned long f = 0; spin_lock_irqsave(&l, f); spin_unlock_irqrestore(&l, f); spin_unlock_irqrestore(&l, f); return 0; }";
    assert_eq!(ends(irq, None), "`&l` may not be held where it is released");
    let tried = "int pthread_mutex_trylock(int *); int pthread_mutex_unlock(int *); int l;
        int main(void) { if (pthread_mutex_trylock(&l) == 0) pthread_mutex_unlock(&l); pthread_mutex_unlock(&l); return 0; }";
    assert_eq!(ends(tried, None), "`&l` may not be held where it is released");
    assert!("grab=take".parse::<hardbop_c::locks::LockEntry>().is_err());
}

#[test]
fn items_after_a_designator_go_on_inside_of_it() {
    let text = format!(
        "{PRINTF}
        struct s {{ int a; struct {{ int b, c[3]; }} in; struct {{ int d, e; }}; int f; }};
        struct s g = {{ .in.c[1] = 5, 6, .d = 7, 8, 9 }};
        struct bits {{ struct {{ int p : 3; unsigned q : 4; }} i[2]; }} b = {{ {{ {{ -1, 3 }}, {{ 2, 15 }} }} }};
        char t[2][4] = {{ \"abc\", [0] = \"x\" }};
        struct s o = {{ .in = {{ 1, {{ 2, 3 }} }}, .in = {{ 4 }} }};
        int main(void) {{
            struct s l = {{ .in.c[1] = 5, 6, .d = 7, 8, 9 }};
            struct bits m = {{ {{ {{ -1, 3 }}, {{ 2, 15 }} }} }};
            printf(\"%d %d %d %d %d\\n\", g.in.c[1], g.in.c[2], g.d, g.e, g.f);
            printf(\"%d %d %d %d %d\\n\", l.in.c[1], l.in.c[2], l.d, l.e, l.f);
            printf(\"%d %u %d %u\\n\", b.i[0].p, b.i[0].q, b.i[1].p, b.i[1].q);
            printf(\"%d %u %d %u\\n\", m.i[0].p, m.i[0].q, m.i[1].p, m.i[1].q);
            printf(\"%d %d %d %d\\n\", t[0][0], t[0][1], o.in.b, o.in.c[0]);
            return 0;
        }}"
    );
    assert_eq!(prints(&text), "5 6 7 8 9\n5 6 7 8 9\n-1 3 2 15\n-1 3 2 15\n120 0 4 0\n");
}

#[test]
fn builtins_of_the_compiler_are_computed() {
    let text = format!(
        "{PRINTF}
        int popcount(unsigned x) {{ return 99; }}
        int main(void) {{
            unsigned u; long l;
            printf(\"%d %d %d\\n\", __builtin_clz(1), __builtin_ctz(8), __builtin_popcount(255));
            printf(\"%d %d %d\\n\", __builtin_clzll(-1), __builtin_ffs(0), __builtin_ffsll(1LL << 40));
            printf(\"%d %d\\n\", __builtin_abs(-3), (int)__builtin_strlen(\"abc\"));
            printf(\"%d %u\\n\", __builtin_uadd_overflow(-1, 1, &u), u);
            printf(\"%d %ld\\n\", __builtin_smull_overflow(65536, 65536, &l), l);
            printf(\"%d\\n\", (int)sizeof __func__);
            return 0;
        }}"
    );
    assert_eq!(prints(&text), "31 3 8\n0 0 41\n3 3\n1 0\n0 4294967296\n5\n");
}

/// What runs after `main` may violate what is asked.
#[test]
fn functions_that_run_at_the_end_are_called() {
    let text =
        "int atexit(void (*)(void)); void reach_error(void); void end(void) { reach_error(); }
        int main(void) { atexit(end); return 0; }";
    let (_, result) = executed(text, DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Violation(_)), "{:?}", result.ending);
}

/// One that is not known has a meaning all the same: it is no function that returns anything.
#[test]
fn an_unknown_builtin_is_not_modelled() {
    let (_, result) =
        executed("int main(void) { return __builtin_ia32_rdtsc() != 0; }", DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Unsupported(..)), "{:?}", result.ending);
}

#[test]
fn constants_have_the_precision_of_their_type() {
    let text = format!(
        "{PRINTF}
        int main(void) {{
            float f = 9007199791611905LL;
            printf(\"%d %d %d\\n\", 0.1f == 0.1, 0.7f < 0.7, f == 9007200328482816.0f);
            return 0;
        }}"
    );
    assert_eq!(prints(&text), "0 1 1\n");
}

/// `double` is no model of it: the sum is not 1 there.
#[test]
fn arithmetic_in_long_double_is_not_modelled() {
    let text = "int main(void) { long double x = 0.5L; if (x == 0.5) x = x + 0x1p-60; return 0; }";
    let (_, result) = executed(text, DataModel::Lp64);
    assert!(matches!(result.ending, Ending::Unsupported(..)), "{:?}", result.ending);
}

/// A header declares much that a program does not use.
#[test]
fn what_is_only_declared_is_not_taken() {
    let head = "unsigned long strlen(const char *); char *strcpy(char *, const char *);
        extern void *elsewhere;";
    let taken = |text: &str| {
        let loaded = lowered(&format!("{head} {text}"), DataModel::Lp64).expect("it is C");
        let funcs = loaded.program.funcs.iter().map(|it| it.name.to_string());
        (funcs.collect::<Vec<String>>(), {
            let said: Vec<String> =
                loaded.program.assumptions.iter().map(ToString::to_string).collect();
            said.join("; ")
        })
    };
    let (funcs, assumptions) = taken("int main(void) { return 0; }");
    assert!(!funcs.iter().any(|it| it.contains("str")), "{funcs:?}");
    assert!(!assumptions.contains("elsewhere"), "{assumptions}");
    let (funcs, assumptions) = taken(
        "int main(void) { unsigned long (*f)(const char *) = strlen; return elsewhere && f; }",
    );
    assert!(funcs.contains(&"strlen".to_string()) && !funcs.contains(&"strcpy".to_string()));
    assert!(assumptions.contains("elsewhere"), "{assumptions}");
}

/// No path leads to a first value, so that none can end there.
#[test]
fn a_first_value_that_is_not_supported_is_refused() {
    let reads = |value: &str| {
        let text = format!("static long double x = {value}; int main(void) {{ return x > 0; }}");
        lowered(&text, DataModel::Lp64).is_ok()
    };
    assert!(reads("1.0L / 4 + 2"));
    assert!(!reads("0.1L"));
    assert!(!reads("1.0L / 3"));
    assert!(!reads("9007199254740993LL"));
}

//! Reading takes a time that grows with the text, not with its square.

use std::time::Duration;

use hardbop_c::{Options, load_text};

/// Processor time of this thread.
fn spent() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Safe: the pointer is to a whole structure of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn time_to_read(text: String) -> Duration {
    let start = spent();
    let read = load_text(vec![("long.c".into(), text)], &Options::default());
    read.unwrap_or_else(|it| panic!("{}", it.message()));
    spent() - start
}

fn numbered(n: usize, each: impl Fn(usize) -> String) -> String {
    (0..n).map(each).collect()
}

type Family = (&'static str, fn(usize) -> (String, String));

/// What stands before `main`, and what it does.
const FAMILIES: &[Family] = &[
    ("dimensions", |n| (format!("extern int a{};", "[1]".repeat(n)), String::new())),
    ("nested ifs", |n| (String::new(), "if (x)\n".repeat(n) + "x = 1;")),
    ("else ifs", |n| (String::new(), numbered(n, |i| format!("if (x == {i}) x++; else\n")) + ";")),
    ("nested loops", |n| (String::new(), "for (x = 0; x < 3; x++)\n".repeat(n) + ";")),
    ("nested blocks", |n| (String::new(), "{ int y = x;\n".repeat(n) + "x = y;" + &"}".repeat(n))),
    ("initialisers", |n| (String::new(), format!("int a[] = {{ {} }};", "x,\n".repeat(n)))),
    ("conjunctions", |n| (String::new(), format!("x = {}x;", "x &&\n".repeat(n)))),
    ("fields", |n| {
        let fields = numbered(n, |i| format!("int f{i};\n"));
        (format!("struct s {{ {fields} }} v;"), numbered(n, |i| format!("v.f{i} = x;\n")))
    }),
    ("values of fields", |n| {
        let fields = numbered(n, |i| format!("int f{i};\n"));
        (format!("struct s {{ {fields} }} v = {{ {} }};", "1,\n".repeat(n)), String::new())
    }),
    ("cases", |n| {
        let cases = numbered(n, |i| format!("case {i}: x = {i}; break;\n"));
        (String::new(), format!("switch (x) {{ {cases} }}"))
    }),
    ("jumps", |n| {
        (String::new(), numbered(n, |i| format!("l{i}: if (x++) goto l{};\n", i * 7 % n)))
    }),
];

#[test]
fn twice_the_text_takes_about_twice_the_time() {
    for (name, family) in FAMILIES {
        let time = |n: usize| {
            let (before, inside) = family(n);
            time_to_read(format!("{before}\nint main(void) {{ int x = 0; {inside} return x; }}"))
        };
        // The best of three: what else the machine does can only add.
        let best = |n: usize| (0..3).map(|_| time(n)).min().unwrap_or_default();
        let (once, twice) = (best(10_000), best(20_000));
        println!("{name}: {once:?}, twice as long {twice:?}");
        let most = once * 3 + Duration::from_millis(20);
        assert!(twice < most, "{name}: {once:?}, twice as long {twice:?}");
    }
}

//! Random functions that call themselves and each other: what is proved of them holds in all runs.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine_c::{Finding, Options};

/// `HARDBOP_RANDOM_RECURSION` asks for more.
const PROGRAMS: u64 = 60;

const BASES: [&str; 7] = ["a", "0", "1", "n", "a + 1", "V", "g"];
const WORK: [&str; 13] = [
    "",
    "",
    "g++;",
    "g = a;",
    "if (a > V) g = V;",
    "a = a + V;",
    "t[n & 3] = a;",
    "t[V] = n;",
    "for (int i = 0; i < n; i++) g = g + V;",
    "{ int b[2] = {a, n}; p = &b[a & 1]; a = *p; }",
    "a = t[a & 3];",
    "if (n == V) return a;",
    "if (g == 9 + V) reach_error();",
];
const CALLS: [&str; 9] = [
    "f(n - 1, a)",
    "f(n - 1, a + 1)",
    "f(n - 1, a - 1)",
    "h(n - 1, a)",
    "f(n - 2, V)",
    "f(n - 1, h(n - 1, a))",
    "h(n - 1, n)",
    "f(n - 1, a) + f(n - 2, a)",
    "h(n - 2, a + n)",
];
const RESULTS: [&str; 9] =
    ["x", "x", "x + 1", "x + a", "a", "x + n", "x > a ? x : a", "g", "x - V"];
/// Most of them weak, so that some hold.
const CLAIMS: [&str; 16] = [
    "r >= 0",
    "r == a",
    "r == a + n",
    "r <= 9",
    "r != 3",
    "g >= 0",
    "g <= 40",
    "r >= n",
    "s <= 99",
    "t[1] == 0",
    "r >= a",
    "g == k",
    "s >= 0",
    "r + s >= 0",
    "s != 7",
    "s >= r - 20",
];

fn function(name: &str, chance: &mut Rng) -> String {
    let mut pick = |list: &[&'static str]| *chance.pick(list).expect("there are some");
    let text = format!(
        "int {name}(int n, int a) {{ int x = 0, *p; {} if (n <= 0) return {}; {} x = {}; {} return {}; }}\n",
        pick(&WORK),
        pick(&BASES),
        pick(&WORK),
        pick(&CALLS),
        pick(&WORK),
        pick(&RESULTS),
    );
    text.replace('V', &chance.below(3).to_string())
}

fn program(seed: u64) -> String {
    let mut chance = Rng::new(seed);
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void); void reach_error(void); int g, t[4];
static int in(void) { return __VERIFIER_nondet_int() & 3; }
int f(int n, int a); int h(int n, int a);\n",
    );
    text += &function("f", &mut chance);
    text += &function("h", &mut chance);
    let mut pick = |list: &[&'static str]| *chance.pick(list).expect("there are some");
    text += &format!(
        "int main(void) {{ int n = in(), a = in(), k = g = in(); int r = f(n, a), s = h(a, n);
  if (!({})) reach_error(); return k; }}\n",
        pick(&CLAIMS),
    );
    text
}

#[test]
fn what_is_proved_of_recursion_holds_in_all_runs() {
    let mut classes = Class::select("unreach-call").expect("a property there is");
    classes.extend(Class::select("valid-memsafety").expect("a property there is"));
    let asked = std::env::var("HARDBOP_RANDOM_RECURSION").ok().and_then(|it| it.parse().ok());
    let (mut by_contracts, mut n_wrong, mut n_open) = (0, 0, 0);
    for seed in 0..asked.unwrap_or(PROGRAMS) {
        let text = program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let Some(expected) = violated(&loaded.program, &classes) else { continue };
        let budget = Budget::unlimited().with_time(Duration::from_secs(2));
        let proof = hardbop_kind::recursion::prove(&loaded.program, &classes, &budget);
        let is_proved = matches!(proof, Ok(Some(_)));
        assert!(!is_proved || expected.is_empty(), "seed {seed} is proved\n{text}");
        by_contracts += usize::from(is_proved);
        n_wrong += usize::from(!expected.is_empty());
        n_open += usize::from(!is_proved && expected.is_empty());
    }
    println!("{by_contracts} proved by contracts, {n_open} open, {n_wrong} go wrong");
    assert!(by_contracts > 0 && n_wrong > 5, "{by_contracts} proved, {n_wrong} go wrong");
}

/// Each needs something said before and after calls; the variant of each that is wrong is not proved.
#[test]
fn contracts_of_recursive_functions() {
    let sum = "int add(int m, int n) { if (n == 0) return m; if (n > 0) return add(m + 1, n - 1);
        return add(m - 1, n + 1); }
        int main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        if (a < 0 || a > 1000000000 || b < 0 || b > MOST) return 0;
        if (add(a, b) != a + b) reach_error(); }";
    let fits = sum.replace("MOST", "1000000000");
    proved(&fits, "unreach-call");
    proved(&fits, "no-overflow");
    open(&sum.replace("MOST", "2000000000"), "no-overflow");
    open(&fits.replace("!= a + b", "== a + b"), "unreach-call");
    let even = "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(int n) { return n == 0 ? 0 : even(n - 1); }
        int main() { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int e = even(n);
        if (BAD) reach_error(); }";
    proved(&even.replace("BAD", "e < 0 || e > 1"), "unreach-call");
    open(&even.replace("BAD", "e == 1"), "unreach-call");
    let globals =
        "int depth; void down(int n) { if (n <= 0) return; depth++; if (depth < 0) reach_error();
        down(n - 1); depth--; }
        int main() { depth = 0; down(__VERIFIER_nondet_int()); }";
    // Nothing is said of how deep it is before against after.
    open(globals, "unreach-call");
    let memory =
        "int cell; void set(int n, int *p) { if (n <= 0) { *p = 1; return; } set(n - 1, p); }
        int main() { int x = 0; set(__VERIFIER_nondet_int(), &x); if (x == 0) reach_error(); }";
    open(memory, "unreach-call");
}

fn prove(text: &str, property: &str) -> Finding {
    let head = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{head}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(30));
    let options = Options { classes, unwind: None, stop_at_first: true };
    hardbop_kind::check(&loaded.program, &options, &budget).0.overall()
}

#[track_caller]
fn proved(text: &str, property: &str) {
    assert_eq!(prove(text, property), Finding::Safe, "{text}");
}

#[track_caller]
fn open(text: &str, property: &str) {
    let verdict = prove(text, property);
    assert!(matches!(verdict, Finding::Unknown(_)), "{verdict:?} for {text}");
}

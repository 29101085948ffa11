//! Random programs about texts: what is proved of them holds in many random runs. (Of these loops there are too many runs to go
//! through all.)

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::interp::{Config, Ending, run};
use hardbop_cir::{Class, Program};
use hardbop_engine_c::{Finding, Options};

const PROGRAMS: u64 = 60;
const RUNS: u64 = 1000;
const INPUTS: u64 = 60;

/// What is done with the buffers `s` (long) and `t` (short), the pointers `p` and `q`, and a number from outside.
const STEPS: [&str; 28] = [
    "fill(s, N);",
    "fill(s, N + 1);",
    "fill(t, 4);",
    "s[in()] = C;",
    "s[N - 1] = 0;",
    "t[3] = 0;",
    "p = s;",
    "p = t;",
    "p = s + in();",
    "q = strchr(p, 1);",
    "q = strchr(s, 2);",
    "if (q) *q = 0;",
    "if (q) p = q + 1;",
    "n = strlen(p);",
    "n = strlen(s);",
    "s[n] = 0;",
    "if (n) s[n - 1] = 1;",
    "strcpy(t, p);",
    "strcpy(s, t);",
    "if (strlen(p) < 4) strcpy(t, p);",
    "while (*p) p++;",
    "while (*p == 1) p++;",
    "for (n = 0; n < strlen(s); n++) s[n] = C;",
    "for (n = 0; s[n]; n++) if (n < 4) t[n] = s[n];",
    "while (*p) *p++ = C;",
    "char *m = malloc(strlen(s) + 1); strcpy(m, s); free(m);",
    "char *m = malloc(4); if (in()) free(m); else m[3] = 0;",
    "static char *k; if (k) n = strlen(k); k = p;",
];

fn program(seed: u64) -> String {
    let mut chance = Rng::new(seed);
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
unsigned long strlen(const char *); char *strchr(const char *, int); char *strcpy(char *, const char *);
static unsigned in(void) { return __VERIFIER_nondet_int() & 1; }
static void fill(char *to, unsigned n) {
  unsigned i = 0;
  while (i < n - 1) { char c = in(); if (c == 0) break; to[i++] = c; }
  to[i] = 0; }
int main(void) {
  char s[N], t[4], *p = s, *q = 0; unsigned long n = 0;\n",
    );
    // Half of them begin as most programs do.
    if chance.chance(60) {
        text += "  s[0] = 0; t[0] = 0;\n";
    }
    text += "  while (in()) {\n";
    if chance.chance(60) {
        text += "    fill(s, N); fill(t, 3); p = s; n = 0;\n";
    }
    for _ in 0..1 + chance.below(4) {
        text += &format!("    {{ {} }}\n", chance.pick(&STEPS).expect("there are some"));
    }
    text += "  }\n";
    let (size, byte) = (5 + chance.below(2), chance.below(3));
    text.replace('N', &size.to_string()).replace('C', &byte.to_string()) + "  return 0; }\n"
}

#[test]
fn what_is_proved_of_texts_holds_in_runs() {
    let classes = Class::select("valid-memsafety").expect("a property there is");
    let (mut n_proved, mut n_wrong, mut n_open, mut n_by_texts) = (0, 0, 0, 0);
    let n = std::env::var("HARDBOP_PROGRAMS").map_or(PROGRAMS, |it| it.parse().expect("a number"));
    for seed in 0..n {
        let text = program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let budget = Budget::unlimited().with_time(Duration::from_secs(3));
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first: true };
        let (report, proof) = hardbop_kind::check(&loaded.program, &options, &budget);
        let is_proved = report.overall() == Finding::Safe;
        n_by_texts += usize::from(proof.is_some_and(|it| it.memory.is_some()));
        let goes_wrong = goes_wrong(&loaded.program, &classes, seed);
        assert!(!is_proved || !goes_wrong, "seed {seed} is proved\n{text}");
        n_proved += usize::from(is_proved);
        n_wrong += usize::from(goes_wrong);
        n_open += usize::from(!is_proved && !goes_wrong);
    }
    println!("{n_proved} proved, {n_by_texts} of them by texts, {n_open} open, {n_wrong} go wrong");
    assert!(n_by_texts > 3 && n_wrong > 5, "{n_by_texts} proved by texts, {n_wrong} go wrong");
}

/// Whether one of many random runs goes wrong.
fn goes_wrong(program: &Program, classes: &[Class], seed: u64) -> bool {
    let mut chance = Rng::new(seed);
    (0..RUNS).any(|_| {
        let most = 1 + chance.below(4);
        let inputs = (0..INPUTS).map(|_| u128::from(chance.below(most + 1) > 0)).collect();
        let classes = classes.to_vec();
        let config = Config { inputs, classes, max_steps: 20_000, ..Config::default() };
        let run = run(program, &config);
        !run.violations.is_empty() || matches!(run.ending, Ending::Violation(_))
    })
}

//! Random walks through two texts of any length: what is proved of them holds in all runs.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine_c::{Finding, Options};

const PROGRAMS: u64 = 40;

const WALKS: [&str; 9] = [
    "while (*p) p++;",
    "while (*p) { if (*p == V) *p = W; p++; }",
    "while ((*q++ = *p++)) ;",
    "for (; *p != V; p += W) ;",
    "do { *q++ = V; } while (--left);",
    "while (*p) { p[W] = V; p++; }",
    "for (; *p; p++) for (q = t; *q && *q != *p; q++) ;",
    "while (left != W) { *p++ = V; left--; }",
    "while (*q) { q++; p++; } *p = V;",
];

const ENDS: [&str; 5] =
    ["s[n - 1] = 0;", "t[m - 1] = 0;", "s[0] = V;", "t[m - 1] = V;", "s[n - 1] = V;"];

fn program(seed: u64) -> String {
    let mut chance = Rng::new(seed);
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
static unsigned in(void) { return __VERIFIER_nondet_int() & 3; }
int main(void) {
  unsigned long n = 1 + in(), m = 1 + in(), left = n;
  char *s = malloc(n), *t = malloc(m), *p = s, *q = t;
  for (unsigned long j = 0; j < n; j++) s[j] = 1;
  for (unsigned long j = 0; j < m; j++) t[j] = 1;\n",
    );
    if chance.chance(50) {
        text += "  if (m < n) { free(s); free(t); return 0; }\n";
    }
    text += "  s[n - 1] = 0; t[m - 1] = 0;\n";
    for _ in 0..1 + chance.below(2) {
        if chance.chance(30) {
            text += &format!("  {}\n", chance.pick(&ENDS).expect("there are some"));
        }
        let walk = chance.pick(&WALKS).expect("there are some");
        let [v, w] = [0, 1].map(|_| chance.below(3).to_string());
        text += &format!("  {}\n", walk.replace('V', &v).replace('W', &w));
        if chance.chance(50) {
            text += "  p = s; q = t;\n";
        }
    }
    text.replace("= V;", "= 1;") + "  free(s); free(t); return 0; }\n"
}

#[test]
fn what_is_proved_of_walks_holds_in_all_runs() {
    let classes = Class::select("valid-memsafety").expect("a property there is");
    let (mut n_proved, mut n_wrong, mut n_open) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let Some(expected) = violated(&loaded.program, &classes) else { continue };
        let budget = Budget::unlimited().with_time(Duration::from_secs(4));
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first: true };
        let (report, _) = hardbop_kind::check(&loaded.program, &options, &budget);
        let is_proved = report.overall() == Finding::Safe;
        assert!(!is_proved || expected.is_empty(), "seed {seed} is proved\n{text}");
        n_proved += usize::from(is_proved);
        n_wrong += usize::from(!expected.is_empty());
        n_open += usize::from(!is_proved && expected.is_empty());
    }
    println!("{n_proved} proved, {n_open} open, {n_wrong} go wrong");
    assert!(n_proved > 0 && n_wrong > 5, "{n_proved} proved, {n_wrong} go wrong");
}

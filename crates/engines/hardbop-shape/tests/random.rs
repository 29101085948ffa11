//! Random programs with lists: what is proved of them holds in all runs.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine_c::{Finding, Options};

const PROGRAMS: u64 = 400;

/// `X` and `Y` are lists, `V` and `W` small numbers. Some go wrong for some lists.
const STEPS: [&str; 30] = [
    "n = in(); while (n-- > 0) X = push(X, V);",
    "n = in(); while (n-- > 0) X = push(X, n & 1);",
    "n = in(); while (n-- > 0) { X = push(X, V); X = push(X, W); }",
    "X = push(X, V);",
    "X = append(X, V);",
    "n = in(); while (n-- > 0) X = append(X, V);",
    "for (p = X; p; p = p->next) p->v = V;",
    "for (p = X; p; p = p->next) if (p->v == V) p->v = W;",
    "for (p = X; p; p = p->next) check(p->v == V);",
    "for (p = X; p; p = p->next) check(!p->next || p->next->prev == p);",
    "for (p = X; p; p = p->next) check(p->v != V);",
    "for (p = X; p && p->next; p = p->next) check(p->v == V); if (p) check(p->v == W);",
    "if (X) check(X->v == V);",
    "if (X && X->next) check(X->next->v == V);",
    "check(!X || X != Y);",
    "if (X) { p = X; X = X->next; free(p); }",
    "if (X) { p = X; X = X->next; if (X) X->prev = 0; free(p); }",
    "p = X; X = X->next; free(p);",
    "if (X) free(X);",
    "X = reverse(X);",
    "X = reverse(X); for (p = X; p; p = p->next) p->prev = 0;",
    "if (X && X->next) { p = X->next; X->next = p->next; if (p->next) p->next->prev = X; free(p); }",
    "if (X && X->next) { p = X->next; X->next = p->next; free(p); }",
    "for (p = X; p && p->next; p = p->next) ; if (p) { p->next = Y; if (Y) Y->prev = p; Y = 0; }",
    "for (p = X; p && p->next; p = p->next) ; if (p) { p->next = Y; Y = 0; }",
    "p = X; X = Y; Y = p;",
    "while (Y) { p = Y; Y = Y->next; p->next = X; X = p; }",
    "for (p = X; p && p->v != V; p = p->next) ; if (p) { p->v = W; q = p->prev; if (q) check(q->v != V); }",
    "for (p = X; p; p = q) { q = p->next; if (p->v == V && p != X) { p->prev->next = q; if (q) q->prev = p->prev; free(p); } }",
    "if (X) { X->mine = push(X->mine, V); for (p = X->mine; p; p = p->next) check(p->v == W); }",
];

const END: [&str; 3] = [
    "while (X) { p = X; X = X->next; while (p->mine) { q = p->mine; p->mine = q->next; free(q); } free(p); }",
    "while (X) { p = X; X = X->next; free(p); }",
    "while (X) { p = X; X = X->next; if (p->v != V) free(p); }",
];

const HEAD: &str = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *); void reach_error(void);
struct node { struct node *next, *prev, *mine; int v; };
static int in(void) { return __VERIFIER_nondet_int() & 3; }
static void check(int it) { if (!it) reach_error(); }
static struct node *push(struct node *list, int v) {
  struct node *it = malloc(sizeof *it); it->next = list; it->prev = 0; it->mine = 0; it->v = v;
  if (list) list->prev = it;
  return it; }
static struct node *append(struct node *list, int v) {
  struct node *it = malloc(sizeof *it), *last = list; it->next = 0; it->prev = 0; it->mine = 0; it->v = v;
  if (!list) return it;
  while (last->next) last = last->next;
  last->next = it; it->prev = last;
  return list; }
static struct node *reverse(struct node *list) {
  struct node *done = 0, *next;
  while (list) { next = list->next; list->next = done; list->prev = next; done = list; list = next; }
  return done; }
int main(void) {
  struct node *a = 0, *b = 0, *p = 0, *q = 0; int n;\n";

fn program(seed: u64) -> String {
    let mut chance = Rng::new(seed);
    let mut text = String::from(HEAD);
    let mut add = |chance: &mut Rng, step: &str, is_swapped: bool| {
        let (x, y) = if is_swapped { ("b", "a") } else { ("a", "b") };
        let [v, w] = [0, 1].map(|_| chance.below(2).to_string());
        let step = step.replace('X', x).replace('Y', y).replace('V', &v).replace('W', &w);
        text += &format!("  {step}\n");
    };
    for at in 0..2 + chance.below(5) {
        let steps = if at < 2 { &STEPS[..6] } else { &STEPS[..] };
        let (step, is_swapped) = (chance.pick(steps).expect("there are some"), chance.chance(40));
        add(&mut chance, step, is_swapped);
    }
    for is_swapped in [false, true] {
        let end = if chance.chance(80) { END[0] } else { chance.pick(&END).expect("some") };
        add(&mut chance, end, is_swapped);
    }
    text + "  return 0; }\n"
}

#[test]
fn what_is_proved_of_lists_holds_in_all_runs() {
    let mut classes = Class::select("valid-memsafety").expect("a property there is");
    let (mut n_proved, mut n_wrong, mut n_open) = (0, 0, 0);
    let programs =
        std::env::var("HARDBOP_PROGRAMS").ok().and_then(|it| it.parse().ok()).unwrap_or(PROGRAMS);
    for seed in 0..programs {
        if seed == programs / 2 {
            classes = vec![Class::Assert];
        }
        let text = program(seed);
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let Some(expected) = violated(&loaded.program, &classes) else { continue };
        let budget = Budget::unlimited().with_time(Duration::from_secs(2));
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first: true };
        let report = hardbop_shape::check(&loaded.program, &options, &budget);
        let is_proved = report.overall() == Finding::Safe;
        assert!(!is_proved || expected.is_empty(), "seed {seed} is proved\n{text}");
        n_proved += usize::from(is_proved);
        n_wrong += usize::from(!expected.is_empty());
        n_open += usize::from(!is_proved && expected.is_empty());
    }
    println!("{n_proved} proved, {n_open} open, {n_wrong} go wrong");
    assert!(n_proved > 20 && n_wrong > 20, "{n_proved} proved, {n_wrong} go wrong");
}

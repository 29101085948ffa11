//! Random programs with atomic accesses of all orders, fences and plain accesses, asked about races. The reference goes through all
//! interleavings, without any reduction, and says of each by the words of C17 what synchronises with what: release sequences and
//! fences as relations between events, no clocks.

mod reference;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::interp::{Ending, run};
use hardbop_cir::{Class, Program};
use hardbop_engine::Verdict;
use hardbop_engine_c::Options;
use reference::is_raced;

/// Atomic variables are `a0`, `a1`, plain ones `x0`, `x1`.
const N_VARS: usize = 2;

/// What a memory order gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Order {
    acquires: bool,
    releases: bool,
}

const RELAXED: Order = Order { acquires: false, releases: false };
const ACQUIRE: Order = Order { acquires: true, releases: false };
const RELEASE: Order = Order { acquires: false, releases: true };
const BOTH: Order = Order { acquires: true, releases: true };

impl Order {
    /// `__ATOMIC_ACQUIRE` and so on.
    fn number(self) -> u8 {
        match (self.acquires, self.releases) {
            (false, false) => 0,
            (true, false) => 2,
            (false, true) => 3,
            (true, true) => 4,
        }
    }
}

/// A step of a thread; `r` is a register of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// `r = a;`
    Load(usize, Order),
    /// `a = k;`
    Store(usize, i32, Order),
    /// `r = a; a += k;` at once.
    Add(usize, i32, Order),
    /// `if (a == c) a = k; else r = a;` at once; the orders where it is done and where it is not.
    Exchange(usize, i32, i32, Order, Order),
    Fence(Order),
    /// `x = 1;`, if `r` is this.
    Write(usize, Option<i32>),
    /// `sink = x;`, if `r` is this.
    Read(usize, Option<i32>),
}

fn one<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len())]
}

fn random_thread(rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    for _ in 0..rng.within((2, 4)) {
        let (var, k, c) = (rng.below(N_VARS), 1 + rng.below(2) as i32, rng.below(3) as i32);
        let when = rng.chance(40).then_some(1 + rng.below(2) as i32);
        steps.push(match rng.below(13) {
            0 | 1 => Step::Load(var, one(rng, &[RELAXED, ACQUIRE])),
            2 | 3 => Step::Store(var, k, one(rng, &[RELAXED, RELEASE])),
            4 => Step::Add(var, k, one(rng, &[RELAXED, ACQUIRE, RELEASE, BOTH])),
            5 => {
                let done = one(rng, &[RELAXED, ACQUIRE, RELEASE, BOTH]);
                let fails = if done.acquires { one(rng, &[RELAXED, ACQUIRE]) } else { RELAXED };
                Step::Exchange(var, c, k, done, fails)
            }
            6 => Step::Fence(one(rng, &[ACQUIRE, RELEASE, BOTH])),
            7 | 8 => Step::Read(var, when),
            _ => Step::Write(var, when),
        });
    }
    steps
}

fn text(threads: &[Vec<Step>]) -> String {
    let mut text = String::from(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
         int pthread_join(unsigned long, void **); int a0, a1, x0, x1; unsigned long id[3];\n",
    );
    for (at, steps) in threads.iter().enumerate() {
        text += &format!("void *t{at}(void *arg) {{ int r = 0, c, sink;\n");
        for step in steps {
            let when = |it: Option<i32>| it.map_or(String::new(), |it| format!("if (r == {it}) "));
            text += &match *step {
                Step::Load(v, o) => format!("r = __atomic_load_n(&a{v}, {});\n", o.number()),
                Step::Store(v, k, o) => format!("__atomic_store_n(&a{v}, {k}, {});\n", o.number()),
                Step::Add(v, k, o) => {
                    format!("r = __atomic_fetch_add(&a{v}, {k}, {});\n", o.number())
                }
                Step::Exchange(v, c, k, done, fails) => format!(
                    "c = {c}; if (!__atomic_compare_exchange_n(&a{v}, &c, {k}, 0, {}, {})) r = c;\n",
                    done.number(),
                    fails.number()
                ),
                Step::Fence(o) => format!("__atomic_thread_fence({});\n", o.number()),
                Step::Write(v, it) => format!("{}x{v} = 1;\n", when(it)),
                Step::Read(v, it) => format!("{}sink = x{v};\n", when(it)),
            };
        }
        text += "return 0; }\n";
    }
    text += "int main(void) {\n";
    for at in 0..threads.len() {
        text += &format!("pthread_create(&id[{at}], 0, t{at}, 0);");
    }
    for at in 0..threads.len() {
        text += &format!("pthread_join(id[{at}], 0);");
    }
    text + "return 0; }\n"
}

fn load(source: &str) -> Program {
    let options = hardbop_c::Options { classes: vec![Class::Race], ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), source.into())], &options);
    loaded.expect("it is C").program
}

/// What the engine says, if anything; what it finds is shown by a run.
fn found(source: &str, seed: u64) -> Option<bool> {
    let program = load(source);
    let classes = vec![Class::Race];
    let options = Options { classes, stop_at_first: true, ..Options::default() };
    let (report, _) = hardbop_interleave::check(&program, &options, &Budget::unlimited());
    match report.overall() {
        Verdict::Safe => Some(false),
        Verdict::Unsafe(found) => {
            let violated = report.checks.iter().find(|it| it.1.is_unsafe());
            let &check = violated.expect("a check is violated").0;
            let shown = run(&found.program(&program), &found.up_to(&program, check));
            assert_eq!(shown.ending, Ending::Violation(check), "seed {seed}:\n{source}");
            Some(true)
        }
        Verdict::Unknown(_) => None,
    }
}

/// Whether a thread stores again, without release, where it wrote before: of that, standards say different things.
fn is_doubtful(steps: &[Step]) -> bool {
    let writes = |step: &Step| match *step {
        Step::Store(v, ..) | Step::Add(v, ..) | Step::Exchange(v, ..) => Some(v),
        _ => None,
    };
    steps.iter().enumerate().any(|(at, step)| match *step {
        Step::Store(v, _, order) => {
            !order.releases && steps[..at].iter().any(|it| writes(it) == Some(v))
        }
        _ => false,
    })
}

/// `HARDBOP_MORE` says how many are tried.
#[test]
fn random_programs_with_weak_orders_have_the_races_that_c17_says() {
    let n = std::env::var("HARDBOP_MORE").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let (mut n_raced, mut n_safe, mut n_open) = (0, 0, 0);
    for seed in 0..n {
        let mut rng = Rng::new(seed);
        let n_threads = if rng.chance(30) { 3 } else { 2 };
        let threads: Vec<_> = (0..n_threads).map(|_| random_thread(&mut rng)).collect();
        let (source, expected) = (text(&threads), is_raced(&threads));
        match found(&source, seed) {
            Some(said) => {
                assert_eq!(said, expected, "seed {seed}\n{source}");
                n_raced += usize::from(said);
                n_safe += usize::from(!said);
            }
            None => {
                let is_doubtful = threads.iter().any(|it| is_doubtful(it));
                assert!(is_doubtful && !expected, "seed {seed}: unknown\n{source}");
                n_open += 1;
            }
        }
    }
    println!("{n_raced} with a race, {n_safe} without, {n_open} open");
    let least = n as usize / 10;
    assert!(n_raced > least && n_safe > least && n_open < 3 * least, "{n_raced} {n_safe} {n_open}");
}

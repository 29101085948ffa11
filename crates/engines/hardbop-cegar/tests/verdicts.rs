//! What the engine decides of small programs, and what the Boolean programs it makes say when they are
//! checked on their own.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cegar::{
    Answer, Checker, Cutting, Event, Following, Saved, Settings, Stats, check_watched,
};
use hardbop_cir::Class;
use hardbop_engine::{Engine, RunCtx, Task, Verdict};
use hardbop_engine_c::{Finding, Options};
use hardbop_sequential::diagrams::Bdd;

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

struct Decided {
    verdict: Finding,
    stats: Stats,
    /// The text of the Boolean program of each round.
    rounds: Vec<String>,
}

fn decide(body: &str, settings: Settings) -> Decided {
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{body}"))], &options)
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let options = Options { classes, unwind: None, stop_at_first: true };
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let mut rounds = Vec::new();
    let saved = Saved::default();
    let Answer { report, stats, .. } =
        check_watched(&loaded.program, &options, &budget, settings, &saved, &mut |event| {
            let Event::Made(round) = event else { return };
            rounds.push(round.text(&|span| format!("line {}", loaded.sources.position(span).line)));
        });
    Decided { verdict: report.overall(), stats, rounds }
}

/// What engine `bdd` says of the text of a Boolean program.
fn is_safe(text: &str) -> bool {
    let (_, program, diagnostics) = hardbop_bp::load_bytes("t.bp", text.as_bytes().to_vec());
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
    let claim = Bdd::DEFAULT.check(&Task::new(&program), &RunCtx::default());
    match claim.answer {
        Verdict::Safe => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(why) => panic!("{why:?}"),
    }
}

/// Every round but the last is unsafe as a Boolean program; the last one is what the C program is.
fn texts_agree(decided: &Decided) {
    let (last, before) = decided.rounds.split_last().expect("there is a round");
    before.iter().for_each(|text| assert!(!is_safe(text), "{text}"));
    assert_eq!(is_safe(last), decided.verdict == Finding::Safe, "{last}");
}

const LOCK: &str = "int main(void) {
  int lock = 0, old, new = __VERIFIER_nondet_int();
  do {
    if (lock != 0) reach_error();
    lock = 1; old = new;
    if (__VERIFIER_nondet_int()) { lock = 0; new++; }
  } while (new != old);
  if (lock == 0) reach_error();
  return 0;
}";

#[test]
fn a_lock_is_released_where_a_counter_moves() {
    let decided = decide(LOCK, Settings::DEFAULT);
    assert_eq!(decided.verdict, Finding::Safe);
    assert!(decided.stats.n_predicates >= 1 && decided.stats.n_refinements >= 1);
    // Within a round of the loop the counters are exact: only the lock must be remembered.
    assert!(decided.rounds.last().is_some_and(|it| it.contains("lock == 0")));
    texts_agree(&decided);
}

#[test]
fn a_lock_that_is_released_too_often() {
    let decided = decide(&LOCK.replace("new++;", ""), Settings::DEFAULT);
    assert!(matches!(decided.verdict, Finding::Unsafe(_)), "{:?}", decided.verdict);
    texts_agree(&decided);
}

const CALLS: &str = "int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    int again = __VERIFIER_nondet_int();
    lock();
    if (again) { unlock(); lock(); }
    unlock();
  }
  return 0;
}";

#[test]
fn procedures_are_kept() {
    let kept = Settings::PROCEDURES;
    let decided = decide(CALLS, kept);
    assert_eq!(decided.verdict, Finding::Safe);
    let last = decided.rounds.last().expect("there is a round");
    assert!(last.contains("void unlock()"), "{last}");
    texts_agree(&decided);
    let wrong = decide(&CALLS.replace("unlock(); lock();", "unlock();"), kept);
    assert!(matches!(wrong.verdict, Finding::Unsafe(_)), "{:?}", wrong.verdict);
    texts_agree(&wrong);
}

const ADD: &str = "int add(int m, int n) {
  if (n == 0) return m;
  return add(m + 1, n - 1);
}
int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || n < 0 || m > 1000 || n > 1000) return 0;
  if (add(m, n) != m + n) reach_error();
  return 0;
}";

#[test]
fn recursion_without_a_bound_is_summarised() {
    let decided = decide(ADD, Settings::DEFAULT);
    assert_eq!(decided.verdict, Finding::Safe);
    texts_agree(&decided);
}

#[test]
fn what_needs_memory_is_unknown_with_a_reason() {
    let decided = decide(
        "int a[3]; int *at(int i) { return &a[i]; }
int main(void) {
  int i = __VERIFIER_nondet_int() & 1; *at(i) = 7;
  while (__VERIFIER_nondet_int()) { if (a[2]) a[1] = a[2]; }
  if (a[2] != 0) reach_error();
  return 0;
}",
        Settings::DEFAULT,
    );
    assert!(matches!(decided.verdict, Finding::Unknown(_)), "{:?}", decided.verdict);
}

const MACHINE: &str = "int main(void) {
  int state = 10, flag = 0;
  while (1) {
    switch (state) {
    case 10: flag = 1; state = 20; break;
    case 20: if (__VERIFIER_nondet_int()) state = 30; else state = 40; break;
    case 30: if (flag == 1) flag = 2; state = 50; break;
    case 40: if (flag == 1) flag = 3; state = 60; break;
    case 50: if (flag == 3) reach_error(); state = 20; flag = 1; break;
    case 60: if (flag == 2) reach_error(); return 0;
    }
  }
}";

#[test]
fn the_states_of_a_machine_are_found_together() {
    let decided = decide(MACHINE, Settings::DEFAULT);
    assert_eq!(decided.verdict, Finding::Safe);
    // One by one there would be a refinement for each of the six states and four flags.
    assert!(decided.stats.n_refinements <= 4, "{:?}", decided.stats);
    texts_agree(&decided);
    let wrong = decide(&MACHINE.replace("state = 20; flag = 1;", "state = 60;"), Settings::DEFAULT);
    assert!(matches!(wrong.verdict, Finding::Unsafe(_)), "{:?}", wrong.verdict);
    texts_agree(&wrong);
}

#[test]
fn a_stretch_goes_through_functions_without_loops() {
    // Too large to be inlined by the passes before, and called twice.
    let steps: String = (0..9).map(|it| format!("if (x == {it}) x = x + 2; else x--;\n")).collect();
    let text = format!(
        "int work(int x) {{ {steps} return x; }}
int main(void) {{
  int a = 0;
  while (__VERIFIER_nondet_int()) {{
    int b = __VERIFIER_nondet_int();
    if (work(b) != work(b)) reach_error();
  }}
  return a;
}}"
    );
    let decided = decide(&text, Settings::DEFAULT);
    assert_eq!(decided.verdict, Finding::Safe);
    assert_eq!(decided.stats.n_predicates, 0, "two calls on the same path are compared exactly");
    let last = decided.rounds.last().expect("there is a round");
    assert!(!last.contains("work("), "{last}");
    texts_agree(&decided);
}

/// McCarthy's function, and numbers that are even or odd: what the caller compares is the summary.
const RECURSIVE: [&str; 2] = [
    "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int(), r = f(n);
  if (!(r == 91 || (n > 101 && r == n - 10))) reach_error();
  return 0;
}",
    "int even(int n);
int odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }
int even(int n) { if (n == 0) return 1; if (n == 1) return 0; return odd(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  if (odd(n) != n % 2) reach_error();
  return 0;
}",
];

#[test]
fn what_callers_compare_is_said_of_callees() {
    for text in RECURSIVE {
        let decided = decide(text, Settings::DEFAULT);
        assert_eq!(decided.verdict, Finding::Safe, "{text}");
        texts_agree(&decided);
    }
}

/// What is said of all checks, by the class of each.
fn each(body: &str, stop_at_first: bool) -> Vec<(Class, Finding)> {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| it.is_default()).collect();
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{body}"))], &options)
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let options = Options { classes, unwind: None, stop_at_first };
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let report = hardbop_cegar::check(&loaded.program, &options, &budget).report;
    report.checks.into_iter().map(|(at, it)| (loaded.program.checks[at].class, it)).collect()
}

fn of(all: &[(Class, Finding)], class: Class) -> Vec<&Finding> {
    all.iter().filter(|it| it.0 == class).map(|it| &it.1).collect()
}

const FORGOTTEN: &str = "int a[10];
int main(void) {
  int *p = 0;
  while (__VERIFIER_nondet_int()) {
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < 10) { p = a + k; continue; }
    *p = 1;
    if (__VERIFIER_nondet_int() == 5) reach_error();
  }
  return 0;
}";

#[test]
fn behind_a_check_of_a_pointer_that_was_forgotten_executions_go_on() {
    let all = each(FORGOTTEN, false);
    assert!(of(&all, Class::Null)[0].is_unsafe(), "{all:?}");
    // It was said to be safe, because the path ended where nothing was known of the pointer.
    assert!(!of(&all, Class::Assert)[0].is_safe(), "{all:?}");
}

#[test]
fn what_cannot_be_followed_leaves_the_others() {
    let all = each(
        "void *malloc(unsigned long n);
int main(void) {
  int *p = malloc(4), state = 0, x = __VERIFIER_nondet_int();
  if (!p) return 0;
  while (__VERIFIER_nondet_int()) {
    *p = 10 / (state + 1);
    if (state == 1) state = 0; else if (state == 0) state = 1;
    if (state > 1) reach_error();
    if (x == 77) x = 10 / (x - 77);
  }
  return 0;
}",
        false,
    );
    assert!(of(&all, Class::Leak)[0].is_unknown(), "{all:?}");
    assert!(of(&all, Class::Assert)[0].is_safe(), "{all:?}");
    let div = of(&all, Class::Div);
    assert!(div[0].is_safe() && div[1].is_unsafe(), "{all:?}");
}

/// A pointer that walks through an array, and one that is handed to a function with a loop.
const WALKS: &str = "int a[16];
void fill(int *to, int n) {
  for (int i = 0; i < n; i++) if (__VERIFIER_nondet_int()) to[i] = i;
}
int main(void) {
  int b[8];
  int *p = a;
  for (int i = 0; i < 16; i++) *p++ = i;
  fill(b, 8);
  return 0;
}";

#[test]
fn pointers_know_at_a_cut_which_object_they_point_into() {
    let all = each(WALKS, false);
    assert!(all.iter().all(|it| it.1.is_safe()), "{all:?}");
    let wrong = each(&WALKS.replace("fill(b, 8)", "fill(b, 9)"), true);
    assert!(of(&wrong, Class::Bounds).iter().any(|it| it.is_unsafe()), "{wrong:?}");
}

#[test]
fn a_pointer_to_what_is_gone_is_not_one_to_what_came_after() {
    let all = each(
        "int main(void) {
  int *p = 0, n = 0;
  while (n < 3) {
    int x = n;
    if (p && *p != n) reach_error();
    p = &x;
    n++;
  }
  return 0;
}",
        false,
    );
    assert!(of(&all, Class::Dangling).iter().all(|it| !it.is_safe()), "{all:?}");
}

/// Each switch, on programs that need predicates at loops and calls.
#[test]
fn switches_do_not_change_a_verdict() {
    let called = "int count(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0;
  int c = count(n); if (c WRONG n) reach_error(); return 0; }";
    let safe = [LOCK.to_string(), called.replace("WRONG", "!=")];
    let wrong = called.replace("WRONG", "==");
    let mut n_safe = 0;
    for following in [Following::Everywhere, Following::Needed, Following::Sharing] {
        for cutting in [Cutting::Loops, Cutting::Statements] {
            for checker in [Checker::Bdd, Checker::Pdr] {
                let settings = Settings { following, cutting, checker, ..Settings::PROCEDURES };
                for text in &safe {
                    let decided = decide(text, settings);
                    // Statement by statement more predicates are needed than are found.
                    let is_right = match cutting {
                        Cutting::Loops => decided.verdict == Finding::Safe,
                        Cutting::Statements => !decided.verdict.is_unsafe(),
                    };
                    assert!(is_right, "{settings:?}: {:?}\n{text}", decided.verdict);
                    n_safe += usize::from(decided.verdict == Finding::Safe);
                }
                let decided = decide(&wrong, settings);
                assert!(decided.verdict.is_unsafe(), "{settings:?}: {:?}", decided.verdict);
                texts_agree(&decided);
            }
        }
    }
    assert!(n_safe > 12, "statement by statement nothing is proved");
}

/// What is found of single checks is told at once.
#[test]
fn each_check_is_told_when_it_is_decided() {
    let body = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, odd = 0;
  while (i < n) { i++; odd = !odd; if (odd > 1) reach_error(); }
  if (n == 7) reach_error();
  if (i < 0) reach_error();
  return 0; }";
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{body}"))], &options)
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let options = Options { classes, unwind: None, stop_at_first: false };
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let (settings, saved) = (Settings::DEFAULT, Saved::default());
    let mut told = std::collections::BTreeMap::new();
    let mut last = 0;
    let answer = check_watched(
        &loaded.program,
        &options,
        &budget,
        settings,
        &saved,
        &mut |event| match event {
            Event::Decided(check, finding) => drop(told.insert(check, (finding.clone(), last))),
            Event::Made(round) => last = round.number,
            _ => {}
        },
    );
    assert_eq!(told.len(), 3, "{told:?}");
    for (check, finding) in &answer.report.checks {
        assert_eq!(&told[check].0, finding);
    }
    assert!(told.values().any(|it| it.0.is_unsafe() && it.1 < last), "{told:?}");
}

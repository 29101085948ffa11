//! Predicates that were kept are those a later run begins with, also of a changed program; no text makes an answer wrong.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cegar::{Answer, Event, Saved, Settings, check_watched};
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

const LOCK: &str = "int main(void) {
  int lock = 0, old, new = __VERIFIER_nondet_int();
  do {
    if (lock != 0) reach_error();
    lock = 1; old = new;
    if (__VERIFIER_nondet_int()) { if (lock != 1) reach_error(); lock = 0; new++; }
  } while (new != old);
  if (lock != 1) reach_error();
  return 0; }";

const EVEN: &str = "int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n < 0) n = 0;
  int r = even(n);
  if (r < 0 || r > 1) reach_error();
  return 0; }";

/// The answer, and what was kept after the last round.
fn run(body: &str, settings: Settings, saved: &Saved) -> (Answer, String) {
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{body}"))], &options)
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let options = Options { classes, unwind: None, stop_at_first: true };
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let mut kept = String::new();
    let answer = check_watched(&loaded.program, &options, &budget, settings, saved, &mut |event| {
        let Event::Made(round) = event else { return };
        kept = round.precision();
    });
    (answer, kept)
}

#[test]
fn a_second_run_needs_no_refinement() {
    for (body, settings) in
        [(LOCK, Settings::DEFAULT), (EVEN, Settings::DEFAULT), (EVEN, Settings::PROCEDURES)]
    {
        let (first, kept) = run(body, settings, &Saved::default());
        assert_eq!(first.report.overall(), Finding::Safe);
        assert!(first.stats.n_refinements > 0 && first.stats.n_found_again == 0);
        let saved = Saved::read(&kept).expect("it is what was written");
        assert!(!saved.is_empty());
        let (second, again) = run(body, settings, &saved);
        assert_eq!(second.report.overall(), Finding::Safe);
        assert_eq!(second.stats.n_refinements, 0, "{kept}");
        assert_eq!(second.stats.n_found_again, saved.len());
        assert_eq!(again, kept, "nothing was added, nothing was lost");
    }
}

#[test]
fn a_changed_program_uses_what_it_still_has() {
    let (_, kept) = run(LOCK, Settings::DEFAULT, &Saved::default());
    let saved = Saved::read(&kept).expect("it is what was written");
    let longer =
        LOCK.replace("lock = 0, old", "more = 3, lock = 0, old").replace("new++", "new += more");
    let (answer, _) = run(&longer, Settings::DEFAULT, &saved);
    assert_eq!(answer.report.overall(), Finding::Safe);
    assert_eq!(answer.stats.n_found_again, saved.len());
    // Where it goes wrong, that is found.
    let wrong = LOCK.replace("lock = 0; new++", "lock = 0");
    let (answer, _) = run(&wrong, Settings::DEFAULT, &saved);
    assert!(answer.report.overall().is_unsafe());
}

#[test]
fn damaged_files_change_no_verdict() {
    let (_, kept) = run(EVEN, Settings::DEFAULT, &Saved::default());
    let words: Vec<&str> = kept.split(' ').collect();
    let mut chance = Rng::new(17);
    let (mut n_read, mut n_kept) = (0, 0);
    for _ in 0..40 {
        let mut damaged = words.clone();
        for _ in 0..1 + chance.below(4) {
            let (from, to) = (chance.below(words.len()), chance.below(words.len()));
            damaged[to] = words[from];
        }
        let Ok(saved) = Saved::read(&damaged.join(" ")) else { continue };
        n_read += 1;
        let right = run(EVEN, Settings::DEFAULT, &saved).0;
        assert!(!right.report.overall().is_unsafe(), "{}", damaged.join(" "));
        n_kept += usize::from(right.stats.n_found_again > 0);
        let wrong = EVEN.replace("return 0; return even", "return 2; return even");
        let wrong = run(&wrong, Settings::DEFAULT, &saved).0;
        assert!(wrong.report.overall() != Finding::Safe, "{}", damaged.join(" "));
    }
    assert!(n_read > 10 && n_kept > 10, "{n_read} were read, {n_kept} of them used");
    for (text, why) in [("", "line 1"), ("hardbop precision 1\nx == 0\n", "line 2")] {
        let refused = Saved::read(text).expect_err("it is no such text");
        assert!(refused.contains(why), "{refused}");
    }
}

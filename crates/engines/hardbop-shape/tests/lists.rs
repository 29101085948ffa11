//! Lists of any length are proved, and with one thing wrong they are not.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};

const HEAD: &str = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *); void reach_error(void);
struct node { struct node *next, *prev; int v; };
struct owner { struct owner *next; struct node *list; };
static void check(int it) { if (!it) reach_error(); }
static struct node *new(struct node *next, int v) {
  struct node *it = malloc(sizeof *it); it->next = next; it->prev = 0; it->v = v; return it; }\n";

fn verdict(text: &str) -> Finding {
    let mut classes = Class::select("valid-memsafety").expect("a property there is");
    classes.push(Class::Assert);
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let options = Options { classes, unwind: None, stop_at_first: true };
    hardbop_shape::check(&loaded.program, &options, &budget).overall()
}

/// The program is proved; with any of these words replaced it goes wrong for some input, and is not.
#[track_caller]
fn proved_but_not(text: &str, faults: &[(&str, &str)]) {
    assert_eq!(verdict(text), Finding::Safe, "{text}");
    for (right, wrong) in faults {
        let broken = text.replacen(right, wrong, 1);
        assert_ne!(broken, text, "`{right}` is not in the text");
        assert!(matches!(verdict(&broken), Finding::Unknown(_)), "`{wrong}` for `{right}`");
    }
}

#[test]
fn built_walked_and_freed() {
    let text = "int main(void) {
      struct node *list = 0, *p;
      while (__VERIFIER_nondet_int()) list = new(list, 1);
      for (p = list; p; p = p->next) check(p->v == 1);
      while (list) { p = list; list = list->next; free(p); }
      return 0; }";
    proved_but_not(
        text,
        &[
            ("new(list, 1)", "new(0, 1)"),
            ("new(list, 1)", "new(list, __VERIFIER_nondet_int())"),
            ("p->v == 1", "p->v == 2"),
            ("list = list->next; free(p);", "free(p); list = list->next;"),
            ("for (p = list; p;", "for (p = list; p->next;"),
            ("while (list) {", "if (list) {"),
            ("free(p);", ";"),
        ],
    );
}

#[test]
fn of_two_kinds_in_turns() {
    let text = "int main(void) {
      struct node *list = 0, *p; int flag = 0;
      while (__VERIFIER_nondet_int()) { list = new(list, flag); flag = !flag; }
      for (p = list; p; p = p->next) { flag = !flag; check(p->v == flag); }
      while (list) { p = list; list = list->next; free(p); }
      return 0; }";
    proved_but_not(
        text,
        &[
            (
                "{ list = new(list, flag); flag = !flag; }",
                "{ list = new(list, flag); if (__VERIFIER_nondet_int()) flag = !flag; }",
            ),
            ("flag = !flag; check(p->v == flag);", "check(p->v == flag); flag = !flag;"),
        ],
    );
}

#[test]
fn linked_both_ways() {
    let text = "int main(void) {
      struct node *first = 0, *last = 0, *p;
      while (__VERIFIER_nondet_int()) {
        p = new(0, 1);
        if (!first) first = last = p;
        else { last->next = p; p->prev = last; last = p; } }
      for (p = last; p; p = p->prev) check(p->v == 1 && (!p->prev || p->prev->next == p));
      for (p = first; p; p = p->next)
        if (__VERIFIER_nondet_int()) {
          if (p->prev) p->prev->next = p->next; else first = p->next;
          if (p->next) p->next->prev = p->prev; else last = p->prev;
          free(p); break; }
      while (last) { p = last; last = last->prev; free(p); }
      return 0; }";
    proved_but_not(
        text,
        &[
            ("p->prev = last;", ""),
            ("p->prev = last;", "p->prev = first;"),
            ("else last = p->prev", "else last = 0"),
            ("p->next->prev = p->prev", "p->next->prev = p"),
            ("free(p); break;", "free(p);"),
            ("last = last->prev; free(p);", "free(p); last = 0;"),
        ],
    );
}

#[test]
fn of_lists() {
    let text = "int main(void) {
      struct owner *all = 0, *o; struct node *p;
      while (__VERIFIER_nondet_int()) {
        o = malloc(sizeof *o); o->next = all; o->list = 0; all = o;
        while (__VERIFIER_nondet_int()) o->list = new(o->list, 3); }
      while (all) {
        o = all; all = o->next;
        while (o->list) { p = o->list; check(p->v == 3); o->list = p->next; free(p); }
        free(o); }
      return 0; }";
    proved_but_not(
        text,
        &[
            ("new(o->list, 3)", "new(all->next ? all->next->list : 0, 3)"),
            ("o->list = 0;", ""),
            ("p->v == 3", "p->v != 3"),
            ("while (o->list)", "if (o->list)"),
            ("free(o); }", "}"),
        ],
    );
}

/// What lies behind a pointer that was freed may be another's, and so may its address.
#[test]
fn dead_memory_is_no_other() {
    let text = "int main(void) {
      struct node *a = new(0, 1), *b;
      free(a);
      b = new(0, 2);
      check(b->v == 2);
      free(b);
      return 0; }";
    proved_but_not(
        text,
        &[("b->v == 2", "b != a"), ("b->v == 2", "a->v == 1"), ("free(b)", "free(a)")],
    );
}

/// Before bytes that are followed one by one had a limit, this took all the memory of the machine.
#[test]
fn a_large_block_beside_a_list_is_not_followed_byte_by_byte() {
    let text = "void *memset(void *, int, unsigned long);
      static char block[1 << 30];
      int main(void) {
      struct node *list = 0, *p;
      memset(block + 1, 0, sizeof block - 2);
      block[7] = 1;
      memset(block + 2, 3, sizeof block - 4);
      while (__VERIFIER_nondet_int()) list = new(list, 1);
      while (list) { p = list; list = list->next; free(p); }
      return 0; }";
    proved_but_not(text, &[("sizeof block - 4", "sizeof block - 1"), ("free(p);", ";")]);
}

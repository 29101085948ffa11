//! Memory, program by program: each is right as it stands and goes wrong with one change; the certifier tells them apart.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_certify_c::{Certificate, Rejected, certify};
use hardbop_cir::Class;

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
typedef unsigned long size_t; void *malloc(size_t); void free(void *); void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
";

/// Whether it is accepted, all loops unrolled; the reason where not.
fn said(body: &str) -> Result<(), String> {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| it.is_default()).collect();
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let text = format!("{HEAD}{body}");
    let loaded = hardbop_c::load_text(vec![("t.c".into(), text)], &options);
    let loaded = loaded.unwrap_or_else(|it| panic!("{}\n{body}", it.message()));
    let certificate = Certificate::new(&loaded.program, &classes, 50, 10);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    match certify(&loaded.program, &certificate, &budget) {
        Ok(_) => Ok(()),
        Err(Rejected::At(_, why)) => Err(why),
        Err(other) => panic!("{other}\n{body}"),
    }
}

/// The program is right, and with the change it is not.
fn differ(right: &str, from: &str, to: &str) {
    assert!(right.contains(from), "{from}");
    assert_eq!(said(right), Ok(()), "{right}");
    let wrong = right.replace(from, to);
    assert!(said(&wrong).is_err(), "{wrong}");
}

#[test]
fn arrays_with_any_index() {
    let text =
        "int a[8]; int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
        if (i < 0 || i > 7 || j < 0 || j > 7 || i == j) return 0;
        a[i] = 5; a[j] = 6; if (a[i] != 5) reach_error(); return 0; }";
    differ(text, "|| i == j", "");
    differ(text, "i > 7", "i > 8");
    differ(text, "a[i] != 5", "a[i] != 6");
    differ(text, "a[i] != 5", "a[j] != 5");
}

#[test]
fn bytes_of_numbers_and_parts_of_them() {
    let text = "int main(void) { unsigned x = 0x01020304; unsigned char *p = (unsigned char *)&x;
        p[1] = 9; if (x != 0x01020904) reach_error(); if (*(unsigned short *)(p + 2) != 0x0102) reach_error(); return 0; }";
    differ(text, "p[1] = 9", "p[2] = 9");
    differ(text, "0x01020904", "0x01090304");
    differ(text, "(p + 2)", "(p + 3)");
}

#[test]
fn pointers_in_memory_and_their_bytes() {
    let text = "struct s { int *p; int n; } u, v; int x = 1, y = 2;
        int main(void) { u.p = &x; u.n = 3; memcpy(&v, &u, sizeof u); u.p = &y;
        if (*v.p != 1 || v.n != 3 || *u.p != 2) reach_error(); return 0; }";
    differ(text, "*v.p != 1", "*v.p != 2");
    differ(text, "sizeof u", "sizeof u.p");
    // Half a pointer is no pointer.
    differ(text, "memcpy(&v, &u, sizeof u)", "memcpy(&v, &u, sizeof u); memset(&v, 1, 4)");
    // The end of one pointer and the beginning of the next are no pointer either.
    let torn = "int x; int *a[2]; int *b; int main(void) { a[0] = &x; a[1] = &x; b = &x;
        memcpy(&b, (char *)a, sizeof b); *b = 1; return 0; }";
    differ(torn, "(char *)a,", "(char *)a + 4,");
}

#[test]
fn a_pointer_to_one_of_several() {
    let text = "int x, y, z; int main(void) { int c = __VERIFIER_nondet_int(); int *p = c ? &x : &y;
        z = 7; *p = 5; if (c && x != 5) reach_error(); if (!c && x != 0) reach_error(); if (z != 7) reach_error(); return 0; }";
    differ(text, "&x : &y", "&x : &z");
    differ(text, "if (c && x", "if (x");
}

#[test]
fn lives_of_objects() {
    let text = "int main(void) { int *p = malloc(4 * sizeof(int)); if (!p) return 0;
        for (int i = 0; i < 4; i++) p[i] = i; int s = p[3]; free(p); if (s != 3) reach_error(); return 0; }";
    differ(text, "i < 4", "i <= 4");
    differ(text, "free(p);", "");
    differ(text, "free(p);", "free(p); free(p);");
    differ(text, "free(p);", "free(p + 1);");
    differ(text, "int s = p[3]; free(p);", "free(p); int s = p[3];");
    let frames = "int *q; int g; int *f(void) { int x = 3; q = &x; return &g; }
        int main(void) { int *p = f(); *p = 4; if (g != 4) reach_error(); return 0; }";
    differ(frames, "return &g", "return q");
    let blocks =
        "int main(void) { int *p, y = 1; p = &y; { int x = 2; if (x) p = &y; } return *p - 1; }";
    differ(blocks, "if (x) p = &y", "if (x) p = &x");
}

#[test]
fn lists() {
    let text = "struct n { struct n *next; int v; };
        int main(void) { struct n *head = 0; int k = __VERIFIER_nondet_int(); if (k < 0 || k > 3) return 0;
        for (int i = 0; i < k; i++) { struct n *it = malloc(sizeof *it); if (!it) break; it->v = i; it->next = head; head = it; }
        int s = 0; while (head) { struct n *next = head->next; s += head->v; free(head); head = next; }
        if (s > 3) reach_error(); return 0; }";
    differ(text, "s > 3", "s > 2");
    differ(text, "free(head); head = next;", "head = next;");
    differ(text, "head = next;", "head = head->next;");
}

#[test]
fn pointers_that_are_compared_and_subtracted() {
    let text = "int a[4], b; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0;
        int *p = a + i; if (p - a != i) reach_error(); if (i < 4 && p == &b) reach_error(); if (p < a) reach_error();
        if (p == 0) reach_error(); return 0; }";
    differ(text, "i < 4 && p", "p");
    differ(text, "p < a", "p <= a");
    differ(text, "p - a != i", "p - a != 2");
}

#[test]
fn numbers_that_become_pointers_may_point_anywhere() {
    let text = "int x; int main(void) { int *p = 0; x = 1; if (p) *p = 2; if (x != 1) reach_error(); return 0; }";
    differ(text, "*p = 0;", "*p = (int *)(unsigned long)__VERIFIER_nondet_int();");
}

#[test]
fn functions_by_their_addresses() {
    let text = "int one(int x) { return x + 1; } int two(int x) { return x + 2; }
        int main(void) { int c = __VERIFIER_nondet_int(); int (*f)(int) = c ? one : two;
        int r = f(1); if (r != 2 && r != 3) reach_error(); if (c && r != 2) reach_error(); return 0; }";
    differ(text, "c && r != 2", "r != 2");
    differ(text, "c ? one : two", "c ? one : 0");
}

#[test]
fn recursion_to_its_bound() {
    let text = "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5) return 0; int r = f(n); if (r > 5) reach_error(); return 0; }";
    differ(text, "n > 5) return", "n > 50) return");
    differ(text, "r > 5", "r > 4");
}

#[test]
fn floating_point() {
    let text = "int main(void) { double d = 0.1 + 0.2; float f = 16777216.0f; int i = (int)3.9;
        if (d == 0.3) reach_error(); if (f + 1.0f != f) reach_error(); if (i != 3) reach_error(); return 0; }";
    differ(text, "d == 0.3", "d > 0.3");
    differ(text, "i != 3", "i != 4");
}

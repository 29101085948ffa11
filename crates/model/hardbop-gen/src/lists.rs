//! Random C programs with lists and small arrays: built, walked, changed and freed, with and without a mistake.
//!
//! A program is a row of steps that fit each other; then, now and then, one word is changed: another link, another
//! comparison, a `free` less or more. So right programs, and such that go wrong for some inputs only, are about equally frequent. Inputs are few
//! and from 0 to 3, so that all can be tried.

use crate::rng::Rng;

/// `X` and `Y` are lists with one way or two, `V` and `W` small numbers.
const STEPS: &[&str] = &[
    "n = in(); while (n-- > 0) X = push(X, V);",
    "n = in(); while (n-- > 0) X = push(X, n & 1);",
    "n = in(); while (n-- > 0) { X = push(X, V); X = push(X, W); }",
    "X = push(X, V);",
    "X = append(X, V);",
    "n = in(); while (n-- > 0) X = append(X, V);",
    "n = in(); while (n-- > 0) { X = push(X, V); X->mine = push(0, W); }",
    "n = in(); while (n-- > 0) { X = zeroed(X); X->v = V; }",
    // Walks.
    "for (p = X; p; p = p->next) p->v = V;",
    "for (p = X; p; p = p->next) if (p->v == V) p->v = W;",
    "for (p = X; p; p = p->next) check(p->v == V);",
    "for (p = X; p; p = p->next) check(!p->next || p->next->prev == p);",
    "for (p = X; p; p = p->next) check(p->v != V);",
    "for (p = X; p; p = p->next) p->same = p;",
    "for (p = X; p; p = p->next) check(!p->same || p->same->v == p->v);",
    "for (p = X; p; p = p->next) p->same = X;",
    "for (p = X; p && p->next; p = p->next) check(p->v == V); if (p) check(p->v == W);",
    "n = 0; for (p = X; p; p = p->next) n++; check(n >= 0);",
    "c = 254; for (p = X; p; p = p->next) c++; check(c >= 254 || c < 9);",
    "if (X) check(X->v == V);",
    "if (X && X->next) check(X->next->v == V);",
    "check(!X || X != Y);",
    // Deletions.
    "if (X) { p = X; X = X->next; if (X) X->prev = 0; drop(p); }",
    "if (X && X->next) { p = X->next; X->next = p->next; if (p->next) p->next->prev = X; drop(p); }",
    "for (p = X; p; p = q) { q = p->next; if (p->v == V && p != X) { p->prev->next = q; if (q) q->prev = p->prev; drop(p); } }",
    "for (pp = &X; *pp && (*pp)->v != V; pp = &(*pp)->next) ; if (*pp) { p = *pp; *pp = p->next; if (*pp) (*pp)->prev = p->prev; drop(p); }",
    "pp = &X; while (*pp) if ((*pp)->v == V) { p = *pp; *pp = p->next; if (*pp) (*pp)->prev = p->prev; drop(p); } else pp = &(*pp)->next;",
    // Whole lists.
    "X = reverse(X);",
    "X = reverse(X); for (p = X; p; p = p->next) p->prev = 0;",
    "for (p = X; p && p->next; p = p->next) ; if (p) { p->next = Y; if (Y) Y->prev = p; Y = 0; }",
    "p = X; X = Y; Y = p;",
    "while (Y) { p = Y; Y = Y->next; if (Y) Y->prev = 0; p->next = X; if (X) X->prev = p; X = p; }",
    "q = X; if (X) { p = X->next; X->next = 0; if (p) p->prev = 0; while (p) { struct node *r = p->next; p->next = q; q->prev = p; p->prev = 0; q = p; p = r; } X = q; }",
    "X = insert(X, V);",
    "n = in(); while (n-- > 0) X = insert(X, n);",
    "for (p = X; p && p->next; p = p->next) check(p->v <= p->next->v);",
    // Inside of nodes, copies, numbers, unions.
    "if (X) { int *i = &X->v; *i = V; p = (struct node *)((char *)i - OFFSET); check(p == X); }",
    "if (X && Y) { struct node copy = *X; copy.next = Y->next; copy.prev = Y->prev; copy.mine = Y->mine; *Y = copy; }",
    "if (X) { unsigned long l = (unsigned long)X; p = (struct node *)l; check(p->v == X->v); }",
    "if (X) { union { struct node *p; unsigned long l; } u; u.p = X; check(u.l != 0); p = u.p; p->v = V; }",
    "if (X) { ((char *)&X->v)[0] = V; check(X->v == V); }",
    // Arrays.
    "for (k = 0; k < 3; k++) t[k] = X; check(t[0] == t[2]);",
    "k = 0; for (p = X; p && k < 3; p = p->next) t[k++] = p; if (k > 1) check(t[0]->next == t[1]);",
    "k = 0; for (p = X; p; p = p->next) a[k++ & 3] = p->v; check(a[0] <= 3);",
    "for (k = 0; k < 4; k++) a[k] = V; k = in(); check(a[k] == V);",
    "for (k = 0; k <= in(); k++) a[k] = k;",
    // Memory of elements.
    "if (X) { X->mine = push(X->mine, V); for (p = X->mine; p; p = p->next) check(p->v == W); }",
    "for (p = X; p; p = p->next) { q = p->mine; while (q) { p->mine = q->next; free(q); q = p->mine; } }",
    "for (p = X; p; p = p->next) if (p->mine) { drop(p->mine); p->mine = 0; }",
    // Lists in a ring with a head of their own.
    "n = in(); while (n-- > 0) link(&ring, V);",
    "n = in(); while (n-- > 0) { link(&ring, V); unlink(ring.next); }",
    "for (l = ring.next; l != &ring; l = l->next) check(entry(l)->v == V);",
    "for (l = ring.next; l != &ring; l = m) { m = l->next; if (entry(l)->v == V) unlink(l); }",
    "for (l = ring.prev; l != &ring; l = l->prev) entry(l)->v = V;",
    "if (ring.next != &ring) { m = ring.next; check(m->prev == &ring); unlink(m); }",
];

/// With fewer than these nothing is there to be changed.
const BUILDING: usize = 8;

const END: &[&str] = &[
    "while (X) { p = X; X = X->next; while (p->mine) { q = p->mine; p->mine = q->next; free(q); } free(p); }",
    "while (X) { p = X->next; drop(X); X = p; }",
    "while (X) { p = X; X = X->next; if (p->v != V) free(p); }",
];

/// Words that a mistake puts in place of each other.
const WORDS: &[(&str, &str)] = &[
    ("->next", "->prev"),
    ("->prev", "->next"),
    ("p = ", "q = "),
    ("q = ", "p = "),
    ("==", "!="),
    ("!=", "=="),
    ("while (", "if ("),
    ("free(p);", ";"),
    ("free(q);", ";"),
    ("drop(p);", ";"),
    ("drop(p);", "drop(p); drop(p);"),
    ("drop(p);", "free(p);"),
    ("free(p);", "drop(p);"),
    ("->mine", "->same"),
    ("= 0;", "= p;"),
    ("< 4", "<= 4"),
    ("< 3", "<= 3"),
    ("&& p->next", ""),
    ("if (q)", ""),
    ("if (p)", ""),
    ("&& ", "|| "),
];

const HEAD: &str =
    "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void free(void *); void reach_error(void);
struct link { struct link *next, *prev; };
struct entry { int v; struct link at; };
static int in(void) { return __VERIFIER_nondet_int() & 3; }
static void check(int it) { if (!it) reach_error(); }
static struct node *push(struct node *list, int v) {
  struct node *it = malloc(sizeof *it); it->next = list; it->prev = 0; it->mine = 0; it->same = 0; it->v = v;
  if (list) list->prev = it;
  return it; }
static struct node *zeroed(struct node *list) {
  struct node *it = calloc(1, sizeof *it); it->next = list;
  if (list) list->prev = it;
  return it; }
static struct node *append(struct node *list, int v) {
  struct node *it = push(0, v), *last = list;
  if (!list) return it;
  while (last->next) last = last->next;
  last->next = it; it->prev = last;
  return list; }
static struct node *insert(struct node *list, int v) {
  struct node *it, *at = list;
  if (!list || list->v >= v) return push(list, v);
  while (at->next && at->next->v < v) at = at->next;
  it = push(0, v); it->next = at->next; if (it->next) it->next->prev = it;
  at->next = it; it->prev = at;
  return list; }
static struct node *reverse(struct node *list) {
  struct node *done = 0, *next;
  while (list) { next = list->next; list->next = done; list->prev = next; done = list; list = next; }
  return done; }
static void drop(struct node *it) {
  struct node *q;
  while (it->mine) { q = it->mine; it->mine = q->next; free(q); }
  free(it); }
static struct entry *entry(struct link *it) { return (struct entry *)((char *)it - (unsigned long)&((struct entry *)0)->at); }
static void link(struct link *ring, int v) {
  struct entry *it = malloc(sizeof *it); it->v = v; it->at.next = ring->next; it->at.prev = ring;
  ring->next->prev = &it->at; ring->next = &it->at; }
static void unlink(struct link *it) { it->prev->next = it->next; it->next->prev = it->prev; free(entry(it)); }\n";

/// Where the links lie in a node.
const NODES: &[&str] = &[
    "struct node { struct node *next, *prev, *mine, *same; int v; };",
    "struct node { int v; struct node *mine, *next, *same, *prev; };",
    "struct node { struct node *prev, *next; short pad; int v; struct node *same, *mine; };",
];

/// The lists: local, global, and in an object whose address is taken.
const HOMES: &[(&str, &str, [&str; 2])] = &[
    ("", "struct node *a0 = 0, *b0 = 0;", ["a0", "b0"]),
    ("static struct node *a0, *b0;", "", ["a0", "b0"]),
    ("", "struct { struct node *head, *other; } s = { 0, 0 };", ["s.head", "s.other"]),
    ("static struct { int n; struct node *lists[2]; } s;", "", ["s.lists[0]", "s.lists[1]"]),
    ("", "struct node **h = calloc(2, sizeof *h);", ["h[0]", "h[1]"]),
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let node = NODES[rng.below(NODES.len())];
    let (global, local, lists) = HOMES[rng.below(HOMES.len())];
    let mut body: Vec<String> = Vec::new();
    for at in 0..rng.within((3, 6)) {
        let steps = if at < 2 { &STEPS[..BUILDING] } else { STEPS };
        body.push(step(&mut rng, steps, lists));
    }
    for list in [lists, [lists[1], lists[0]]] {
        let end = if rng.chance(85) { END[0] } else { END[rng.below(END.len())] };
        body.push(filled(&mut rng, end, list));
    }
    body.push("while (ring.next != &ring) unlink(ring.next);".into());
    if lists[0] == "h[0]" {
        body.push("free(h);".into());
    }
    if rng.chance(50) {
        spoil(&mut rng, &mut body);
    }
    let body: String = body.iter().map(|it| format!("  {it}\n")).collect();
    format!(
        "{node}\n{global}\n{HEAD}int main(void) {{
  {local} struct node *p = 0, *q = 0, **pp = 0, *t[3] = {{ 0, 0, 0 }}; int n = 0, k = 0, a[4] = {{ 0, 0, 0, 0 }}; unsigned char c = 0;
  struct link ring = {{ &ring, &ring }}, *l = 0, *m = 0;
{body}  return 0; }}\n"
    )
}

fn step(rng: &mut Rng, steps: &[&str], lists: [&str; 2]) -> String {
    let text = steps[rng.below(steps.len())];
    let [x, y] = lists;
    let lists = if rng.chance(35) { [y, x] } else { [x, y] };
    filled(rng, text, lists)
}

fn filled(rng: &mut Rng, text: &str, [x, y]: [&str; 2]) -> String {
    let [v, w] = [0, 1].map(|_| rng.below(2).to_string());
    text.replace("OFFSET", "(unsigned long)&((struct node *)0)->v")
        .replace('X', x)
        .replace('Y', y)
        .replace('V', &v)
        .replace('W', &w)
}

/// One word of one step becomes another.
fn spoil(rng: &mut Rng, body: &mut [String]) {
    for _ in 0..20 {
        let at = rng.below(body.len());
        let (right, wrong) = WORDS[rng.below(WORDS.len())];
        // No part of a longer name.
        let begins = |place: &usize| {
            !body[at][..*place].ends_with(|it: char| it == '.' || it.is_alphanumeric())
        };
        let places = body[at].match_indices(right).map(|it| it.0);
        let places: Vec<usize> = places.filter(|it| right.starts_with('-') || begins(it)).collect();
        if let Some(&place) = rng.pick(&places) {
            body[at].replace_range(place..place + right.len(), wrong);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seed_is_one_program_and_seeds_differ() {
        let all: std::collections::BTreeSet<String> = (0..200).map(super::program).collect();
        assert_eq!(super::program(7), super::program(7));
        assert!(all.len() > 195, "{} of 200", all.len());
    }
}

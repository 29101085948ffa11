//! Random programs of two and three threads, whose verdict a reference of a few lines knows: it goes through
//! all interleavings of loads, stores and locks.

use std::collections::BTreeSet;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::Class;
use hardbop_engine::Verdict;
use hardbop_engine_c::Options;

const N_VARS: usize = 3;

/// One step of a thread; registers hold small numbers.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// `r = v;`
    Load(usize),
    /// `v = r + k;`
    Store(usize, i32),
    /// `v = r + k;` if `r` is `c`.
    StoreIf(i32, usize, i32),
    /// `if (r == c) reach_error();`
    Check(i32),
    Lock,
    Unlock,
    /// `__sync_fetch_and_add(&v, k);`
    Add(usize, i32),
}

fn random_thread(rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    let locks = rng.chance(40);
    if locks {
        steps.push(Step::Lock);
    }
    for _ in 0..rng.within((1, 3)) {
        let (from, to) = (rng.below(N_VARS), rng.below(N_VARS));
        let (k, c) = (rng.below(3) as i32, rng.below(3) as i32);
        match rng.below(6) {
            0 | 1 => steps.extend([Step::Load(from), Step::Store(to, k)]),
            2 => steps.extend([Step::Load(from), Step::StoreIf(c, to, k)]),
            3 => steps.push(Step::Add(to, k)),
            _ => steps.extend([Step::Load(from), Step::Check(c + 1)]),
        }
    }
    if locks {
        steps.push(Step::Unlock);
    }
    steps
}

fn text(threads: &[Vec<Step>]) -> String {
    let mut text = String::from(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
         int pthread_join(unsigned long, void **);
         typedef struct { int words[10]; } mutex; int pthread_mutex_lock(mutex *);
         int pthread_mutex_unlock(mutex *); extern void reach_error(void); mutex m; int v0, v1, v2;\n",
    );
    for (at, steps) in threads.iter().enumerate() {
        text += &format!("void *t{at}(void *arg) {{ int r = 0;\n");
        for step in steps {
            text += &match *step {
                Step::Load(v) => format!("r = v{v};"),
                Step::Store(v, k) => format!("v{v} = r + {k};"),
                Step::StoreIf(c, v, k) => format!("if (r == {c}) v{v} = r + {k};"),
                Step::Check(c) => format!("if (r == {c}) reach_error();"),
                Step::Lock => "pthread_mutex_lock(&m);".to_string(),
                Step::Unlock => "pthread_mutex_unlock(&m);".to_string(),
                Step::Add(v, k) => format!("__sync_fetch_and_add(&v{v}, {k});"),
            };
        }
        text += "return 0; }\n";
    }
    text += "int main(void) { unsigned long id[3];\n";
    for at in 0..threads.len() {
        text += &format!("pthread_create(&id[{at}], 0, t{at}, 0);");
    }
    for at in 0..threads.len() {
        text += &format!("pthread_join(id[{at}], 0);");
    }
    text + "return 0; }\n"
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    vars: [i32; N_VARS],
    at: Vec<(usize, i32)>,
    holder: Option<usize>,
}

/// Whether some interleaving comes to the error.
fn is_unsafe(threads: &[Vec<Step>]) -> bool {
    let first = State { vars: [0; N_VARS], at: vec![(0, 0); threads.len()], holder: None };
    let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
    while let Some(state) = todo.pop() {
        for (thread, steps) in threads.iter().enumerate() {
            let mut next = state.clone();
            let (at, r) = next.at[thread];
            let Some(&step) = steps.get(at) else { continue };
            next.at[thread].0 += 1;
            match step {
                Step::Load(v) => next.at[thread].1 = next.vars[v],
                Step::Store(v, k) => next.vars[v] = r + k,
                Step::StoreIf(c, v, k) if r == c => next.vars[v] = r + k,
                Step::StoreIf(..) => {}
                Step::Check(c) if r == c => return true,
                Step::Check(_) => {}
                Step::Lock if state.holder.is_some() => continue,
                Step::Lock => next.holder = Some(thread),
                Step::Unlock => next.holder = None,
                Step::Add(v, k) => next.vars[v] += k,
            }
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    false
}

#[test]
fn random_programs_have_the_verdict_of_all_interleavings() {
    let (mut n_unsafe, n) = (0, 300);
    for seed in 0..n {
        let mut rng = Rng::new(seed);
        let threads: Vec<_> = (0..rng.within((2, 3))).map(|_| random_thread(&mut rng)).collect();
        let classes = vec![Class::Assert];
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let source = text(&threads);
        let loaded = hardbop_c::load_text(vec![("t.c".into(), source.clone())], &options);
        let loaded = loaded.expect("it is C");
        let options = Options { classes, stop_at_first: true, ..Options::default() };
        let (report, _) =
            hardbop_interleave::check(&loaded.program, &options, &Budget::unlimited());
        let expected = is_unsafe(&threads);
        n_unsafe += usize::from(expected);
        match report.overall() {
            Verdict::Safe => assert!(!expected, "seed {seed} is unsafe:\n{source}"),
            Verdict::Unsafe(_) => assert!(expected, "seed {seed} is safe:\n{source}"),
            Verdict::Unknown(why) => panic!("seed {seed}: {why}\n{source}"),
        }
    }
    assert!(n_unsafe > 50 && n_unsafe < 250, "{n_unsafe} of {n} are unsafe");
}

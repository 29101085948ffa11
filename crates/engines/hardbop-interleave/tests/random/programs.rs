//! Programs of a few threads: their steps, some by chance, and their text in C.

use hardbop_base::rng::Rng;

pub const N_VARS: usize = 3;
pub const N_LOCKS: usize = 2;

/// One step of a thread; registers hold small numbers.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// `r = v;`
    Load(usize),
    /// `v = r + k;`
    Store(usize, i32),
    /// `v = r + k;` if `r` is `c`.
    StoreIf(i32, usize, i32),
    /// `if (r == c) reach_error();`
    Check(i32),
    Lock(usize),
    Unlock(usize),
    /// `__sync_fetch_and_add(&v, k);`
    Add(usize, i32),
    /// `r = __atomic_load_n(&v, 5);`
    AtomicLoad(usize),
    /// `r = input * 5 & 3;`, which is any of four numbers.
    Input,
    /// `r = r & 1 ? v0 : v1;`, by a pointer that is chosen first.
    LoadBy,
    /// `v = v * 3 - r` in an atomic section.
    Mix(usize),
    /// Of a semaphore that is 0 or 1 in the beginning.
    Down,
    Up,
    /// `p = &v;`, a pointer that all share.
    Point(usize),
    /// `r = *p;`
    LoadThrough,
    /// `*p = r + k;`
    StoreThrough(i32),
    /// `r = __sync_val_compare_and_swap(&v, c, k);`
    Swap(usize, i32, i32),
    /// `r = w[number of the thread & 1];`, and `w[number of the thread & 1] = r + k;`
    LoadOwn,
    StoreOwn(i32),
    /// Of the condition variable, with lock 0 held.
    Wait,
    Signal,
    Broadcast,
    /// Starts the last thread.
    Start,
}

pub fn random_thread(rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    let first = rng.below(N_LOCKS);
    let locks: Vec<usize> = match rng.below(10) {
        0..5 => vec![],
        5..7 => vec![0],
        _ => vec![first, 1 - first],
    };
    // Some take their variables one by one: that makes more programs without a race.
    let (first_var, n_vars) = if rng.chance(40) { (rng.below(N_VARS), 1) } else { (0, N_VARS) };
    let is_atomic = rng.chance(30);
    steps.extend(locks.iter().map(|&it| Step::Lock(it)));
    for _ in 0..rng.within((1, 3)) {
        let (from, to) = (first_var + rng.below(n_vars), first_var + rng.below(n_vars));
        let (k, c) = (rng.below(3) as i32, rng.below(3) as i32);
        let load = if is_atomic { Step::AtomicLoad(from) } else { Step::Load(from) };
        match rng.below(6) {
            _ if is_atomic && rng.chance(50) => steps.push(Step::Add(to, k)),
            0 | 1 => steps.extend([load, Step::Store(to, k)]),
            2 => steps.extend([load, Step::StoreIf(c, to, k)]),
            3 => steps.push(Step::Add(to, k)),
            _ => steps.extend([load, Step::Check(c + 1)]),
        }
    }
    steps.extend(locks.iter().map(|&it| Step::Unlock(it)));
    steps
}

/// The same with arbitrary numbers in between.
pub fn with_inputs(mut steps: Vec<Step>, rng: &mut Rng) -> Vec<Step> {
    for _ in 0..rng.within((1, 2)) {
        let at = rng.below(steps.len() + 1);
        let step = match rng.below(8) {
            0 => Step::LoadBy,
            1 => Step::Mix(rng.below(N_VARS)),
            2 => Step::Down,
            3 => Step::Up,
            _ => Step::Input,
        };
        steps.insert(at, step);
    }
    steps
}

/// The same with pointers, swaps, an array by number, a condition variable, and a thread that is started by another.
pub fn with_more(threads: &mut [Vec<Step>], rng: &mut Rng) {
    for steps in threads.iter_mut() {
        for _ in 0..rng.within((1, 2)) {
            let at = rng.below(steps.len() + 1);
            let (v, k, c) = (rng.below(N_VARS), rng.below(3) as i32, rng.below(3) as i32);
            let step = match rng.below(9) {
                0 => Step::Point(v),
                1 => Step::LoadThrough,
                2 => Step::StoreThrough(k),
                3 => Step::LoadOwn,
                4 => Step::StoreOwn(k),
                5 => Step::Signal,
                6 => Step::Broadcast,
                _ => Step::Swap(v, c, k),
            };
            steps.insert(at, step);
        }
        let from = steps.iter().position(|it| matches!(it, Step::Lock(0)));
        let to = steps.iter().position(|it| matches!(it, Step::Unlock(0)));
        if let (Some(from), Some(to), true) = (from, to, rng.chance(60)) {
            steps.insert(from + 1 + rng.below(to - from), Step::Wait);
        }
    }
    if rng.chance(40) {
        let at = rng.below(threads[0].len() + 1);
        threads[0].insert(at, Step::Start);
    }
}

/// Whether the last thread is started by the first one.
pub fn is_nested(threads: &[Vec<Step>]) -> bool {
    threads.iter().flatten().any(|it| matches!(it, Step::Start))
}

pub fn text(threads: &[Vec<Step>]) -> String {
    text_of(threads, false)
}

/// With any number of each thread, or one.
pub fn text_of(threads: &[Vec<Step>], are_many: bool) -> String {
    let mut text = String::from(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
         int pthread_join(unsigned long, void **);
         typedef struct { int words[10]; } mutex; int pthread_mutex_lock(mutex *);
         int pthread_mutex_unlock(mutex *); extern void reach_error(void); int __VERIFIER_nondet_int(void);
         int sem_init(unsigned *, int, unsigned); int sem_wait(unsigned *); int sem_post(unsigned *); unsigned s;
         void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); typedef struct { int words[12]; } cond; int pthread_cond_wait(cond *, mutex *);
         int pthread_cond_signal(cond *); int pthread_cond_broadcast(cond *); cond c; unsigned long id[3];
         struct { char pad; mutex m; } box[2]; int v0, v1, v2, w[2]; int *p = &v0;
         static int get(int *from) { return *from; }\n",
    );
    let last = threads.len() - 1;
    text += &format!("void *t{last}(void *arg);\n");
    for (at, steps) in threads.iter().enumerate() {
        text += &format!("void *t{at}(void *arg) {{ int r = 0; long number = (long)arg;\n");
        for step in steps {
            text += &match *step {
                Step::Load(v) => format!("r = v{v};"),
                Step::AtomicLoad(v) => format!("r = __atomic_load_n(&v{v}, 5);"),
                Step::Store(v, k) => format!("v{v} = r + {k};"),
                Step::StoreIf(c, v, k) => format!("if (r == {c}) v{v} = r + {k};"),
                Step::Check(c) => format!("if (r == {c}) reach_error();"),
                Step::Lock(m) => format!("pthread_mutex_lock(&box[{m}].m);"),
                Step::Unlock(m) => format!("pthread_mutex_unlock(&box[{m}].m);"),
                Step::Point(v) => format!("p = &v{v};"),
                Step::LoadThrough => "r = get(p);".into(),
                Step::StoreThrough(k) => format!("{{ int *q = p; *q = r + {k}; }}"),
                Step::Swap(v, c, k) => {
                    format!("r = __sync_val_compare_and_swap(&v{v}, {c}, {k});")
                }
                Step::LoadOwn => "r = w[number & 1];".into(),
                Step::StoreOwn(k) => format!("w[number & 1] = r + {k};"),
                Step::Wait => "pthread_cond_wait(&c, &box[0].m);".into(),
                Step::Signal => "pthread_cond_signal(&c);".into(),
                Step::Broadcast => "pthread_cond_broadcast(&c);".into(),
                Step::Start => {
                    format!("pthread_create(&id[{last}], 0, t{last}, (void *){last}L);")
                }
                Step::Add(v, k) => format!("__sync_fetch_and_add(&v{v}, {k});"),
                Step::Input => "r = __VERIFIER_nondet_int() * 5 & 3;".into(),
                Step::LoadBy => "{ int *p = r & 1 ? &v0 : &v1; r = *p; }".into(),
                Step::Mix(v) => format!(
                    "__VERIFIER_atomic_begin(); v{v} = v{v} * 3 - r; __VERIFIER_atomic_end();"
                ),
                Step::Down => "sem_wait(&s);".into(),
                Step::Up => "sem_post(&s);".into(),
            };
        }
        text += "return 0; }\n";
    }
    text += "int main(void) {\n";
    if threads.iter().flatten().any(|it| matches!(it, Step::Down | Step::Up)) {
        text += "sem_init(&s, 0, __VERIFIER_nondet_int() * 3 & 1);";
    }
    if are_many {
        text += "while (__VERIFIER_nondet_int()) {";
        for at in 0..threads.len() {
            text += &format!("if (__VERIFIER_nondet_int()) pthread_create(&id[0], 0, t{at}, 0);");
        }
        return text + "} return 0; }\n";
    }
    for at in 0..threads.len() - usize::from(is_nested(threads)) {
        text += &format!("pthread_create(&id[{at}], 0, t{at}, (void *){at}L);");
    }
    for at in 0..threads.len() {
        text += &format!("pthread_join(id[{at}], 0);");
    }
    text + "return 0; }\n"
}

//! How fast terms are built, circuits are made, and queries of three kinds are answered.

use std::time::{Duration, Instant};

use hardbop_base::Budget;
use hardbop_gen::rng::Rng;
use hardbop_smt::random::RandomTerms;
use hardbop_smt::{Answer, Backend, Solver, TermId, Terms};

const BACKENDS: &[Backend] = &[
    Backend::Batsat,
    #[cfg(feature = "cadical")]
    Backend::Cadical,
    Backend::Adaptive,
];

pub fn print() {
    build();
    blast();
    for &backend in BACKENDS {
        small_queries(backend);
    }
    for (what, query) in [
        ("factoring 46337 * 46327, 32 bits each", factoring as fn(&mut Terms) -> TermId),
        ("x * (y + z) = x * y + x * z, 6 bits", |terms| distributivity(terms, 6)),
        ("x * (y + z) = x * y + x * z, 7 bits", |terms| distributivity(terms, 7)),
        ("x * (y + z) = x * y + x * z, 8 bits", |terms| distributivity(terms, 8)),
        ("x / y * y + x % y = x, 8 bits", |terms| division(terms, 8)),
    ] {
        for &backend in BACKENDS {
            one_query(what, query, backend);
        }
    }
}

fn rate(count: usize, time: Duration) -> String {
    format!("{:.2} M/s", count as f64 / time.as_secs_f64() / 1e6)
}

fn build() {
    let mut rng = Rng::new(1);
    let mut draw = || rng.next_u64();
    let mut random = RandomTerms::new(&mut draw, 64);
    let mut terms = Terms::new();
    let start = Instant::now();
    while terms.len() < 1_000_000 {
        let width = random.width();
        random.term(&mut terms, width, 6);
    }
    println!("terms: {} built, {}", terms.len(), rate(terms.len(), start.elapsed()));
}

fn blast() {
    let mut rng = Rng::new(2);
    let mut draw = || rng.next_u64();
    let mut random = RandomTerms::new(&mut draw, 32);
    let (mut terms, mut solver) = (Terms::new(), Solver::new(Backend::Batsat));
    let mut all = Vec::new();
    while terms.len() < 20_000 {
        all.push(random.term(&mut terms, 1, 6));
    }
    // Everything contradicts itself at once, so that only circuits and clauses take time.
    let never = terms.bool(false);
    all.push(never);
    let start = Instant::now();
    for &term in &all {
        solver.assert(term);
    }
    let answer = solver.check(&mut terms, &[], &Budget::unlimited());
    let n_gates = solver.stats().n_gates;
    println!("gates: {n_gates} made and encoded, {}, {answer:?}", rate(n_gates, start.elapsed()));
}

/// Steps of a loop, each asked for its overflow: the diet of bounded model checking.
fn small_queries(backend: Backend) {
    let (mut terms, mut solver) = (Terms::new(), Solver::new(backend));
    let (mut counter, step) = (terms.constant(32, 0), terms.var("step", 32));
    let thousand = terms.constant(32, 1000);
    let bounded = terms.ult(step, thousand);
    solver.assert(bounded);
    let start = Instant::now();
    let n_queries = 2_000;
    for k in 0..n_queries {
        let bonus = terms.var("bonus", 1);
        let wide = terms.zero_extend(bonus, 32);
        let overflow = terms.sadd_overflows(counter, step);
        let answer = solver.check(&mut terms, &[overflow], &Budget::unlimited());
        assert!(matches!(answer, Answer::Unsat(_)), "step {k}");
        counter = terms.add(counter, step);
        counter = terms.add(counter, wide);
        let limit = terms.constant(32, 1_000_000);
        let small = terms.ult(counter, limit);
        counter = terms.ite(small, counter, thousand);
    }
    println!("{n_queries} small queries, {backend:?}: {:.2?}", start.elapsed());
}

fn one_query(what: &str, query: fn(&mut Terms) -> TermId, backend: Backend) {
    let (mut terms, mut solver) = (Terms::new(), Solver::new(backend));
    let term = query(&mut terms);
    let start = Instant::now();
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let answer = match solver.check(&mut terms, &[term], &budget) {
        Answer::Sat => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let n_gates = solver.stats().n_gates;
    println!("{what}, {backend:?}: {answer} in {:.2?}, {n_gates} gates", start.elapsed());
}

fn factoring(terms: &mut Terms) -> TermId {
    let (x, y) = (terms.var("x", 32), terms.var("y", 32));
    let (wide_x, wide_y) = (terms.zero_extend(x, 64), terms.zero_extend(y, 64));
    let product = terms.mul(wide_x, wide_y);
    let (number, one) = (terms.constant(64, 46337 * 46327), terms.constant(32, 1));
    let equal = terms.eq(product, number);
    let (nontrivial, ordered) = (terms.ult(one, x), terms.ule(x, y));
    terms.and_all(&[equal, nontrivial, ordered])
}

fn distributivity(terms: &mut Terms, width: u32) -> TermId {
    let (x, y, z) = (terms.var("x", width), terms.var("y", width), terms.var("z", width));
    let sum = terms.add(y, z);
    let (left, a, b) = (terms.mul(x, sum), terms.mul(x, y), terms.mul(x, z));
    let right = terms.add(a, b);
    terms.ne(left, right)
}

fn division(terms: &mut Terms, width: u32) -> TermId {
    let (x, y) = (terms.var("x", width), terms.var("y", width));
    let (quotient, remainder) = (terms.udiv(x, y), terms.urem(x, y));
    let product = terms.mul(quotient, y);
    let back = terms.add(product, remainder);
    terms.ne(back, x)
}

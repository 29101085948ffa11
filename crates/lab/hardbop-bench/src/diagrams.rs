//! What the operations on decision diagrams cost.
//!
//! Times are nanoseconds an operation, the best of five rounds. "again" repeats operations whose
//! results are in the cache; "new" follows a collection that emptied it.

use std::hint::black_box;
use std::time::Instant;

use hardbop_base::memory::resident_bytes;
use hardbop_dd::{Cube, Dd, Level, Limits, Manager, OutOfNodes, Renaming, with_stack_for};

/// Uses a result up, so that the work is done and the handle is given back.
fn sink<T>(result: T) {
    black_box(result);
}

fn level(index: usize) -> Level {
    Level::from_u32(index as u32)
}

/// Nanoseconds a call, best of five rounds of `n` calls; `before` runs before each round.
fn measure(n: usize, before: impl Fn(), mut call: impl FnMut(usize)) -> f64 {
    let round = |call: &mut dyn FnMut(usize)| {
        before();
        let start = Instant::now();
        (0..n).for_each(call);
        start.elapsed().as_secs_f64() * 1e9 / n as f64
    };
    (0..5).map(|_| round(&mut call)).fold(f64::INFINITY, f64::min)
}

/// Tiny functions over a block of 24 levels that starts at `base`: entry, current and next copies
/// of eight variables, interleaved.
struct Block {
    /// Relations of entry and current values, 5 to 12 nodes each.
    edges: Vec<Dd>,
    /// Relations of current and next values: an assignment, and two variables that keep theirs.
    steps: Vec<Dd>,
    current: Cube,
    next_to_current: Renaming,
}

impl Block {
    fn new(m: &Manager, base: usize) -> Result<Block, OutOfNodes> {
        let [entry, current, next] =
            [0, 1, 2].map(|copy| move |i: usize| level(base + 3 * i + copy));
        let same = |f: Level, g: Level| m.iff(&m.var(f)?, &m.var(g)?);
        let mut edges = Vec::new();
        let mut steps = Vec::new();
        for i in 0..32 {
            let (a, b, c) = (i % 8, (i * 3 + 1) % 8, (i * 5 + 2) % 8);
            let guard = m.or(&m.var(entry(a))?, &m.nvar(current(c))?)?;
            let kept = m.and(&same(entry(a), current(a))?, &same(entry(b), current(b))?)?;
            edges.push(m.and(&guard, &kept)?);
            let value = m.or(&m.var(current(a))?, &m.var(current(b))?)?;
            let assigned = m.iff(&m.var(next(c))?, &value)?;
            let framed = m.and(&same(current(a), next(a))?, &same(current(b), next(b))?)?;
            steps.push(m.and(&assigned, &framed)?);
        }
        let current_cube = m.cube((0..8).map(current))?;
        let next_to_current = Renaming::new((0..8).map(|i| (next(i), current(i))));
        Ok(Block { edges, steps, current: current_cube, next_to_current })
    }
}

/// Prints a row: the operations on a block at the bottom of `n_levels` levels.
fn block_row(n_levels: usize) -> Result<(), OutOfNodes> {
    let m = Manager::new(n_levels, Limits { nodes: 1 << 22, cache_entries: 1 << 16 });
    let block = Block::new(&m, n_levels - 24)?;
    let (edges, steps) = (&block.edges, &block.steps);
    let pair = |i: usize| (&edges[i % 32], &steps[i / 32 % 32]);
    let images: Vec<Dd> = (0..1024)
        .map(|i| m.and_exists(pair(i).0, pair(i).1, &block.current))
        .collect::<Result<_, _>>()?;
    let nodes: usize = images.iter().map(|f| m.node_count(f)).sum();
    let and = |i| sink(m.and(pair(i).0, pair(i).1));
    let product = |i| sink(m.and_exists(pair(i).0, pair(i).1, &block.current));
    let rename = |i: usize| sink(m.rename(&images[i % 1024], &block.next_to_current));
    let leq = |i: usize| sink(m.leq(&images[i % 1024], &images[i * 7 % 1024]));
    let collect = || sink(m.gc());
    print!("{n_levels:>7} {:>6.1}", nodes as f64 / 1024.0);
    for operation in [&and as &dyn Fn(usize), &product, &rename, &leq] {
        let new = measure(1024, collect, operation);
        let again = measure(200_000, || (), operation);
        print!(" {new:>7.0} {again:>6.0}");
    }
    println!();
    Ok(())
}

fn small_things() -> Result<(), OutOfNodes> {
    let m = Manager::new(24, Limits::NORMAL);
    let f = m.or(&m.var(level(0))?, &m.var(level(5))?)?;
    let time = |name: &str, call: &dyn Fn()| {
        println!("{name:<24} {:>6.1} ns", measure(200_000, || (), |_| call()));
    };
    time("clone and drop", &|| sink(f.clone()));
    time("not", &|| sink(m.not(&f)));
    time("var", &|| sink(m.var(level(7))));
    time("eval", &|| sink(m.eval(&f, |_| false)));
    time("split", &|| sink(m.split(&f)));
    time("support", &|| sink(m.support(&f)));
    time("maybe_gc, nothing to do", &|| sink(m.maybe_gc()));
    Ok(())
}

fn creation() {
    for (name, limits) in [
        ("SMALL", Limits::SMALL),
        ("cache 2^16", Limits { nodes: 1 << 22, cache_entries: 1 << 16 }),
        ("NORMAL", Limits::NORMAL),
        ("64 MB", Limits::of_memory(64_000_000)),
        ("4 GB", Limits::of_memory(4_000_000_000)),
    ] {
        for n_levels in [24, 24_000] {
            let make = |_| {
                let m = Manager::new(n_levels, limits);
                sink(m.var(level(n_levels - 1)));
            };
            let micros = measure(50, || (), make) / 1e3;
            println!("{name:<11} {limits:?}, {n_levels} levels: {micros:.0} us");
        }
    }
}

/// Fills a manager and counts the memory.
fn memory() {
    for (name, n) in [("1M nodes", 1 << 20), ("4M nodes", 1 << 22)] {
        let before = resident_bytes().unwrap_or(0);
        let limits = Limits { nodes: n, cache_entries: 1 << 10 };
        let m = Manager::new(80, limits);
        let full = (0..40).try_fold(m.zero().clone(), |sum, i| {
            m.or(&sum, &m.and(&m.var(level(i))?, &m.var(level(40 + i))?)?)
        });
        let used = resident_bytes().unwrap_or(0).saturating_sub(before);
        let per_node = used as f64 / n as f64;
        println!("{name}, filled ({}): {per_node:.1} bytes a node", full.is_err());
    }
    let before = resident_bytes().unwrap_or(0);
    let m = Manager::new(1_000_000, Limits::SMALL);
    let used = resident_bytes().unwrap_or(0).saturating_sub(before);
    println!("{} levels: {:.1} bytes a level", m.n_levels(), used as f64 / 1e6);
}

pub fn run() -> Result<(), OutOfNodes> {
    println!("memory");
    memory();
    println!("\ncreate and drop a manager");
    creation();
    println!("\nsmall things");
    small_things()?;
    println!(
        "\nns an operation, V levels, tiny functions at the bottom; `nodes` is the mean image"
    );
    println!("      V  nodes      and  again  and_ex  again  rename  again     leq  again");
    with_stack_for(24_000, || [24, 240, 2_400, 24_000].into_iter().try_for_each(block_row))
}

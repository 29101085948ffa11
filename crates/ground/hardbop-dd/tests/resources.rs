//! Limits are values, stacks are deep enough, and managers leave nothing behind.

use hardbop_dd::{Dd, Level, Limits, Manager, OutOfNodes, Renaming, with_stack_for};

fn level(index: usize) -> Level {
    Level::from_u32(index as u32)
}

/// `x0 ∧ x(n) ∨ x1 ∧ x(n+1) ∨ …`: exponential in this order.
fn far_apart(m: &Manager, n: usize) -> Result<Dd, OutOfNodes> {
    (0..n).try_fold(m.zero().clone(), |sum, i| {
        m.or(&sum, &m.and(&m.var(level(i))?, &m.var(level(n + i))?)?)
    })
}

#[test]
fn running_out_is_a_value_and_garbage_is_found_again() {
    for nodes in [600, 3_000, 200_000] {
        let m = Manager::new(60, Limits::SMALL.with_nodes(nodes));
        let small = far_apart(&m, 4).unwrap();
        for _ in 0..3 {
            assert_eq!(far_apart(&m, 30), Err(OutOfNodes { limit: nodes }));
        }
        assert_eq!(far_apart(&m, 4).unwrap(), small);
        assert!(m.eval(&small, |x| x.as_u32() % 4 == 0));
        m.gc();
        assert!(m.n_nodes() < 300, "{} nodes left of {nodes}", m.n_nodes());
        assert!(far_apart(&m, 5).is_ok());
    }
}

#[test]
fn garbage_does_not_count_against_the_limit() {
    let m = Manager::new(40, Limits::SMALL.with_nodes(4_000));
    let kept = far_apart(&m, 7).unwrap();
    for i in 0..20_000 {
        let literals: Vec<_> = (0..14).map(|k| (level(20 + k), i >> k & 1 == 1)).collect();
        let term = m.product(&literals).unwrap();
        assert!(!m.is_false(&m.and(&kept, &term).unwrap()));
    }
}

#[test]
fn garbage_is_collected_when_it_may_dominate() {
    let m = Manager::new(40, Limits::SMALL);
    let mut most = 0;
    for i in 0..40_000 {
        let literals: Vec<_> = (0..16).map(|k| (level(k), i >> k & 1 == 1)).collect();
        m.product(&literals).unwrap();
        m.maybe_gc();
        most = most.max(m.n_nodes());
    }
    assert!(most < 100_000, "{most} nodes at most");
}

#[test]
fn levels_can_be_added_later() {
    let mut m = Manager::new(2, Limits::SMALL);
    let f = m.and(&m.var(level(0)).unwrap(), &m.var(level(1)).unwrap()).unwrap();
    assert_eq!(m.add_levels(3), level(2));
    assert_eq!(m.n_levels(), 5);
    let g = m.and(&f, &m.var(level(4)).unwrap()).unwrap();
    assert_eq!(m.support(&g), [level(0), level(1), level(4)]);
}

/// Chains as deep as the order, on the 2 MB stack of a test thread, inside and outside of
/// `with_stack_for`.
#[test]
fn deep_diagrams_do_not_overflow_the_stack() {
    const N: usize = 30_000;
    let run = || {
        let m = Manager::new(2 * N, Limits::SMALL);
        let even = |i: usize| level(2 * i);
        let ones: Vec<_> = (0..N).map(|i| (even(i), true)).collect();
        let mixed: Vec<_> = (0..N).map(|i| (even(i), i != N - 1)).collect();
        let [f, g] = [m.product(&ones).unwrap(), m.product(&mixed).unwrap()];
        let either = m.or(&f, &g).unwrap();
        assert_eq!(m.node_count(&either), N - 1);
        assert!(m.is_false(&m.and(&f, &g).unwrap()) && m.disjoint(&f, &g) && m.leq(&f, &either));
        assert_eq!(m.simplify(&f, &either).unwrap(), m.var(even(N - 1)).unwrap());

        let up = Renaming::new((0..N).map(|i| (even(i), level(2 * i + 1))));
        let renamed = m.rename(&f, &up).unwrap();
        assert_eq!(m.support(&renamed).len(), N);
        let cube = m.cube((0..N).map(|i| level(2 * i + 1))).unwrap();
        assert_eq!(m.and_exists(&f, &renamed, &cube).unwrap(), f);
        assert_eq!(m.ite(&f, &renamed, &g).unwrap(), {
            m.or(&m.and(&f, &renamed).unwrap(), &m.minus(&g, &f).unwrap()).unwrap()
        });
        assert_eq!(m.sat_count(&m.not(m.zero()), 3), 8.0);
        assert_eq!(m.sat_count(&f, 2), 0.0);
        // A sum takes an operation a level, each as deep as the rest: fewer levels will do.
        let shorter = m.product(&ones[..5_000]).unwrap();
        assert_eq!(m.isop(&shorter, 10).unwrap().unwrap(), [&ones[..5_000]]);
        assert_eq!(m.paths(&either).count(), 1);
        let other = Manager::new(2 * N, Limits::SMALL);
        let moved = other.import(&m, &[f, either], |x| x).unwrap();
        assert!(other.leq(&moved[0], &moved[1]));
    };
    run();
    with_stack_for(2 * N, run);
}

#[test]
fn functions_and_managers_may_change_threads() {
    fn may_move<T: Send>() {}
    may_move::<Manager>();
    may_move::<Dd>();
    may_move::<Renaming>();
    let m = Manager::new(4, Limits::SMALL);
    let f = far_apart(&m, 2).unwrap();
    let count = std::thread::spawn(move || m.sat_count(&f, 4)).join().unwrap();
    assert_eq!(count, 7.0);
}

#[test]
fn a_memory_limit_holds() {
    let before = hardbop_base::memory::resident_bytes();
    let bytes = 24_000_000;
    let m = Manager::new(60, Limits::of_memory(bytes));
    assert!(far_apart(&m, 30).is_err());
    if let (Some(before), Some(after)) = (before, hardbop_base::memory::resident_bytes()) {
        // Other tests run in this process, so the bound is wide.
        assert!(after.saturating_sub(before) < 4 * bytes, "{} bytes", after - before);
    }
}

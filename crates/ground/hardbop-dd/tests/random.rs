//! Random functions of 10 to 16 variables.

use hardbop_dd::{Dd, Level, Limits, Manager, Renaming};

/// xorshift64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

fn level(index: usize) -> Level {
    Level::from_u32(index as u32)
}

/// A random combination of about `size` literals of the given variables.
fn function(m: &Manager, random: &mut Random, vars: &[Level], size: usize) -> Dd {
    if size <= 1 {
        return m.literal(vars[random.below(vars.len())], random.below(2) == 0).unwrap();
    }
    let split = 1 + random.below(size - 1);
    let f = function(m, random, vars, split);
    let g = function(m, random, vars, size - split);
    match random.below(5) {
        0 | 1 => m.and(&f, &g),
        2 | 3 => m.or(&f, &g),
        _ => m.xor(&f, &g),
    }
    .unwrap()
}

fn functions(m: &Manager, n_vars: usize, count: usize) -> Vec<Dd> {
    let vars: Vec<Level> = (0..n_vars).map(level).collect();
    let mut random = Random(0x5eed + n_vars as u64);
    (0..count).map(|i| function(m, &mut random, &vars, 2 + i % 40)).collect()
}

#[test]
fn sums_of_products_are_prime_and_irredundant() {
    let m = Manager::new(16, Limits::SMALL);
    for n_vars in 10..=16 {
        for f in functions(&m, n_vars, 40) {
            let products = m.isop(&f, 10_000).unwrap().expect("a short sum");
            let terms: Vec<Dd> = products.iter().map(|p| m.product(p).unwrap()).collect();
            let sum = |terms: &mut dyn Iterator<Item = &Dd>| {
                terms.fold(m.zero().clone(), |sum, term| m.or(&sum, term).unwrap())
            };
            assert_eq!(sum(&mut terms.iter()), f);
            for skipped in 0..terms.len().min(30) {
                let others = terms.iter().enumerate().filter(|&(i, _)| i != skipped);
                assert_ne!(sum(&mut others.map(|(_, term)| term)), f, "redundant product");
            }
            for product in &products {
                assert!(product.is_sorted_by_key(|literal| literal.0));
                for dropped in 0..product.len() {
                    let mut wider = product.clone();
                    wider.remove(dropped);
                    assert!(!m.leq(&m.product(&wider).unwrap(), &f), "redundant literal");
                }
            }
        }
    }
}

#[test]
fn a_sum_too_long_is_refused_at_once() {
    let m = Manager::new(60, Limits::SMALL);
    let parity =
        (0..60).fold(m.zero().clone(), |f, i| m.xor(&f, &m.var(level(i)).unwrap()).unwrap());
    assert_eq!(m.isop(&parity, 1_000_000).unwrap(), None);
    assert_eq!(m.paths(&parity).take(100).count(), 100);
    assert_eq!(m.sat_count(&parity, 60), f64::powi(2.0, 59));
}

#[test]
fn paths_are_disjoint_and_cover_the_function() {
    let m = Manager::new(12, Limits::SMALL);
    for f in functions(&m, 12, 100) {
        let mut sum = m.zero().clone();
        for path in m.paths(&f) {
            let term = m.product(&path).unwrap();
            assert!(m.disjoint(&sum, &term));
            sum = m.or(&sum, &term).unwrap();
        }
        assert_eq!(sum, f);
    }
}

#[test]
fn support_and_simplification_and_inclusion() {
    let m = Manager::new(14, Limits::SMALL);
    let all = functions(&m, 14, 120);
    for (f, g) in all.iter().zip(all.iter().skip(1)) {
        let support = m.support(f);
        for i in 0..14 {
            let depends = m.cofactor(f, &[(level(i), true)]).unwrap()
                != m.cofactor(f, &[(level(i), false)]).unwrap();
            assert_eq!(support.contains(&level(i)), depends);
        }
        let simpler = m.simplify(f, g).unwrap();
        assert_eq!(m.and(&simpler, g).unwrap(), m.and(f, g).unwrap());
        assert!(m.support(&simpler).iter().all(|x| support.contains(x)));

        let both = m.and(f, g).unwrap();
        assert!(m.leq(&both, f) && m.leq(&both, g) && m.leq(f, &m.or(f, g).unwrap()));
        assert_eq!(m.leq(f, g), both == *f);
        assert_eq!(m.disjoint(f, g), m.is_false(&both));
    }
}

/// Permutations and shifts, against the relational product with the equalities of old and new.
#[test]
fn renaming_is_a_relational_product() {
    let m = Manager::new(20, Limits::SMALL);
    let mut random = Random(77);
    let old = m.cube((0..10).map(level)).unwrap();
    for f in functions(&m, 10, 60) {
        // New names lie at levels 10 to 19, in a random order.
        let mut names: Vec<usize> = (10..20).collect();
        for i in (1..10).rev() {
            names.swap(i, random.below(i + 1));
        }
        let mut equal = m.one().clone();
        for (i, &name) in names.iter().enumerate() {
            let same = m.iff(&m.var(level(i)).unwrap(), &m.var(level(name)).unwrap()).unwrap();
            equal = m.and(&equal, &same).unwrap();
        }
        let there = Renaming::new((0..10).map(|i| (level(i), level(names[i]))));
        let back = Renaming::new((0..10).map(|i| (level(names[i]), level(i))));
        let renamed = m.rename(&f, &there).unwrap();
        assert_eq!(renamed, m.and_exists(&f, &equal, &old).unwrap());
        assert_eq!(m.rename(&renamed, &back).unwrap(), f);
    }
}

#[test]
fn imported_functions_keep_their_sharing_and_their_values() {
    let m = Manager::new(14, Limits::SMALL);
    let roots = functions(&m, 14, 50);
    let larger = Manager::new(20, Limits::SMALL);
    let moved = larger.import(&m, &roots, |x| Level::from_u32(x.as_u32() + 3)).unwrap();
    let back = m.import(&larger, &moved, |x| Level::from_u32(x.as_u32() - 3)).unwrap();
    assert_eq!(back, roots);
    for (f, g) in roots.iter().zip(&moved) {
        assert_eq!(m.node_count(f), larger.node_count(g));
    }
    let reversed = larger.import(&m, &roots, |x| Level::from_u32(13 - x.as_u32())).unwrap();
    let again = m.import(&larger, &reversed, |x| Level::from_u32(13 - x.as_u32())).unwrap();
    assert_eq!(again, roots);
}

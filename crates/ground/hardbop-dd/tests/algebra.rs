//! Every function of three variables, against its truth table.

use std::collections::HashMap;

use hardbop_dd::{Cube, Dd, Level, Limits, Manager, Renaming};

/// Bit `p` of a table is the value at the point `p`, whose bit `k` is the value of variable `k`.
type Table = u8;

const POINTS: u8 = 8;

fn level(index: u32) -> Level {
    Level::from_u32(index)
}

/// A manager whose three variables are its first levels, all 256 functions, and back.
struct World {
    manager: Manager,
    functions: Vec<Dd>,
    tables: HashMap<Dd, Table>,
}

impl World {
    fn new(n_levels: usize) -> World {
        let manager = Manager::new(n_levels, Limits::SMALL);
        let functions: Vec<Dd> = (0..=Table::MAX)
            .map(|table| {
                let mut sum = manager.zero().clone();
                for point in (0..POINTS).filter(|point| table >> point & 1 == 1) {
                    let literals: Vec<_> =
                        (0..3).map(|k| (level(k), point >> k & 1 == 1)).collect();
                    sum = manager.or(&sum, &manager.product(&literals).unwrap()).unwrap();
                }
                sum
            })
            .collect();
        let tables: HashMap<Dd, Table> = functions.iter().cloned().zip(0..=Table::MAX).collect();
        assert_eq!(tables.len(), 256, "functions are canonical");
        World { manager, functions, tables }
    }

    fn table(&self, f: &Dd) -> Table {
        self.tables[f]
    }

    fn pairs(&self) -> impl Iterator<Item = (Table, Table, &Dd, &Dd)> {
        (0..=Table::MAX).flat_map(move |a| {
            (0..=Table::MAX)
                .map(move |b| (a, b, &self.functions[a as usize], &self.functions[b as usize]))
        })
    }

    /// Each set of the three variables, as bits and as a cube.
    fn cubes(&self) -> Vec<(u8, Cube)> {
        let cube = |set: u8| self.manager.cube((0..3).filter(|k| set >> k & 1 == 1).map(level));
        (0..8).map(|set| (set, cube(set).unwrap())).collect()
    }
}

fn exists(table: Table, set: u8) -> Table {
    (0..3).filter(|k| set >> k & 1 == 1).fold(table, |table, k| {
        let flip = |point: u8| point ^ (1 << k);
        (0..POINTS).fold(0, |sum, p| sum | ((table >> p | table >> flip(p)) & 1) << p)
    })
}

#[test]
fn binary_operations() {
    let world = World::new(3);
    let m = &world.manager;
    for (a, b, f, g) in world.pairs() {
        assert_eq!(world.table(&m.and(f, g).unwrap()), a & b);
        assert_eq!(world.table(&m.or(f, g).unwrap()), a | b);
        assert_eq!(world.table(&m.xor(f, g).unwrap()), a ^ b);
        assert_eq!(world.table(&m.iff(f, g).unwrap()), !(a ^ b));
        assert_eq!(world.table(&m.implies(f, g).unwrap()), !a | b);
        assert_eq!(world.table(&m.minus(f, g).unwrap()), a & !b);
        assert_eq!(m.leq(f, g), a & !b == 0);
        assert_eq!(m.disjoint(f, g), a & b == 0);
    }
}

#[test]
fn if_then_else() {
    let world = World::new(3);
    for (a, b, f, g) in world.pairs() {
        for c in (0..=Table::MAX).step_by(17) {
            let h = &world.functions[c as usize];
            assert_eq!(world.table(&world.manager.ite(f, g, h).unwrap()), a & b | !a & c);
        }
    }
}

#[test]
fn quantifiers() {
    let world = World::new(3);
    let m = &world.manager;
    let cubes = world.cubes();
    for (set, cube) in &cubes {
        for (a, b, f, g) in world.pairs() {
            assert_eq!(world.table(&m.and_exists(f, g, cube).unwrap()), exists(a & b, *set));
        }
        for (a, f) in (0..=Table::MAX).zip(&world.functions) {
            assert_eq!(world.table(&m.exists(f, cube).unwrap()), exists(a, *set));
            assert_eq!(world.table(&m.forall(f, cube).unwrap()), !exists(!a, *set));
        }
    }
}

#[test]
fn simplification_agrees_on_the_care_set_and_does_not_grow() {
    let world = World::new(3);
    let m = &world.manager;
    for (a, c, f, care) in world.pairs() {
        let g = m.simplify(f, care).unwrap();
        assert_eq!(world.table(&g) & c, a & c);
        assert!(m.node_count(&g) <= m.node_count(f));
    }
}

#[test]
fn questions_about_one_function() {
    let world = World::new(3);
    let m = &world.manager;
    for (a, f) in (0..=Table::MAX).zip(&world.functions) {
        assert_eq!(world.table(&m.not(f)), !a);
        assert_eq!((m.is_false(f), m.is_true(f)), (a == 0, a == Table::MAX));
        assert_eq!(m.sat_count(f, 3), f64::from(a.count_ones()));
        let support: Vec<Level> =
            (0..3).filter(|k| exists(a, 1 << k) != !exists(!a, 1 << k)).map(level).collect();
        assert_eq!(m.support(f), support);
        for p in 0..POINTS {
            let value = a >> p & 1 == 1;
            assert_eq!(m.eval(f, |x| p >> x.as_u32() & 1 == 1), value);
            let point: Vec<_> = (0..3).map(|k| (level(k), p >> k & 1 == 1)).collect();
            assert_eq!(m.cofactor(f, &point).unwrap(), m.constant(value));
        }
        let picked = m.pick_assignment(f, &[level(2), level(0), level(1)]);
        match picked {
            None => assert_eq!(a, 0),
            Some(v) => {
                assert!(m.eval(f, |x| [v[1], v[2], v[0]][x.as_u32() as usize]));
            }
        }
    }
}

#[test]
fn cofactors_by_one_variable() {
    let world = World::new(3);
    let m = &world.manager;
    for (a, f) in (0..=Table::MAX).zip(&world.functions) {
        for k in 0..3 {
            for value in [false, true] {
                let fix = |p: u8| if value { p | 1 << k } else { p & !(1 << k) };
                let expected = (0..POINTS).fold(0, |sum, p| sum | (a >> fix(p) & 1) << p);
                let fixed = m.cofactor(f, &[(level(k), value)]).unwrap();
                assert_eq!(world.table(&fixed), expected);
            }
        }
    }
    let both = [(level(1), true), (level(1), false)];
    assert!(m.is_false(&m.product(&both).unwrap()));
    assert!(m.is_false(&m.cofactor(m.one(), &both).unwrap()));
}

/// All maps of the three variables to six levels: those that keep the order, those that change
/// it, permutations, and those that make variables equal.
#[test]
fn renaming_is_simultaneous_substitution() {
    let world = World::new(6);
    let m = &world.manager;
    for code in 0..216u32 {
        let targets = [code % 6, code / 6 % 6, code / 36];
        let renaming = Renaming::new((0..3).map(|k| (level(k), level(targets[k as usize]))));
        for (a, f) in (0..=Table::MAX).zip(&world.functions) {
            let renamed = m.rename(f, &renaming).unwrap();
            for q in 0..64u32 {
                let old = (0..3).fold(0, |p, k| p | (q >> targets[k] & 1) << k);
                let value = m.eval(&renamed, |x| q >> x.as_u32() & 1 == 1);
                assert_eq!(value, a >> old & 1 == 1, "{a:08b} by {targets:?} at {q:06b}");
            }
        }
    }
}

/// Every permutation of the order.
#[test]
fn imported_functions_are_the_same_functions() {
    let world = World::new(3);
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let target = Manager::new(3, Limits::SMALL);
        let place = |x: Level| level(order[x.as_u32() as usize]);
        let imported = target.import(&world.manager, &world.functions, place).unwrap();
        for (a, f) in (0..=Table::MAX).zip(&imported) {
            for p in 0..POINTS {
                let at = |x: Level| {
                    let old = order.iter().position(|&new| new == x.as_u32()).unwrap();
                    p >> old & 1 == 1
                };
                assert_eq!(target.eval(f, at), a >> p & 1 == 1);
            }
        }
    }
}

#[test]
fn sums_of_products_of_all_intervals() {
    let world = World::new(3);
    let m = &world.manager;
    for (a, b, lower, upper) in world.pairs().filter(|(a, b, ..)| a & !b == 0) {
        let products = m.isop_between(lower, upper, 8).unwrap().unwrap();
        let tables: Vec<Table> =
            products.iter().map(|product| world.table(&m.product(product).unwrap())).collect();
        let sum = |skip: usize| {
            tables.iter().enumerate().filter(|&(i, _)| i != skip).fold(0, |sum, (_, t)| sum | t)
        };
        let whole = sum(usize::MAX);
        assert_eq!((a & !whole, whole & !b), (0, 0));
        for skipped in 0..tables.len() {
            assert_ne!(a & !sum(skipped), 0, "a product can be left out");
        }
    }
}

//! Levels belong to slots, not to program variables.
//!
//! A slot is a position in a scope (a [`VarId`]): shared variables have slots of their own, the
//! locals of all procedures share one pool. So the diagrams have three levels for each variable of
//! the *widest scope*, whatever the size of the program; Bebop's quadratic T(N) came from a level
//! for every variable.
//!
//! The three copies of a slot (at entry, now, next) are neighbours, because they are equal in most
//! relations. In the order of the slots that a run begins with, variables that meet in statements
//! stand near each other (in order of first occurrence, then the FORCE heuristic of Aloul, Markov and
//! Sakallah: repeatedly move every variable to the centre of gravity of the statements it occurs in).
//! A run whose diagrams grow takes another one: see [`reorder`](crate::reorder).

use hardbop_base::rng::Rng;
use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, Expr, ExprId, Program, VarId};
use hardbop_dd::Level;
pub use hardbop_engine::Order;
use rustc_hash::FxHashSet;

/// At which moment a value is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// When the procedure was entered.
    Entry,
    Now,
    /// After the statement at hand.
    Next,
}

/// The level of every slot.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The place of each slot in the order.
    place: Vec<u32>,
    /// The slot at each place.
    slot: Vec<VarId>,
}

impl Slots {
    pub fn new(program: &Program, order: Order) -> Self {
        let n = program.widest_scope();
        let declared = (0..n).map(VarId::new);
        match order {
            Order::Declared => Slots::of_order(declared.collect()),
            Order::Reversed => Slots::of_order(declared.rev().collect()),
            Order::Random(seed) => {
                let mut shuffled: Vec<_> = declared.collect();
                let mut rng = Rng::new(seed);
                (1..n).rev().for_each(|at| shuffled.swap(at, rng.below(at + 1)));
                Slots::of_order(shuffled)
            }
            Order::Force => {
                let place = force(n, &statements(program));
                let mut order: Vec<_> = declared.collect();
                order.sort_unstable_by_key(|var| place[var.index()]);
                Slots::of_order(order)
            }
        }
    }

    /// The slots as given, each once, from the top of the order.
    pub fn of_order(slot: Vec<VarId>) -> Self {
        let mut place = vec![u32::MAX; slot.len()];
        for (at, var) in slot.iter().enumerate() {
            place[var.index()] = at as u32;
        }
        assert!(!place.contains(&u32::MAX), "each slot has a place");
        Slots { place, slot }
    }

    /// The slots from the top of the order.
    pub fn order(&self) -> &[VarId] {
        &self.slot
    }

    pub fn n_levels(&self) -> usize {
        3 * self.place.len()
    }

    pub fn level(&self, var: VarId, moment: Moment) -> Level {
        let copy = match moment {
            Moment::Entry => 0,
            Moment::Now => 1,
            Moment::Next => 2,
        };
        Level::from_u32(3 * self.place[var.index()] + copy)
    }

    /// The slot and the moment a level stands for.
    pub fn meaning(&self, level: Level) -> (VarId, Moment) {
        let moment = [Moment::Entry, Moment::Now, Moment::Next][level.index() % 3];
        (self.slot[level.index() / 3], moment)
    }
}

/// The sets of variables that meet in a statement, each once, in order of appearance.
fn statements(program: &Program) -> Vec<Vec<usize>> {
    let mut meetings = Meetings { program, seen: FxHashSet::default(), sets: Vec::new() };
    for proc in &program.procs {
        proc.enforce.into_iter().for_each(|expr| meetings.condition(expr));
    }
    for (_, edge) in program.all_edges() {
        match &edge.action {
            Action::Assume(expr) | Action::Assert(expr) => meetings.condition(*expr),
            Action::Assign(assign) => {
                assign.constrain.into_iter().for_each(|expr| meetings.condition(expr));
                // Each target meets its own value; targets of one statement need not be close.
                for &(target, value) in &assign.targets {
                    let mut set = program.exprs.support(value);
                    set.insert(target.index());
                    meetings.add(set);
                }
            }
            Action::Call(call) => {
                // A summary relates results to arguments. Formals are left out: their slots belong
                // to other variables here.
                let mut set: Bits = call.results.iter().flatten().map(|var| var.index()).collect();
                for &arg in &call.args {
                    set.union_with(&program.exprs.support(arg));
                }
                meetings.add(set);
            }
            Action::StartThread(_)
            | Action::Skip
            | Action::EndThread
            | Action::AtomicBegin
            | Action::AtomicEnd => {}
        }
    }
    meetings.sets
}

struct Meetings<'a> {
    program: &'a Program,
    seen: FxHashSet<Bits>,
    sets: Vec<Vec<usize>>,
}

impl Meetings<'_> {
    fn add(&mut self, set: Bits) {
        if set.len() > 1 && self.seen.insert(set.clone()) {
            self.sets.push(set.iter().collect());
        }
    }

    /// The operands of a conjunction or disjunction are conditions of their own.
    fn condition(&mut self, expr: ExprId) {
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            match self.program.exprs.get(expr) {
                Expr::And(a, b) | Expr::Or(a, b) => waiting.extend([b, a]),
                Expr::Not(a) => waiting.push(a),
                _ => self.add(self.program.exprs.support(expr)),
            }
        }
    }
}

/// The place of each of `n` variables. Rounds go on while the total span of the sets shrinks.
fn force(n: usize, sets: &[Vec<usize>]) -> Vec<u32> {
    const MOST_ROUNDS: usize = 50;
    let sets = &without_hubs(n, sets);
    let span = |place: &[u32]| -> u64 {
        let span = |set: &Vec<usize>| {
            let places = set.iter().map(|&var| place[var]);
            u64::from(places.clone().max().unwrap_or(0) - places.min().unwrap_or(0))
        };
        sets.iter().map(span).sum()
    };
    let mut place = by_first_meeting(n, sets);
    let mut best = span(&place);
    for _ in 0..MOST_ROUNDS {
        let mut pull = vec![(0.0, 0u32); n];
        for set in sets {
            let centre =
                set.iter().map(|&var| f64::from(place[var])).sum::<f64>() / set.len() as f64;
            for &var in set {
                pull[var].0 += centre;
                pull[var].1 += 1;
            }
        }
        let target = |var: usize| match pull[var] {
            (_, 0) => f64::from(place[var]),
            (sum, times) => sum / f64::from(times),
        };
        let mut order: Vec<usize> = (0..n).collect();
        // Ties keep the order of declaration, so that the result is the same every time.
        order.sort_by(|&a, &b| target(a).total_cmp(&target(b)).then(a.cmp(&b)));
        let mut next = vec![0; n];
        for (at, &var) in order.iter().enumerate() {
            next[var] = at as u32;
        }
        let reached = span(&next);
        if reached >= best {
            break;
        }
        (place, best) = (next, reached);
    }
    place
}

/// Sets without the variables that meet almost everybody, a carry or a lock: drawn to all of them at once, the others would end in
/// one heap.
fn without_hubs(n: usize, sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const FEW: usize = 8;
    let mut met = vec![0; n];
    sets.iter().flatten().for_each(|&var| met[var] += 1);
    let is_hub = |var: usize| met[var] > FEW.max(sets.len() / 8);
    let rest = |set: &Vec<usize>| set.iter().copied().filter(|&var| !is_hub(var)).collect();
    sets.iter().map(rest).filter(|set: &Vec<usize>| set.len() > 1).collect()
}

/// The places in order of first occurrence, those that meet each other directly or by others before the rest. Where to begin
/// matters: from an order as symmetric as "all of a, then all of b", every centre of gravity is in the middle and nothing moves.
fn by_first_meeting(n: usize, sets: &[Vec<usize>]) -> Vec<u32> {
    let mut sets_of: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (at, set) in sets.iter().enumerate() {
        set.iter().for_each(|&var| sets_of[var].push(at));
    }
    // The first set of each component, for each variable.
    let mut component = vec![usize::MAX; n];
    for first in 0..sets.len() {
        let mut waiting = vec![first];
        while let Some(set) = waiting.pop() {
            for &var in &sets[set] {
                if component[var] == usize::MAX {
                    component[var] = first;
                    waiting.extend(&sets_of[var]);
                }
            }
        }
    }
    let mut vars: Vec<usize> = (0..n).collect();
    vars.sort_by_key(|&var| (component[var], sets_of[var].first().copied(), var));
    let mut place = vec![0; n];
    vars.into_iter().enumerate().for_each(|(at, var)| place[var] = at as u32);
    place
}

#[cfg(test)]
mod tests {
    use super::force;

    /// Bits of two numbers and their sums, each bit with the carry.
    #[test]
    fn a_carry_keeps_nobody_apart() {
        const N: usize = 32;
        let carry = 4 * N;
        let sum = |i: usize, sum: usize| vec![i, N + i, sum * N + i, carry];
        let mut sets: Vec<_> = (0..N).map(|i| sum(i, 2)).collect();
        sets.extend((0..N).map(|i| sum(i, 3)));
        sets.extend((0..N).map(|i| vec![2 * N + i, 3 * N + i]));
        let place = force(4 * N + 1, &sets);
        for i in 0..N {
            let bit = [0, 1, 2, 3].map(|number| place[number * N + i]);
            let span = bit.iter().max().unwrap() - bit.iter().min().unwrap();
            assert!(span <= 5, "bit {i}: {bit:?}");
        }
    }

    #[test]
    fn variables_that_meet_become_neighbours() {
        // 0 meets 5, 1 meets 4, 2 meets 3.
        let sets = vec![vec![0, 5], vec![1, 4], vec![2, 3]];
        let place = force(6, &sets);
        let span: u32 = sets.iter().map(|set| place[set[0]].abs_diff(place[set[1]])).sum();
        assert!(span <= 5, "{place:?}");
        let mut sorted = place.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
    }
}

//! In which Boolean variable of a procedure a predicate is kept, place by place.
//!
//! What is followed at the entry of a function are its formals, at its exit its return values. All others are locals: one
//! for each predicate, or, with register sharing (FS section V-B), about as many as are followed at one place together.
//! A predicate that is followed at many places has a local of its own even then.
//!
//! Invariant: at one place no two predicates have the same variable; before and behind a call, what survives it is in the
//! same one.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::ExprId;

use crate::cuts::{Cut, Place};

/// What is followed at the places of one function, without what procedures share.
#[derive(Clone, Default, Debug)]
pub struct Demand {
    /// At its entry.
    pub formals: Vec<ExprId>,
    /// At its exit.
    pub returns: Vec<ExprId>,
    /// Everywhere else, and there as well.
    pub at: BTreeMap<Place, BTreeSet<ExprId>>,
}

/// The locals of a procedure: formals first, then return values.
#[derive(Clone, Default, Debug)]
pub struct Registers {
    /// What each of them stands for, here or there.
    pub stands_for: Vec<BTreeSet<ExprId>>,
    formals: Vec<ExprId>,
    at: BTreeMap<(Place, ExprId), usize>,
}

/// Predicates followed at one in so many places, or more, do not share.
pub const OFTEN: usize = 2;

impl Registers {
    /// The position of a local.
    pub fn of(&self, place: Place, predicate: ExprId) -> usize {
        self.at[&(place, predicate)]
    }

    /// What the formals stand for at the entry.
    pub fn formals(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.formals.iter().copied()
    }

    /// One for each predicate, and at the exit another.
    pub fn single(demand: &Demand) -> Registers {
        let mut registers = Registers::of_signature(demand);
        let mut known: BTreeMap<ExprId, usize> =
            demand.formals.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        for (&place, predicates) in demand.at.iter().filter(|it| it.0.cut != Cut::Exit) {
            for &predicate in predicates {
                let register = *known.entry(predicate).or_insert_with(|| registers.add());
                registers.put(place, predicate, register);
            }
        }
        registers
    }

    /// As few as will do, but for predicates that are followed often.
    pub fn sharing(demand: &Demand) -> Registers {
        let mut registers = Registers::of_signature(demand);
        let groups = groups(demand);
        let mut own: BTreeMap<ExprId, usize> = BTreeMap::new();
        for predicate in groups.iter().flat_map(|it| &it.predicates) {
            let n_groups = groups.iter().filter(|it| it.predicates.contains(predicate)).count();
            if n_groups * OFTEN >= groups.len() && !own.contains_key(predicate) {
                let formal = demand.formals.iter().position(|it| it == predicate);
                own.insert(*predicate, formal.unwrap_or_else(|| registers.add()));
            }
        }
        let reserved: BTreeSet<usize> = own.values().copied().collect();
        let mut last: BTreeMap<ExprId, usize> =
            demand.formals.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        for group in &groups {
            let mut taken = reserved.clone();
            let mut open = Vec::new();
            // Staying in a register saves an assignment.
            for &predicate in &group.predicates {
                let stays = last.get(&predicate).copied().filter(|it| !taken.contains(it));
                match own.get(&predicate).copied().or(stays) {
                    Some(register) => {
                        taken.insert(register);
                        group.put(&mut registers, demand, predicate, register);
                        last.insert(predicate, register);
                    }
                    None => open.push(predicate),
                }
            }
            for predicate in open {
                let free = (0..registers.stands_for.len()).find(|it| !taken.contains(it));
                let register = free.unwrap_or_else(|| registers.add());
                taken.insert(register);
                group.put(&mut registers, demand, predicate, register);
                last.insert(predicate, register);
            }
        }
        registers
    }

    fn of_signature(demand: &Demand) -> Registers {
        let mut registers = Registers { formals: demand.formals.clone(), ..Registers::default() };
        for &it in demand.formals.iter().chain(&demand.returns) {
            registers.stands_for.push(BTreeSet::from([it]));
        }
        let exits = demand.at.keys().filter(|it| it.cut == Cut::Exit);
        for &place in exits {
            for (at, &it) in demand.returns.iter().enumerate() {
                registers.put(place, it, demand.formals.len() + at);
            }
        }
        registers
    }

    fn add(&mut self) -> usize {
        self.stands_for.push(BTreeSet::new());
        self.stands_for.len() - 1
    }

    fn put(&mut self, place: Place, predicate: ExprId, register: usize) {
        self.at.insert((place, predicate), register);
        self.stands_for[register].insert(predicate);
    }
}

/// Places where a predicate is in the same register.
struct Group {
    places: Vec<Place>,
    predicates: BTreeSet<ExprId>,
}

impl Group {
    fn put(&self, into: &mut Registers, demand: &Demand, predicate: ExprId, register: usize) {
        for place in self.places.iter().filter(|it| demand.at[it].contains(&predicate)) {
            into.put(*place, predicate, register);
        }
    }
}

/// The entry first, whose predicates are in the formals; nothing of the exit.
fn groups(demand: &Demand) -> Vec<Group> {
    let mut groups = Vec::new();
    for (&place, predicates) in &demand.at {
        let (mut places, mut predicates) = (vec![place], predicates.clone());
        match place.cut {
            Cut::Exit | Cut::After(_) => continue,
            Cut::Call(at) => {
                let behind = Place { cut: Cut::After(at), ..place };
                if let Some(more) = demand.at.get(&behind) {
                    predicates.extend(more);
                    places.push(behind);
                }
            }
            Cut::Start | Cut::Block(_) => {}
        }
        groups.push(Group { places, predicates });
    }
    groups.sort_by_key(|it| it.places[0] != Place::entry(it.places[0].func));
    groups
}

#[cfg(test)]
mod tests {
    use hardbop_base::Idx;
    use hardbop_cir::{BlockId, ExprId, FuncId};
    use hardbop_symbolic::region::At;

    use super::*;

    fn place(cut: Cut) -> Place {
        Place { func: FuncId::new(0), cut }
    }

    fn demand() -> Demand {
        let id = ExprId::new;
        let block = |at| place(Cut::Block(BlockId::new(at)));
        let call = At { block: BlockId::new(3), inst: 0 };
        let mut demand =
            Demand { formals: vec![id(1)], returns: vec![id(1), id(9)], ..Demand::default() };
        for (place, said) in [
            (block(0), vec![1]),
            (block(1), vec![1, 2, 3]),
            (block(2), vec![4, 5]),
            (block(4), vec![6]),
            (block(5), vec![7]),
            (block(6), vec![8]),
            (place(Cut::Call(call)), vec![2, 4, 6]),
            (place(Cut::After(call)), vec![2, 4, 7]),
            (place(Cut::Exit), vec![1, 9]),
        ] {
            demand.at.insert(place, said.into_iter().map(id).collect());
        }
        demand
    }

    /// What the head of this file promises.
    fn holds(demand: &Demand, registers: &Registers) {
        for (&place, predicates) in &demand.at {
            let kept: BTreeSet<usize> =
                predicates.iter().map(|&it| registers.of(place, it)).collect();
            assert_eq!(kept.len(), predicates.len(), "{place:?}: {registers:?}");
            let Cut::Call(at) = place.cut else { continue };
            let behind = Place { cut: Cut::After(at), ..place };
            for &it in predicates.intersection(&demand.at[&behind]) {
                assert_eq!(registers.of(place, it), registers.of(behind, it));
            }
        }
        let entry = Place::entry(FuncId::new(0));
        for (at, &it) in demand.formals.iter().enumerate() {
            assert_eq!(registers.of(entry, it), at);
        }
    }

    #[test]
    fn nobody_meets_another_in_a_register() {
        let demand = demand();
        let (single, sharing) = (Registers::single(&demand), Registers::sharing(&demand));
        holds(&demand, &single);
        holds(&demand, &sharing);
        assert_eq!(single.stands_for.len(), 1 + 2 + 7);
        assert!(sharing.stands_for.len() < single.stands_for.len(), "{sharing:?}");
    }
}

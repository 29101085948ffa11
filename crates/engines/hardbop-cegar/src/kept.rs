//! What one round leaves to the next: lemmas of engine `pdr` in terms of predicates and places, and the order of variables
//! that engine `bdd` found, so that they can be said of the next Boolean program, whose variables have other numbers.
//!
//! Neither is believed: `pdr` shows each lemma again, and any order will do.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Idx;
use hardbop_cfg::{Loc, LocRef, ProcId, VarId};
use hardbop_cir::{ExprId, FuncId};
use hardbop_encode::slots::Slots;
use hardbop_engine::{Claim, Order, RunCtx, Task};
use hardbop_sequential::diagrams::Bdd;
use hardbop_sequential::sat::Pdr;
use hardbop_sequential::sat::pdr::cube::Var;
use hardbop_sequential::sat::pdr::kept::{Lemma, Spot};

use crate::boolean::{BooleanProgram, Shape};
use crate::cuts::Place;
use crate::settings::{Checker, Settings};

/// What is kept.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    lemmas: BTreeSet<Said>,
    /// What each variable stood for, from the top of the order, if it is one that was found.
    order: Option<Vec<BTreeSet<Meaning>>>,
}

/// What a variable stands for: of all procedures, or of one.
type Meaning = (Option<FuncId>, ExprId);

/// Values of predicates that do not come together: now, and at the entry of the function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Said {
    at: At,
    now: Vec<(ExprId, bool)>,
    entry: Vec<(ExprId, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum At {
    Place(Place),
    /// Where a function is entered.
    Entry(FuncId),
}

impl Kept {
    /// Checks the Boolean program of a round, with what is known from the one before.
    pub fn check(
        &mut self,
        settings: Settings,
        boolean: &BooleanProgram,
        shape: &Shape,
        ctx: &RunCtx,
    ) -> Claim {
        if !settings.keeps {
            *self = Kept::default();
        }
        let task = Task::new(&boolean.program);
        match settings.checker {
            Checker::Pdr => {
                let mut lemmas = self.lemmas(boolean, shape);
                let claim = Pdr.check_keeping(&task, ctx, &mut lemmas);
                self.keep_lemmas(&lemmas, boolean, shape);
                claim
            }
            Checker::Bdd => {
                let usual = Slots::new(&boolean.program, Order::Force);
                let first = self.order(boolean, &usual).unwrap_or_else(|| usual.clone());
                let (claim, last) = Bdd::DEFAULT.check_in_order(&task, ctx, first);
                let is_found = last.order() != usual.order();
                self.order = is_found.then(|| meanings_of(&last, boolean));
                claim
            }
        }
    }

    /// The lemmas of the round before as far as this Boolean program has their predicates.
    fn lemmas(&self, boolean: &BooleanProgram, shape: &Shape) -> Vec<Lemma> {
        let locs: BTreeMap<Place, LocRef> =
            boolean.places().map(|(&(proc, loc), &place)| (place, LocRef { proc, loc })).collect();
        self.lemmas.iter().filter_map(|it| it.here(boolean, shape, &locs)).collect()
    }

    fn keep_lemmas(&mut self, lemmas: &[Lemma], boolean: &BooleanProgram, shape: &Shape) {
        let places: BTreeMap<(ProcId, Loc), Place> =
            boolean.places().map(|(&at, &place)| (at, place)).collect();
        let said = |it: &Lemma| Said::of(it, boolean, shape, &places);
        self.lemmas = lemmas.iter().filter_map(said).collect();
    }

    /// The order of the round before, if it is one that was found, with new variables where the usual order has them.
    fn order(&self, boolean: &BooleanProgram, usual: &Slots) -> Option<Slots> {
        let kept = self.order.as_ref()?;
        let meanings = meanings(boolean);
        let known = |var: VarId| kept.iter().position(|it| !it.is_disjoint(&meanings[var.index()]));
        // New ones stay behind the one they stand behind usually.
        let mut last = 0;
        let placed = usual.order().iter().enumerate().map(|(at, &var)| {
            let is_new = known(var).is_none();
            last = known(var).unwrap_or(last);
            (last, is_new, at, var)
        });
        let mut placed: Vec<(usize, bool, usize, VarId)> = placed.collect();
        placed.sort_unstable();
        Some(Slots::of_order(placed.into_iter().map(|it| it.3).collect()))
    }
}

impl Said {
    /// `None` if it is about a variable that holds an old value there.
    fn of(
        lemma: &Lemma,
        boolean: &BooleanProgram,
        shape: &Shape,
        places: &BTreeMap<(ProcId, Loc), Place>,
    ) -> Option<Said> {
        let at = match lemma.spot {
            Spot::At(LocRef { proc, loc }) => At::Place(*places.get(&(proc, loc))?),
            Spot::Context(proc) => At::Entry(boolean.funcs[proc]),
        };
        let (mut now, mut entry) = (Vec::new(), Vec::new());
        for &(var, value) in &lemma.literals {
            match (var, at) {
                (Var::Now(var), At::Place(place)) => {
                    let var = VarId::new(var);
                    let followed = shape.tracked.get(&place)?;
                    let says = followed.iter().find(|&&it| boolean.var(place, it) == var)?;
                    now.push((*says, value));
                }
                (Var::Now(_), At::Entry(_)) => return None,
                (Var::Entry(var), _) => {
                    let says = boolean.at_entry(at.func(), VarId::new(var))?;
                    entry.push((says, value));
                }
            }
        }
        Some(Said { at, now, entry })
    }

    fn here(
        &self,
        boolean: &BooleanProgram,
        shape: &Shape,
        locs: &BTreeMap<Place, LocRef>,
    ) -> Option<Lemma> {
        let mut literals = Vec::new();
        let spot = match self.at {
            At::Place(place) => {
                let followed = shape.tracked.get(&place)?;
                for &(says, value) in &self.now {
                    let var = followed.contains(&says).then(|| boolean.var(place, says))?;
                    literals.push((Var::Now(var.index()), value));
                }
                Spot::At(*locs.get(&place)?)
            }
            At::Entry(func) => Spot::Context(boolean.proc(func)?),
        };
        for &(says, value) in &self.entry {
            let var = boolean.var_at_entry(self.at.func(), says)?;
            literals.push((Var::Entry(var.index()), value));
        }
        Some(Lemma { spot, literals })
    }
}

impl At {
    fn func(self) -> FuncId {
        match self {
            At::Place(place) => place.func,
            At::Entry(func) => func,
        }
    }
}

fn meanings_of(slots: &Slots, boolean: &BooleanProgram) -> Vec<BTreeSet<Meaning>> {
    let meanings = meanings(boolean);
    slots.order().iter().map(|it| meanings[it.index()].clone()).collect()
}

/// What each variable stands for, in any of the procedures.
fn meanings(boolean: &BooleanProgram) -> Vec<BTreeSet<Meaning>> {
    let mut meanings = vec![BTreeSet::new(); boolean.program.widest_scope()];
    for (at, &says) in boolean.shared.iter().enumerate() {
        meanings[at].insert((None, says));
    }
    for (proc, locals) in boolean.locals.iter_enumerated() {
        for (at, list) in locals.iter().enumerate() {
            let of = Some(boolean.funcs[proc]);
            meanings[boolean.shared.len() + at].extend(list.iter().map(|&it| (of, it)));
        }
    }
    meanings
}

//! Which predicates rule a path out.
//!
//! The path is cut in pieces: each stretch begins with arbitrary values, and all that connects it
//! with the one before are predicates, which have the same truth on both sides, each switched on by
//! a selector of its place. If the pieces contradict each other with the selectors on, the exact
//! abstraction by these predicates has no such path, and the selectors in the core are predicates
//! that suffice, already at the places where they are needed (localisation, FS section V-D). No
//! interpolant is computed; what could be one is tried, from few candidates to many.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Exhausted;
use hardbop_cir::{BinOp, ExprId, FuncId, Ty};
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::Executor;
use hardbop_symbolic::region::{At, End};
use hardbop_symbolic::state::State;
use hardbop_symbolic::value::Value;

use crate::atoms::atoms;
use crate::boolean::Move;
use crate::candidates::Candidates;
use crate::cuts::{Cut, Place};
use crate::families::Family;
use crate::predicates::{Precision, Predicates, Scope, names_at};
use crate::regions::{Exit, Goal, Goals, Source, goals, registers};
use crate::walk::Walk;

/// A predicate at a place.
pub type Key = (Place, ExprId);

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// What the text compares.
    Text,
    /// And what engine `kind` guesses at loops.
    Guesses,
    /// And what the path asks, some stretches ahead.
    Path,
    /// And orders of two registers.
    Pairs,
    /// And the constants that registers hold on the path.
    Values,
}

impl Stage {
    pub const ALL: [Stage; 5] =
        [Stage::Text, Stage::Guesses, Stage::Path, Stage::Pairs, Stage::Values];
}

/// Stretches that are looked ahead.
const AHEAD: usize = 6;
/// Predicates of one place that a path may add: more and more of them prove nothing.
const MAX_AT_PLACE: usize = 120;
/// Questions to make a core smaller.
const MAX_SHRINKS: usize = 60;

pub struct Refinement<'s, 'a> {
    pub source: Source<'a>,
    pub scope: &'s Scope<'a>,
    pub candidates: &'s mut Candidates,
    pub precision: &'s Precision,
    pub is_asked: &'s dyn Fn(&Goal) -> bool,
    /// More is not tried.
    pub last: Stage,
}

/// What comes of a path that no execution takes.
pub enum Refined {
    /// Predicates that rule it out, the fewest found.
    By(Vec<Key>),
    /// All that is tried leaves these possible at its end.
    Hopeless(Vec<Goal>),
}

/// What a stretch does.
struct Step {
    /// The state after it, if it ends at a cut.
    next: Option<State>,
    /// The condition that it is taken.
    guard: TermId,
    /// What may go wrong, if that is its end.
    goals: Goals,
}

/// Terms of predicates in one state.
type Values = Vec<(Key, TermId)>;

/// A path in pieces.
struct Pieces<'u> {
    executor: Executor<'u>,
    /// Holds on the path.
    facts: Vec<TermId>,
    /// One of them happens at its end.
    goals: Goals,
    /// On both sides of a cut.
    links: Vec<(Key, TermId, TermId)>,
}

impl Refinement<'_, '_> {
    pub fn run(
        &mut self,
        moves: &[Move],
        predicates: &mut Predicates,
    ) -> Result<Refined, Exhausted> {
        let mut offered: BTreeMap<Place, BTreeSet<ExprId>> = BTreeMap::new();
        let last = self.last;
        for stage in Stage::ALL.into_iter().filter(|it| *it <= last) {
            let before = offered.clone();
            self.offer(stage, moves, predicates, &mut offered)?;
            if stage != Stage::Text && offered == before {
                continue;
            }
            if let Some(core) = self.core(moves, predicates, &offered)? {
                return Ok(Refined::By(core));
            }
        }
        Ok(Refined::Hopeless(self.hopeless(moves, predicates, &offered)?))
    }

    fn offer(
        &mut self,
        stage: Stage,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &mut BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<(), Exhausted> {
        for place in self.places(moves) {
            let list = offered.entry(place).or_default();
            list.extend(self.precision.chosen(place));
            let (candidates, scope) = (&mut *self.candidates, self.scope);
            match stage {
                Stage::Text => list.extend(candidates.text(scope, predicates, place).iter()),
                Stage::Guesses => {
                    list.extend(candidates.guesses(scope, predicates, place, self.source.budget));
                }
                Stage::Pairs => list.extend(candidates.pairs(scope, predicates, place)),
                Stage::Path | Stage::Values => {}
            }
        }
        match stage {
            Stage::Path => self.look_ahead(moves, predicates, offered)?,
            Stage::Values => self.constants(moves, predicates, offered)?,
            _ => {}
        }
        offered.values_mut().for_each(|list| list.retain(|&it| predicates.is_numeric(it)));
        Ok(())
    }

    /// The places on the path for which predicates are chosen.
    fn places(&self, moves: &[Move]) -> BTreeSet<Place> {
        let mut places = BTreeSet::new();
        for step in moves {
            let Move::Along { arrow: (from, exit), .. } = step else { continue };
            if let Cut::Block(_) = from.cut {
                places.insert(*from);
            }
            if let Exit::To(end) = exit {
                places.insert(from.of_end(*end));
                if let End::Call(at) = end {
                    let callee = self.scope.site(from.func, *at).callee;
                    places.extend([Place::entry(callee), Place::exit(callee)]);
                }
            }
        }
        places
    }

    /// What some stretches from a place on ask about its registers: weakest preconditions.
    fn look_ahead(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &mut BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<(), Exhausted> {
        let normal = self.source.normal;
        let mut done: BTreeSet<Vec<(Place, Exit)>> = BTreeSet::new();
        for first in 0..moves.len() {
            let ahead: Vec<(Place, Exit)> = moves[first..]
                .iter()
                .take(AHEAD)
                .map_while(|step| match step {
                    Move::Along { arrow, .. } => Some(*arrow),
                    _ => None,
                })
                .collect();
            let Some(&(place, _)) = ahead.first() else { continue };
            if !matches!(place.cut, Cut::Block(_)) || !done.insert(ahead.clone()) {
                continue;
            }
            let mut executor = self.source.partial();
            let ground = executor.begin();
            executor.forget_frame();
            let start = self.source.anywhere(&mut executor, &ground, place);
            let vars: Vec<_> = self.candidates.readable(normal, place).into_iter().collect();
            let known = registers(&mut executor, normal, &start, &vars, &mut predicates.pool);
            let mut state = start;
            let mut roots = Vec::new();
            for (place, exit) in ahead {
                let Some(step) = self.follow(&mut executor, place, exit, state)? else {
                    break;
                };
                roots.push(step.guard);
                match step.next {
                    Some(next) => state = next,
                    None => break,
                }
            }
            let found = atoms(&mut executor.terms, &roots, &known, &mut predicates.pool);
            offered.entry(place).or_default().extend(found);
        }
        Ok(())
    }

    /// What registers hold on the path whatever the inputs are.
    fn constants(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &mut BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<(), Exhausted> {
        let normal = self.source.normal;
        let walk = Walk { source: self.source };
        walk.run(moves, &mut |executor, place, state| {
            let list = offered.entry(place).or_default();
            if self.precision.chosen(place).count() > MAX_AT_PLACE {
                return;
            }
            for var in self.candidates.readable(normal, place) {
                let Value::Bits(term) = executor.register_of(state, var) else { continue };
                let (Some(value), Ty::Int(width)) =
                    (executor.terms.as_const(term), normal.program.vars[var].ty)
                else {
                    continue;
                };
                let read = predicates.pool.var(var, Ty::Int(width));
                let constant = predicates.pool.int(width, value);
                list.insert(predicates.pool.binary(BinOp::Eq, read, constant));
            }
        })?;
        Ok(())
    }

    /// One stretch; `None` if it cannot be taken.
    fn follow(
        &self,
        executor: &mut Executor,
        place: Place,
        exit: Exit,
        state: State,
    ) -> Result<Option<Step>, Exhausted> {
        let Some(at) = place.start() else { return Ok(None) };
        let mut stretch = executor.stretch(place.func, at, state, self.source.cuts)?;
        Ok(match exit {
            Exit::Error => {
                let mut goals = goals(stretch.fails, stretch.given_up);
                goals.retain(|it| (self.is_asked)(&it.0));
                let all: Vec<TermId> = goals.iter().map(|it| it.1).collect();
                Some(Step { next: None, guard: executor.terms.or_all(&all), goals })
            }
            Exit::To(end) => stretch.ends.remove(&end).map(|state| {
                let guard = executor.guard(&state);
                Step { next: Some(state), guard, goals: Goals::new() }
            }),
        })
    }

    /// What may happen at the end of the path if all that is offered is the same on both sides of each cut.
    fn hopeless(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<Vec<Goal>, Exhausted> {
        let Some(Pieces { mut executor, facts, goals, links }) =
            self.pieces(moves, predicates, offered)?
        else {
            return Ok(Vec::new());
        };
        facts.into_iter().for_each(|it| executor.solver.assert(it));
        for (_, left, right) in links {
            let same = executor.terms.eq(left, right);
            executor.solver.assert(same);
        }
        let (mut open, mut hopeless) = (goals, Vec::new());
        while let Some((goal, term)) = open.pop() {
            match executor.solver.check(&mut executor.terms, &[term], self.source.budget) {
                Answer::Unsat(_) => {}
                Answer::Unknown(exhausted) => return Err(exhausted),
                Answer::Sat => {
                    hopeless.push(goal);
                    let mut evaluator = executor.solver.evaluator(&executor.terms);
                    let (held, others): (Goals, Goals) =
                        open.into_iter().partition(|it| evaluator.value(it.1) == 1);
                    hopeless.extend(held.into_iter().map(|it| it.0));
                    open = others;
                }
            }
        }
        Ok(hopeless)
    }

    /// A small set of offered predicates that rules the path out, without those followed already.
    fn core(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<Option<Vec<Key>>, Exhausted> {
        let Some(mut pieces) = self.pieces(moves, predicates, offered)? else {
            return Ok(Some(Vec::new()));
        };
        let executor = &mut pieces.executor;
        for &fact in &pieces.facts {
            executor.solver.assert(fact);
        }
        // One for each family at a place; families of what the text says are taken as a whole.
        let mut selectors: BTreeMap<(Place, Family), TermId> = BTreeMap::new();
        let mut members: BTreeMap<TermId, BTreeSet<Key>> = BTreeMap::new();
        let mut texts = BTreeMap::new();
        for &(key, left, right) in &pieces.links {
            let same = executor.terms.eq(left, right);
            if self.precision.chosen(key.0).any(|it| it == key.1) {
                executor.solver.assert(same);
                continue;
            }
            let is_text = texts.entry(key.0).or_insert_with(|| self.candidates.known_text(key.0));
            let group = match is_text.as_ref().is_some_and(|it| it.contains(&key.1)) {
                true => Family::of(&predicates.pool, key.1),
                false => Family::Single(key.1),
            };
            let new = || executor.terms.var("link", 1);
            let selector = *selectors.entry((key.0, group)).or_insert_with(new);
            members.entry(selector).or_default().insert(key);
            let linked = executor.terms.implies(selector, same);
            executor.solver.assert(linked);
        }
        let mut all: Vec<TermId> = selectors.values().copied().collect();
        let ends: Vec<TermId> = pieces.goals.iter().map(|it| it.1).collect();
        let end = executor.terms.or_all(&ends);
        all.push(end);
        let budget = self.source.budget;
        let mut core = match executor.solver.check(&mut executor.terms, &all, budget) {
            Answer::Sat => return Ok(None),
            Answer::Unknown(exhausted) => return Err(exhausted),
            Answer::Unsat(core) => core,
        };
        let (mut at, mut n_tried) = (0, 0);
        while at < core.len() && n_tried < MAX_SHRINKS {
            if core[at] == end {
                at += 1;
                continue;
            }
            n_tried += 1;
            let mut fewer = core.clone();
            fewer.remove(at);
            match executor.solver.check(&mut executor.terms, &fewer, budget) {
                Answer::Sat => at += 1,
                Answer::Unknown(exhausted) => return Err(exhausted),
                Answer::Unsat(smaller) => core = smaller,
            }
        }
        let chosen: BTreeSet<Key> =
            core.iter().filter_map(|it| members.remove(it)).flatten().collect();
        Ok(Some(chosen.into_iter().collect()))
    }

    /// Cuts the path in pieces; `None` if a stretch alone cannot be taken.
    fn pieces(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &BTreeMap<Place, BTreeSet<ExprId>>,
    ) -> Result<Option<Pieces<'_>>, Exhausted> {
        let mut executor = self.source.partial();
        let ground = executor.begin();
        let (mut facts, mut links, mut goals) = (Vec::new(), Vec::new(), Goals::new());
        // What the last stretch says of the next one, and callers of what comes after the return.
        let mut open: Values = Vec::new();
        let mut callers: Vec<(FuncId, At, Values)> = Vec::new();
        let mut call: Option<(FuncId, At)> = None;
        for step in moves {
            match step {
                Move::Along { arrow: (place, exit), .. } => {
                    let start = match place.cut {
                        Cut::Start => ground.clone(),
                        _ => self.source.anywhere(&mut executor, &ground, *place),
                    };
                    for ((of, predicate), left) in std::mem::take(&mut open) {
                        let here = self.said_at(predicates, *place, (of, predicate));
                        let right = executor.eval_of(&predicates.pool, &start, here).bits();
                        links.push(((of, predicate), left, right));
                    }
                    let Some(step) = self.follow(&mut executor, *place, *exit, start)? else {
                        return Ok(None);
                    };
                    match exit {
                        Exit::To(_) => facts.push(step.guard),
                        Exit::Error => goals = step.goals,
                    }
                    if let (Some(end), Exit::To(at)) = (step.next, exit) {
                        let to = place.of_end(*at);
                        let say = |executor: &mut Executor, predicates: &Predicates, it| {
                            executor.eval_of(&predicates.pool, &end, it).bits()
                        };
                        for &it in offered.get(&to).into_iter().flatten() {
                            let term = say(&mut executor, predicates, it);
                            open.push(((to, it), term));
                        }
                        if let End::Call(at) = at {
                            call = Some((place.func, *at));
                            let site = self.scope.site(place.func, *at).clone();
                            let entry = Place::entry(site.callee);
                            let names = names_at(self.scope.normal, &site);
                            for &it in offered.get(&entry).into_iter().flatten() {
                                let here = predicates.rename(it, self.scope.normal, &names);
                                let term = say(&mut executor, predicates, here);
                                open.push(((entry, it), term));
                            }
                        }
                    }
                    executor.forget_frame();
                }
                Move::Call => {
                    let Some((func, at)) = call.take() else { return Ok(None) };
                    let site = self.scope.site(func, at).clone();
                    let entry = Place::entry(site.callee);
                    let all = std::mem::take(&mut open);
                    open = all.iter().filter(|it| it.0.0 == entry).copied().collect();
                    let mut waiting = all;
                    waiting.retain(|it| {
                        let here = self.said_by_caller(predicates, (func, at), it.0);
                        self.scope.survives(predicates, &site, here)
                    });
                    callers.push((func, at, waiting));
                }
                Move::Return => {
                    let Some((_, _, waiting)) = callers.pop() else { return Ok(None) };
                    open.extend(waiting);
                }
            }
        }
        Ok(Some(Pieces { executor, facts, goals, links }))
    }

    /// A predicate of a callee's entry in the words of a caller.
    fn said_by_caller(
        &self,
        predicates: &mut Predicates,
        (func, at): (FuncId, At),
        key: Key,
    ) -> ExprId {
        if key.0 == (Place { func, cut: Cut::Call(at) }) {
            return key.1;
        }
        let names = names_at(self.scope.normal, self.scope.site(func, at));
        predicates.rename(key.1, self.scope.normal, &names)
    }

    /// What a predicate is called where the next stretch begins.
    fn said_at(&self, predicates: &mut Predicates, place: Place, key: Key) -> ExprId {
        match place.cut {
            Cut::After(at) => self.said_by_caller(predicates, (place.func, at), key),
            _ => key.1,
        }
    }
}

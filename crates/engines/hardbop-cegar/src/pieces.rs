//! A path in pieces: each stretch begins with arbitrary values, and all that connects it with the one before is what is
//! said of both sides of the cut between them.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Exhausted;
use hardbop_cir::{ExprId, FuncId};
use hardbop_smt::TermId;
use hardbop_symbolic::Executor;
use hardbop_symbolic::region::{At, End};
use hardbop_symbolic::state::State;

use crate::boolean::Move;
use crate::cuts::{Cut, Place};
use crate::predicates::{Predicates, Scope, names_at};
use crate::regions::{Exit, Goal, Goals, Source, goals};

/// What is said at a place.
pub type Key = (Place, ExprId);

/// What is said at each place.
pub type Sayings = BTreeMap<Place, BTreeSet<ExprId>>;

/// What a stretch does.
pub struct Step {
    /// The state after it, if it ends at a cut.
    pub next: Option<State>,
    /// The condition that it is taken.
    pub guard: TermId,
    /// What may go wrong, if that is its end.
    pub goals: Goals,
}

/// Terms of predicates in one state.
type Values = Vec<(Key, TermId)>;

/// A path in pieces.
pub struct Pieces<'u> {
    pub links: Vec<Link>,
    pub rest: Stretches<'u>,
}

/// What is said on both sides of a cut.
#[derive(Clone, Copy)]
pub struct Link {
    pub key: Key,
    pub sides: (TermId, TermId),
}

/// The stretches of a path, each for itself.
pub struct Stretches<'u> {
    pub executor: Executor<'u>,
    /// Holds on the path.
    pub facts: Vec<TermId>,
    /// One of them happens at its end.
    pub goals: Goals,
}

/// Cuts paths in pieces.
#[derive(Clone, Copy)]
pub struct Cutter<'s, 'a> {
    pub source: Source<'a>,
    pub scope: &'s Scope<'a>,
    /// What may be the end of the path.
    pub is_asked: &'s dyn Fn(&Goal) -> bool,
}

impl<'a> Cutter<'_, 'a> {
    /// One stretch; `None` if it cannot be taken.
    pub fn follow(
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

    /// Cuts the path in pieces; `None` if a stretch alone cannot be taken.
    pub fn pieces(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        said: &Sayings,
    ) -> Result<Option<Pieces<'a>>, Exhausted> {
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
                        links.push(Link { key: (of, predicate), sides: (left, right) });
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
                        for &it in said.get(&to).into_iter().flatten() {
                            let term = say(&mut executor, predicates, it);
                            open.push(((to, it), term));
                        }
                        if let End::Call(at) = at {
                            call = Some((place.func, *at));
                            let site = self.scope.site(place.func, *at).clone();
                            let entry = Place::entry(site.callee);
                            let names = names_at(self.scope.normal, &site);
                            for &it in said.get(&entry).into_iter().flatten() {
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
        Ok(Some(Pieces { links, rest: Stretches { executor, facts, goals } }))
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

//! Which predicates rule a path out.
//!
//! The path is cut in pieces: each stretch begins with arbitrary values, and all that connects it
//! with the one before are predicates, which have the same truth on both sides, each switched on by
//! a selector of its place. If the pieces contradict each other with the selectors on, the exact
//! abstraction by these predicates has no such path, and the selectors in the core are predicates
//! that suffice, already at the places where they are needed (localisation, FS section V-D). No
//! interpolant is computed; what could be one is tried, from few candidates to many.
//!
//! What keeps the question small: first the registers are found whose values rule the path out, and predicates over these
//! come first. Few selectors are on to begin with; a model in which predicates change their truth at a cut says which to
//! add.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_cir::{BinOp, Expr, ExprId, ExprPool, Ty, UnOp, VarId};
use hardbop_symbolic::region::End;
use hardbop_symbolic::value::Value;

use crate::atoms::atoms;
use crate::boolean::Move;
use crate::candidates::Candidates;
use crate::cuts::{Cut, Place};
use crate::families::Family;
use crate::pieces::{Cutter, Key, Link, Pieces, Sayings};
use crate::predicates::{Precision, Predicates, Scope};
use crate::question::{Question, Switch, Switches};
use crate::regions::{Exit, Goal, Source, registers};
use crate::walk::Walk;

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
/// So many groups are asked about together.
const FEW: usize = 64;
/// Groups that are added for one model.
const AT_ONCE: usize = 3;
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
    /// The registers that matter on the path, once they are known.
    pub matter: Option<Matter>,
}

/// Registers whose values rule a path out, by place.
pub type Matter = BTreeMap<Place, BTreeSet<VarId>>;

/// What comes of a path that no execution takes.
pub enum Refined {
    /// Predicates that rule it out, the fewest found.
    By(Vec<Key>),
    /// All that is tried leaves these possible at its end.
    Hopeless(Vec<Goal>),
}

/// What a question about the path says.
enum Found {
    /// Predicates that suffice.
    Core(Vec<Key>),
    /// All that is offered does not.
    Open,
}

impl<'a> Refinement<'_, 'a> {
    pub fn run(
        &mut self,
        moves: &[Move],
        predicates: &mut Predicates,
    ) -> Result<Refined, Exhausted> {
        let mut offered = Sayings::new();
        let last = self.last;
        for stage in Stage::ALL.into_iter().filter(|it| *it <= last) {
            let before = offered.clone();
            self.offer(stage, moves, predicates, &mut offered)?;
            if stage != Stage::Text && offered == before {
                continue;
            }
            if let Found::Core(core) = self.ask(moves, predicates, &offered)? {
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
        offered: &mut Sayings,
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
        offered: &mut Sayings,
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
                let Some(step) = self.cutter().follow(&mut executor, place, exit, state)? else {
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
        offered: &mut Sayings,
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

    /// Which of the offered predicates rule the path out: few of them, without those that are followed already.
    fn ask(
        &mut self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &Sayings,
    ) -> Result<Found, Exhausted> {
        let words = self.words(moves, predicates);
        let mut said = offered.clone();
        for (place, list) in &words {
            said.entry(*place).or_default().extend(list);
        }
        let Some(Pieces { links, rest }) = self.cutter().pieces(moves, predicates, &said)? else {
            return Ok(Found::Core(Vec::new()));
        };
        let mut question = Question::of(rest, self.source.budget);
        let mut exact: Switches<(usize, Key), Key> = Switches::default();
        // One for each family at a place; families of what the text says are taken as a whole.
        let mut groups: Switches<(Place, Family), Key> = Switches::default();
        let mut texts = BTreeMap::new();
        for (at, &Link { key, sides }) in links.iter().enumerate() {
            if self.precision.chosen(key.0).any(|it| it == key.1) {
                question.join(sides);
                continue;
            }
            let is_in = |list: &Sayings| list.get(&key.0).is_some_and(|it| it.contains(&key.1));
            if is_in(&words) {
                exact.join(&mut question, (at, key), key, sides);
            }
            if is_in(offered) {
                let text = texts.entry(key.0).or_insert_with(|| self.candidates.known_text(key.0));
                let family = match text.as_ref().is_some_and(|it| it.contains(&key.1)) {
                    true => Family::of(&predicates.pool, key.1),
                    false => Family::Single(key.1),
                };
                groups.join(&mut question, (key.0, family), key, sides);
            }
        }
        if self.matter.is_none() {
            self.matter = Some(matter(&mut question, &mut exact, predicates)?);
        }
        let strangers = |key: &Key| {
            let matter = self.matter.as_ref().and_then(|it| it.get(&key.0));
            let vars = predicates.vars(key.1);
            matter.map_or(vars.len(), |it| vars.difference(it).count())
        };
        let ranked = groups.ranked(|members| (members.iter().map(strangers).max(), members.len()));
        let all = groups.all();
        let first = groups.those(|key| strangers(&key) == 0);
        let Some(mut core) = groups.grown_core(&mut question, first, &ranked, AT_ONCE)? else {
            return Ok(Found::Open);
        };
        // Where they are few, a core of all says more of what belongs together.
        if all.len() <= FEW {
            core = groups.core(&mut question, &all)?.unwrap_or(core);
        }
        let single: Vec<Vec<Switch>> = core.iter().map(|&it| vec![it]).collect();
        let core = question.shrink(core, &single, MAX_SHRINKS)?;
        Ok(Found::Core(groups.members(&core)))
    }

    /// What may happen at the end of the path if all that is offered is the same on both sides of each cut.
    fn hopeless(
        &self,
        moves: &[Move],
        predicates: &mut Predicates,
        offered: &Sayings,
    ) -> Result<Vec<Goal>, Exhausted> {
        let Some(Pieces { links, rest }) = self.cutter().pieces(moves, predicates, offered)? else {
            return Ok(Vec::new());
        };
        let mut question = Question::of(rest, self.source.budget);
        links.iter().for_each(|it| question.join(it.sides));
        question.met()
    }

    fn cutter(&self) -> Cutter<'_, 'a> {
        Cutter { source: self.source, scope: self.scope, is_asked: self.is_asked }
    }

    /// The registers of each place on the path, as far as predicates can speak of them.
    fn words(&self, moves: &[Move], predicates: &mut Predicates) -> Sayings {
        let normal = self.source.normal;
        let mut words = Sayings::new();
        for place in self.places(moves) {
            let list = words.entry(place).or_default();
            for var in self.candidates.readable(normal, place) {
                let ty = normal.program.vars[var].ty;
                let read = predicates.pool.var(var, ty);
                match ty {
                    Ty::Ptr => list.extend(of_pointer(&mut predicates.pool, read)),
                    _ => drop(list.insert(read)),
                }
            }
        }
        words
    }
}

/// What predicates say of a pointer.
fn of_pointer(pool: &mut ExprPool, read: ExprId) -> [ExprId; 2] {
    let null = pool.add(Expr::Null);
    let start = pool.add(Expr::Unary(UnOp::Start, read));
    [pool.binary(BinOp::Ne, read, null), pool.binary(BinOp::PtrDiff, read, start)]
}

/// The registers whose values rule the path out if they are the same on both sides of each cut; none if no values do.
/// That is about as easy to find as that the path cannot be taken. Predicates that speak of other registers are tried last.
fn matter(
    question: &mut Question<'_>,
    exact: &mut Switches<(usize, Key), Key>,
    predicates: &Predicates,
) -> Result<Matter, Exhausted> {
    let mut matter = Matter::new();
    let all = exact.all();
    let Some(core) = exact.core(question, &all)? else { return Ok(matter) };
    let mut by_register: BTreeMap<Rc<BTreeSet<VarId>>, Vec<Switch>> = BTreeMap::new();
    for &switch in &core {
        for key in exact.members(&[switch]) {
            by_register.entry(predicates.vars(key.1)).or_default().push(switch);
        }
    }
    let mut registers: Vec<Vec<Switch>> = by_register.into_values().collect();
    registers.sort_by_key(Vec::len);
    let core = question.shrink(core, &registers, MAX_SHRINKS)?;
    for (place, word) in exact.members(&core) {
        matter.entry(place).or_default().extend(predicates.vars(word).iter());
    }
    Ok(matter)
}

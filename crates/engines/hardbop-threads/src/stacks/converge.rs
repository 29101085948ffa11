//! Context by context, until nothing new can come.
//!
//! **Computes** R(k), the configurations that can be reached in at most k contexts, as sets that are a product of a regular set
//! of stacks for each thread (S. Qadeer, J. Rehof, "Context-bounded model checking of concurrent software", TACAS 2005), for k = 1,
//! 2, …, and from each the visible states T(R(k)). A goal that is met is reached. There are three ways to know that none ever will be
//! (P. Liu, T. Wahl, "CUBA: interprocedural context-unbounded analysis of concurrent programs", PLDI 2018):
//!
//! 1. *Z has no goal*, where Z contains all visible states ([`overapproximation`](crate::stacks::overapproximation)).
//! 2. *R(k) = R(k-1)*: every context leads into a set that is there already, so R(k) is closed.
//! 3. *T(R(k)) = T(R(k-1)), and every member of Z in which a return ends is in T(R(k))*. Then T(R(j)) = T(R(k)) for all j > k.
//!    That nothing new is seen is not enough: a pop can uncover something after any number of contexts.
//!
//! **Why 3 is right.** Suppose T(R(k+1)) has something that T(R(k)) has not; take a way from R(k) to it by one thread, and on it
//! the first step s → t to such a t. T(s) is in T(R(k)) = T(R(k-1)), so there is an r in R(k-1) with the same visible
//! part. If the step is no return, what is visible says what it does, r has it, too, and it leads into R(k) with the visible part of
//! t: a contradiction. If it is a return, T(t) is in Z and the result of a return, so in T(R(k)): a contradiction. So T(R(k+1)) = T(R(k)), and
//! the condition holds for k+1. Whether a goal is reached can be seen.
//!
//! **Departures.** Threads are started and end. An atomic section belongs to one context: nobody else could move. So configurations inside
//! one are seen, and are no beginning of a context. A set that is part of another one is dropped.
//!
//! **Limits.** States are enumerated; with stacks and threads the question is undecidable, so it may be that no k is enough.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::counted::identify::perfect_matching;
use crate::stacks::language::{Language, Languages};
use crate::stacks::overapproximation::{Overapproximation, overapproximate};
use crate::stacks::saturate::{Context, Outcome, context};
use crate::stacks::system::{Shared, Symbol, System, Visible};

/// When more visible states than these are there, they are not looked at any more.
const MOST_VISIBLE: usize = 1_000_000;

/// Why a goal is not reached by any number of contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Not even if stacks are forgotten.
    Overapproximation,
    /// So many contexts reach all configurations that there are.
    Closed(u32),
    /// So many contexts reach all visible states that there are.
    Visible(u32),
}

/// What a search has found.
#[derive(Debug)]
pub enum Found<G> {
    Never(Why),
    /// In so many contexts, not in fewer.
    Reached(G, u32),
    /// It is closed under the contexts that were followed, but threads were left out.
    Cut(u32),
}

/// What a context depends on: the shared state, the number of threads, and the stacks of the one that runs.
type Beginning = (Shared, usize, Language);

/// A product of sets of stacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Product {
    pub shared: Shared,
    /// Sorted: the order of threads does not matter.
    pub stacks: Vec<Language>,
}

/// A search, with what it knows.
#[derive(Debug)]
pub struct Search<'a, S: System> {
    system: &'a mut S,
    pub languages: Languages,
    contexts: FxHashMap<Beginning, Rc<Context<S::Goal>>>,
    /// Those that are part of no other one.
    products: FxHashMap<Shared, Vec<Vec<Language>>>,
    /// T; `None` if it has become too large.
    visible: Option<FxHashSet<Visible>>,
    is_cut: bool,
    pub n_products: usize,
    /// With more the search ends.
    pub most_products: usize,
    /// Contexts that were followed to their end.
    pub n_contexts: u32,
}

impl<'a, S: System> Search<'a, S> {
    pub fn new(system: &'a mut S) -> Self {
        Search {
            system,
            languages: Languages::default(),
            contexts: FxHashMap::default(),
            products: FxHashMap::default(),
            visible: Some(FxHashSet::default()),
            is_cut: false,
            n_products: 0,
            most_products: usize::MAX,
            n_contexts: 0,
        }
    }

    /// As far as needed, or up to `most` contexts: `None` then.
    pub fn run(
        &mut self,
        most: u32,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Found<S::Goal>>, Exhausted> {
        let z = overapproximate(self.system, meter)?;
        if z.as_ref().is_some_and(|z| !z.reaches_goal) {
            return Ok(Some(Found::Never(Why::Overapproximation)));
        }
        self.converge(z.as_ref(), most, progress, meter)
    }

    /// By contexts alone.
    pub fn converge(
        &mut self,
        z: Option<&Overapproximation>,
        most: u32,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Found<S::Goal>>, Exhausted> {
        let mut last = Vec::new();
        for initial in self.system.initial(meter)? {
            let stacks = initial.stacks.iter().map(|stack| self.languages.word(stack)).collect();
            self.meet(initial.shared, stacks, &mut last, meter)?;
        }
        for n_contexts in 1..=most {
            progress.set_round(u64::from(n_contexts));
            let n_visible = self.n_visible();
            let mut new = Vec::new();
            for product in &last {
                meter.tick()?;
                if let Some(goal) = self.follow(product, &mut new, meter)? {
                    return Ok(Some(Found::Reached(goal, n_contexts)));
                }
            }
            self.n_contexts = n_contexts;
            progress.set_found(self.n_products as u64);
            progress.set_waiting(new.len() as u64);
            if new.is_empty() {
                let why = Found::Never(Why::Closed(n_contexts));
                return Ok(Some(if self.is_cut { Found::Cut(n_contexts) } else { why }));
            }
            if let (Some(visible), Some(z)) = (&self.visible, z)
                && Some(visible.len()) == n_visible
                && z.returns.is_subset(visible)
                && !self.is_cut
            {
                return Ok(Some(Found::Never(Why::Visible(n_contexts))));
            }
            last = new;
        }
        Ok(None)
    }

    /// T, unless it has become too large.
    pub fn visible(&self) -> Option<&FxHashSet<Visible>> {
        self.visible.as_ref()
    }

    pub fn n_visible(&self) -> Option<usize> {
        self.visible.as_ref().map(FxHashSet::len)
    }

    /// All contexts that begin in a product. Returns a goal that one of them reaches.
    fn follow(
        &mut self,
        product: &Product,
        new: &mut Vec<Product>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<S::Goal>, Exhausted> {
        let Product { shared, ref stacks } = *product;
        if let Some((target, goal)) = self.system.target()
            && self.contains(product, &target)
        {
            return Ok(Some(goal));
        }
        for (at, &own) in stacks.iter().enumerate() {
            if at > 0 && stacks[at - 1] == own {
                continue;
            }
            let key = (shared, stacks.len(), own);
            let context = match self.contexts.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let (system, languages) = (&mut *self.system, &mut self.languages);
                    let fresh = context(system, languages, shared, stacks.len(), own, meter)?;
                    self.contexts.entry(key).or_insert(Rc::new(fresh)).clone()
                }
            };
            if let Some(goal) = &context.goal {
                return Ok(Some(goal.clone()));
            }
            self.is_cut |= context.is_cut;
            let mut others = stacks.clone();
            others.remove(at);
            for outcome in &context.outcomes {
                self.arrive(outcome, &others, new, meter)?;
            }
        }
        Ok(None)
    }

    /// What a context leads to, beside threads that stood still.
    fn arrive(
        &mut self,
        outcome: &Outcome,
        others: &[Language],
        new: &mut Vec<Product>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let Outcome { control, own, started } = outcome;
        let mut stacks = others.to_vec();
        stacks.extend(started.iter().map(|&symbol| self.languages.word(&[symbol])));
        match own {
            Some(own) if control.held => self.see(control.shared, Some(*own), &stacks, meter),
            own => {
                stacks.extend(own);
                self.meet(control.shared, stacks, new, meter)
            }
        }
    }

    /// Keeps the product if it is not part of one that is there.
    fn meet(
        &mut self,
        shared: Shared,
        mut stacks: Vec<Language>,
        new: &mut Vec<Product>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        stacks.sort_unstable();
        let languages = &self.languages;
        let covers = |large: &[Language], small: &[Language]| {
            large.len() == small.len()
                && is_matched(small.len(), |a, b| languages.is_included(small[a], large[b]))
        };
        let there = self.products.entry(shared).or_default();
        for known in there.iter() {
            meter.tick()?;
            if covers(known, &stacks) {
                return Ok(());
            }
        }
        there.retain(|known| !covers(&stacks, known));
        there.push(stacks.clone());
        self.n_products += 1;
        if self.n_products > self.most_products {
            return Err(Exhausted::States(self.most_products as u64));
        }
        self.see(shared, None, &stacks, meter)?;
        new.push(Product { shared, stacks });
        Ok(())
    }

    /// Adds the visible states of a product to T.
    fn see(
        &mut self,
        shared: Shared,
        holder: Option<Language>,
        stacks: &[Language],
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let Some(visible) = &mut self.visible else { return Ok(()) };
        let all: Vec<Vec<Symbol>> =
            holder.iter().chain(stacks).map(|&it| self.languages.tops(it)).collect();
        let mut at = vec![0; all.len()];
        loop {
            meter.tick()?;
            let mut tops = all.iter().zip(&at).map(|(tops, &at)| tops[at]);
            let holder = holder.and_then(|_| tops.next());
            visible.insert(Visible::new(shared, holder, tops.collect()));
            if visible.len() > MOST_VISIBLE {
                self.visible = None;
                return Ok(());
            }
            // The next combination.
            let Some(place) = (0..at.len()).find(|&place| at[place] + 1 < all[place].len()) else {
                return Ok(());
            };
            at[place] += 1;
            at[..place].fill(0);
        }
    }

    fn contains(&self, product: &Product, target: &Visible) -> bool {
        let tops: Vec<_> = product.stacks.iter().map(|&it| self.languages.tops(it)).collect();
        product.shared == target.shared
            && target.holder.is_none()
            && tops.len() == target.tops.len()
            && is_matched(tops.len(), |a, b| tops[a].contains(&target.tops[b]))
    }
}

/// Whether each of so many things can have a place of its own that fits it.
fn is_matched(n: usize, fits: impl Fn(usize, usize) -> bool) -> bool {
    perfect_matching(n, fits).is_some()
}

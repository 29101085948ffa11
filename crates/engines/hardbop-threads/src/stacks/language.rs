//! Regular sets of stacks, each one number.
//!
//! A set is a deterministic automaton that reads stacks from the top. Minimal automata whose states are numbered in
//! the order of a breadth-first search are equal exactly if their languages are, so equal sets have one number.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, define_id};
use rustc_hash::FxHashMap;

use crate::counted::intern::Interner;
use crate::stacks::system::Symbol;

define_id!(
    /// A set of stacks.
    Language,
    "L"
);

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    pub accepts: bool,
    /// Sorted. Every successor leads to acceptance.
    pub next: Vec<(Symbol, usize)>,
}

/// A minimal automaton; it begins in state 0.
pub type Automaton = Vec<State>;

/// An automaton with any number of successors for a symbol; every way leads to acceptance.
#[derive(Default, Debug)]
pub struct Nfa {
    pub accepts: Vec<bool>,
    pub next: Vec<Vec<(Symbol, usize)>>,
}

impl Nfa {
    pub fn push(&mut self, accepts: bool) -> usize {
        self.accepts.push(accepts);
        self.next.push(Vec::new());
        self.next.len() - 1
    }
}

/// All sets met so far.
#[derive(Default, Debug)]
pub struct Languages {
    automata: Interner<Language, Automaton>,
    /// What was found out of two sets.
    included: RefCell<FxHashMap<(Language, Language), bool>>,
}

impl Languages {
    pub fn automaton(&self, language: Language) -> Rc<Automaton> {
        self.automata.get(language)
    }

    pub fn n_languages(&self) -> usize {
        self.automata.len()
    }

    /// The set of this stack alone.
    pub fn word(&mut self, stack: &[Symbol]) -> Language {
        let mut automaton: Automaton = stack
            .iter()
            .enumerate()
            .map(|(at, &symbol)| State { accepts: false, next: vec![(symbol, at + 1)] })
            .collect();
        automaton.push(State { accepts: true, next: Vec::new() });
        self.automata.id(automaton)
    }

    /// What is accepted from `start`.
    pub fn of(
        &mut self,
        automaton: &Nfa,
        start: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Language, Exhausted> {
        let deterministic = determinise(automaton, start, meter)?;
        Ok(self.automata.id(minimise(&deterministic, meter)?))
    }

    /// The tops of its stacks.
    pub fn tops(&self, language: Language) -> Vec<Symbol> {
        self.automata.get(language)[0].next.iter().map(|&(symbol, _)| symbol).collect()
    }

    pub fn is_included(&self, small: Language, large: Language) -> bool {
        if small == large {
            return true;
        }
        if let Some(&known) = self.included.borrow().get(&(small, large)) {
            return known;
        }
        let answer = includes(&self.automaton(large), &self.automaton(small));
        self.included.borrow_mut().insert((small, large), answer);
        answer
    }
}

fn includes(large: &[State], small: &[State]) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut todo = vec![(0, 0)];
    while let Some((s, l)) = todo.pop() {
        if !seen.insert((s, l)) {
            continue;
        }
        let (from, to) = (&small[s], &large[l]);
        if from.accepts && !to.accepts {
            return false;
        }
        for &(symbol, next) in &from.next {
            match to.next.binary_search_by_key(&symbol, |&(symbol, _)| symbol) {
                Ok(at) => todo.push((next, to.next[at].1)),
                // Every successor leads to acceptance, so there is a stack of the small set this way.
                Err(_) => return false,
            }
        }
    }
    true
}

/// The subset construction.
fn determinise(
    automaton: &Nfa,
    start: usize,
    meter: &mut Meter<'_>,
) -> Result<Automaton, Exhausted> {
    let mut sets: Vec<Vec<usize>> = vec![vec![start]];
    let mut known: FxHashMap<Vec<usize>, usize> = FxHashMap::from_iter([(vec![start], 0)]);
    let mut states: Automaton = Vec::new();
    while states.len() < sets.len() {
        meter.tick()?;
        let set = sets[states.len()].clone();
        let mut next: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        for &state in &set {
            for &(symbol, to) in &automaton.next[state] {
                next.entry(symbol).or_default().push(to);
            }
        }
        let accepts = set.iter().any(|&state| automaton.accepts[state]);
        let next = next.into_iter().map(|(symbol, mut to)| {
            to.sort_unstable();
            to.dedup();
            let fresh = sets.len();
            let id = *known.entry(to).or_insert_with_key(|to| {
                sets.push(to.clone());
                fresh
            });
            (symbol, id)
        });
        states.push(State { accepts, next: next.collect() });
    }
    Ok(states)
}

/// Moore's partition refinement, then numbers in order of appearance.
fn minimise(states: &[State], meter: &mut Meter<'_>) -> Result<Automaton, Exhausted> {
    let mut class: Vec<usize> = states.iter().map(|state| usize::from(state.accepts)).collect();
    let mut n_classes = 0;
    loop {
        let mut ids = FxHashMap::default();
        let mut finer = Vec::with_capacity(states.len());
        for (state, &old) in states.iter().zip(&class) {
            meter.tick()?;
            let next: Vec<_> = state.next.iter().map(|&(symbol, to)| (symbol, class[to])).collect();
            let fresh = ids.len();
            finer.push(*ids.entry((old, next)).or_insert(fresh));
        }
        class = finer;
        if std::mem::replace(&mut n_classes, ids.len()) == ids.len() {
            break;
        }
    }
    // Breadth first from the start; each class by one of its states.
    let mut number = vec![None; n_classes];
    number[class[0]] = Some(0);
    let mut order = vec![0];
    let mut minimal: Automaton = Vec::new();
    while minimal.len() < order.len() {
        let state = &states[order[minimal.len()]];
        let next = state.next.iter().map(|&(symbol, to)| {
            let id = *number[class[to]].get_or_insert_with(|| {
                order.push(to);
                order.len() - 1
            });
            (symbol, id)
        });
        let next = next.collect();
        minimal.push(State { accepts: state.accepts, next });
    }
    Ok(minimal)
}

#[cfg(test)]
mod tests {
    use hardbop_base::Budget;

    use super::*;

    #[test]
    fn equal_sets_have_one_number() {
        let budget = Budget::unlimited();
        let mut meter = budget.meter(64);
        let mut languages = Languages::default();
        let a = Symbol::from_u32(7);
        // From an even state to odd ones and back: stacks `a`, `aaa`, ….
        let ways = [vec![(a, 1), (a, 3)], vec![(a, 0), (a, 2)]];
        let odd = Nfa {
            accepts: vec![false, true, false, true],
            next: [ways.clone(), ways].into_iter().flatten().collect(),
        };
        let stacks = languages.of(&odd, 0, &mut meter).expect("there is no limit");
        assert_eq!(languages.of(&odd, 2, &mut meter).expect("there is no limit"), stacks);
        assert_eq!(languages.automaton(stacks).len(), 2);
        let (one, two) = (languages.word(&[a]), languages.word(&[a, a]));
        assert!(languages.is_included(one, stacks) && !languages.is_included(stacks, one));
        assert!(!languages.is_included(two, stacks));
        assert_eq!(languages.tops(stacks), [a]);
        assert_eq!(languages.n_languages(), 3);
    }
}

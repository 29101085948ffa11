//! The obligations of a net: the set holds the initial state, no rule leads out of it, no target is in it.
//!
//! A set of all states **below** listed ones is closed if what every rule makes of every listed state is
//! below one of them: a smaller state can do no more. A set of **views** holds the states all of whose
//! places are listed for their control state, above no element of `never`, within all `bounds`. It is closed if (1)
//! what a rule that can fire puts and moves is listed, (2) the least states from which a rule leads above an
//! element of `never` are not in the set, and (3) no rule that can fire makes the sum of a bound larger. All that
//! is below a state of the set is in the set, which is why least states suffice.
//!
//! Tests for few tokens (`Rule::at_most`) are not looked at: a set that is closed without them is closed.

use hardbop_base::Budget;
use hardbop_base::budget::Meter;
use hardbop_evidence::threads::Count;
use hardbop_evidence::{NetBound, NetProof, NetSet, NetState};
use hardbop_net::{Initial, Marking, Net, Question, Range, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Accepted, Rejected};

/// Checks that the proof answers the question, then every obligation of it against the net.
pub fn certify_net(
    net: &Net,
    question: &Question,
    proof: &NetProof,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    if proof.initial != most(&question.initial)
        || !proof.targets.iter().eq(&question.targets.iter().map(state_of).collect::<Vec<_>>())
    {
        return Err(Rejected::Unfit("it answers another question".into()));
    }
    let mut checker = Checker {
        rules: &net.rules,
        by_source: indices(net, |rule| rule.from),
        by_target: indices(net, |rule| rule.to),
        meter: budget.meter(64),
        n_obligations: 0,
    };
    let is_finite = |state: &NetState| state.counts.iter().all(|(_, n)| n.as_finite().is_some());
    match &proof.set {
        NetSet::Cover(states) => checker.cover(proof, states)?,
        NetSet::Views { never, .. } if !never.iter().all(is_finite) => {
            return Err(Rejected::Unfit(ENDLESS.into()));
        }
        NetSet::Views { occurs, never, bounds } => {
            let set = Views {
                occurs: occurs.iter().map(|(at, all)| (*at, all)).collect(),
                never: Listed::new(never),
                bounds,
            };
            checker.views(proof, &set, never)?;
        }
    }
    Ok(Accepted { n_obligations: checker.n_obligations })
}

/// The initial state that is above all others.
fn most(initial: &Initial) -> NetState {
    let count = |range: &Range| (range.place, range.high.map_or(Count::OMEGA, Count::finite));
    let counts = initial.ranges.iter().map(count).filter(|(_, n)| !n.is_zero());
    NetState { control: initial.control, counts: counts.collect() }
}

fn state_of(marking: &Marking) -> NetState {
    NetState { control: marking.control, counts: counts_of(&marking.counts) }
}

/// Rules by a control state of theirs.
fn indices(net: &Net, of: impl Fn(&Rule) -> u32) -> FxHashMap<u32, Vec<usize>> {
    let mut all: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let rules = net.rules.iter().enumerate();
    rules.for_each(|(index, rule)| all.entry(of(rule)).or_default().push(index));
    all
}

const ENDLESS: &str = "what never occurs has finitely many tokens";
const INITIAL: &str = "the initial state is not in the set";
const TARGET: &str = "a target is in the set";
const SUCCESSOR: &str = "a state after this rule is not in the set";
const LARGER: &str = "this rule makes a sum larger that is said to be bounded";
const NEVER: &str = "this rule leads to a state that is said never to occur";

/// By place, sorted.
type Counts = Vec<(u32, Count)>;

struct Checker<'a> {
    rules: &'a [Rule],
    by_source: FxHashMap<u32, Vec<usize>>,
    by_target: FxHashMap<u32, Vec<usize>>,
    meter: Meter<'a>,
    n_obligations: usize,
}

impl<'a> Checker<'a> {
    fn cover(&mut self, proof: &NetProof, states: &[NetState]) -> Result<(), Rejected> {
        let set = Listed::new(states);
        self.oblige(set.is_above(&proof.initial), None, INITIAL)?;
        for target in &proof.targets {
            self.oblige(!set.is_above(target), None, TARGET)?;
        }
        for state in states {
            for index in self.by_source.get(&state.control).cloned().unwrap_or_default() {
                self.tick()?;
                let rule = &self.rules[index];
                let Some(rest) = minus(&state.counts, &rule.take) else { continue };
                for counts in self.moved(&rest, |place| rule.targets_of(place))? {
                    let after = NetState { control: rule.to, counts: plus(counts, &rule.put) };
                    self.oblige(set.is_above(&after), Some(index), SUCCESSOR)?;
                }
            }
        }
        Ok(())
    }

    fn views(
        &mut self,
        proof: &NetProof,
        set: &Views<'_>,
        never: &[NetState],
    ) -> Result<(), Rejected> {
        self.oblige(set.contains(&proof.initial), None, INITIAL)?;
        for target in &proof.targets {
            self.oblige(!set.contains(target), None, TARGET)?;
        }
        for (index, rule) in self.rules.iter().enumerate() {
            let need = NetState { control: rule.from, counts: counts_of(&rule.take) };
            if !set.contains(&need) {
                continue;
            }
            let put = NetState { control: rule.to, counts: counts_of(&rule.put) };
            self.oblige(set.lists(&put), Some(index), SUCCESSOR)?;
            for bound in set.bounds {
                self.oblige(is_kept(bound, rule), Some(index), LARGER)?;
            }
            for &beside in set.occurs[&rule.from] {
                self.tick()?;
                let both = plus(need.counts.clone(), &[(beside, 1)]);
                if set.contains(&NetState { control: rule.from, counts: both }) {
                    let after = rule.targets_of(beside);
                    let is_listed = after.iter().all(|&place| set.has(rule.to, place));
                    self.oblige(is_listed, Some(index), SUCCESSOR)?;
                }
            }
        }
        for state in never {
            for index in self.by_target.get(&state.control).cloned().unwrap_or_default() {
                self.tick()?;
                let rule = &self.rules[index];
                if !set.occurs.contains_key(&rule.from) {
                    continue;
                }
                for counts in self.before(set, rule, &state.counts)? {
                    let before = NetState { control: rule.from, counts };
                    self.oblige(!set.contains(&before), Some(index), NEVER)?;
                }
            }
        }
        Ok(())
    }

    /// The least markings from which the rule leads to `need` or more, as far as their places occur.
    fn before(
        &mut self,
        set: &Views<'_>,
        rule: &Rule,
        need: &[(u32, Count)],
    ) -> Result<Vec<Counts>, Rejected> {
        let mut left = need.to_vec();
        for &(place, n) in &rule.put {
            if let Ok(at) = left.binary_search_by_key(&place, |&(place, _)| place) {
                left[at].1 = Count::finite(left[at].1.as_finite().unwrap_or(0).saturating_sub(n));
            }
        }
        left.retain(|(_, n)| !n.is_zero());
        let places = set.occurs[&rule.from];
        let sources = |place: u32| {
            if rule.transfers.is_empty() {
                return vec![place];
            }
            let leads_there = |from: &&u32| rule.targets_of(**from).contains(&place);
            places.iter().filter(leads_there).copied().collect()
        };
        // A place that no other leads to stands for a state that is no predecessor.
        if left.iter().any(|&(place, _)| sources(place).is_empty()) {
            return Ok(Vec::new());
        }
        let all = self.moved(&left, sources)?;
        Ok(all.into_iter().map(|counts| plus(counts, &rule.take)).collect())
    }

    /// Every way to move each token to one of the places `options` names; without one it vanishes.
    /// Any number of tokens makes every choice any number of times.
    fn moved(
        &mut self,
        counts: &[(u32, Count)],
        options: impl Fn(u32) -> Vec<u32>,
    ) -> Result<Vec<Counts>, Rejected> {
        let mut all: FxHashSet<Counts> = [Counts::new()].into_iter().collect();
        for &(place, n) in counts {
            let options = options(place);
            let rounds = if options.len() > 1 { n.as_finite().unwrap_or(1) } else { 1 };
            for _ in 0..rounds {
                let mut longer = FxHashSet::default();
                for before in &all {
                    self.tick()?;
                    match (&options[..], n.as_finite()) {
                        (&[to], _) => _ = longer.insert(with(before.clone(), to, n)),
                        (several, None) => {
                            let each = |counts, &to: &u32| with(counts, to, n);
                            longer.insert(several.iter().fold(before.clone(), each));
                        }
                        (&[], Some(_)) => _ = longer.insert(before.clone()),
                        (several, Some(_)) => longer
                            .extend(several.iter().map(|&to| with(before.clone(), to, Count::ONE))),
                    }
                }
                all = longer;
            }
        }
        Ok(all.into_iter().collect())
    }

    fn tick(&mut self) -> Result<(), Rejected> {
        self.meter.tick().map_err(Rejected::Exhausted)
    }

    fn oblige(&mut self, holds: bool, rule: Option<usize>, why: &str) -> Result<(), Rejected> {
        self.tick()?;
        self.n_obligations += 1;
        match (holds, rule) {
            (true, _) => Ok(()),
            (false, Some(rule)) => Err(Rejected::AtRule(rule, why.into())),
            (false, None) => Err(Rejected::Unfit(why.into())),
        }
    }
}

/// States by control state.
struct Listed<'a>(FxHashMap<u32, Vec<&'a NetState>>);

impl<'a> Listed<'a> {
    fn new(states: &'a [NetState]) -> Self {
        let mut all: FxHashMap<u32, Vec<&NetState>> = FxHashMap::default();
        states.iter().for_each(|state| all.entry(state.control).or_default().push(state));
        Listed(all)
    }

    fn beside(&self, control: u32) -> &[&'a NetState] {
        self.0.get(&control).map_or(&[], Vec::as_slice)
    }

    /// Whether one of the list has at least these tokens.
    fn is_above(&self, low: &NetState) -> bool {
        self.beside(low.control).iter().any(|high| is_below(&low.counts, &high.counts))
    }

    /// Whether one of the list has at most these tokens.
    fn is_below(&self, high: &NetState) -> bool {
        self.beside(high.control).iter().any(|low| is_below(&low.counts, &high.counts))
    }
}

struct Views<'a> {
    /// Sorted places of each control state that occurs.
    occurs: FxHashMap<u32, &'a Vec<u32>>,
    never: Listed<'a>,
    bounds: &'a [NetBound],
}

impl Views<'_> {
    fn has(&self, control: u32, place: u32) -> bool {
        self.occurs.get(&control).is_some_and(|places| places.binary_search(&place).is_ok())
    }

    fn lists(&self, state: &NetState) -> bool {
        let NetState { control, counts } = state;
        self.occurs.contains_key(control)
            && counts.iter().all(|&(place, _)| self.has(*control, place))
    }

    fn contains(&self, state: &NetState) -> bool {
        self.lists(state)
            && !self.never.is_below(state)
            && self.bounds.iter().all(|bound| is_within(bound, &state.counts))
    }
}

fn weight(bound: &NetBound, place: u32) -> u128 {
    let at = bound.weights.binary_search_by_key(&place, |&(place, _)| place);
    at.map_or(0, |at| bound.weights[at].1.into())
}

/// Whether the sum is at most what it may be; any number of tokens that count is too many.
fn is_within(bound: &NetBound, counts: &[(u32, Count)]) -> bool {
    let mut sum: u128 = 0;
    for &(place, n) in counts {
        match (weight(bound, place), n.as_finite()) {
            (0, _) => {}
            (_, None) => return false,
            (weight, Some(n)) => sum += weight * u128::from(n),
        }
    }
    sum <= bound.most.into()
}

/// Whether no step by the rule makes the sum larger: neither what it takes and puts, nor any token that moves.
fn is_kept(bound: &NetBound, rule: &Rule) -> bool {
    let sum = |list: &[(u32, u32)]| -> u128 {
        list.iter().map(|&(place, n)| weight(bound, place) * u128::from(n)).sum()
    };
    let is_no_gain =
        |from, to: &[u32]| to.iter().all(|&to| weight(bound, to) <= weight(bound, from));
    sum(&rule.put) <= sum(&rule.take) && rule.transfers.iter().all(|it| is_no_gain(it.from, &it.to))
}

fn is_below(low: &[(u32, Count)], high: &[(u32, Count)]) -> bool {
    let has = |place| high.binary_search_by_key(&place, |&(place, _)| place).ok();
    low.iter().all(|&(place, n)| has(place).is_some_and(|at| n <= high[at].1))
}

fn counts_of(list: &[(u32, u32)]) -> Counts {
    plus(Counts::new(), list)
}

fn with(mut counts: Counts, place: u32, n: Count) -> Counts {
    match counts.binary_search_by_key(&place, |&(place, _)| place) {
        Ok(at) => counts[at].1 = counts[at].1 + n,
        Err(at) => counts.insert(at, (place, n)),
    }
    counts
}

fn plus(counts: Counts, list: &[(u32, u32)]) -> Counts {
    list.iter().fold(counts, |counts, &(place, n)| with(counts, place, Count::finite(n)))
}

/// What is left when the rule has taken its tokens; `None` if there are too few.
fn minus(counts: &[(u32, Count)], take: &[(u32, u32)]) -> Option<Counts> {
    let mut left = counts.to_vec();
    for &(place, n) in take {
        let at = left.binary_search_by_key(&place, |&(place, _)| place).ok()?;
        left[at].1 = match left[at].1.as_finite() {
            Some(m) => Count::finite(m.checked_sub(n)?),
            None => Count::OMEGA,
        };
    }
    left.retain(|(_, n)| !n.is_zero());
    Some(left)
}

//! Nets read from files, as a system: rules by control state and first place taken.

use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_net::{Marking, Net, Question};
use rustc_hash::FxHashMap;

use crate::cover::board::Word;
use crate::cover::counts::{Counts, LocalId, OMEGA};
use crate::cover::system::{ControlId, Rule, State, System, TransferId};

/// Numbers of control states and places are those of the net; a rule's tag and transfer are its
/// index.
pub struct NetSystem<'a> {
    net: &'a Net,
    question: &'a Question,
    rules: FxHashMap<(ControlId, Option<LocalId>), Rc<[Rule]>>,
    none: Rc<[Rule]>,
}

impl<'a> NetSystem<'a> {
    pub fn new(net: &'a Net, question: &'a Question) -> Self {
        let mut rules: FxHashMap<_, Vec<Rule>> = FxHashMap::default();
        for (index, rule) in (0..).zip(&net.rules) {
            let take = to_counts(&rule.take);
            let anchor = take.locals().next();
            let transfer = (!rule.transfers.is_empty()).then(|| TransferId::from_u32(index));
            rules.entry((ControlId::from_u32(rule.from), anchor)).or_default().push(Rule {
                take,
                to: ControlId::from_u32(rule.to),
                put: to_counts(&rule.put),
                transfer,
                tag: index,
            });
        }
        let rules = rules.into_iter().map(|(at, rules)| (at, rules.into())).collect();
        NetSystem { net, question, rules, none: [].into() }
    }
}

/// The numbers of the file are words already.
fn word(number: u32) -> Word {
    Word { numbers: [number].into_iter().collect(), ..Word::default() }
}

fn to_counts(counts: &[(u32, u32)]) -> Counts {
    counts.iter().map(|&(place, n)| (LocalId::from_u32(place), n)).collect()
}

fn to_state(marking: &Marking) -> State {
    State { control: ControlId::from_u32(marking.control), counts: to_counts(&marking.counts) }
}

/// A state without ω, back in the words of the net.
pub fn to_marking(state: &State) -> Marking {
    let counts = state.counts.iter().map(|(local, n)| (local.as_u32(), n));
    Marking::new(state.control.as_u32(), counts)
}

impl System for NetSystem<'_> {
    fn initial(&mut self, _: &mut Meter<'_>) -> Result<Vec<State>, Exhausted> {
        let initial = &self.question.initial;
        let most = |range: &hardbop_net::Range| {
            (LocalId::from_u32(range.place), range.high.unwrap_or(OMEGA))
        };
        let counts = initial.ranges.iter().map(most).collect();
        Ok(vec![State { control: ControlId::from_u32(initial.control), counts }])
    }

    fn rules(
        &mut self,
        control: ControlId,
        anchor: Option<LocalId>,
        _: &mut Meter<'_>,
    ) -> Result<Rc<[Rule]>, Exhausted> {
        Ok(self.rules.get(&(control, anchor)).unwrap_or(&self.none).clone())
    }

    fn react(
        &mut self,
        transfer: TransferId,
        local: LocalId,
        _: &mut Meter<'_>,
    ) -> Result<Rc<[LocalId]>, Exhausted> {
        let rule = &self.net.rules[transfer.as_u32() as usize];
        Ok(rule.targets_of(local.as_u32()).into_iter().map(LocalId::from_u32).collect())
    }

    fn control_word(&self, control: ControlId) -> Word {
        word(control.as_u32())
    }

    fn local_word(&self, local: LocalId) -> Word {
        word(local.as_u32())
    }

    fn targets(&self) -> Vec<State> {
        self.question.targets.iter().map(to_state).collect()
    }

    fn begin(&self, initial: &State, need: &Counts) -> State {
        let count = |range: &hardbop_net::Range| {
            let local = LocalId::from_u32(range.place);
            (local, range.high.unwrap_or(range.low.max(need.get(local))))
        };
        let counts = self.question.initial.ranges.iter().map(count);
        let counts = counts.filter(|&(_, n)| n > 0).collect();
        State { control: initial.control, counts }
    }
}

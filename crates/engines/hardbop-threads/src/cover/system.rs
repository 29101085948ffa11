//! What the engines explore: a control state, counted local states, and rules on demand.
//!
//! The control state is all that exists once: the shared variables of a program together with the
//! thread that holds the atomic flag. A rule takes threads out of local states, lets all others react
//! (broadcasts; most rules have none), and puts threads in. Rules need *at least* what they take, so
//! steps are monotone: more threads can do what fewer can.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, define_id};

use crate::cover::board::Word;
use crate::cover::counts::{Counts, LocalId, OMEGA, one_more};

define_id!(
    /// A control state.
    ControlId, "c"
);
define_id!(
    /// How other threads react to a rule.
    TransferId, "t"
);

/// A state, perhaps with ω.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State {
    pub control: ControlId,
    pub counts: Counts,
}

/// A step: see the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    pub take: Counts,
    pub to: ControlId,
    pub put: Counts,
    pub transfer: Option<TransferId>,
    /// What the system wants to know of the rule afterwards; engines only hand it back.
    pub tag: u32,
}

/// A net that comes into being while it is explored.
pub trait System {
    /// Initial states; ω for any number.
    fn initial(&mut self, meter: &mut Meter<'_>) -> Result<Vec<State>, Exhausted>;

    /// The rules of a control state that take from `anchor`; of several local states a rule takes from,
    /// one is its anchor. `None`: the rules that take nothing.
    fn rules(
        &mut self,
        control: ControlId,
        anchor: Option<LocalId>,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[Rule]>, Exhausted>;

    /// What a thread that was not taken may become; nothing if it vanishes.
    fn react(
        &mut self,
        transfer: TransferId,
        local: LocalId,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[LocalId]>, Exhausted>;

    /// To be covered.
    fn targets(&self) -> Vec<State>;

    /// The same for every system of the same question, whatever its numbers are.
    fn control_word(&self, control: ControlId) -> Word;

    /// See [`System::control_word`].
    fn local_word(&self, local: LocalId) -> Word;

    /// Threads that are part of a control state.
    fn n_threads_in(&self, _control: ControlId) -> u64 {
        0
    }

    /// An initial state without ω below `initial` that has what a run needs.
    fn begin(&self, initial: &State, need: &Counts) -> State {
        let concrete = |(local, n)| (local, if n == OMEGA { need.get(local) } else { n });
        let counts = initial.counts.iter().map(concrete).filter(|&(_, n)| n > 0).collect();
        State { control: initial.control, counts }
    }
}

impl State {
    pub fn covers(&self, other: &State) -> bool {
        self.control == other.control && self.counts.covers(&other.counts)
    }
}

/// The states after a rule, if it can be taken. Threads that have a choice make all of them; ω many
/// threads make every choice ω times, which covers every other distribution.
pub fn post(
    system: &mut dyn System,
    counts: &Counts,
    rule: &Rule,
    meter: &mut Meter<'_>,
) -> Result<Vec<Counts>, Exhausted> {
    if !counts.covers(&rule.take) {
        return Ok(Vec::new());
    }
    let mut rest = counts.clone();
    rest.subtract_all(&rule.take);
    let Some(transfer) = rule.transfer else {
        rest.add_all(&rule.put);
        return Ok(vec![rest]);
    };
    let mut all = vec![rule.put.clone()];
    for (local, count) in rest.iter() {
        let options = system.react(transfer, local, meter)?;
        if let &[only] = &*options {
            all.iter_mut().for_each(|after| after.add(only, count));
        } else if count == OMEGA {
            all.iter_mut().for_each(|after| options.iter().for_each(|&to| after.add(to, OMEGA)));
        } else {
            for _ in 0..if options.is_empty() { 0 } else { count } {
                meter.tick()?;
                all = one_more(&all, &options);
                if all.len() > MOST_CHOICES {
                    return Err(Exhausted::States(MOST_CHOICES as u64));
                }
            }
        }
    }
    Ok(all)
}

/// Ways of one step of a broadcast to go on.
pub const MOST_CHOICES: usize = 1 << 18;

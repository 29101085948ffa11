//! Where the inputs of one run come from. A plan gives the same inputs each time it is executed, so
//! a run that was cut short can be repeated with more steps.

use std::sync::Arc;

use hardbop_base::rng::Rng;
use hardbop_cir::{Ty, VarId};
use rustc_hash::FxHashMap;

use crate::values::{Constants, Habit};
use crate::words::{Speaker, Words};

#[derive(Clone, Debug)]
pub struct Plan {
    /// The first inputs, taken from another run; then the habits go on.
    pub prefix: Arc<[u128]>,
    /// Of the prefix, these are drawn again.
    pub redrawn: Vec<usize>,
    /// The habit of all registers; otherwise each has its own.
    pub habit: Option<Habit>,
    /// Whether results of functions without a body and variables without a value are inputs, too.
    pub fixes_all: bool,
    /// What memory holds that was never written.
    pub fresh_byte: u8,
    pub seed: u64,
}

/// A plan under way.
pub struct Inputs<'a> {
    plan: &'a Plan,
    constants: &'a Constants,
    words: &'a Words,
    speaker: Speaker,
    rng: Rng,
    habits: FxHashMap<VarId, Habit>,
    /// What was given, in order.
    pub given: Vec<(VarId, u128)>,
}

impl<'a> Inputs<'a> {
    pub fn new(plan: &'a Plan, constants: &'a Constants, words: &'a Words) -> Inputs<'a> {
        let rng = Rng::new(plan.seed);
        let (speaker, habits) = (Speaker::default(), FxHashMap::default());
        Inputs { plan, constants, words, speaker, rng, habits, given: Vec::new() }
    }

    pub fn next(&mut self, var: VarId, ty: Ty) -> u128 {
        let at = self.given.len();
        let value = match self.plan.prefix.get(at) {
            Some(&value) if !self.plan.redrawn.contains(&at) => value,
            _ => self.draw(var, ty),
        };
        self.given.push((var, value));
        value
    }

    fn draw(&mut self, var: VarId, ty: Ty) -> u128 {
        let Inputs { plan, constants, words, speaker, rng, habits, .. } = self;
        if plan.habit.is_none()
            && let Some(value) = speaker.say(var, words, rng)
        {
            return value;
        }
        let habit = plan
            .habit
            .unwrap_or_else(|| *habits.entry(var).or_insert_with(|| Habit::random(rng, constants)));
        habit.draw(ty, rng, constants)
    }
}

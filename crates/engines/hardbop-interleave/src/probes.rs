//! Where states are many: executions under schedules by chance with few preemptions, on inputs by chance. They go far
//! into programs whose states are too many, and find what needs one switch at the right place. Half of them have
//! priorities by chance (PCT); the others let one thread after the other go so far, once all have been started.

use std::collections::BTreeMap;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_cir::interp::{Config, Ending, EndsAt, Layout, Schedule, Turn, Watch, run_laid_out};
use hardbop_cir::interp::{Step, Value};
use hardbop_cir::{BlockId, CheckId, FuncId, Op, Program, Source, Ty, VarId};
use hardbop_engine_c::{Counterexample, Finding, Options};
use rustc_hash::FxHashSet;

use crate::values::Choices;

const MAX_RUNS: u64 = 4_000;
/// Of one execution: more and another schedule is worth more.
const MAX_STEPS: u64 = 300_000;
/// The share of the time, and the most.
const SHARE: u32 = 4;
const MOST: Duration = Duration::from_secs(15);

/// What executions by chance came to, each check once.
pub(crate) fn probe(
    program: &Program,
    choices: &Choices,
    options: &Options,
    budget: &Budget,
) -> BTreeMap<CheckId, Finding> {
    let mut found = BTreeMap::new();
    let time = budget.time_left().map_or(MOST, |left| (left / SHARE).min(MOST));
    let budget = budget.clone().at_most(time);
    let layout = Layout::of(program);
    let amounts = amounts(program);
    let ends_at = if options.stop_at_first { EndsAt::Any } else { EndsAt::Fatal };
    let mut n_steps = Vec::new();
    for seed in 0..MAX_RUNS {
        let mut rng = Rng::new(seed);
        let schedule = match seed {
            0 => Schedule::default(),
            _ if seed % 2 == 1 => Schedule::Turns(turns(&n_steps, &mut rng)),
            _ => Schedule::Seed(seed),
        };
        let habit = Habit::ALL[rng.below(Habit::ALL.len())];
        let mut inputs = Inputs { rng, habit, choices, amounts: &amounts };
        let config = Config {
            classes: options.classes.clone(),
            ends_at,
            max_steps: MAX_STEPS,
            schedule,
            budget: budget.clone(),
            ..Config::default()
        };
        let run = run_laid_out(program, &layout, &config, &mut inputs);
        let last = match run.ending {
            Ending::Violation(check) => Some(check),
            Ending::Exhausted(_) => break,
            _ => None,
        };
        if seed == 0 {
            n_steps = steps(&run.turns);
        }
        for check in run.violations.iter().copied().chain(last) {
            let inputs = run.inputs.iter().map(|it| it.1).collect();
            let turns = run.turns.clone();
            let shown = Counterexample { inputs, turns, ..Counterexample::default() };
            found.entry(check).or_insert(Finding::Unsafe(shown));
        }
        if options.stop_at_first && !found.is_empty() {
            break;
        }
    }
    found
}

/// How many steps each thread takes where each goes as far as it can; of `main`, until it has to wait.
fn steps(turns: &[Turn]) -> Vec<u64> {
    let mut n_steps: Vec<u64> = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let thread = turn.thread as usize;
        n_steps.resize(n_steps.len().max(thread + 1), 0);
        if thread != 0 || at == 0 {
            n_steps[thread] += turn.n_steps;
        }
    }
    n_steps
}

/// A few turns by chance; then each thread as far as it can.
fn turns(n_steps: &[u64], rng: &mut Rng) -> Vec<Turn> {
    let mut turns = Vec::new();
    if let (Some(&first), true) = (n_steps.first(), rng.chance(75)) {
        turns.push(Turn { thread: 0, n_steps: first });
    }
    for _ in 0..rng.within((2, 4)) {
        let thread = rng.below(n_steps.len());
        let most = n_steps.get(thread).copied().unwrap_or(1).max(1);
        let n_steps = if rng.chance(30) { most } else { 1 + rng.below(most as usize) as u64 };
        turns.push(Turn { thread: thread as u32, n_steps });
    }
    turns
}

/// Registers that say how much there is of something: little is enough.
fn amounts(program: &Program) -> FxHashSet<VarId> {
    let amounts = program.insts().filter_map(|(_, _, inst)| match &inst.op {
        Op::Nondet { dst, source: Source::ArgCount | Source::Argument(..) } => Some(*dst),
        _ => None,
    });
    amounts.collect()
}

/// How an execution chooses its inputs.
#[derive(Clone, Copy)]
enum Habit {
    Zero,
    /// Those that are compared with something.
    Compared,
    Small,
    Any,
}

impl Habit {
    const ALL: [Habit; 4] = [Habit::Zero, Habit::Compared, Habit::Small, Habit::Any];
}

struct Inputs<'a> {
    rng: Rng,
    habit: Habit,
    choices: &'a Choices,
    amounts: &'a FxHashSet<VarId>,
}

impl Watch for Inputs<'_> {
    fn wants(&self, _func: FuncId, _span: hardbop_base::Span) -> bool {
        false
    }

    fn step(&mut self, _step: Step) {}

    fn enters(&mut self, _func: FuncId, _block: BlockId, _var: &dyn Fn(VarId) -> Value) {}

    fn choose(&mut self, var: VarId, ty: Ty) -> Option<u128> {
        let Ty::Int(width) = ty else { return Some(0) };
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        if self.amounts.contains(&var) {
            return Some(0);
        }
        Some(match self.habit {
            // What has two values is chosen anyway.
            _ if width == 1 => self.rng.below(2) as u128,
            Habit::Zero => 0,
            Habit::Compared => {
                let tried = self.choices.values(var, true).tried;
                tried.get(self.rng.below(tried.len().max(1))).copied().unwrap_or(0)
            }
            Habit::Small => self.rng.below(4) as u128,
            Habit::Any => self.rng.below(1 << 31) as u128 & mask,
        })
    }
}

//! The search: run after run until a check fails or the limits are reached.
//!
//! The first runs give every input the same habit, plainest first; then inputs that came to new
//! blocks are varied, as coverage-guided fuzzers do (Zalewski, AFL). The program that is run is cut to
//! what the checks depend on; a violation counts when the whole program shows it, too.
//!
//! How long a run is worth following cannot be known: `while (1)` waits for a reset, or a check lies
//! behind 100,000 rounds. So runs are short at first; those that were cut wait, to be repeated with
//! [`LONGER`] times as many steps. The first of each length goes on when all runs together had half as
//! many, so that the plainest inputs get far soon; the others share, as much for each length as
//! new runs get.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use hardbop_base::rng::Rng;
use hardbop_base::{Budget, Exhausted, Span};
use hardbop_cir::interp::{
    Addresses, Config, Ending, EndsAt, Layout, Run, run_laid_out, run_watched,
};
use hardbop_cir::pass::Passes;
use hardbop_cir::{CheckId, Op, Program, VarId};
use hardbop_engine::{Reason, Runs};
use hardbop_engine_c::{Counterexample, Finding, Options, Replay, Report, Values, prepare};
use rustc_hash::FxHashSet;

use crate::coverage::Coverage;
use crate::feed::{Feed, Pacer};
use crate::only::{drop_unread, is_only_run};
use crate::plan::{Inputs, Plan};
use crate::pool::Pool;
use crate::values::{Constants, Habit};
use crate::words::Words;

/// Steps of a run at first.
const SHORT: u64 = 10_000;
/// How many times as many it gets when it is repeated.
const LONGER: u64 = 4;
/// Runs of one length that were cut and wait.
const MAX_WAITING: usize = 16;
/// Objects that a run makes: each costs some hundred bytes even when it is gone.
const MAX_INSTANCES: usize = 1_000_000;
/// Bytes of a run's memory: large arrays take longer to clear than most runs.
const MAX_BYTES: u64 = 64 << 20;
/// What memory without a value holds, in turns.
const FRESH_BYTES: [u8; 3] = [1, 0xff, 0];
/// A check that fails in the search and not in the replay is tried again so often.
const MAX_DOUBTS: u32 = 3;

/// When to stop, besides the budget.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub n_runs: u64,
    pub n_steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { n_runs: 50_000, n_steps: 2_000_000_000 }
    }
}

/// Looks for violations until the limits are reached.
pub fn check(program: &Arc<Program>, options: &Options, budget: &Budget) -> Report {
    if let Some(refusal) = Report::of_threads(program, &options.classes) {
        return refusal;
    }
    let mut search = Search::new(program, options);
    search.go(Limits::default(), budget, &mut || {});
    search.report()
}

/// A search that can be left and taken up again.
pub struct Search {
    original: Arc<Program>,
    options: Options,
    /// What the checks depend on; then the same with every arbitrary value as an input.
    programs: [Program; 2],
    layout: Layout,
    constants: Constants,
    words: Words,
    /// Registers that are inputs of the program itself.
    asked: FxHashSet<VarId>,
    /// Whether there are other arbitrary values.
    has_others: bool,
    coverage: Coverage,
    pool: Pool,
    /// Assumptions that have failed.
    refusals: FxHashSet<Span>,
    /// Whether the last run took nothing arbitrary: any other would go the same way.
    took_nothing: bool,
    /// Runs that were cut, by the steps they are to have next.
    waiting: BTreeMap<u64, Waiting>,
    rng: Rng,
    n_plans: u64,
    n_runs: u64,
    n_steps: u64,
    /// Of these, in new runs.
    n_new_steps: u64,
    found: BTreeMap<CheckId, Finding>,
    doubts: BTreeMap<CheckId, u32>,
    end: Option<End>,
}

/// Runs of one length.
#[derive(Default)]
struct Waiting {
    plans: VecDeque<Plan>,
    /// Steps of those that had their turn.
    n_steps: u64,
}

/// Why there is nothing left to do.
enum End {
    /// A violation, and one was asked for.
    Violation,
    /// The program has one run, and it is fine.
    OnlyRun,
    /// Every other run would be the same.
    NoOther,
    Exhausted(Exhausted),
}

impl Search {
    pub fn new(original: &Arc<Program>, options: &Options) -> Search {
        let mut program = prepare(original, &options.classes, Passes::ALL);
        drop_unread(&mut program);
        let fixing = Counterexample { fixes_all: true, ..Counterexample::default() };
        let all_inputs = fixing.program(&program).into_owned();
        let mut asked = FxHashSet::default();
        let mut has_others = false;
        for (_, _, inst) in program.insts() {
            match &inst.op {
                Op::Nondet { dst, source } if source.input().is_some() => drop(asked.insert(*dst)),
                Op::Nondet { .. } | Op::Enter { .. } | Op::Alloc { .. } => has_others = true,
                _ => {}
            }
        }
        Search {
            original: Arc::clone(original),
            options: options.clone(),
            layout: Layout::of(&program),
            constants: Constants::of(&program),
            words: Words::of(&program),
            coverage: Coverage::of(&program),
            programs: [program, all_inputs],
            asked,
            has_others,
            pool: Pool::default(),
            refusals: FxHashSet::default(),
            took_nothing: false,
            waiting: BTreeMap::new(),
            rng: Rng::new(0),
            n_plans: 0,
            n_runs: 0,
            n_steps: 0,
            n_new_steps: 0,
            found: BTreeMap::new(),
            doubts: BTreeMap::new(),
            end: None,
        }
    }

    /// Goes on up to these limits, counted from the very beginning; whether there is a verdict. `pace`
    /// is called again and again during runs and may take its time.
    pub fn go(&mut self, limits: Limits, budget: &Budget, pace: &mut dyn FnMut()) -> bool {
        // A run asks the budget itself, but most are too short for that.
        let mut meter = budget.meter(20);
        budget.progress().count("runs", "round");
        while self.end.is_none() {
            if let Err(limit) = meter.tick() {
                self.end = Some(End::Exhausted(limit));
                break;
            }
            let left = limits.n_steps.saturating_sub(self.n_steps);
            if left == 0 || self.n_runs >= limits.n_runs {
                return false;
            }
            // Short runs do not come to it themselves.
            pace();
            let (plan, steps) = self.next();
            let config = self.config(&plan, steps.min(left), budget);
            let (run, given) = self.execute(&plan, &config, pace);
            self.n_runs += 1;
            budget.progress().set_found(self.n_runs);
            self.n_steps += run.n_steps;
            match self.waiting.get_mut(&steps) {
                Some(it) => it.n_steps += run.n_steps,
                None => self.n_new_steps += run.n_steps,
            }
            let left = limits.n_steps.saturating_sub(self.n_steps);
            self.end = match self.judge(&plan, &config, &run, given, steps) {
                Some(End::OnlyRun) => self.second_look(plan, steps, &config, left, pace),
                end => end,
            };
        }
        matches!(self.end, Some(End::Violation | End::OnlyRun))
    }

    /// The next plan and its steps: the longest that is due, or a new one. What took nothing is due at
    /// once: a new one would go the same way.
    fn next(&mut self) -> (Plan, u64) {
        let Search { waiting, took_nothing, n_steps, n_new_steps, .. } = self;
        let is_due = |steps: u64, it: &Waiting| match it.n_steps {
            _ if *took_nothing => true,
            0 => steps / 2 <= *n_steps,
            used => used + steps <= *n_new_steps,
        };
        for (&steps, it) in waiting.iter_mut().rev() {
            if is_due(steps, it)
                && let Some(plan) = it.plans.pop_front()
            {
                return (plan, steps);
            }
        }
        (self.plan(), SHORT)
    }

    fn plan(&mut self) -> Plan {
        let at = self.n_plans as usize;
        self.n_plans += 1;
        // With other arbitrary values every habit comes twice.
        let n_each = if self.has_others { 2 } else { 1 };
        let fresh_byte = FRESH_BYTES[(at / n_each) % FRESH_BYTES.len()];
        let plain = Plan {
            prefix: Vec::new().into(),
            redrawn: Vec::new(),
            habit: Habit::FIRST.get(at / n_each).copied(),
            fixes_all: false,
            fresh_byte: 0,
            seed: self.rng.next_u64(),
        };
        if plain.habit.is_some() {
            return match at % n_each {
                0 => plain,
                _ => Plan { fixes_all: true, fresh_byte, ..plain },
            };
        }
        let drawn = plain;
        match self.pool.start(&mut self.rng) {
            Some(start) => Plan {
                prefix: start.prefix,
                redrawn: start.redrawn,
                fixes_all: start.fixes_all,
                fresh_byte: if start.fixes_all { fresh_byte } else { 0 },
                ..drawn
            },
            None if self.has_others && self.rng.chance(50) => {
                Plan { fixes_all: true, fresh_byte, ..drawn }
            }
            None => drawn,
        }
    }

    fn config(&self, plan: &Plan, max_steps: u64, budget: &Budget) -> Config {
        Config {
            fresh_byte: plan.fresh_byte,
            classes: self.options.classes.clone(),
            max_steps,
            max_instances: MAX_INSTANCES,
            max_bytes: MAX_BYTES,
            ends_at: if self.options.stop_at_first { EndsAt::Any } else { EndsAt::Fatal },
            budget: budget.clone(),
            ..Config::default()
        }
    }

    fn execute(
        &mut self,
        plan: &Plan,
        config: &Config,
        pace: &mut dyn FnMut(),
    ) -> (Run, Vec<(VarId, u128)>) {
        let program = &self.programs[usize::from(plan.fixes_all)];
        let inputs = Inputs::new(plan, &self.constants, &self.words);
        let mut feed = Feed { inputs, coverage: &mut self.coverage, pacer: Pacer::new(pace) };
        let run = run_laid_out(program, &self.layout, config, &mut feed);
        (run, feed.inputs.given)
    }

    /// Takes from a run what there is to learn; `Some` if it was the last one.
    fn judge(
        &mut self,
        plan: &Plan,
        config: &Config,
        run: &Run,
        given: Vec<(VarId, u128)>,
        steps: u64,
    ) -> Option<End> {
        self.took_nothing = !run.took.has_values() && !run.took.has_addresses();
        let values = given.iter().map(|it| it.1);
        let mut is_new = self.coverage.end_run();
        if let Ending::AssumptionFailed(at) = run.ending {
            // To fail at another assumption is to have passed the one before.
            is_new |= self.refusals.insert(at);
            self.pool.keep_refused(values.clone(), plan.fixes_all, run.n_steps);
        } else {
            self.pool.forget_refused(run.n_steps);
        }
        if is_new {
            self.pool.keep_new(values, plan.fixes_all);
        }
        let fatal = match run.ending {
            Ending::Violation(check) => Some(check),
            _ => None,
        };
        for check in run.violations.iter().copied().chain(fatal) {
            self.violated(check, plan, config, run, &given);
        }
        let is_violated = self.found.values().any(|it| matches!(it, Finding::Unsafe(_)));
        if is_violated && self.options.stop_at_first {
            return Some(End::Violation);
        }
        match run.ending {
            Ending::Exhausted(limit) => return Some(End::Exhausted(limit)),
            // Cut by its own length, or by the end of the search.
            Ending::TooLong if run.n_steps >= steps => {
                self.wait(plan.clone(), steps.saturating_mul(LONGER))
            }
            Ending::TooLong if run.n_steps >= config.max_steps && steps > SHORT => {
                self.wait(plan.clone(), steps);
            }
            Ending::TooLong if run.n_steps >= config.max_steps => {}
            _ if self.took_nothing => {
                let is_only = self.found.is_empty()
                    && is_only_run(&self.programs[0], run, |func, block| {
                        self.coverage.has_been_in(func, block)
                    });
                return Some(if is_only { End::OnlyRun } else { End::NoOther });
            }
            _ => {}
        }
        None
    }

    /// Whether the whole program comes to its end, too, within so many steps; where they do not do, the plan waits.
    /// Soundness: a second look at what the passes cut.
    fn second_look(
        &mut self,
        plan: Plan,
        steps: u64,
        config: &Config,
        left: u64,
        pace: &mut dyn FnMut(),
    ) -> Option<End> {
        let config = Config { max_steps: left, ..config.clone() };
        let run = run_watched(&self.original, &config, &mut Pacer::new(pace));
        self.n_steps += run.n_steps;
        let is_fine = run.violations.is_empty() && run.inputs.is_empty();
        match run.ending {
            Ending::Exhausted(limit) => Some(End::Exhausted(limit)),
            Ending::TooLong if is_fine && run.n_steps >= left => {
                self.wait(plan, steps);
                None
            }
            Ending::Exit(_) | Ending::Abort if is_fine => Some(End::OnlyRun),
            _ => Some(End::NoOther),
        }
    }

    fn wait(&mut self, plan: Plan, steps: u64) {
        let plans = &mut self.waiting.entry(steps).or_default().plans;
        if plans.len() < MAX_WAITING {
            plans.push_back(plan);
        }
    }

    /// A check failed: it counts if the whole program shows it, wherever objects lie.
    fn violated(
        &mut self,
        check: CheckId,
        plan: &Plan,
        config: &Config,
        run: &Run,
        given: &[(VarId, u128)],
    ) {
        let n_doubts = self.doubts.get(&check).copied().unwrap_or(0);
        if matches!(self.found.get(&check), Some(Finding::Unsafe(_))) || n_doubts >= MAX_DOUBTS {
            return;
        }
        let is_firm = !run.took.has_addresses() || self.shows_elsewhere(check, plan, config);
        let verdict = match is_firm.then(|| self.confirm(check, plan, given, config)).flatten() {
            Some(counterexample) => Finding::Unsafe(counterexample),
            None => {
                *self.doubts.entry(check).or_default() += 1;
                Finding::Unknown(Reason::NotShown)
            }
        };
        self.found.insert(check, verdict);
    }

    /// Whether the same plan violates it with the objects in the opposite order.
    fn shows_elsewhere(&mut self, check: CheckId, plan: &Plan, config: &Config) -> bool {
        let config = Config { addresses: Addresses::Fall, ..config.clone() };
        let (run, _) = self.execute(plan, &config, &mut || {});
        self.coverage.end_run();
        run.ending == Ending::Violation(check) || run.violations.contains(&check)
    }

    fn confirm(
        &self,
        check: CheckId,
        plan: &Plan,
        given: &[(VarId, u128)],
        config: &Config,
    ) -> Option<Counterexample> {
        let (classes, ends_at) = (&self.options.classes, EndsAt::Check(check));
        let replay = Replay { original: &self.original, classes, ends_at };
        [false, true].into_iter().filter(|&fixes_all| plan.fixes_all || !fixes_all).find_map(
            |fixes_all| {
                let mut values = Values { fixes_all, ..Values::default() };
                for (var, value) in
                    given.iter().filter(|it| fixes_all || self.asked.contains(&it.0))
                {
                    values.by_register.entry(*var).or_default().push(*value);
                }
                let is_open = |it| it == check;
                let confirmed = replay.confirm(&values, is_open, &config.budget);
                confirmed.map(|it| it.1)
            },
        )
    }

    pub fn report(&self) -> Report {
        let limit = match self.end {
            Some(End::Exhausted(limit)) => Some(limit),
            _ => None,
        };
        let reason = match self.end {
            Some(End::OnlyRun) => None,
            Some(End::Violation) => Some(Reason::Stopped),
            Some(End::NoOther | End::Exhausted(_)) | None => Some(Reason::Runs(Runs {
                n_runs: self.n_runs,
                n_steps: self.n_steps,
                n_covered: self.coverage.n_covered(),
                n_blocks: self.coverage.n_blocks(),
                limit,
            })),
        };
        let bound = u32::try_from(self.n_runs).unwrap_or(u32::MAX);
        Report::new(&self.original, &self.options.classes, self.found.clone(), reason, bound)
    }
}

//! The search: worlds in a queue, those with the fewest preemptions first, each state once.

use std::collections::BTreeMap;

use hardbop_base::{Budget, Exhausted};
use hardbop_cir::analysis::Footprints;
use hardbop_cir::interp::{Config, Ending, EndsAt, Layout, Live, Moved, Pending, Turn, World};
use hardbop_cir::{Assumption, CheckId, Class, Op, Program, Source};
use hardbop_engine::Reason;
use hardbop_engine_c::{Counterexample, Finding, Options, Report};
use rustc_hash::FxHashSet;

use crate::probes::probe;
use crate::values::Choices;

/// So many states are many, or as many bytes of them: before the search goes on, executions by chance are tried.
const MANY: usize = 3_000;
const MANY_BYTES: usize = 2_000_000;

/// What a search has seen.
#[derive(Clone, Copy, Default, Debug)]
pub struct Numbers {
    pub n_states: usize,
    /// The most threads of one state, `main` included.
    pub n_threads: usize,
}

/// Every check of the classes: violated, or safe if all states were seen.
pub fn check(original: &Program, options: &Options, budget: &Budget) -> (Report, Numbers) {
    let everything = Counterexample { fixes_all: true, ..Counterexample::default() };
    let mut program = everything.program(original).into_owned();
    forget_output(&mut program);
    let layout = Layout::of(&program);
    let ends_at = if options.stop_at_first { EndsAt::Any } else { EndsAt::Fatal };
    let classes = options.classes.clone();
    let config = Config { classes, ends_at, ..Config::default() };
    let facts = Facts {
        original,
        footprints: Footprints::of(&program),
        live: Live::of(&program, &layout),
        choices: Choices::of(&program),
    };
    let mut search = Search {
        facts: &facts,
        options,
        budget,
        queue: Vec::new(),
        seen: FxHashSet::default(),
        moves: Vec::new(),
        found: BTreeMap::new(),
        incomplete: None,
        numbers: Numbers::default(),
        n_bytes: 0,
        races: Races::default(),
    };
    let ended = match World::start(&program, &layout, &config) {
        Ok(world) => search.run(world),
        Err(ending) => {
            search.lost(&ending);
            Ok(())
        }
    };
    let Search { found, mut incomplete, numbers, races, .. } = search;
    incomplete = outside(original).or(incomplete);
    if let Err(limit) = ended {
        incomplete = Some(Reason::Exhausted(limit));
    }
    if options.stop_at_first && !found.is_empty() {
        incomplete = Some(Reason::Stopped);
    }
    let bound = u32::try_from(numbers.n_states).unwrap_or(u32::MAX);
    let mut report = Report::new(original, &options.classes, found, incomplete, bound);
    races.judge(original, &mut report);
    (report, numbers)
}

/// What was seen of races, whether they are asked about or not.
#[derive(Default)]
struct Races {
    is_found: bool,
    /// Something happened that orders nothing although all interleavings look as if it did.
    are_open: bool,
}

impl Races {
    /// Whether there is no need to look for them any more.
    fn are_settled(&self, check: Option<CheckId>) -> bool {
        (self.is_found || self.are_open) && check.is_none()
    }

    fn judge(&self, program: &Program, report: &mut Report) {
        let why = "an atomic access that is less than acquire and release, a lock that was not got, or output of \
                   what threads share: what that orders is not followed";
        for (&check, finding) in &mut report.checks {
            let is_race = program.checks[check].class == Class::Race;
            // Soundness: where something orders less than it seems, races may be unseen.
            if is_race && self.are_open && *finding == Finding::Safe {
                *finding = Finding::Unknown(Reason::Unsupported(why.into()));
            }
        }
        if self.is_found || self.are_open {
            report.assumptions.push(Assumption::SequentialConsistency);
        }
    }
}

/// Soundness: what a function without a body keeps of the pointers it was given it may use while other
/// threads run, also when none of them calls it; that is not followed, so nothing is proved.
fn outside(program: &Program) -> Option<Reason> {
    program.assumptions.iter().find_map(|it| match it {
        Assumption::NoBody(name) => {
            let why = "has no body, and what it does between steps of other threads is not known";
            Some(Reason::Unsupported(format!("`{name}` {why}")))
        }
        _ => None,
    })
}

/// What `printf` returns is arbitrary only where somebody looks at it.
fn forget_output(program: &mut Program) {
    let mut read = FxHashSet::default();
    let operands = program.insts().flat_map(|(_, _, inst)| inst.op.operands());
    let blocks = program.funcs.iter().flat_map(|func| func.blocks.iter());
    let operands = operands.chain(blocks.filter_map(|block| block.term.operands()));
    for operand in operands {
        program.exprs.for_each_var(operand, &mut |var| {
            read.insert(var);
        });
    }
    let blocks = program.funcs.as_mut_slice().iter_mut();
    for inst in blocks.flat_map(|it| it.blocks.as_mut_slice()).flat_map(|it| &mut it.insts) {
        if let Op::Print { dst, .. } = &mut inst.op {
            *dst = dst.filter(|it| read.contains(it));
        }
    }
}

struct Facts<'a> {
    original: &'a Program,
    footprints: Footprints,
    live: Live,
    choices: Choices,
}

impl Facts<'_> {
    fn of_worlds(&self) -> (&Footprints, &Live) {
        (&self.footprints, &self.live)
    }
}

/// How a state was come to.
struct Move {
    before: Option<u32>,
    turns: Vec<Turn>,
    /// The value that was chosen, and whether it is an input of the program as it was read.
    chosen: Option<(bool, u128)>,
}

/// A state to go on from.
struct Open<'a> {
    world: World<'a>,
    /// The thread that moved last, not counting those that went alone.
    last: u32,
    /// A thread is in the middle of many steps.
    is_long: bool,
    /// The value that a thread asks for.
    asks: Option<Asks>,
    by: u32,
    n_preemptions: usize,
}

#[derive(Clone)]
struct Asks {
    thread: u32,
    values: Vec<u128>,
    is_input: bool,
}

struct Search<'f, 'a> {
    facts: &'f Facts<'f>,
    options: &'f Options,
    budget: &'f Budget,
    /// By number of preemptions.
    queue: Vec<Vec<Open<'a>>>,
    seen: FxHashSet<Box<[u8]>>,
    moves: Vec<Move>,
    found: BTreeMap<CheckId, Finding>,
    incomplete: Option<Reason>,
    numbers: Numbers,
    /// Of all states.
    n_bytes: usize,
    races: Races,
}

impl<'a> Search<'_, 'a> {
    fn run(&mut self, mut world: World<'a>) -> Result<(), Exhausted> {
        let mut meter = self.budget.meter(200);
        let mut turns = Vec::new();
        let moved = world.advance((0, false), self.facts.of_worlds(), &[], &mut turns);
        let first = Move { before: None, turns, chosen: None };
        self.came(world, moved, (0, 0), first, 0);
        let mut has_probed = false;
        while let Some(open) = self.queue.iter_mut().find_map(Vec::pop) {
            meter.tick()?;
            let are_many = self.numbers.n_states >= MANY || self.n_bytes >= MANY_BYTES;
            if are_many && !std::mem::replace(&mut has_probed, true) {
                let (program, choices) = (self.facts.original, &self.facts.choices);
                for (check, finding) in probe(program, choices, self.options, self.budget) {
                    self.found.entry(check).or_insert(finding);
                }
            }
            if self.options.stop_at_first && !self.found.is_empty() {
                break;
            }
            match open.asks.clone() {
                Some(asks) => self.choose(open, &asks),
                None => self.schedule(open),
            }
        }
        Ok(())
    }

    /// Each value that makes a difference.
    fn choose(&mut self, mut open: Open<'a>, asks: &Asks) {
        let pending = self.pending(&mut open.world);
        for &value in &asks.values {
            let (mut world, mut turns) = (open.world.clone(), Vec::new());
            world.choose(asks.thread, value, &mut turns);
            let who = (asks.thread, true);
            let moved = world.advance(who, self.facts.of_worlds(), &pending, &mut turns);
            let chosen = Some((asks.is_input, value));
            let by = Move { before: Some(open.by), turns, chosen };
            self.came(world, moved, (asks.thread, open.last), by, open.n_preemptions);
        }
    }

    fn pending(&self, world: &mut World<'a>) -> Vec<Pending> {
        match self.races.are_settled(world.race_check()) {
            true => Vec::new(),
            false => world.pending(),
        }
    }

    /// Each thread whose next step depends on its order, or one whose step does not.
    fn schedule(&mut self, mut open: Open<'a>) {
        // Soundness: who goes round for ever must not go alone.
        let alone = match open.is_long {
            true => None,
            false => open.world.goes_alone(&self.facts.footprints),
        };
        let goes_alone = alone.is_some();
        let mut threads = alone.map_or_else(|| open.world.live(), |thread| vec![thread]);
        let is_last = |it: &u32| *it == open.last;
        // Whether the last one could go on tells what a preemption is.
        threads.sort_by_key(|it| !is_last(it));
        let (mut goes_on, mut can_move) = (false, false);
        let pending = self.pending(&mut open.world);
        for thread in threads {
            let (mut world, mut turns) = (open.world.clone(), Vec::new());
            let who = (thread, false);
            let moved = world.advance(who, self.facts.of_worlds(), &pending, &mut turns);
            if moved == Moved::Waits {
                self.raced(&mut world, &Move { before: Some(open.by), turns, chosen: None });
                continue;
            }
            can_move = true;
            goes_on |= thread == open.last;
            let is_preemption = thread != open.last && goes_on;
            let n_preemptions = open.n_preemptions + usize::from(is_preemption);
            let by = Move { before: Some(open.by), turns, chosen: None };
            let last = if goes_alone { open.last } else { thread };
            self.came(world, moved, (thread, last), by, n_preemptions);
        }
        // Where a thread is stuck the execution is none that anyone asks about.
        let is_deadlock = !can_move && !open.world.live().is_empty() && !open.world.has_stuck();
        if let (true, Some(check)) = (is_deadlock, open.world.deadlock_check()) {
            self.violated(check, &Move { before: Some(open.by), turns: Vec::new(), chosen: None });
        }
    }

    /// Whether what was done is in a race with the next step of another thread.
    fn raced(&mut self, world: &mut World<'a>, by: &Move) {
        self.races.are_open |= world.is_unordered();
        let Some(thread) = world.take_race() else { return };
        self.races.is_found = true;
        if let Some(check) = world.race_check() {
            let mut turns = by.turns.clone();
            turns.push(Turn { thread, n_steps: 1 });
            self.violated(check, &Move { turns, ..*by });
        }
    }

    /// What a thread came to; the pair is that thread and the one that moved last.
    fn came(
        &mut self,
        mut world: World<'a>,
        moved: Moved,
        (thread, last): (u32, u32),
        by: Move,
        n_preemptions: usize,
    ) {
        if world.took_something() && self.incomplete.is_none() {
            let what =
                "a value that C leaves open, or an address as a number, in a program with threads";
            self.incomplete = Some(Reason::Unsupported(what.into()));
        }
        for check in world.take_violations() {
            self.violated(check, &by);
        }
        self.raced(&mut world, &by);
        let is_long = moved == Moved::Long;
        let asks = match moved {
            Moved::Point | Moved::Long | Moved::Stuck => None,
            Moved::Choice(var, ref source, is_read) => {
                let values = self.facts.choices.values(var, is_read);
                if !values.are_all && self.incomplete.is_none() {
                    let what = "an input with more values than can be tried one by one";
                    self.incomplete = Some(Reason::Unsupported(what.into()));
                }
                let is_input = self.is_input(var, source);
                Some(Asks { thread, values: values.tried, is_input })
            }
            Moved::Violation(check) => return self.violated(check, &by),
            Moved::Over | Moved::Waits => return,
            Moved::Lost(ending) => return self.lost(&ending),
        };
        let state = world.encode(asks.is_some().then_some(thread), &self.facts.live);
        let n_bytes = state.len();
        if !self.seen.insert(state) {
            return;
        }
        self.n_bytes += n_bytes;
        self.numbers.n_states += 1;
        self.numbers.n_threads = self.numbers.n_threads.max(world.n_threads());
        if n_preemptions >= self.queue.len() {
            self.queue.resize_with(n_preemptions + 1, Vec::new);
        }
        self.moves.push(by);
        let by = (self.moves.len() - 1) as u32;
        self.queue[n_preemptions].push(Open { world, last, is_long, asks, by, n_preemptions });
    }

    /// Whether the program as it was read asks for it.
    fn is_input(&self, var: hardbop_cir::VarId, source: &Source) -> bool {
        let made = match source {
            Source::Input(name) => name,
            _ => return true,
        };
        // What `fixes_all` makes an input goes by the name of its source there.
        self.facts.original.insts().all(|(_, _, inst)| match &inst.op {
            Op::Nondet { dst, source } if *dst == var => {
                matches!(source, Source::Input(name) if name == made)
            }
            _ => true,
        })
    }

    fn violated(&mut self, check: CheckId, by: &Move) {
        if self.found.contains_key(&check) {
            return;
        }
        let (mut turns, mut chosen) = (Vec::new(), Vec::new());
        let mut at = Some(by);
        while let Some(it) = at {
            turns.extend(it.turns.iter().rev().copied());
            chosen.extend(it.chosen);
            at = it.before.map(|before| &self.moves[before as usize]);
        }
        turns.reverse();
        chosen.reverse();
        let mut joined: Vec<Turn> = Vec::new();
        for turn in turns {
            match joined.last_mut() {
                Some(last) if last.thread == turn.thread => last.n_steps += turn.n_steps,
                _ => joined.push(turn),
            }
        }
        // What is 0 anyway need not be fixed.
        let fixes_all = chosen.iter().any(|&(is_input, value)| !is_input && value != 0);
        let inputs = chosen.into_iter().filter(|&(is_input, _)| is_input || fixes_all);
        let inputs = inputs.map(|it| it.1).collect();
        let counterexample =
            Counterexample { inputs, fixes_all, turns: joined, ..Counterexample::default() };
        self.found.insert(check, Finding::Unsafe(counterexample));
    }

    fn lost(&mut self, ending: &Ending) {
        let reason = match ending {
            Ending::Unsupported(what, span) => Reason::UnsupportedAt(what.to_string(), *span),
            Ending::TooLong => Reason::Unsupported(
                "a thread that runs long without touching what others do".into(),
            ),
            Ending::Exhausted(limit) => Reason::Exhausted(*limit),
            Ending::Unreachable(span) => {
                Reason::UnsupportedAt("code that should not be reached".into(), *span)
            }
            Ending::Exit(_)
            | Ending::Abort
            | Ending::Violation(_)
            | Ending::AssumptionFailed(_)
            | Ending::Undefined(..)
            | Ending::Deadlock => return,
        };
        self.incomplete.get_or_insert(reason);
    }
}

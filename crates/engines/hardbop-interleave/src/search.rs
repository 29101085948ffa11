//! The search: worlds in a queue, those with the fewest preemptions first, each state once.

use std::collections::BTreeMap;

use hardbop_base::{Budget, Exhausted};
use hardbop_cir::analysis::Footprints;
use hardbop_cir::interp::{Config, Ending, EndsAt, Layout, Live, Moved, Pending, Turn, World};
use hardbop_cir::{Assumption, CheckId, Op, Program, Source, VarId};
use hardbop_engine::Reason;
use hardbop_engine_c::{Counterexample, Finding, Options, Report};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::probes::probe;
use crate::races::Races;
use crate::symbols::{Following, Fork, Shared, Symbolic};
use crate::values::{Choices, ignores_results};

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
        ignores_results: ignores_results(&program),
        asked: asked(original),
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
        shared: Shared::default(),
    };
    let ended = match World::start(&program, &layout, &config) {
        Ok(world) => search.run(world),
        Err(ending) => {
            // Soundness: nothing has been searched.
            search.incomplete = Some(match ending {
                Ending::Exhausted(limit) => Reason::Exhausted(limit),
                _ => Reason::Unsupported(
                    "variables of more memory than is given to a program".into(),
                ),
            });
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

pub(crate) struct Facts<'a> {
    original: &'a Program,
    footprints: Footprints,
    live: Live,
    pub choices: Choices,
    /// Nobody asks what a thread has left.
    pub ignores_results: bool,
    asked: FxHashMap<VarId, Vec<Source>>,
}

impl Facts<'_> {
    fn of_worlds(&self) -> (&Footprints, &Live) {
        (&self.footprints, &self.live)
    }

    /// Whether the program as it was read asks for it.
    pub fn is_input(&self, var: VarId, source: &Source) -> bool {
        let Source::Input(made) = source else { return true };
        // What `fixes_all` makes an input goes by the name of its source there.
        let asked = self.asked.get(&var).into_iter().flatten();
        asked.into_iter().all(|it| matches!(it, Source::Input(name) if name == made))
    }
}

/// The sources of each register's arbitrary values.
fn asked(program: &Program) -> FxHashMap<VarId, Vec<Source>> {
    let mut asked: FxHashMap<VarId, Vec<Source>> = FxHashMap::default();
    for (_, _, inst) in program.insts() {
        if let Op::Nondet { dst, source } = &inst.op {
            asked.entry(*dst).or_default().push(source.clone());
        }
    }
    asked
}

/// How a state was come to.
#[derive(Default)]
struct Move {
    before: Option<u32>,
    turns: Vec<Turn>,
    /// The values that were chosen, and whether each is an input of the program as it was read.
    chosen: Vec<(bool, Chosen)>,
}

#[derive(Clone, Copy)]
enum Chosen {
    Number(u128),
    /// Any that the path allows.
    Symbol(hardbop_smt::VarId),
}

#[derive(Clone)]
struct State<'a> {
    world: World<'a>,
    symbols: Symbolic,
}

/// A state to go on from.
#[derive(Clone)]
struct Open<'a> {
    state: State<'a>,
    /// The thread that moved last, not counting those that went alone.
    last: u32,
    /// A thread is in the middle of many steps.
    is_long: bool,
    /// A thread is in the middle of a move.
    asks: Option<Asks>,
    by: u32,
    n_preemptions: usize,
}

#[derive(Clone)]
struct Asks {
    thread: u32,
    what: Wanted,
}

#[derive(Clone)]
enum Wanted {
    /// One of these values.
    Value { values: Vec<u128>, is_input: bool },
    /// Nothing any more: what its step depended on has been decided.
    GoOn { is_first: bool },
}

impl Asks {
    /// What tells states apart that differ in nothing else.
    fn number(&self) -> u32 {
        let how = match self.what {
            Wanted::Value { .. } => 0,
            Wanted::GoOn { is_first } => 1 + u32::from(is_first),
        };
        4 * self.thread + how
    }
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
    shared: Shared,
}

impl<'a> Search<'_, 'a> {
    fn run(&mut self, world: World<'a>) -> Result<(), Exhausted> {
        // A step may be thousands of instructions.
        let mut meter = self.budget.meter(4);
        let state = State { world, symbols: Symbolic::default() };
        let asks = Asks { thread: 0, what: Wanted::GoOn { is_first: true } };
        self.wait(state, Some(asks), (0, false), Move::default(), 0);
        let mut has_probed = false;
        while let Some(open) = self.queue.iter_mut().find_map(Vec::pop) {
            meter.tick()?;
            self.budget.progress().set_found(self.numbers.n_states as u64);
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
                Some(asks) => self.go_on(open, &asks),
                None => self.schedule(open),
            }
            self.shared.exhausted.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// Each value that makes a difference, or what has been decided.
    fn go_on(&mut self, mut open: Open<'a>, asks: &Asks) {
        let pending = self.pending(&mut open.state.world);
        let (values, resumes) = match &asks.what {
            Wanted::Value { values, .. } => (values.iter().map(|&it| Some(it)).collect(), true),
            Wanted::GoOn { is_first } => (vec![None], !is_first),
        };
        for value in values {
            let (mut state, mut by) =
                (open.state.clone(), Move { before: Some(open.by), ..Move::default() });
            if let (Some(value), Wanted::Value { is_input, .. }) = (value, &asks.what) {
                state.world.choose(asks.thread, value, &mut by.turns);
                by.chosen.push((*is_input, Chosen::Number(value)));
            }
            let Some(moved) =
                self.advance(&open, &mut state, (asks.thread, resumes), &pending, &mut by)
            else {
                return;
            };
            if moved == Moved::Waits {
                self.waits_inside(&state.world);
            }
            self.came(state, moved, (asks.thread, open.last), by, open.n_preemptions);
        }
    }

    /// Moves a thread on. `None` if that divides the state it began in, so that all must be done again: what
    /// decides whether a thread waits must be decided where it began to look.
    fn advance(
        &mut self,
        open: &Open<'a>,
        state: &mut State<'a>,
        who: (u32, bool),
        pending: &[Pending],
        by: &mut Move,
    ) -> Option<Moved> {
        let first_new = self.shared.next_var();
        let State { world, symbols } = state;
        let mut follow = Following {
            own: symbols,
            shared: &mut self.shared,
            facts: self.facts,
            budget: self.budget,
        };
        let facts = self.facts.of_worlds();
        let moved = world.advance(who, facts, pending, &mut by.turns, &mut follow);
        let asked = symbols.take_asked().into_iter();
        by.chosen.extend(asked.map(|(is_input, it)| (is_input, Chosen::Symbol(it))));
        self.races.are_open |= symbols.has_pinned;
        // Soundness: so must be what the first step touches, which tells who may go alone.
        let is_at_start = match moved {
            Moved::Forks(is_first) => is_first || world.sight().is_in_section(),
            _ => false,
        };
        if !is_at_start {
            return Some(moved);
        }
        let Some(fork) = symbols.fork().filter(|it| !it.is_about(first_new)).cloned() else {
            return Some(moved);
        };
        for as_now in [false, true] {
            let mut half = open.clone();
            half.state.symbols.divide(&mut half.state.world, &self.shared, &fork, as_now);
            self.numbers.n_states += 1;
            self.queue[open.n_preemptions].push(half);
        }
        None
    }

    /// Soundness: a thread that finds that it must wait after a value was chosen on the way has moved, as it seems.
    fn waits_inside(&mut self, world: &World<'a>) {
        if world.deadlock_check().is_some() {
            let what = "a wait that depends on a value chosen in the same step";
            self.incomplete.get_or_insert(Reason::Unsupported(what.into()));
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
            false => open.state.world.goes_alone(&self.facts.footprints),
        };
        let goes_alone = alone.is_some();
        let mut threads = alone.map_or_else(|| open.state.world.live(), |thread| vec![thread]);
        let is_last = |it: &u32| *it == open.last;
        // Whether the last one could go on tells what a preemption is.
        threads.sort_by_key(|it| !is_last(it));
        let (mut goes_on, mut can_move) = (false, false);
        let pending = self.pending(&mut open.state.world);
        for thread in threads {
            let (mut state, mut by) =
                (open.state.clone(), Move { before: Some(open.by), ..Move::default() });
            let who = (thread, false);
            let Some(moved) = self.advance(&open, &mut state, who, &pending, &mut by) else {
                return;
            };
            if moved == Moved::Waits {
                self.raced(&mut state, &by);
                continue;
            }
            can_move = true;
            goes_on |= thread == open.last;
            let is_preemption = thread != open.last && goes_on;
            let n_preemptions = open.n_preemptions + usize::from(is_preemption);
            let last = if goes_alone { open.last } else { thread };
            self.came(state, moved, (thread, last), by, n_preemptions);
        }
        // Where a thread is stuck the execution is none that anyone asks about.
        let world = &open.state.world;
        let is_deadlock = !can_move && !world.live().is_empty() && !world.has_stuck();
        if let (true, Some(check)) = (is_deadlock, world.deadlock_check()) {
            let by = Move { before: Some(open.by), ..Move::default() };
            self.violated(check, &by, &open.state.symbols);
        }
    }

    /// Whether what was done is in a race with the next step of another thread.
    fn raced(&mut self, State { world, symbols }: &mut State<'a>, by: &Move) {
        self.races.are_open |= world.is_unordered();
        let Some(thread) = world.take_race() else { return };
        self.races.is_found = true;
        if let Some(check) = world.race_check() {
            let mut turns = by.turns.clone();
            turns.push(Turn { thread, n_steps: 1 });
            let by = Move { before: by.before, turns, chosen: by.chosen.clone() };
            self.violated(check, &by, symbols);
        }
    }

    /// What a thread came to; the pair is that thread and the one that moved last.
    fn came(
        &mut self,
        mut state: State<'a>,
        moved: Moved,
        (thread, last): (u32, u32),
        by: Move,
        n_preemptions: usize,
    ) {
        if state.world.took_something() && self.incomplete.is_none() {
            let what =
                "a value that C leaves open, or an address as a number, in a program with threads";
            self.incomplete = Some(Reason::Unsupported(what.into()));
        }
        for check in state.world.take_violations() {
            self.violated(check, &by, &state.symbols);
        }
        self.raced(&mut state, &by);
        let is_long = moved == Moved::Long;
        let asks = match moved {
            Moved::Point | Moved::Long | Moved::Stuck => None,
            Moved::Choice(var, ref source, is_read) => {
                let values = self.facts.choices.values(var, is_read);
                if !values.are_all && self.incomplete.is_none() {
                    let what = "an input with more values than can be tried one by one";
                    self.incomplete = Some(Reason::Unsupported(what.into()));
                }
                let is_input = self.facts.is_input(var, source);
                let what = Wanted::Value { values: values.tried, is_input };
                Some(Asks { thread, what })
            }
            Moved::Forks(is_first) => {
                // Without a fork the solver gave up, which ends the search.
                let Some(fork) = state.symbols.take_fork() else { return };
                let asks = Asks { thread, what: Wanted::GoOn { is_first } };
                return self.divided(state, &fork, &asks, last, by, n_preemptions);
            }
            Moved::Violation(check) => return self.violated(check, &by, &state.symbols),
            Moved::Over | Moved::Waits => return,
            Moved::Lost(ending) => return self.lost(&ending),
        };
        self.wait(state, asks, (last, is_long), by, n_preemptions);
    }

    /// Both states that a step may be taken in.
    fn divided(
        &mut self,
        state: State<'a>,
        fork: &Fork,
        asks: &Asks,
        last: u32,
        by: Move,
        n_preemptions: usize,
    ) {
        self.moves.push(by);
        let before = Some((self.moves.len() - 1) as u32);
        for as_now in [false, true] {
            let mut half = state.clone();
            half.symbols.divide(&mut half.world, &self.shared, fork, as_now);
            let by = Move { before, ..Move::default() };
            self.wait(half, Some(asks.clone()), (last, false), by, n_preemptions);
        }
    }

    /// The state is looked at later, if it is new.
    fn wait(
        &mut self,
        mut state: State<'a>,
        asks: Option<Asks>,
        (last, is_long): (u32, bool),
        by: Move,
        n_preemptions: usize,
    ) {
        let State { world, symbols } = &mut state;
        let follow = Following {
            own: symbols,
            shared: &mut self.shared,
            facts: self.facts,
            budget: self.budget,
        };
        let bytes = world.encode(asks.as_ref().map(Asks::number), &self.facts.live, &follow);
        let n_bytes = bytes.len();
        if !self.seen.insert(bytes) {
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
        self.queue[n_preemptions].push(Open { state, last, is_long, asks, by, n_preemptions });
    }

    fn violated(&mut self, check: CheckId, by: &Move, symbols: &Symbolic) {
        if self.found.contains_key(&check) {
            return;
        }
        let (mut turns, mut chosen) = (Vec::new(), Vec::new());
        let mut at = Some(by);
        while let Some(it) = at {
            turns.extend(it.turns.iter().rev().copied());
            chosen.extend(it.chosen.iter().rev().copied());
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
        let number = |it| match it {
            Chosen::Number(value) => value,
            Chosen::Symbol(var) => symbols.input(var),
        };
        let chosen: Vec<(bool, u128)> =
            chosen.into_iter().map(|(is_input, it)| (is_input, number(it))).collect();
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
            // Soundness: what has no meaning is cut off where it is a thread's own; here it is more memory than there is.
            Ending::Undefined(_, span) => {
                Reason::UnsupportedAt("more memory than is given to a program".into(), *span)
            }
            Ending::Exit(_)
            | Ending::Abort
            | Ending::Violation(_)
            | Ending::AssumptionFailed(_)
            | Ending::Deadlock => return,
        };
        self.incomplete.get_or_insert(reason);
    }
}

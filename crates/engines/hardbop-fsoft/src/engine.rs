//! The engine: builds the model, searches it, confirms what it finds.

use std::collections::BTreeMap;

use hardbop_base::{Budget, IndexVec, Name, Span};
use hardbop_cir::interp::EndsAt;
use hardbop_cir::pass::Passes;
use hardbop_cir::{BlockId, CheckId, Program, VarId};
use hardbop_dd::Limits;
use hardbop_engine::{Horizon, Reason};
use hardbop_engine_c::{Finding, Options as Task, Replay, Report, Values, prepare};
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::depths::{Depths, Wrong};
use crate::inline::inline;
use crate::model::{Built, build};
use crate::options::{Method, Options};
use crate::reach::{Found, reach};

const STACK: usize = 256 << 20;

/// Sizes, for those who compare.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    pub n_blocks: usize,
    pub n_bits: usize,
    /// Steps looked at.
    pub depth: u32,
    pub n_conflicts: u64,
    pub n_nodes: usize,
}

/// Decides the checks of a verified program.
pub fn check(
    program: &Program,
    task: &Task,
    options: &Options,
    budget: &Budget,
) -> (Report, Stats) {
    if let Some(refusal) = Report::of_threads(program, &task.classes) {
        return (refusal, Stats::default());
    }
    hardbop_base::stack::grow(STACK, || {
        let mut engine = Engine {
            original: program,
            task,
            options,
            budget,
            origin: FxHashMap::default(),
            places: IndexVec::new(),
            found: BTreeMap::new(),
            stats: Stats::default(),
        };
        let reason = engine.run().unwrap_or_else(Some);
        engine.report(reason)
    })
}

struct Engine<'a> {
    original: &'a Program,
    task: &'a Task,
    options: &'a Options,
    budget: &'a Budget,
    /// The register of the original program that a register of the model stands for.
    origin: FxHashMap<VarId, VarId>,
    /// Where the blocks of the model are in the source.
    places: IndexVec<BlockId, Span>,
    found: BTreeMap<CheckId, Finding>,
    stats: Stats,
}

/// How a search ended: `None` if nothing is left to look at.
type Ended = Option<Reason>;

impl Engine<'_> {
    fn run(&mut self) -> Result<Ended, Reason> {
        let sliced = prepare(self.original, &self.task.classes, Passes::ALL);
        let flat = match inline(&sliced, self.options.recursion) {
            Ok(flat) => flat,
            Err(why) => return Ok(Some(Reason::Unsupported(why.to_string()))),
        };
        self.origin = flat.origin;
        let blocks = &flat.program.funcs[flat.program.main].blocks;
        self.places = blocks.iter().map(|it| it.span).collect();
        let system = match build(&flat.program, &self.task.classes, self.budget)? {
            Built::System(system) => system,
            Built::Unsupported(why) => return Ok(Some(Reason::Unsupported(why.to_string()))),
        };
        let circuit = Circuit::of(&system, self.budget)?;
        (self.stats.n_blocks, self.stats.n_bits) = (circuit.n_blocks(), circuit.n_bits());
        match self.options.method {
            Method::Bmc => self.by_depth(&circuit),
            Method::Bdd => self.by_diagrams(&circuit, self.budget, self.limits()),
            Method::Both => {
                let share = self.budget.time_left().map_or(FIRST_TURN, |left| left / 4);
                let budget = self.budget.clone().at_most(share);
                match self.by_diagrams(
                    &circuit,
                    &budget,
                    self.limits().with_nodes(FIRST_NODES.min(self.options.nodes)),
                ) {
                    Err(Reason::Exhausted(_)) => self.by_depth(&circuit),
                    ended => ended,
                }
            }
        }
    }

    /// Half of the memory is left to the rest.
    fn limits(&self) -> Limits {
        let limits = match self.budget.memory_limit() {
            Some(bytes) => Limits::of_memory(bytes / 2),
            None => Limits::NORMAL,
        };
        limits.with_nodes(limits.nodes.min(self.options.nodes))
    }

    fn is_open(&self, check: CheckId) -> bool {
        !self.found.contains_key(&check)
    }

    fn has_enough(&self) -> bool {
        self.task.stop_at_first && self.found.values().any(|it| matches!(it, Finding::Unsafe(_)))
    }

    /// SAT, one depth after the other.
    fn by_depth(&mut self, circuit: &Circuit) -> Result<Ended, Reason> {
        let mut depths = Depths::new(circuit, self.options, self.budget);
        let mut given_up: Option<(Name, BlockId)> = None;
        let mut ask_at = FIRST_QUESTION;
        let progress = self.budget.progress();
        progress.count("conflicts", "depth");
        let ended = loop {
            let wrong = depths.step()?;
            self.violations(&mut depths, &wrong)?;
            (self.stats.depth, self.stats.n_conflicts) = (depths.depth, depths.n_conflicts());
            progress.set_round(u64::from(self.stats.depth));
            progress.set_found(self.stats.n_conflicts);
            if self.has_enough() {
                return Ok(Some(Reason::Stopped));
            }
            if given_up.is_none() {
                given_up = first_of(&mut depths, &wrong)?;
            }
            if depths.is_over() {
                break None;
            }
            if depths.depth == ask_at {
                if !depths.goes_on()? {
                    break None;
                }
                ask_at *= 2;
            }
            if self.options.depth.is_some_and(|most| depths.depth >= most) {
                break Some(Reason::Bounded(Horizon::Blocks(depths.depth)));
            }
        };
        Ok(ended.or(given_up.map(|it| self.unsupported(it))))
    }

    /// All violations at the depth that was looked at.
    fn violations(&mut self, depths: &mut Depths, wrong: &Wrong) -> Result<(), Reason> {
        while !self.has_enough() {
            let open: Vec<_> =
                wrong.fails.iter().copied().filter(|it| self.is_open(it.0)).collect();
            let conds: Vec<_> = open.iter().map(|it| it.1).collect();
            if !depths.is_possible(&conds)? {
                return Ok(());
            }
            let claimed = *depths.holding(&open)?[0];
            match self.confirm(depths) {
                Some((check, verdict)) => {
                    self.found.insert(check, verdict);
                    if check != claimed && self.is_open(claimed) {
                        // Another check fails before: this one is not asked again.
                        self.found.insert(claimed, Finding::Unknown(Reason::NotShown));
                    }
                }
                None => drop(self.found.insert(claimed, Finding::Unknown(Reason::NotShown))),
            }
        }
        Ok(())
    }

    /// Runs the program on the inputs of the model.
    fn confirm(&self, depths: &Depths) -> Option<(CheckId, Finding)> {
        let replay =
            Replay { original: self.original, classes: &self.task.classes, ends_at: EndsAt::Fatal };
        [false, true].into_iter().find_map(|all| {
            let by_register = depths.inputs(all, &self.origin);
            let values = Values { by_register, fixes_all: all, ..Values::default() };
            let is_open = |check| self.is_open(check);
            let (check, counterexample) = replay.confirm(&values, is_open, self.budget)?;
            Some((check, Finding::Unsafe(counterexample)))
        })
    }

    /// Diagrams; the run that shows a violation is then looked for at its depth.
    fn by_diagrams(
        &mut self,
        circuit: &Circuit,
        budget: &Budget,
        limits: Limits,
    ) -> Result<Ended, Reason> {
        let Found { fails, given_up, depth, n_nodes } =
            reach(circuit, self.task.stop_at_first, limits, budget)?;
        (self.stats.depth, self.stats.n_nodes) = (depth, n_nodes);
        if let Some(last) = fails.iter().map(|it| it.1).max() {
            let mut depths = Depths::new(circuit, self.options, self.budget);
            for depth in 0..=last {
                let mut wrong = depths.step()?;
                wrong.fails.retain(|it| fails.contains(&(it.0, depth)));
                self.violations(&mut depths, &wrong)?;
            }
            self.stats.n_conflicts = depths.n_conflicts();
            if self.has_enough() {
                return Ok(Some(Reason::Stopped));
            }
            // Soundness: what the diagrams reach and no run shows is not safe.
            for (check, _) in fails {
                self.found.entry(check).or_insert(Finding::Unknown(Reason::NotShown));
            }
            if self.task.stop_at_first {
                return Ok(Some(Reason::NotShown));
            }
        }
        Ok(given_up.map(|it| self.unsupported(it)))
    }

    fn unsupported(&self, (what, block): (Name, BlockId)) -> Reason {
        Reason::UnsupportedAt(what.to_string(), self.places[block])
    }

    fn report(self, reason: Ended) -> (Report, Stats) {
        let (classes, depth) = (&self.task.classes, self.stats.depth);
        (Report::new(self.original, classes, self.found, reason, depth), self.stats)
    }
}

/// The first of what was given up that can be reached at this depth.
fn first_of(depths: &mut Depths, wrong: &Wrong) -> Result<Option<(Name, BlockId)>, Reason> {
    let conds: Vec<_> = wrong.given_up.iter().map(|it| it.1).collect();
    if !depths.is_possible(&conds)? {
        return Ok(None);
    }
    Ok(Some(depths.holding(&wrong.given_up)?[0].clone()))
}

/// The depth at which it is first asked whether any execution goes on.
const FIRST_QUESTION: u32 = 32;
/// For diagrams, before the search by depth, where no limit says otherwise.
const FIRST_TURN: std::time::Duration = std::time::Duration::from_secs(10);
const FIRST_NODES: usize = 1 << 20;

//! The table of engines, for all kinds of subjects.

use std::fmt;

use hardbop_engine::{Engine, Task};
use hardbop_interp::Explicit;
use hardbop_sequential::diagrams::Bdd;
use hardbop_sequential::sat::{Lazy, Pdr, QbfSummaries, Universal, Unrolled};
use hardbop_threads::contexts::Contexts;
use hardbop_threads::counted::CounterExplicit;
use hardbop_threads::cover::net_check::NetEngine;
use hardbop_threads::cover::{BackwardSearch, Cutoff, KarpMillerExplicit};
use hardbop_threads::cover_symbolic::KarpMiller;
use hardbop_threads::stacks::ContextsExplicit;
use hardbop_threads::symbolic::{Counter, Symbolic, SymbolicPc};

use crate::c::CEngine;

/// What can be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Boolean programs.
    Program,
    /// Thread-transition systems and Petri nets.
    Net,
    /// C programs.
    C,
}

impl Kind {
    /// In a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Program => "Boolean programs",
            Kind::Net => "nets",
            Kind::C => "C",
        }
    }
}

/// An engine by its name: several kinds of subjects may have one of that name.
#[derive(Clone, Copy)]
pub struct EngineEntry {
    /// As on the command line.
    pub name: &'static str,
    /// One line for `hardbop engines`.
    pub about: &'static str,
    program: Option<&'static dyn Engine>,
    net: Option<NetEngine>,
    c: Option<CEngine>,
}

impl fmt::Debug for EngineEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl From<&'static dyn Engine> for EngineEntry {
    fn from(engine: &'static dyn Engine) -> Self {
        let (name, about) = (engine.name(), engine.about());
        EngineEntry { name, about, program: Some(engine), net: None, c: None }
    }
}

/// An engine for Boolean programs.
fn program(engine: &'static dyn Engine) -> EngineEntry {
    engine.into()
}

/// One that takes nets, too, under the same name.
fn program_or_net(engine: &'static dyn Engine, net: NetEngine) -> EngineEntry {
    EngineEntry { net: Some(net), ..engine.into() }
}

/// An engine for C.
fn c(engine: CEngine) -> EngineEntry {
    let (name, about) = (engine.name(), engine.about());
    EngineEntry { name, about, program: None, net: None, c: Some(engine) }
}

/// Every engine for every kind of subject, in the order `hardbop engines` lists them. A new engine is a line
/// here: the command, the file tests, the fuzzer and the benchmarks then know it.
pub fn entries() -> impl Iterator<Item = EngineEntry> {
    [
        program(&Bdd::DEFAULT),
        program(&CounterExplicit),
        program(&Counter),
        program(&Symbolic),
        program(&SymbolicPc),
        program_or_net(&KarpMillerExplicit, NetEngine::KarpMiller),
        program(&KarpMiller),
        program_or_net(&BackwardSearch, NetEngine::Backward),
        program_or_net(&Cutoff, NetEngine::Cutoff),
        program(&Contexts::BDD),
        program(&Contexts::PDR),
        program(&ContextsExplicit),
        program(&Explicit),
        program(&QbfSummaries),
        program(&Universal),
        program(&Lazy),
        program(&Pdr),
        c(CEngine::Bmc),
        c(CEngine::Kind),
        c(CEngine::Shape),
        c(CEngine::Runs),
        c(CEngine::Cegar),
        c(CEngine::Fsoft),
        c(CEngine::Interleave),
    ]
    .into_iter()
}

impl EngineEntry {
    /// For Boolean programs.
    pub fn program(&self) -> Option<&'static dyn Engine> {
        self.program
    }

    /// For nets.
    pub fn net(&self) -> Option<NetEngine> {
        self.net
    }

    /// For C.
    pub fn c(&self) -> Option<CEngine> {
        self.c
    }

    /// Whether it takes subjects of this kind at all.
    pub fn takes(&self, kind: Kind) -> bool {
        match kind {
            Kind::Program => self.program.is_some(),
            Kind::Net => self.net.is_some(),
            Kind::C => self.c.is_some(),
        }
    }

    /// Why it is the wrong one for a kind it does not take.
    pub fn refusal(&self, kind: Kind) -> String {
        let names: Vec<_> = entries().filter(|it| it.takes(kind)).map(|it| it.name).collect();
        let (name, kind) = (self.name, kind.name());
        format!("engine {name} is not for {kind}; there are auto, {}", names.join(", "))
    }
}

/// The entry of that name.
pub fn entry_named(name: &str) -> Option<EngineEntry> {
    entries().find(|it| it.name == name)
}

/// Every engine for Boolean programs.
pub fn program_engines() -> impl Iterator<Item = &'static dyn Engine> {
    entries().filter_map(|entry| entry.program)
}

/// The engine for Boolean programs of that name.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    program_engines().find(|engine| engine.name() == name)
}

/// What `auto` runs side by side. For a sequential program a prover, a finder of errors and what is good at
/// what these are bad at, one more than there are cores. For any number of threads forward search by states and
/// by sets, backward search and cutoffs: where one of them is good it is better than the others by far more than
/// a share of the machine (measured in `docs/results/`). For threads with recursion a finder of errors and a prover. Else the
/// first engine that takes the task.
pub fn portfolio(task: &Task<'_>) -> Result<Vec<&'static dyn Engine>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let sequential: &[&'static dyn Engine] = &[&Bdd::DEFAULT, &Unrolled, &Pdr];
    let unbounded: &[&'static dyn Engine] =
        &[&KarpMillerExplicit, &KarpMiller, &BackwardSearch, &Cutoff];
    for team in [&sequential[..sequential.len().min(cores + 1)], unbounded] {
        if team.iter().all(|engine| engine.accepts(task).is_ok()) {
            return Ok(team.to_vec());
        }
    }
    let mut why = String::from("no engine takes this program");
    for engine in program_engines() {
        match engine.accepts(task) {
            Ok(()) => {
                let prover: &'static dyn Engine = &ContextsExplicit;
                let is_joined = engine.bounds_switches() && prover.accepts(task).is_ok();
                return Ok([engine].into_iter().chain(is_joined.then_some(prover)).collect());
            }
            Err(refusal) => why = format!("{}: {refusal}", engine.name()),
        }
    }
    Err(why)
}

//! The table of engines.

use hardbop_conc::CounterExplicit;
use hardbop_concdd::{Counter, Symbolic, SymbolicPc};
use hardbop_contexts::Contexts;
use hardbop_cover::{BackwardSearch, Cutoff, KarpMillerExplicit};
use hardbop_coverdd::KarpMiller;
use hardbop_engine::{Engine, Task};
use hardbop_interp::Explicit;
use hardbop_satseq::{Lazy, Pdr, QbfSummaries, Universal};
use hardbop_seq::Bdd;

/// Every engine, in the order `hardbop engines` lists them.
pub fn all_engines() -> &'static [&'static dyn Engine] {
    &[
        &Bdd::DEFAULT,
        &CounterExplicit,
        &Counter,
        &Symbolic,
        &SymbolicPc,
        &KarpMiller,
        &KarpMillerExplicit,
        &BackwardSearch,
        &Cutoff,
        &Contexts::BDD,
        &Contexts::PDR,
        &Explicit,
        &QbfSummaries,
        &Universal,
        &Lazy,
        &Pdr,
    ]
}

/// The engine of that name.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    all_engines().iter().copied().find(|engine| engine.name() == name)
}

/// What `auto` runs side by side, one more than there are cores: for a sequential program a prover, a
/// finder of errors and what is good at what these are bad at; for any number of threads forward search,
/// backward search and cutoffs, which tell each other what they find (measured in `docs/results/`); else the first engine that takes the task.
pub fn portfolio(task: &Task<'_>) -> Result<Vec<&'static dyn Engine>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let teams: [&[&'static dyn Engine]; 2] =
        [&[&Bdd::DEFAULT, &Universal, &Pdr], &[&KarpMillerExplicit, &BackwardSearch, &Cutoff]];
    for team in teams {
        if team.iter().all(|engine| engine.accepts(task).is_ok()) {
            return Ok(team.iter().copied().take(cores + 1).collect());
        }
    }
    let mut why = String::from("no engine takes this program");
    for &engine in all_engines() {
        match engine.accepts(task) {
            Ok(()) => return Ok(vec![engine]),
            Err(refusal) => why = format!("{}: {refusal}", engine.name()),
        }
    }
    Err(why)
}

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
        &KarpMillerExplicit,
        &KarpMiller,
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

/// What `auto` runs side by side. For a sequential program a prover, a finder of errors and what is good at
/// what these are bad at, one more than there are cores. For any number of threads forward search by states and
/// by sets, backward search and cutoffs: where one of them is good it is better than the others by far more than
/// a share of the machine (measured in `docs/results/`). Else the first engine that takes the task.
pub fn portfolio(task: &Task<'_>) -> Result<Vec<&'static dyn Engine>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let sequential: &[&'static dyn Engine] = &[&Bdd::DEFAULT, &Universal, &Pdr];
    let unbounded: &[&'static dyn Engine] =
        &[&KarpMillerExplicit, &BackwardSearch, &KarpMiller, &Cutoff];
    for team in [&sequential[..sequential.len().min(cores + 1)], unbounded] {
        if team.iter().all(|engine| engine.accepts(task).is_ok()) {
            return Ok(team.to_vec());
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

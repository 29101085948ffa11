//! The table of engines.

use hardbop_conc::CounterExplicit;
use hardbop_engine::{Engine, Task};
use hardbop_interp::Explicit;
use hardbop_satseq::{Lazy, Pdr, QbfSummaries, Universal};
use hardbop_seq::Bdd;

/// Every engine, in the order `hardbop engines` lists them.
pub fn all_engines() -> &'static [&'static dyn Engine] {
    &[&Bdd::DEFAULT, &CounterExplicit, &Explicit, &QbfSummaries, &Universal, &Lazy, &Pdr]
}

/// The engine of that name.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    all_engines().iter().copied().find(|engine| engine.name() == name)
}

/// What `auto` runs side by side: a prover and a finder of errors for a sequential program
/// (measured in `docs/results/`), else the first engine that takes the task.
pub fn portfolio(task: &Task<'_>) -> Result<Vec<&'static dyn Engine>, String> {
    let pair: [&'static dyn Engine; 2] = [&Bdd::DEFAULT, &Pdr];
    if pair.iter().all(|engine| engine.accepts(task).is_ok()) {
        return Ok(pair.to_vec());
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

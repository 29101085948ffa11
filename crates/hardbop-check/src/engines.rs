//! The table of engines.

use hardbop_conc::CounterExplicit;
use hardbop_engine::Engine;
use hardbop_interp::Explicit;
use hardbop_satseq::{Lazy, Pdr, QbfSummaries, Universal};
use hardbop_seq::Bdd;

/// Every engine, in the order `hardbop engines` lists them; `auto` takes the first that accepts.
pub fn all_engines() -> &'static [&'static dyn Engine] {
    &[&Bdd::DEFAULT, &CounterExplicit, &Explicit, &QbfSummaries, &Universal, &Lazy, &Pdr]
}

/// The engine of that name.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    all_engines().iter().copied().find(|engine| engine.name() == name)
}

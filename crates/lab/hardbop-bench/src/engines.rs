//! What can be measured: every engine, with each reduction, and engines with a part left out.

use hardbop_engine::{Engine, Order, Reduction};
use hardbop_sequential::diagrams::Bdd;
use hardbop_threads::counted::CounterSteps;

/// Each switch of the engine by itself, so that its worth is a row.
static VARIANTS: &[(&str, Bdd)] = &[
    ("bdd-no-compress", Bdd { compress: false, ..Bdd::DEFAULT }),
    ("bdd-no-liveness", Bdd { liveness: false, ..Bdd::DEFAULT }),
    ("bdd-no-modref", Bdd { modref: false, ..Bdd::DEFAULT }),
    ("bdd-naive-order", Bdd { order: Order::Declared, ..Bdd::DEFAULT }),
];

pub fn names() -> Vec<&'static str> {
    let engines = hardbop_check::program_engines().map(|engine| engine.name());
    let variants = VARIANTS.iter().map(|(name, _)| *name).chain([CounterSteps.name()]);
    engines.chain(["auto"]).chain(variants).collect()
}

/// An engine and a reduction; no engine is `auto`.
pub fn named(name: &str) -> Option<(Option<&'static dyn Engine>, Reduction)> {
    let (name, reduction) = match name.split_once('@') {
        Some((name, reduction)) => (name, reduction.parse().ok()?),
        None => (name, Reduction::None),
    };
    if name == "auto" {
        return Some((None, reduction));
    }
    if name == CounterSteps.name() {
        return Some((Some(&CounterSteps), reduction));
    }
    let variant = VARIANTS.iter().find(|(known, _)| *known == name);
    let variant = variant.map(|(_, engine)| engine as &dyn Engine);
    let engine = variant.or_else(|| hardbop_check::engine_named(name))?;
    Some((Some(engine), reduction))
}

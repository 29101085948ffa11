//! What can be measured: every engine, and `bdd` with one of its parts left out.

use hardbop_engine::Engine;
use hardbop_seq::Bdd;
use hardbop_seq::slots::Order;

/// Each switch of the engine by itself, so that its worth is a row.
static VARIANTS: &[(&str, Bdd)] = &[
    ("bdd-no-compress", Bdd { compress: false, ..Bdd::DEFAULT }),
    ("bdd-no-liveness", Bdd { liveness: false, ..Bdd::DEFAULT }),
    ("bdd-no-modref", Bdd { modref: false, ..Bdd::DEFAULT }),
    ("bdd-naive-order", Bdd { order: Order::Declared, ..Bdd::DEFAULT }),
];

pub fn names() -> Vec<&'static str> {
    let engines = hardbop_check::all_engines().iter().map(|engine| engine.name());
    engines.chain(["auto"]).chain(VARIANTS.iter().map(|(name, _)| *name)).collect()
}

/// `Some(None)` is `auto`.
pub fn named(name: &str) -> Option<Option<&'static dyn Engine>> {
    if name == "auto" {
        return Some(None);
    }
    let variant = VARIANTS.iter().find(|(known, _)| *known == name);
    let variant = variant.map(|(_, engine)| engine as &dyn Engine);
    variant.or_else(|| hardbop_check::engine_named(name)).map(Some)
}

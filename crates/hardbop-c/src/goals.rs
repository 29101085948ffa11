//! Does a program say by a call what must not happen? If not, a label `ERROR` does.

use crate::syntax::Unit;
use crate::syntax::ast::{Declarator, External};

const GOALS: [&str; 6] = [
    "__VERIFIER_error",
    "reach_error",
    "__VERIFIER_assert",
    "__assert_fail",
    "assert",
    "__CPROVER_assert",
];

/// Whether a unit uses, declares or defines one of the functions that stand for a violation.
pub(crate) fn has_goal_call(units: &[Unit]) -> bool {
    let is_goal = |name: &str| GOALS.contains(&name);
    let is_named = |it: &Declarator| it.name.as_deref().is_some_and(is_goal);
    units.iter().any(|unit| {
        unit.uses.iter().any(|name| is_goal(name))
            || unit.items.iter().any(|item| match item {
                External::Func(def) => is_named(&def.declarator),
                External::Decl(decl) => decl.items.iter().any(|it| is_named(&it.declarator)),
                External::Asm(_) => false,
            })
    })
}

//! Does a program say by a call what must not happen? If not, a label `ERROR` does.

use crate::syntax::Unit;
use crate::syntax::ast::External;

const GOALS: [&str; 6] = [
    "__VERIFIER_error",
    "reach_error",
    "__VERIFIER_assert",
    "__assert_fail",
    "assert",
    "__CPROVER_assert",
];

/// Whether a unit declares or defines one of the functions that stand for a violation.
pub(crate) fn has_goal_call(units: &[Unit]) -> bool {
    units.iter().flat_map(|unit| &unit.calls).any(|name| GOALS.contains(&&**name))
        || units.iter().flat_map(|unit| &unit.items).any(|item| match item {
            External::Func(def) => {
                def.declarator.name.as_deref().is_some_and(|it| GOALS.contains(&it))
            }
            _ => false,
        })
}

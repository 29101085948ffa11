//! What the class `assert` asks: assertions and the calls that stand for an error, a label `ERROR`
//! where there are none, or exactly what a property file names.

use hardbop_base::Name;
use rustc_hash::FxHashSet;

use crate::syntax::Unit;
use crate::syntax::ast::External;

/// What counts as a violation of class `assert`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goals {
    /// Assertions, the functions of [`ERRORS`], the label `ERROR` of a program without any.
    pub assertions: bool,
    /// Functions that must not be called, besides.
    pub calls: Vec<Name>,
    /// Labels that must not be reached, besides.
    pub labels: Vec<Name>,
}

impl Default for Goals {
    fn default() -> Self {
        Goals { assertions: true, calls: Vec::new(), labels: Vec::new() }
    }
}

/// Functions a call of which is the violation, even where the program gives them a body.
const ERRORS: [&str; 2] = ["__VERIFIER_error", "reach_error"];
/// Functions that are assertions where the program gives them no body.
const ASSERTIONS: [&str; 5] =
    ["__VERIFIER_assert", "__assert_fail", "assert", "__CPROVER_assert", "__ESBMC_assert"];

impl Goals {
    /// Whether a call of the function is a violation.
    pub fn is_call(&self, function: &str) -> bool {
        self.assertions && ERRORS.contains(&function)
            || self.calls.iter().any(|it| **it == *function)
    }
}

/// Whether units say by a call what must not happen: if none does, a label `ERROR` says it. A mere
/// declaration says nothing, nor does a call of an assertion the program has made itself.
pub(crate) fn has_goal_call(units: &[Unit]) -> bool {
    let mut own: FxHashSet<&str> = FxHashSet::default();
    for item in units.iter().flat_map(|unit| &unit.items) {
        if let External::Func(def) = item {
            own.extend(def.declarator.name.as_deref());
        }
    }
    units.iter().flat_map(|unit| &unit.uses).any(|name| {
        ERRORS.contains(&&**name) || ASSERTIONS.contains(&&**name) && !own.contains(&**name)
    })
}

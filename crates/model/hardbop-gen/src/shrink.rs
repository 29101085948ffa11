//! Making a failing program small: greedy delta debugging on the syntax tree.
//!
//! A *pass* is a numbered family of edits, each of which makes the program strictly smaller. An edit
//! that keeps the failure is kept; the passes are run in turn until none of their edits does. An
//! edit may leave an ill-formed program: the predicate decides whether that still fails.

mod edits;
mod expr_edits;

use hardbop_bp::ast::Program;

/// Applies the edit of this number; false if there are not so many.
type Pass = fn(&mut Program, usize) -> bool;

/// Large pieces first: what they remove costs no further questions.
const PASSES: &[Pass] = &[
    edits::drop_proc,
    edits::drop_stmts::<16>,
    edits::drop_stmts::<4>,
    edits::drop_stmts::<1>,
    edits::unwrap_stmt,
    edits::drop_branch,
    edits::skip_stmt,
    edits::simplify_stmt,
    edits::drop_label,
    expr_edits::simplify_expr,
    edits::drop_condition,
    edits::drop_return_value,
    edits::formal_to_local,
    edits::drop_var,
];

/// The smallest program the passes find for which `fails` still holds. Holds for `program` itself.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let mut is_smaller = false;
        for pass in PASSES {
            let mut number = 0;
            loop {
                let mut candidate = smallest.clone();
                if !pass(&mut candidate, number) {
                    break;
                }
                if fails(&candidate) {
                    smallest = candidate;
                    is_smaller = true;
                } else {
                    number += 1;
                }
            }
        }
        if !is_smaller {
            return smallest;
        }
    }
}

/// Finds the edit of a number while a walk goes by the places where edits are possible.
struct Countdown {
    /// Edits still to pass by; `None` once the edit was found.
    left: Option<usize>,
}

impl Countdown {
    fn new(number: usize) -> Self {
        Countdown { left: Some(number) }
    }

    /// At a place with `n` edits: the one to apply here, if it is among them.
    fn at(&mut self, n: usize) -> Option<usize> {
        let left = self.left?;
        if left < n {
            self.left = None;
            Some(left)
        } else {
            self.left = Some(left - n);
            None
        }
    }

    fn was_found(&self) -> bool {
        self.left.is_none()
    }
}

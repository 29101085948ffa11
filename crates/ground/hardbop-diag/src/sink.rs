//! Where the phases of a front end put what they find, and what they ask whether to go on.

use hardbop_base::{Budget, Exhausted};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Severity};

/// A file with more mistakes than this is not read to the end by anybody.
const KEPT: usize = 100;

/// So many errors get a spelling suggestion.
const HELPED: usize = 20;

/// Keeps the first diagnostics of each severity and counts the rest.
#[derive(Debug)]
pub struct Sink {
    /// Says that there are more.
    too_many: Code,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
    budget: Budget,
    /// Words and procedures since the budget was asked.
    n_steps: u32,
    stopped: Option<Exhausted>,
}

/// The budget is asked once in so many steps.
const EVERY: u32 = 4096;

impl Sink {
    pub fn new(too_many: Code) -> Self {
        Sink::within(&Budget::unlimited(), too_many)
    }

    pub fn within(budget: &Budget, too_many: Code) -> Self {
        Sink {
            too_many,
            errors: Vec::new(),
            warnings: Vec::new(),
            n_errors: 0,
            n_warnings: 0,
            budget: budget.clone(),
            n_steps: 0,
            stopped: None,
        }
    }

    /// One step of whatever phase; whether there is time for another. Once the budget is used up each
    /// phase ends as if the text did.
    pub fn goes_on(&mut self) -> bool {
        self.n_steps += 1;
        if self.n_steps >= EVERY {
            self.n_steps = 0;
            self.stopped = self.stopped.or(self.budget.check().err());
        }
        self.stopped.is_none()
    }

    /// Soundness: with a limit here, what was read is a part of the file.
    pub fn stopped(&self) -> Option<Exhausted> {
        self.stopped
    }

    /// What has been said of a place is not said again.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let (kept, n) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, &mut self.n_errors),
            Severity::Warning => (&mut self.warnings, &mut self.n_warnings),
        };
        let at = diagnostic.primary.span;
        if kept.iter().any(|it| it.primary.span == at && *it == diagnostic) {
            return;
        }
        *n += 1;
        if kept.len() < KEPT {
            kept.push(diagnostic);
        }
    }

    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    pub fn is_help_worth_it(&self) -> bool {
        self.errors.len() < HELPED
    }

    /// For help that takes a search through all names: only the first errors are worth it.
    pub fn push_with(
        &mut self,
        diagnostic: Diagnostic,
        help: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let is_worth_it = self.is_help_worth_it();
        self.push(if is_worth_it { help(diagnostic) } else { diagnostic });
    }

    /// In the order of the text, errors before warnings where there are too many of both.
    pub fn finish(self) -> Vec<Diagnostic> {
        let total = self.n_errors + self.n_warnings;
        let mut all = self.errors;
        all.extend(self.warnings);
        all.truncate(KEPT);
        all.sort_by_key(|it| it.primary.span);
        let left = total - all.len();
        if left > 0
            && let Some(last) = all.last()
        {
            let span = last.primary.span;
            let message = format!("{left} more mistakes are not shown");
            all.push(if self.n_errors > KEPT {
                Diagnostic::error(self.too_many, span, message)
            } else {
                Diagnostic::warning(self.too_many, span, message)
            });
        }
        all
    }
}

//! Where the phases of the front end put what they find.

use hardbop_base::{Budget, Exhausted};
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Diagnostic, Severity};

/// A file with more mistakes than this is not read to the end by anybody.
const KEPT: usize = 100;

/// So many errors get a spelling suggestion.
const HELPED: usize = 20;

/// Keeps the first diagnostics of each severity and counts the rest.
#[derive(Default)]
pub(crate) struct Sink {
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
    pub fn within(budget: &Budget) -> Self {
        Sink { budget: budget.clone(), ..Sink::default() }
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

    pub fn push(&mut self, diagnostic: Diagnostic) {
        let (kept, n) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, &mut self.n_errors),
            Severity::Warning => (&mut self.warnings, &mut self.n_warnings),
        };
        *n += 1;
        if kept.len() < KEPT {
            kept.push(diagnostic);
        }
    }

    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// For help that takes a search through all names: only the first errors are worth it.
    pub fn push_with(
        &mut self,
        diagnostic: Diagnostic,
        help: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let is_worth_it = self.errors.len() < HELPED;
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
                Diagnostic::error(codes::TOO_MANY, span, message)
            } else {
                Diagnostic::warning(codes::TOO_MANY, span, message)
            });
        }
        all
    }
}

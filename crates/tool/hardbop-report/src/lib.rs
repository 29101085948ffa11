//! Results as others want them. Every view reads the one object that `hardbop check --format json` prints,
//! `hardbop.result/1`; none of them knows an engine, a program or a terminal.
//!
//! Read `record.rs` first: the object as a type. Then each format is a file.

#![warn(missing_docs)]

mod csv;
mod github;
mod junit;
mod markdown;
mod mermaid;
mod record;
mod sarif;
mod svcomp;
mod uri;

pub use uri::{path_of, uri};

pub use record::{
    Diagnostic, Goal, Invariant, Place, Property, Record, Scope, Step, Trace, Verdict, Violated,
    read,
};

/// A format that is made of results alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// SARIF 2.1.0: one log for all results.
    Sarif,
    /// JUnit's XML: one document for all results.
    Junit,
    /// The result strings of SV-COMP: a line each.
    Svcomp,
    /// GitHub's annotations: commands of a workflow's log.
    Github,
    /// A sequence chart in the notation of Mermaid.
    Mermaid,
    /// A report with the trace as a table.
    Markdown,
    /// A table for a spreadsheet: a row for each result.
    Csv,
}

impl View {
    /// Whether all results make one document, which has an end.
    pub fn is_document(self) -> bool {
        matches!(self, View::Sarif | View::Junit | View::Csv)
    }

    /// The results in this format.
    pub fn render(self, records: &[Record]) -> String {
        match self {
            View::Sarif => sarif::log(records),
            View::Junit => junit::document(records),
            View::Svcomp => records.iter().map(svcomp::line).collect(),
            View::Github => records.iter().map(github::annotations).collect(),
            View::Mermaid => records.iter().map(mermaid::chart).collect(),
            View::Markdown => records.iter().map(markdown::report).collect(),
            View::Csv => csv::table(records),
        }
    }
}

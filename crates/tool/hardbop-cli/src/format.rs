//! How results are printed: for a person, as `hardbop.result/1`, or as one of its views.

use clap::ValueEnum;
use hardbop_report::{Record, View};
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// For a person
    Human,
    /// One object a file, schema hardbop.result/1
    Json,
    /// SARIF 2.1.0 with code flows, one log for all files
    Sarif,
    /// JUnit's XML, one document for all files
    Junit,
    /// The result strings of SV-COMP: true, false(PROPERTY), unknown(REASON)
    Svcomp,
    /// Annotations for a workflow of GitHub
    Github,
    /// The trace as a sequence chart of Mermaid
    Mermaid,
    /// A report with the trace as a table
    Markdown,
    /// A row for each file, for a spreadsheet
    Csv,
}

impl Format {
    fn view(self) -> Option<View> {
        match self {
            Format::Human | Format::Json => None,
            Format::Sarif => Some(View::Sarif),
            Format::Junit => Some(View::Junit),
            Format::Svcomp => Some(View::Svcomp),
            Format::Github => Some(View::Github),
            Format::Mermaid => Some(View::Mermaid),
            Format::Markdown => Some(View::Markdown),
            Format::Csv => Some(View::Csv),
        }
    }

    /// Whether all results make one document: nothing is printed before the last.
    pub fn is_document(self) -> bool {
        self.view().is_some_and(View::is_document)
    }

    /// What is printed of a result as soon as it is there. A person reads another text.
    pub fn piece(self, record: &Value) -> String {
        match self.view() {
            None if self == Format::Json => format!("{record}\n"),
            Some(view) if !view.is_document() => view.render(&[typed(record)]),
            _ => String::new(),
        }
    }

    /// What is printed behind the last result.
    pub fn document<'a>(self, records: impl Iterator<Item = &'a Value>) -> String {
        match self.view() {
            Some(view) if view.is_document() => {
                view.render(&records.map(typed).collect::<Vec<_>>())
            }
            _ => String::new(),
        }
    }
}

fn typed(record: &Value) -> Record {
    Record::of(record).expect("our own object is a record")
}

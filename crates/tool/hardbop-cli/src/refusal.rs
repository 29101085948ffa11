//! Why a file is not checked, with what is wrong as data.

use std::io;

use hardbop_base::{Exhausted, SourceFile};
use hardbop_diag::{Diagnostic, Severity};
use serde_json::{Value, json};

use crate::voice::tell;

/// What was told about a file: where, and what would help.
#[derive(Clone, Debug)]
pub struct Complaint {
    severity: Severity,
    code: Option<&'static str>,
    message: String,
    file: String,
    /// Line and column, where there is one place.
    at: Option<(u32, u32)>,
    help: Option<String>,
}

impl Complaint {
    pub fn new(file: &SourceFile, diagnostic: &Diagnostic) -> Self {
        let start = diagnostic.primary.span.start.min(file.text.len() as u32);
        let at = file.line_col(start);
        Complaint {
            severity: diagnostic.severity,
            code: Some(diagnostic.code.0),
            message: diagnostic.message.clone(),
            file: file.name.clone(),
            at: Some((at.line, at.col)),
            help: diagnostic.help.clone(),
        }
    }

    /// About a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Complaint {
            severity: Severity::Error,
            code: None,
            message: message.into(),
            file: file.into(),
            at: None,
            help: None,
        }
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub fn json(&self) -> Value {
        json!({
            "severity": match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.at.map(|at| at.0),
            "column": self.at.map(|at| at.1),
            "help": self.help,
        })
    }
}

/// Why there is nothing to check. What is wrong has been told on standard error.
#[derive(Debug)]
pub enum Refusal {
    /// The input is not what it should be.
    Rejected(Vec<Complaint>),
    /// An option says nothing about this program.
    Misfit(String),
    /// A file cannot be read.
    Io(io::Error),
    /// A limit was reached before there was anything to check.
    Limit(Exhausted),
}

impl Refusal {
    /// Tells that a file is rejected for a reason that has no place in it.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        let complaint = Complaint::of_file(file, message);
        tell!("hardbop: {file}: {}", complaint.message);
        Refusal::Rejected(vec![complaint])
    }

    /// Tells that a file is rejected for what is at a line and a column.
    pub fn of_place(file: &str, at: (u32, u32), message: impl Into<String>) -> Self {
        let complaint = Complaint { at: Some(at), ..Complaint::of_file(file, message) };
        tell!("hardbop: {file}:{}: {}", at.0, complaint.message);
        Refusal::Rejected(vec![complaint])
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Io(error)
    }
}

impl From<Exhausted> for Refusal {
    fn from(limit: Exhausted) -> Self {
        Refusal::Limit(limit)
    }
}

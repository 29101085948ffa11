//! What the work on a subject hands over, and reports of subjects that no engine has decided.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use cpu_time::ProcessTime;
use hardbop_base::{Exhausted, memory};
use hardbop_engine::Reason;
use serde_json::{Value, json};

use crate::args::Format;
use crate::exit::Exit;
use crate::output;
use crate::refusal::{Complaint, Refusal};
use crate::voice;

/// A finished report.
pub struct Done {
    /// For standard output.
    pub text: String,
    /// To be made if it is not there.
    pub folder: Option<PathBuf>,
    /// Files to be written, whole or not at all.
    pub files: Vec<(PathBuf, String)>,
    /// What went wrong with further files.
    pub errors: Vec<io::Error>,
    /// Options whose files are not written yet.
    pub owed: Vec<&'static str>,
    pub exit: Exit,
}

impl Done {
    pub fn new(text: String, exit: Exit) -> Self {
        Done { text, folder: None, files: Vec::new(), errors: Vec::new(), owed: Vec::new(), exit }
    }

    /// Says the result and writes its files. The exit code stays that of the verdict unless a file or
    /// standard output takes nothing.
    pub fn deliver(mut self, subject: &str) -> Exit {
        self.errors.extend(voice::result(&self.text).err());
        self.errors.extend(self.write().err());
        for option in self.owed {
            voice::tell!("hardbop: {subject}: the limit was reached before {option} was written");
        }
        self.errors.iter().for_each(|error| voice::tell!("hardbop: {error}"));
        if self.errors.is_empty() { self.exit } else { self.exit.max(Exit::Io) }
    }

    fn write(&self) -> io::Result<()> {
        if let Some(folder) = &self.folder {
            std::fs::create_dir_all(folder).map_err(|error| output::named(folder, &error))?;
        }
        self.files.iter().try_for_each(|(path, text)| output::write(path, text))
    }
}

/// A subject of which nothing is known yet, as its report will name it.
#[derive(Clone)]
pub struct Undecided {
    pub file: String,
    pub format: Format,
    /// As asked for.
    pub engine: &'static str,
    /// As asked for; the default depends on the program.
    pub goal: Option<String>,
    pub start: Instant,
}

const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

impl Undecided {
    pub fn refused(&self, refusal: Refusal) -> Done {
        match refusal {
            Refusal::Limit(limit) => self.exhausted(limit),
            Refusal::Rejected(complaints) => self.rejected(&complaints),
            Refusal::Misfit(why) => {
                voice::tell!("hardbop: {}: {why}", self.file);
                let text = self.object("rejected", Some("option"), Some(&why), &[]);
                Done::new(text, Exit::Usage)
            }
            Refusal::Io(error) => {
                voice::tell!("hardbop: {error}");
                let text = self.object("error", Some("io"), Some(&error.to_string()), &[]);
                Done::new(text, Exit::Io)
            }
        }
    }

    pub fn exhausted(&self, limit: Exhausted) -> Done {
        Done::new(self.unknown(&Reason::Exhausted(limit)), Exit::Unknown)
    }

    pub fn failed(&self, why: String) -> Done {
        Done::new(self.unknown(&Reason::Internal(why)), Exit::Internal)
    }

    fn unknown(&self, why: &Reason) -> String {
        match self.format {
            Format::Json => self.object("unknown", Some(why.word()), Some(&why.to_string()), &[]),
            Format::Human => format!(
                "{UNKNOWN}UNKNOWN{UNKNOWN:#}  {}: {}: {}\n  {DIM}engine {}, {:.3} s{DIM:#}\n",
                self.file,
                why.word(),
                why,
                self.engine,
                self.start.elapsed().as_secs_f64()
            ),
        }
    }

    fn rejected(&self, complaints: &[Complaint]) -> Done {
        let first = complaints.iter().find(|it| it.is_error()).map(Complaint::message);
        Done::new(self.object("rejected", Some("input"), first, complaints), Exit::Rejected)
    }

    /// For machines; a person has read on standard error what is wrong.
    fn object(
        &self,
        verdict: &str,
        reason: Option<&str>,
        detail: Option<&str>,
        complaints: &[Complaint],
    ) -> String {
        if self.format == Format::Human {
            return String::new();
        }
        let object = json!({
            "schema": "hardbop.result/1",
            "file": self.file,
            "verdict": verdict,
            "scope": { "threads": null, "contexts": null, "depth": null },
            "certified": false,
            "engine": self.engine,
            "goal": self.goal,
            "reason": reason,
            "detail": detail,
            "claims": [],
            "violation": null,
            "trace": null,
            "goals": [],
            "properties": [],
            "assumptions": [],
            "warnings": [],
            "diagnostics": diagnostics(complaints),
            "stats": {
                "time_ms": self.start.elapsed().as_micros() as f64 / 1000.0,
                "cpu_ms": ProcessTime::now().as_duration().as_micros() as f64 / 1000.0,
                "peak_memory_bytes": memory::peak_bytes(),
            },
        });
        format!("{object}\n")
    }
}

pub fn diagnostics(complaints: &[Complaint]) -> Value {
    complaints.iter().map(Complaint::json).collect()
}

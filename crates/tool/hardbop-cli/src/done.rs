//! What the work on a subject hands over, and reports of subjects that no engine has decided.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use cpu_time::ProcessTime;
use hardbop_base::{Exhausted, Progress, memory};
use hardbop_check::render;
use hardbop_engine::Reason;
use hardbop_explorer::Item;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::format::Format;
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
    /// The result as data, with what a page shows beside it; not made for a person at a terminal.
    pub item: Option<Item>,
    pub exit: Exit,
}

impl Done {
    pub fn new(text: String, exit: Exit) -> Self {
        let (files, errors, owed) = (Vec::new(), Vec::new(), Vec::new());
        Done { text, folder: None, files, errors, owed, item: None, exit }
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
    /// How far the engines came.
    pub progress: Progress,
}

const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

impl Undecided {
    pub fn refused(&self, refusal: Refusal) -> Done {
        match refusal {
            Refusal::Limit(limit) => self.exhausted(limit),
            Refusal::Rejected(complaints) => {
                let first = complaints.iter().find(|it| it.is_error()).map(Complaint::message);
                let record = self.record("rejected", "input", first, &complaints);
                self.done(record, Exit::Rejected)
            }
            Refusal::Misfit(why) => {
                voice::tell!("hardbop: {}: {why}", self.file);
                self.done(self.record("rejected", "option", Some(&why), &[]), Exit::Usage)
            }
            Refusal::Io(error) => {
                voice::tell!("hardbop: {error}");
                let record = self.record("error", "io", Some(&error.to_string()), &[]);
                self.done(record, Exit::Io)
            }
        }
    }

    pub fn exhausted(&self, limit: Exhausted) -> Done {
        self.unknown(&Reason::Exhausted(limit), Exit::Unknown)
    }

    pub fn failed(&self, why: String) -> Done {
        self.unknown(&Reason::Internal(why), Exit::Internal)
    }

    fn unknown(&self, why: &Reason, exit: Exit) -> Done {
        let record = self.record("unknown", why.word(), Some(&why.to_string()), &[]);
        let mut done = self.done(record, exit);
        if self.format == Format::Human {
            done.text = format!(
                "{UNKNOWN}UNKNOWN{UNKNOWN:#}  {}: {}: {}\n  {DIM}engine {}, {:.3} s{DIM:#}\n",
                self.file,
                why.word(),
                why,
                self.engine,
                self.start.elapsed().as_secs_f64()
            );
        }
        done
    }

    /// A person has read on standard error what is wrong.
    fn done(&self, record: Value, exit: Exit) -> Done {
        let mut done = Done::new(self.format.piece(&record), exit);
        done.item = Some(Item { record, ..Item::default() });
        done
    }

    fn record(
        &self,
        verdict: &str,
        reason: &str,
        detail: Option<&str>,
        complaints: &[Complaint],
    ) -> Value {
        json!({
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
            "invariants": [],
            "diagnostics": diagnostics(complaints),
            "engines": render::engines(&self.progress.rivals()),
            "stats": {
                "time_ms": self.start.elapsed().as_micros() as f64 / 1000.0,
                "cpu_ms": ProcessTime::now().as_duration().as_micros() as f64 / 1000.0,
                "peak_memory_bytes": memory::peak_bytes(),
            },
        })
    }
}

pub fn diagnostics(complaints: &[Complaint]) -> Value {
    complaints.iter().map(Complaint::json).collect()
}

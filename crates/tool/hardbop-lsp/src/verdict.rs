//! A result as the client shows it: violations at their places with the way there, and a line of text.

use hardbop_report::{Record, Step, Trace, Verdict};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, MessageType,
    NumberOrString, Position, Range, Uri,
};

use crate::diagnostics::{address, note, plain};
use crate::documents::Snapshot;
use crate::positions::Encoding;

/// Of a longer trace the beginning and the end are told.
const MOST_STEPS: usize = 200;
/// Values of one step are cut after so many letters.
const LONGEST: usize = 120;

/// What a result says about a text.
pub fn diagnostics(record: &Record, at: &Snapshot, encoding: Encoding) -> Vec<Diagnostic> {
    let places = Places { record, at, encoding };
    let violated = record.violated().into_iter().map(|it| {
        let severity = DiagnosticSeverity::ERROR;
        let trace = record.trace.as_ref().filter(|_| it.is_shown);
        places.diagnostic(severity, it.class, it.file, it.line, it.message, trace)
    });
    let mut all: Vec<_> = violated.collect();
    if record.verdict == Verdict::Unknown {
        all.push(match &record.violation {
            // One that there is only if functions without a body do what nothing says.
            Some(it) => {
                let (file, line) = (it.file.as_str(), it.line);
                let (severity, message) = (DiagnosticSeverity::WARNING, record.headline());
                places.diagnostic(severity, "unknown", file, line, message, record.trace.as_ref())
            }
            None => note(encoding, &at.file, record.headline()),
        });
    }
    all.extend(record.warnings.iter().map(|it| note(encoding, &at.file, it.clone())));
    all
}

/// How loud a result is told.
pub fn loudness(record: &Record) -> MessageType {
    match record.verdict {
        Verdict::Safe => MessageType::INFO,
        Verdict::Unknown => MessageType::WARNING,
        Verdict::Unsafe | Verdict::Rejected | Verdict::Error => MessageType::ERROR,
    }
}

/// `safe, certified (bdd, 0.01 s)`
pub fn brief(record: &Record) -> String {
    let evidence = match (record.verdict, record.certified) {
        (Verdict::Safe, true) => ", certified",
        (Verdict::Safe, false) => ", not certified",
        (Verdict::Unsafe, true) => ", replayed",
        _ => "",
    };
    let seconds = record.stats.get("time_ms").and_then(serde_json::Value::as_f64);
    let time = seconds.map(|it| format!(", {:.2} s", it / 1000.0)).unwrap_or_default();
    format!("{}{evidence} ({}{time})", record.verdict, record.engine)
}

/// The same with what was found.
pub fn sentence(record: &Record) -> String {
    let place = record.violation.as_ref().and_then(|it| Some(format!(" at line {}", it.line?)));
    let place = place.filter(|_| record.verdict == Verdict::Unsafe).unwrap_or_default();
    format!("{}: {}{place}", brief(record), record.headline())
}

struct Places<'a> {
    record: &'a Record,
    at: &'a Snapshot,
    encoding: Encoding,
}

impl Places<'_> {
    fn diagnostic(
        &self,
        severity: DiagnosticSeverity,
        class: &str,
        file: &str,
        line: Option<u64>,
        message: String,
        trace: Option<&Trace>,
    ) -> Diagnostic {
        let (uri, range) = self.place(file, line);
        let mut related = trace.map(|it| self.steps(it)).unwrap_or_default();
        let (range, message) = match uri == self.at.uri {
            true => (range, message),
            // In a file that the text includes: told at the top, with the place.
            false => {
                let location = Location { uri, range };
                let here = DiagnosticRelatedInformation { location, message: "it is here".into() };
                related.insert(0, here);
                let line = line.map(|it| format!(":{it}")).unwrap_or_default();
                (self.encoding.line(&self.at.file, 1), format!("{file}{line}: {message}"))
            }
        };
        Diagnostic {
            severity: Some(severity),
            code: Some(NumberOrString::String(class.into())),
            related_information: Some(related).filter(|it| !it.is_empty()),
            ..plain(range, message)
        }
    }

    /// A line of a file that the result names.
    fn place(&self, file: &str, line: Option<u64>) -> (Uri, Range) {
        let line = line.and_then(|it| u32::try_from(it).ok()).unwrap_or(1).max(1);
        if file == self.at.file.name || file == self.record.file {
            return (self.at.uri.clone(), self.encoding.line(&self.at.file, line));
        }
        let start = Position::new(line - 1, 0);
        let uri = address(file).unwrap_or_else(|| self.at.uri.clone());
        (uri, Range::new(start, start))
    }

    fn steps(&self, trace: &Trace) -> Vec<DiagnosticRelatedInformation> {
        let n_steps = trace.steps.len();
        let n_first = if n_steps > MOST_STEPS { MOST_STEPS / 2 } else { n_steps };
        let skipped = n_steps.saturating_sub(MOST_STEPS);
        let has_threads = trace.threads().len() > 1;
        let numbered = (1..).zip(&trace.steps);
        numbered
            .enumerate()
            .filter(|it| it.0 < n_first || it.0 >= n_first + skipped)
            .map(|(index, (number, step))| {
                let file = step.file.as_deref().unwrap_or(&self.record.file);
                let (uri, range) = self.place(file, step.line);
                let gap = (index == n_first && skipped > 0)
                    .then(|| format!("(after {skipped} steps that are not shown) "));
                let message =
                    format!("{}{}", gap.unwrap_or_default(), words(number, step, has_threads));
                DiagnosticRelatedInformation { location: Location { uri, range }, message }
            })
            .collect()
    }
}

/// `3.   locked := T;  locked=0`
fn words(number: usize, step: &Step, has_threads: bool) -> String {
    let indent = "  ".repeat(step.depth.min(20) as usize);
    let thread = if has_threads { format!("thread {}: ", step.thread) } else { String::new() };
    let values: Vec<_> = step.shown_values().map(|(name, it)| format!("{name}={it}")).collect();
    let mut values = values.join(" ");
    if let Some((cut, _)) = values.char_indices().nth(LONGEST) {
        values.truncate(cut);
        values.push('…');
    }
    let gap = if values.is_empty() { "" } else { "  " };
    format!("{number}. {indent}{thread}{}{gap}{values}", step.text)
}

/// For a client that shows no further places: the last steps are put into the message.
pub fn told_in_words(it: &mut Diagnostic) {
    const LAST: usize = 12;
    let Some(related) = it.related_information.take() else { return };
    for step in &related[related.len().saturating_sub(LAST)..] {
        let line = step.location.range.start.line + 1;
        it.message += &format!("\nline {line}: {}", step.message);
    }
}

//! `hardbop.result/1` as a type: what views need of it. `docs/formats/result-json.md` says what each field means.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One result.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// As on the command line.
    pub file: String,
    /// The answer.
    pub verdict: Verdict,
    /// What the answer is relative to.
    #[serde(default)]
    pub scope: Scope,
    /// Whether separate code has confirmed it.
    #[serde(default)]
    pub certified: bool,
    /// Who answered.
    #[serde(default)]
    pub engine: String,
    /// What was asked.
    pub goal: Option<String>,
    /// The word for why there is no answer.
    pub reason: Option<String>,
    /// The sentence.
    pub detail: Option<String>,
    /// Where it goes wrong.
    pub violation: Option<Place>,
    /// How it goes wrong.
    pub trace: Option<Trace>,
    /// With `--all`: every assert and label.
    #[serde(default)]
    pub goals: Vec<Goal>,
    /// Every check of a C program.
    #[serde(default)]
    pub properties: Vec<Property>,
    /// What the verdict rests on.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// What a reader should not miss.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Why it is safe, place by place.
    #[serde(default)]
    pub invariants: Vec<Invariant>,
    /// What was told about the input.
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
    /// Numbers.
    #[serde(default)]
    pub stats: BTreeMap<String, Value>,
}

/// The answer to the question, or that there was none to ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
    /// The input is no program.
    Rejected,
    /// The input cannot be read.
    Error,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
            Verdict::Rejected => "rejected",
            Verdict::Error => "error",
        })
    }
}

/// Bounds.
#[derive(Clone, Debug, Default, Deserialize)]
#[allow(missing_docs)]
pub struct Scope {
    /// A number, or `inf`.
    pub threads: Option<Value>,
    pub contexts: Option<u64>,
    pub depth: Option<u64>,
}

impl Scope {
    /// In words, where there is a bound.
    pub fn words(&self) -> Option<String> {
        let threads = match &self.threads {
            Some(Value::Number(n)) => Some(format!("at most {n} threads")),
            Some(Value::String(_)) => Some("any number of threads".to_string()),
            _ => None,
        };
        let contexts = self.contexts.map(|n| format!("at most {n} switches"));
        let depth = self.depth.map(|n| format!("up to depth {n}"));
        let words: Vec<_> = [threads, contexts, depth].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// A place in a source, and what is there.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Place {
    pub file: String,
    pub line: Option<u64>,
    pub what: String,
}

/// A counterexample.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// One entry for each statement.
    pub steps: Vec<Step>,
    /// Steps in the middle that are not given.
    #[serde(default)]
    pub left_out: u64,
    /// What functions without a body did.
    #[serde(default)]
    pub depends_on: Vec<String>,
}

impl Trace {
    /// The threads that take a step, in order of creation.
    pub fn threads(&self) -> Vec<u64> {
        let mut threads: Vec<u64> = self.steps.iter().map(|it| it.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }
}

/// A statement that is executed.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Step {
    pub thread: u64,
    pub depth: u64,
    pub proc: String,
    /// `None`: the file that was checked.
    pub file: Option<String>,
    pub line: Option<u64>,
    pub text: String,
    pub values: Map<String, Value>,
}

impl Step {
    /// The values as a person reads them: truth as 0 and 1.
    pub fn shown_values(&self) -> impl Iterator<Item = (&str, String)> {
        self.values.iter().map(|(name, value)| {
            let shown = match value {
                Value::Bool(value) => u8::from(*value).to_string(),
                Value::String(text) => text.clone(),
                Value::Null => "either".into(),
                other => other.to_string(),
            };
            (name.as_str(), shown)
        })
    }
}

/// An assert or a label of an exhaustive run.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Goal {
    pub file: String,
    pub line: Option<u64>,
    pub what: String,
    pub proc: String,
    pub reachable: bool,
}

/// A check of a C program.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Property {
    pub file: String,
    pub line: u64,
    pub class: String,
    pub message: String,
    pub verdict: Verdict,
    pub reason: Option<String>,
    pub detail: Option<String>,
}

/// What holds at a place.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Invariant {
    pub file: Option<String>,
    pub line: Option<u64>,
    pub proc: Option<String>,
    /// What is there.
    pub at: String,
    /// What holds.
    pub holds: String,
}

/// What was told about the input.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Diagnostic {
    pub severity: String,
    pub code: Option<String>,
    pub message: String,
    pub file: String,
    pub line: Option<u64>,
    pub column: Option<u64>,
    pub help: Option<String>,
}

impl Record {
    /// The object of `--format json`; `Err` says which field is not as it should be.
    pub fn of(object: &Value) -> Result<Record, String> {
        match object.get("schema").and_then(Value::as_str) {
            Some("hardbop.result/1") => {}
            Some(other) => return Err(format!("the schema is {other}, not hardbop.result/1")),
            None => return Err("this is no result of hardbop: it names no schema".into()),
        }
        Record::deserialize(object).map_err(|error| error.to_string())
    }

    /// One sentence for a headline.
    pub fn headline(&self) -> String {
        let because = || self.detail.as_deref().or(self.reason.as_deref()).unwrap_or("no reason");
        let scope = self.scope.words().map(|words| format!(" ({words})")).unwrap_or_default();
        match (self.verdict, &self.violation) {
            (Verdict::Safe, _) => format!("nothing asked about can go wrong{scope}"),
            (Verdict::Unsafe, Some(place)) => place.what.clone(),
            (Verdict::Unsafe, None) => "something asked about goes wrong".into(),
            (Verdict::Unknown, _) => format!("unknown: {}", because()),
            (Verdict::Rejected, _) => format!("rejected: {}", because()),
            (Verdict::Error, _) => format!("cannot be read: {}", because()),
        }
    }

    /// The files it speaks of.
    pub fn files(&self) -> BTreeSet<&str> {
        let mut files = BTreeSet::from([self.file.as_str()]);
        files.extend(self.violation.iter().map(|it| it.file.as_str()));
        files.extend(self.properties.iter().map(|it| it.file.as_str()));
        files.extend(self.invariants.iter().filter_map(|it| it.file.as_deref()));
        files.extend(self.diagnostics.iter().map(|it| it.file.as_str()));
        let steps = self.trace.iter().flat_map(|it| &it.steps);
        files.extend(steps.filter_map(|it| it.file.as_deref()));
        files
    }

    /// Everything that goes wrong: each check of a C program, each place of an exhaustive run, or the one violation.
    pub fn violated(&self) -> Vec<Violated<'_>> {
        if self.verdict != Verdict::Unsafe {
            return Vec::new();
        }
        let shown = self.shown_property();
        let checks = self.properties.iter().filter(|it| it.verdict == Verdict::Unsafe);
        let mut all: Vec<_> = checks
            .map(|it| Violated {
                class: &it.class,
                file: &it.file,
                line: Some(it.line),
                message: it.message.clone(),
                is_shown: shown.is_some_and(|shown| std::ptr::eq(shown, it)),
            })
            .collect();
        let place = self.violation.as_ref();
        if all.is_empty() {
            let is_shown = |it: &Goal| {
                place.is_some_and(|place| place.line == it.line && place.what == it.what)
            };
            let goals = self.goals.iter().filter(|it| it.reachable);
            all.extend(goals.map(|it| violated(&it.what, &it.file, it.line, is_shown(it))));
        }
        if all.is_empty() {
            let (what, file) = place.map_or(("assertion", &self.file), |it| (&it.what, &it.file));
            all.push(violated(what, file, place.and_then(|it| it.line), true));
        }
        all
    }

    /// The check of a C program that the trace is about.
    pub fn shown_property(&self) -> Option<&Property> {
        let shown = self.violation.as_ref()?;
        self.properties.iter().find(|it| {
            it.verdict == Verdict::Unsafe
                && shown.what.strip_prefix(&it.class).is_some_and(|rest| rest.contains(&it.message))
        })
    }
}

/// Something that goes wrong.
#[derive(Clone, Debug)]
pub struct Violated<'a> {
    /// The class of a property, or `assertion`, `label`, `target`.
    pub class: &'a str,
    /// Where.
    pub file: &'a str,
    /// Where.
    pub line: Option<u64>,
    /// A sentence.
    pub message: String,
    /// Whether the trace is about it.
    pub is_shown: bool,
}

/// The results of a text: objects one after the other, as the command prints them. `Err` names the line.
pub fn read(text: &str) -> Result<Vec<Value>, String> {
    let mut objects = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let line = text[..stream.byte_offset()].lines().count().max(1);
        match stream.next() {
            None => break,
            Some(Err(error)) => return Err(format!("{}: {error}", error.line().max(1))),
            Some(Ok(object)) => {
                Record::of(&object).map_err(|why| format!("{line}: {why}"))?;
                objects.push(object);
            }
        }
    }
    if objects.is_empty() {
        return Err("1: there is no result in it".into());
    }
    Ok(objects)
}

fn violated<'a>(what: &'a str, file: &'a str, line: Option<u64>, is_shown: bool) -> Violated<'a> {
    let class = what.split(' ').next().unwrap_or("assertion");
    let message = match class {
        "assertion" => "This assertion can fail".into(),
        _ => format!("The {what} can be reached"),
    };
    Violated { class, file, line, message, is_shown }
}

#[cfg(test)]
mod tests {
    use super::{Record, read};

    #[test]
    fn what_is_no_result_is_refused_with_its_line() {
        let right = r#"{"schema":"hardbop.result/1","file":"a","verdict":"safe"}"#;
        assert_eq!(read(&format!("{right}\n{right}\n")).unwrap().len(), 2);
        assert_eq!(read("").unwrap_err(), "1: there is no result in it");
        assert!(read(&format!("{right}\n{{")).unwrap_err().starts_with("2: EOF"));
        let other = r#"{"schema":"hardbop.result/2","file":"a","verdict":"safe"}"#;
        let why = read(&format!("{right}\n{other}")).unwrap_err();
        assert!(why.ends_with("the schema is hardbop.result/2, not hardbop.result/1"), "{why}");
        assert!(read(r#"{"schema":"hardbop.result/1"}"#).unwrap_err().contains("file"));
    }

    #[test]
    fn an_exhaustive_run_tells_of_each_place_and_the_trace_is_about_one() {
        let goal = |line: u64, reachable: bool| serde_json::json!({ "file": "a.bp", "line": line, "what": "assertion", "proc": "main", "reachable": reachable });
        let object = serde_json::json!({ "schema": "hardbop.result/1", "file": "a.bp", "verdict": "unsafe",
            "violation": { "file": "a.bp", "line": 7, "what": "assertion" },
            "goals": [goal(3, true), goal(5, false), goal(7, true)] });
        let record = Record::of(&object).unwrap();
        let told: Vec<_> = record.violated().iter().map(|it| (it.line, it.is_shown)).collect();
        assert_eq!(told, [(Some(3), false), (Some(7), true)]);
    }

    #[test]
    fn a_scope_is_told() {
        let object = serde_json::json!({ "schema": "hardbop.result/1", "file": "a",
            "verdict": "safe", "scope": { "threads": 3, "contexts": null, "depth": null } });
        let record = Record::of(&object).unwrap();
        assert_eq!(record.headline(), "nothing asked about can go wrong (at most 3 threads)");
    }
}

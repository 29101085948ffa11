//! A task: one call of `hardbop check`, and what is known of its answer.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// One check. Paths are as seen from the folder of the plan, where the process runs: results are the same wherever
/// the folder lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// What people call it; no two tasks of a plan share one.
    pub name: String,
    /// Several make one program of C.
    pub files: Vec<PathBuf>,
    /// What is asked.
    pub asked: Asked,
    /// What it may use.
    pub limits: Limits,
    /// What the answer should be.
    pub expected: Option<Expected>,
}

/// The options of `hardbop check` that an answer depends on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// `--property`: names, or a .prp file.
    pub property: Option<String>,
    /// `--entry`
    pub entry: Option<String>,
    /// `--data-model`
    pub data_model: Option<Model>,
    /// `-I`
    pub include: Vec<PathBuf>,
    /// `-D`
    pub define: Vec<String>,
    /// Everything else.
    pub options: Vec<String>,
}

/// Sizes of C's types, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Model {
    Ilp32,
    Lp64,
}

impl Model {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Ilp32 => "ilp32",
            Model::Lp64 => "lp64",
        }
    }

    /// In any case of letters, as plans and SV-COMP write it.
    pub fn named(name: &str) -> Option<Model> {
        [Model::Ilp32, Model::Lp64].into_iter().find(|it| it.name().eq_ignore_ascii_case(name))
    }
}

/// What is known of a task, by SV-COMP's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The property holds.
    True,
    /// It is violated.
    False,
}

impl Expected {
    /// `true`, `safe`, `false`, `unsafe` and SV-COMP's `false(valid-deref)`.
    pub fn named(word: &str) -> Option<Expected> {
        match word.split('(').next()?.trim().to_ascii_lowercase().as_str() {
            "true" | "safe" => Some(Expected::True),
            "false" | "unsafe" => Some(Expected::False),
            _ => None,
        }
    }
}

/// Options of `hardbop check` that a batch decides by itself.
const OURS: [&str; 10] = [
    "--format",
    "--html",
    "--certificate",
    "--no-certificate",
    "--trace",
    "--witness",
    "--testbench",
    "--time-limit",
    "--memory-limit",
    "--list-properties",
];

impl Asked {
    /// Takes words of a command line; `Err` says which of them has no place in a batch.
    pub fn take(&mut self, words: &[String]) -> Result<(), String> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, joined) = split(word);
            if OURS.contains(&name) {
                return Err(format!("`{name}` is decided by the batch"));
            }
            let mut value = || -> Result<String, String> {
                let given = joined.or_else(|| words.next().map(String::as_str));
                given.map(String::from).ok_or_else(|| format!("`{name}` needs a value"))
            };
            match name {
                "--property" => self.property = Some(value()?),
                "--entry" => self.entry = Some(value()?),
                "--data-model" => {
                    let name = value()?;
                    let model = Model::named(&name);
                    self.data_model =
                        Some(model.ok_or_else(|| format!("`{name}` is no data model"))?);
                }
                "-I" => self.include.push(value()?.into()),
                "-D" => self.define.push(value()?),
                _ => self.options.push(word.clone()),
            }
        }
        Ok(())
    }

    /// As words for `hardbop check`.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut put = |name: &str, value: &str| words.extend([name.to_string(), value.to_string()]);
        if let Some(property) = &self.property {
            put("--property", property);
        }
        if let Some(entry) = &self.entry {
            put("--entry", entry);
        }
        if let Some(model) = self.data_model {
            put("--data-model", model.name());
        }
        for path in &self.include {
            put("-I", &path.to_string_lossy());
        }
        for define in &self.define {
            put("-D", define);
        }
        words.extend(self.options.iter().cloned());
        words
    }
}

/// `--name=value`, `-Ipath` or a name alone.
fn split(word: &str) -> (&str, Option<&str>) {
    match word.split_at_checked(2) {
        Some((name @ ("-I" | "-D"), value)) if !value.is_empty() => (name, Some(value)),
        _ if word.starts_with("--") => match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        },
        _ => (word, None),
    }
}

impl Task {
    /// A task about files, named after the first of them.
    pub fn of(files: Vec<PathBuf>) -> Task {
        let name = files.first().map(|it| it.display().to_string()).unwrap_or_default();
        let (asked, limits) = (Asked::default(), Limits::default());
        Task { name, files, asked, limits, expected: None }
    }

    /// Whether it is read as C.
    pub fn is_c(&self) -> bool {
        self.files
            .iter()
            .any(|it| it.extension().is_some_and(|end| end == "c" || end == "i" || end == "json"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Expected, Model};

    fn taken(words: &[&str]) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let words: Vec<String> = words.iter().map(|it| it.to_string()).collect();
        asked.take(&words).map(|()| asked)
    }

    #[test]
    fn words_become_fields_and_fields_words() {
        let asked = taken(&[
            "--property=unreach-call",
            "-Iinc",
            "-D",
            "X=1",
            "--data-model",
            "ilp32",
            "--unwind",
            "3",
        ])
        .unwrap();
        assert_eq!(asked.property.as_deref(), Some("unreach-call"));
        assert_eq!(asked.data_model, Some(Model::Ilp32));
        assert_eq!(asked.options, ["--unwind", "3"]);
        let words = asked.words();
        assert_eq!(
            words.join(" "),
            "--property unreach-call --data-model ilp32 -I inc -D X=1 --unwind 3"
        );
        let mut again = Asked::default();
        again.take(&words).unwrap();
        assert_eq!(again, asked);
    }

    #[test]
    fn what_a_batch_decides_is_refused() {
        assert_eq!(taken(&["--format", "json"]).unwrap_err(), "`--format` is decided by the batch");
        assert_eq!(taken(&["--trace=t"]).unwrap_err(), "`--trace` is decided by the batch");
        assert_eq!(taken(&["--entry"]).unwrap_err(), "`--entry` needs a value");
        assert_eq!(taken(&["--data-model", "lp128"]).unwrap_err(), "`lp128` is no data model");
    }

    #[test]
    fn what_is_expected() {
        assert_eq!(Expected::named("false(valid-deref)"), Some(Expected::False));
        assert_eq!(Expected::named("Safe"), Some(Expected::True));
        assert_eq!(Expected::named("perhaps"), None);
    }
}

//! What a user sets, as the client sends it: `docs/editor.md` has the table.
//!
//! A value that means nothing is told and the default counts: a typing mistake in one does not lose the others.

use std::path::PathBuf;
use std::time::Duration;

use hardbop_check::{CRequest, EngineEntry, Kind, Request, entries, entry_named};
use hardbop_cir::Class;
use hardbop_diag::nearest;
use hardbop_engine::Threads;
use serde_json::Value;

/// When a document is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// If a command says so; no lens offers it.
    Off,
    /// If a command or a lens says so.
    Command,
    /// And whenever it is saved.
    Save,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub check: When,
    pub time_limit: Duration,
    /// Bytes.
    pub memory_limit: Option<u64>,
    /// `None` is `auto`.
    pub engine: Option<EngineEntry>,
    /// Of C; `None` are those that are checked by default.
    pub classes: Option<Vec<Class>>,
    pub threads: Option<Threads>,
    /// Of C.
    pub include_paths: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub is_32_bit: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            check: When::Save,
            time_limit: Duration::from_secs(30),
            memory_limit: None,
            engine: None,
            classes: None,
            threads: None,
            include_paths: Vec::new(),
            defines: Vec::new(),
            is_32_bit: false,
        }
    }
}

/// The names of all settings.
pub const NAMES: [&str; 9] = [
    "check",
    "timeLimit",
    "memoryLimit",
    "engine",
    "properties",
    "threads",
    "includePaths",
    "defines",
    "dataModel",
];

impl Settings {
    /// The settings of an object, alone or below `hardbop`, and what is wrong with it.
    pub fn read(sent: &Value) -> (Settings, Vec<String>) {
        let mut settings = Settings::default();
        let mut wrong = Vec::new();
        let sent = sent.get("hardbop").unwrap_or(sent);
        for (name, value) in sent.as_object().into_iter().flatten() {
            // Clients write null for what the user leaves alone.
            if !value.is_null()
                && let Err(why) = settings.set(name, value)
            {
                wrong.push(format!("the setting hardbop.{name} is passed over: {why}"));
            }
        }
        (settings, wrong)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match name {
            "check" => {
                self.check = match value.as_str() {
                    Some("off") => When::Off,
                    Some("command") => When::Command,
                    Some("save") => When::Save,
                    _ => return Err("expected off, command or save".into()),
                }
            }
            "timeLimit" => {
                let seconds = value.as_f64().filter(|it| *it > 0.0);
                let limit = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
                self.time_limit = limit.ok_or("expected a number of seconds")?;
            }
            "memoryLimit" => {
                let bytes = value.as_u64().and_then(|it| it.checked_mul(1_000_000));
                self.memory_limit = Some(bytes.ok_or("expected a number of megabytes")?);
            }
            "engine" => self.engine = engine(value.as_str().ok_or("expected a name")?)?,
            "properties" => {
                let names = words(value)?;
                let classes = names.iter().map(|it| {
                    Class::select(it).ok_or_else(|| format!("there is no property {it}"))
                });
                let asked = classes.collect::<Result<Vec<_>, _>>()?.concat();
                let all = Class::ALL.into_iter().filter(|it| asked.contains(it)).collect();
                self.classes = Some(all).filter(|it: &Vec<Class>| !it.is_empty());
            }
            "threads" => {
                let bound = value.as_u64().and_then(|it| u32::try_from(it).ok());
                self.threads = Some(match (value.as_str(), bound) {
                    (Some("inf"), _) => Threads::Unbounded,
                    (_, Some(n @ 1..)) => Threads::AtMost(n),
                    _ => return Err("expected a number from 1 on, or inf".into()),
                });
            }
            "includePaths" => {
                self.include_paths = words(value)?.into_iter().map(PathBuf::from).collect();
            }
            "defines" => self.defines = words(value)?,
            "dataModel" => {
                self.is_32_bit = match value.as_str() {
                    Some("ilp32") => true,
                    Some("lp64") => false,
                    _ => return Err("expected ilp32 or lp64".into()),
                }
            }
            _ => {
                let near =
                    nearest(name, NAMES.into_iter()).map(|it| format!("; did you mean {it}?"));
                return Err(format!("there is no such setting{}", near.unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// The question about a subject; an engine that is for other subjects says so itself.
    pub fn request(&self, kind: Kind) -> Request {
        let mut request = Request { threads: self.threads, ..Request::default() };
        // One setting serves all files: an engine for C is no wish about a Boolean program.
        request.engine = self.engine.filter(|it| it.takes(kind));
        request.c = CRequest { keeps_rounds: true, ..CRequest::default() };
        if let Some(classes) = &self.classes {
            request.c.classes = classes.clone();
        }
        request
    }
}

fn engine(name: &str) -> Result<Option<EngineEntry>, String> {
    if name == "auto" {
        return Ok(None);
    }
    entry_named(name).map(Some).ok_or_else(|| {
        let names: Vec<_> = entries().map(|it| it.name).collect();
        format!("there is no engine {name}; there are auto, {}", names.join(", "))
    })
}

fn words(value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().map(|list| list.iter().map(|it| it.as_str().map(String::from)));
    list.and_then(Iterator::collect).ok_or_else(|| "expected a list of texts".into())
}

#[cfg(test)]
mod tests {
    use super::{NAMES, Settings, When};
    use hardbop_check::Kind;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn what_is_wrong_is_told_and_the_rest_counts() {
        let sent = json!({ "hardbop": { "check": "of", "timeLimit": 2.5, "timelimit": 1,
            "engine": "bdd", "threads": 0, "properties": ["bounds", "no-overflow"], "defines": 3,
            "memoryLimit": null } });
        let (settings, wrong) = Settings::read(&sent);
        assert_eq!(settings.check, When::Save);
        assert_eq!(settings.time_limit, Duration::from_millis(2500));
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert!(wrong.iter().any(|it| it.contains("did you mean timeLimit?")), "{wrong:?}");
        assert!(settings.request(Kind::Program).engine.is_some());
        assert!(settings.request(Kind::C).engine.is_none());
        assert!(settings.request(Kind::C).c.classes.len() > 1);
    }

    #[test]
    fn no_settings_are_the_default_and_time_has_bounds() {
        for sent in [json!(null), json!([]), json!("x"), json!({ "hardbop": 7 })] {
            assert!(Settings::read(&sent).1.is_empty(), "{sent}");
        }
        for limit in [json!(-1), json!(0), json!(1e300), json!("5s")] {
            assert_eq!(Settings::read(&json!({ "timeLimit": limit })).1.len(), 1, "{limit}");
        }
    }

    #[test]
    fn the_client_and_the_page_have_the_same_settings() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
        let manifest: serde_json::Value =
            serde_json::from_str(&read("contrib/vscode/package.json")).unwrap();
        let theirs = manifest["contributes"]["configuration"]["properties"].as_object().unwrap();
        let ours = NAMES.map(|it| format!("hardbop.{it}"));
        // The first is the client's own.
        let theirs: Vec<_> = theirs.keys().skip(1).collect();
        assert_eq!(theirs, ours.iter().collect::<Vec<_>>());
        let page = read("docs/editor.md");
        assert!(NAMES.iter().all(|it| page.contains(&format!("`{it}`"))));
    }

    #[test]
    fn every_name_is_known() {
        for name in NAMES {
            let (_, wrong) = Settings::read(&json!({ name: {} }));
            assert!(!wrong[0].contains("no such setting"), "{wrong:?}");
        }
    }
}

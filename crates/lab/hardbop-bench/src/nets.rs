//! Nets as cases: thread-transition systems and Petri nets, and programs that have a net beside them.

use std::path::Path;
use std::sync::Arc;

use hardbop_base::SourceFile;
use hardbop_check::{EngineEntry, Kind, NetSubject, Outcome, Request, Subject, check, entry_named};
use hardbop_engine::RunCtx;
use hardbop_net::{Net, Question, query, spec, tts};
use serde::{Deserialize, Serialize};

use crate::suites::Case;

/// What is asked of a net.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub enum NetCase {
    /// Initial state and target of a thread-transition system.
    Tts { init: String, target: String },
    /// The file says it.
    Spec,
}

/// Everything below `shared/bench/tts` and `shared/bench/spec`.
pub fn corpus() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for row in rows("../shared/bench/tts")? {
        let Some((file, rest)) = row.split_once(',') else { continue };
        let (options, recorded) = rest.rsplit_once(',').unwrap_or((rest, ""));
        let init = options.split_once("--init ").map_or("0/0", |(_, init)| init);
        let init = init.split([' ', '"']).next().unwrap_or(init);
        // Without a target nothing was asked.
        let recorded = if options.contains("-k3") { "" } else { recorded };
        cases.push(transition_system(&format!("../shared/bench/tts/{file}"), init, recorded)?);
    }
    for row in rows("../shared/bench/spec")? {
        let Some((file, recorded)) = row.split_once(',') else { continue };
        // Its first line says safe; seven tokens in x0 cover the target in one step.
        let recorded = if file == "correct_petri_net.spec" { "" } else { recorded };
        let path = format!("../shared/bench/spec/{file}");
        cases.push(case(&path, Some(NetCase::Spec), recorded)?);
    }
    Ok(cases)
}

/// Each Boolean program of `shared/bench/bp/ijit`, followed by its thread-transition system.
pub fn programs_and_nets() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for row in rows("../shared/bench/bp")? {
        let Some(file) = row.split(',').next().filter(|file| file.starts_with("ijit/")) else {
            continue;
        };
        let path = format!("../shared/bench/bp/{file}");
        cases.push(case(&path, None, "")?);
        let net = Path::new(&path).with_extension("tts");
        if net.is_file() {
            cases.push(transition_system(&net.display().to_string(), "0|0", "")?);
        }
    }
    Ok(cases)
}

fn rows(folder: &str) -> Result<Vec<String>, String> {
    let manifest = read(&format!("{folder}/manifest.csv"))?;
    Ok(manifest.lines().skip(1).map(String::from).collect())
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|why| format!("{path}: {why}; run this beside shared/"))
}

fn transition_system(path: &str, init: &str, recorded: &str) -> Result<Case, String> {
    let beside = Path::new(path).with_extension("prop");
    let target = read(&beside.display().to_string())?;
    case(path, Some(NetCase::Tts { init: init.into(), target }), recorded)
}

fn case(path: &str, net: Option<NetCase>, recorded: &str) -> Result<Case, String> {
    let expect = match recorded {
        "safe" | "unsafe" => Some(recorded.into()),
        _ if recorded.contains("FAILED") => Some("unsafe".into()),
        _ if recorded.contains("SUCCESSFUL") => Some("safe".into()),
        _ => None,
    };
    let name = path.strip_prefix("../shared/bench/").unwrap_or(path).into();
    let (label, threads, initial_threads) = (None, None, None);
    Ok(Case { name, text: read(path)?, label, threads, initial_threads, expect, net })
}

/// One measurement; reading is not part of it.
pub struct Loaded {
    source: SourceFile,
    net: Arc<Net>,
    question: Arc<Question>,
    engine: Option<EngineEntry>,
}

impl Loaded {
    pub fn new(name: &str, text: &str, case: &NetCase, engine: &str) -> Result<Self, String> {
        let source = SourceFile::new(name, text);
        let refused = |why: &str| format!("{name}: {why}");
        let (net, question) = match case {
            NetCase::Spec => spec::parse(&source).map_err(|wrong| refused(&wrong[0].message))?,
            NetCase::Tts { init, target } => {
                let net = tts::parse(&source).map_err(|wrong| refused(&wrong[0].message))?;
                let initial = query::initial(init).map_err(|wrong| refused(&wrong.message))?;
                let targets = query::targets(target).map_err(|wrong| refused(&wrong.message))?;
                (net, Question { initial, targets })
            }
        };
        let found = entry_named(engine).filter(|it| it.takes(Kind::Net));
        if found.is_none() && engine != "auto" {
            return Err(format!("engine {engine} is not for nets"));
        }
        Ok(Loaded { source, net: Arc::new(net), question: Arc::new(question), engine: found })
    }

    pub fn check(&self, no_trace: bool, ctx: &RunCtx) -> Outcome {
        let Loaded { source, net, question, engine } = self;
        let request =
            Request { engine: *engine, no_trace, no_certificate: no_trace, ..Request::default() };
        check(Subject::Net(NetSubject { net, question, source }), &request, ctx)
    }
}

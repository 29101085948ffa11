//! The collected nets: verdicts as recorded, every run replayed. Skipped, saying so, where they are absent.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_check::{EngineEntry, Kind, NetSubject, Request, Subject, Verdict, check, entries};
use hardbop_engine::RunCtx;
use hardbop_net::{Net, Question, query, spec, tts};

fn bench(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

/// The lines of a manifest that record a verdict: file, options, verdict.
fn manifest(folder: &Path) -> Vec<(String, String, bool)> {
    let text = std::fs::read_to_string(folder.join("manifest.csv")).expect("there is a manifest");
    let mut cases = Vec::new();
    for line in text.lines().skip(1) {
        let (file, rest) = line.split_once(',').expect("a line has columns");
        let (options, expected) = rest.rsplit_once(',').unwrap_or(("", rest));
        let is_unsafe = match expected {
            "unsafe" => true,
            "safe" => false,
            _ if expected.contains("FAILED") => true,
            _ if expected.contains("SUCCESSFUL") => false,
            _ => continue,
        };
        cases.push((file.into(), options.trim_matches('"').into(), is_unsafe));
    }
    cases
}

/// The verdict, certified; `None` if time ran out.
fn decide(
    source: &SourceFile,
    net: &Arc<Net>,
    question: &Arc<Question>,
    engine: Option<EngineEntry>,
) -> Option<bool> {
    // `auto` must decide all of them; a single engine need not.
    let limit = if engine.is_none() { Duration::from_secs(60) } else { Duration::from_millis(100) };
    let ctx = RunCtx::new(Budget::unlimited().with_time(limit));
    let request = Request { engine, ..Request::default() };
    let outcome = check(Subject::Net(NetSubject { net, question, source }), &request, &ctx);
    // In its short time a single engine may find no run for what it knows; then it says so.
    let is_confirmed = outcome.certified || engine.is_some() && outcome.lacks.is_some();
    assert!(is_confirmed || !outcome.verdict.is_unsafe(), "{}", source.name);
    match outcome.verdict {
        Verdict::Safe => Some(false),
        Verdict::Unsafe(_) => Some(true),
        Verdict::Unknown(why) if why.word() == "not-confirmed" => {
            panic!("{}: {why:?}", source.name)
        }
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn thread_transition_systems_have_their_recorded_verdicts() {
    let Some(folder) = bench("tts") else { return };
    let mut n_decided = 0;
    for (file, options, mut is_unsafe) in manifest(&folder) {
        // Recorded without a target; the file beside names one that is covered.
        if ["bfc/bug_01/main.tts", "bfc/bug_07/main.tts"].contains(&file.as_str()) {
            assert!(!options.contains("--target"));
            is_unsafe = true;
        }
        let path = folder.join(&file);
        let text = std::fs::read_to_string(&path).expect("the manifest names files");
        let source = SourceFile::new(file.as_str(), text);
        let net = Arc::new(tts::parse(&source).expect("the file is right"));
        let target = std::fs::read_to_string(path.with_extension("prop")).expect("beside it");
        let init = options.split_once("--init ").map_or("0/0", |(_, rest)| rest);
        let initial = query::initial(init.split(' ').next().unwrap_or(init)).expect("right");
        let targets = query::targets(&target).expect("right");
        let question = Arc::new(Question { initial, targets });
        assert_eq!(decide(&source, &net, &question, None), Some(is_unsafe), "{file}");
        for engine in entries().filter(|it| it.takes(Kind::Net)) {
            let said = decide(&source, &net, &question, Some(engine));
            assert!(said.is_none_or(|said| said == is_unsafe), "{file}, {}", engine.name);
        }
        n_decided += 1;
    }
    assert!(n_decided > 50, "{n_decided}");
}

#[test]
fn petri_nets_have_their_stated_verdicts() {
    let Some(folder) = bench("spec") else { return };
    let mut n_decided = 0;
    for (file, _, mut is_unsafe) in manifest(&folder) {
        // Seven tokens in x0 cover the target in one step, whatever the first line says.
        if file == "correct_petri_net.spec" {
            is_unsafe = true;
        }
        let text = std::fs::read_to_string(folder.join(&file)).expect("the manifest names files");
        let source = SourceFile::new(file.as_str(), text);
        match spec::parse(&source) {
            Ok((net, question)) => {
                let (net, question) = (Arc::new(net), Arc::new(question));
                assert_eq!(decide(&source, &net, &question, None), Some(is_unsafe), "{file}");
                n_decided += 1;
            }
            // One of its rules assigns a place twice.
            Err(_) => assert_eq!(file, "queuedbusyflag.spec"),
        }
    }
    assert!(n_decided > 15, "{n_decided}");
}

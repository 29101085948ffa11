//! Running one test file with every engine it names.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_check::{Outcome, Request, Subject, Verdict, check, engine_named, program_engines};
use hardbop_engine::{Engine, RunCtx};

use crate::directives::{Directives, Expect};

/// No test program needs this long; a hang becomes a failure.
const LIMIT: Duration = Duration::from_secs(60);

/// All files below a folder with this extension, in a stable order.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
        for entry in entries {
            let path = entry.unwrap_or_else(|e| panic!("{folder:?}: {e}")).path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// `Err` tells how the file differs from what it says about itself.
pub fn run_file(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (file, program, diagnostics) = hardbop_bp::load_bytes(&name, bytes);
    let directives = Directives::read(&file.text)?;

    let told = diagnostics.iter().map(|d| (file.line(d.primary.span.start), d.code.to_string()));
    let mut told: Vec<_> = told.collect();
    let is_code = |(_, code): &&(u32, String)| code != "violated";
    let mut expected: Vec<_> = directives.marks.iter().filter(is_code).cloned().collect();
    told.sort();
    expected.sort();
    if told != expected {
        return Err(format!("diagnostics {told:?}, expected {expected:?}"));
    }
    let Some(program) = program else {
        return match directives.expect {
            Expect::Rejected => Ok(()),
            _ => Err("rejected".into()),
        };
    };
    if let Err(error) = hardbop_cfg::verify::verify(&program) {
        return Err(format!("the lowered program is ill-formed: {error}"));
    }
    match directives.expect {
        Expect::Rejected => return Err("accepted, expected rejected".into()),
        Expect::Accepted => return Ok(()),
        _ => {}
    }

    let request = Request {
        goal: directives.goal.clone(),
        threads: directives.threads,
        initial_threads: directives.initial_threads,
        contexts: directives.contexts,
        ..Request::default()
    };
    let engines: Vec<&'static dyn Engine> = if directives.engines.is_empty() {
        // Where switches are bounded nothing is decided but errors: such a file names its engine. So does
        // one without threads that is for an engine for threads.
        let task = request.task(&program);
        let accepts = |engine: &&'static dyn Engine| {
            !engine.bounds_switches() && engine.accepts(&task).is_ok()
        };
        program_engines().filter(accepts).collect()
    } else {
        let named = |name: &String| engine_named(name).ok_or(format!("no engine {name}"));
        directives.engines.iter().map(named).collect::<Result<_, _>>()?
    };
    if engines.is_empty() {
        return Err("no engine accepts the task".into());
    }
    let program = Arc::new(program);
    for engine in engines {
        let ctx = RunCtx::new(Budget::unlimited().with_time(LIMIT));
        let subject = Subject::Program { program: &program, source: Some(&file) };
        let request = Request { engine: Some(engine.into()), ..request.clone() };
        let outcome = check(subject, &request, &ctx);
        compare(&directives, &file, &outcome).map_err(|why| format!("{}: {why}", engine.name()))?;
    }
    Ok(())
}

fn compare(directives: &Directives, file: &SourceFile, outcome: &Outcome) -> Result<(), String> {
    let as_expected = match (&directives.expect, &outcome.verdict) {
        (Expect::Safe, Verdict::Safe) | (Expect::Unsafe, Verdict::Unsafe(_)) => true,
        (Expect::Unknown(reason), Verdict::Unknown(why)) => reason == why.word(),
        _ => false,
    };
    if !as_expected {
        return Err(format!("{:?}, expected {:?}", outcome.verdict, directives.expect));
    }
    if !outcome.verdict.is_unsafe() {
        return Ok(());
    }
    if !outcome.certified {
        return Err("the trace was not replayed".into());
    }
    let violated: Vec<_> =
        directives.marks.iter().filter(|(_, code)| code == "violated").map(|&(at, _)| at).collect();
    let at = outcome.verdict.violation().and_then(|violation| violation.line);
    if !violated.is_empty() && !at.is_some_and(|line| violated.contains(&line)) {
        return Err(format!("violation at line {at:?} of {}, expected {violated:?}", file.name));
    }
    let steps = outcome.trace.as_ref().map_or(0, Vec::len);
    match directives.trace_steps {
        Some(expected) if expected != steps => {
            Err(format!("trace of {steps} statements, expected {expected}"))
        }
        _ => Ok(()),
    }
}

//! `hardbop check` of C files: all files are one program, each check of it gets a verdict.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hardbop_base::CancelToken;
use hardbop_bmc::{Reason, Verdict};
use hardbop_cir::Class;
use hardbop_engine::RunCtx;

use super::engine::{CEngine, Question};
use super::report::{self, Report};
use super::trace::Trace;
use super::witness::Task;
use super::{engine, list, load, testbench};
use crate::args::{CheckArgs, EngineArg, Format};
use crate::exit::Exit;
use crate::input;
use crate::progress::Watch;

pub fn check(files: &[&Path], args: &CheckArgs, interrupt: &CancelToken) -> io::Result<Exit> {
    let wanted = match args.engine {
        EngineArg::Auto => None,
        EngineArg::C(engine) => Some(engine),
        EngineArg::Boolean(other) => {
            anstream::eprintln!(
                "hardbop: engine {} is for Boolean programs; for C there are auto, {}",
                other.name(),
                engine::CEngine::ALL.map(|it| it.name()).join(", ")
            );
            return Ok(Exit::Usage);
        }
    };
    if let Some(exit) = refuse(args) {
        return Ok(exit);
    }
    // Only `runs` follows which bytes have been written: others say unknown, so it must be asked for.
    let decided = Class::ALL.into_iter().filter(|it| *it != Class::Uninit || args.list_properties);
    let classes = args.c.classes(&decided.collect::<Vec<_>>());
    let options = args.c.options(classes.clone());
    let Some(loaded) = load(files, &args.c, &options)? else { return Ok(Exit::Rejected) };
    if args.list_properties {
        list(&loaded, args.format)?;
        return Ok(Exit::Safe);
    }
    let names: Vec<_> = files.iter().map(|it| it.display().to_string()).collect();
    let names = names.join(" ");
    let ctx = Arc::new(RunCtx::new(args.budget(interrupt)));
    let options = hardbop_bmc::Options { classes, unwind: args.unwind, stop_at_first: !args.all };
    let start = Instant::now();
    let watch = Watch::start(names.clone(), Arc::clone(&ctx));
    let question = Question {
        program: Arc::new(loaded.program.clone()),
        options: options.clone(),
        fsoft: args.fsoft.options(),
    };
    let found = engine::run(wanted, &question, &ctx);
    drop(watch);
    let time = start.elapsed();
    let result = &found.report;
    let violated = report::violated(&loaded, result);
    let trace = violated
        .filter(|_| !args.no_trace)
        .map(|(check, counterexample)| Trace::of(&loaded, check, counterexample));
    let report = Report {
        file: &names,
        loaded: &loaded,
        found: &found,
        classes: &options.classes,
        time,
        trace: trace.as_ref(),
    };
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Human => write!(out, "{}", report.human())?,
        Format::Json => writeln!(out, "{}", report.json())?,
    }
    out.flush()?;
    if let (Some(path), Some(trace)) = (&args.trace, &trace) {
        input::write(path, &format!("{:#}\n", trace.json()))?;
    }
    let files: Vec<PathBuf> = files.iter().map(|it| it.to_path_buf()).collect();
    if let Some(path) = &args.c_output.witness {
        let task =
            Task { files: &files, loaded: &loaded, classes: &options.classes, args: &args.c };
        match (violated, result.overall()) {
            (Some((check, it)), _) => input::write(path, &task.violation(check, it)?)?,
            (None, Verdict::Safe) => {
                input::write(path, &task.correctness(found.proof.as_ref())?)?;
            }
            (None, _) => {}
        }
    }
    if let (Some(dir), Some((check, it))) = (&args.c_output.testbench, violated) {
        let written = testbench::write(dir, &files, &loaded, check, it, &args.c)?;
        for doubt in written.doubts {
            anstream::eprintln!("hardbop: the testbench may not fail: {doubt}");
        }
    }
    Ok(match result.overall() {
        Verdict::Safe => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(Reason::Internal(_)) => Exit::Internal,
        Verdict::Unknown(_) => Exit::Unknown,
    })
}

/// Options that do not fit the engine.
fn refuse(args: &CheckArgs) -> Option<Exit> {
    let is_fsoft = matches!(args.engine, EngineArg::C(CEngine::Fsoft));
    if args.fsoft.is_given() && !is_fsoft {
        anstream::eprintln!("hardbop: --fsoft-… is for --engine fsoft");
        return Some(Exit::Usage);
    }
    if is_fsoft && args.unwind.is_some() {
        anstream::eprintln!("hardbop: engine fsoft counts blocks: --fsoft-depth, not --unwind");
        return Some(Exit::Usage);
    }
    if let Some(why) = args.c.misfit() {
        anstream::eprintln!("hardbop: {why}");
        return Some(Exit::Usage);
    }
    None
}

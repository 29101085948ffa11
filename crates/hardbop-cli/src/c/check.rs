//! `hardbop check` of C files: all files are one program, each check of it gets a verdict.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hardbop_base::CancelToken;
use hardbop_check::c::Evidence;
use hardbop_check::render::{self, Report};
use hardbop_check::{CEngine, CRequest, Kind, Request, Subject, Verdict};
use hardbop_cir::Class;
use hardbop_engine::RunCtx;
use hardbop_kind::Proof;

use super::witness::Task;
use super::{list, load, testbench};
use crate::args::CheckArgs;
use crate::check::{exit_of, print};
use crate::exit::Exit;
use crate::input;
use crate::progress::Watch;

pub fn check(files: &[&Path], args: &CheckArgs, interrupt: &CancelToken) -> io::Result<Exit> {
    let engine = match args.engine.for_kind(Kind::C) {
        Ok(engine) => engine,
        Err(why) => {
            anstream::eprintln!("hardbop: {why}");
            return Ok(Exit::Usage);
        }
    };
    if let Some(exit) = refuse(args) {
        return Ok(exit);
    }
    let decided = match args.list_properties {
        true => Class::ALL.to_vec(),
        false => CRequest::default().classes,
    };
    let classes = args.c.classes(&decided);
    let options = args.c.options(classes.clone());
    let Some(loaded) = load(files, &args.c, &options)? else { return Ok(Exit::Rejected) };
    if args.list_properties {
        list(&loaded, args.format)?;
        return Ok(Exit::Safe);
    }
    let names: Vec<_> = files.iter().map(|it| it.display().to_string()).collect();
    let names = names.join(" ");
    let ctx = Arc::new(RunCtx::new(args.budget(interrupt)));
    let request = Request {
        engine,
        c: CRequest { classes, unwind: args.unwind, fsoft: args.fsoft.options() },
        exhaustive: args.all,
        no_trace: args.no_trace,
        ..Request::default()
    };
    let watch = Watch::start(names.clone(), Arc::clone(&ctx));
    let outcome = hardbop_check::check(Subject::C(&loaded), &request, &ctx);
    drop(watch);
    print(args.format, Report { file: &names, outcome: &outcome })?;
    if let (Some(path), Some(run)) = (&args.trace, &outcome.run) {
        input::write(path, &format!("{:#}\n", render::run(run)))?;
    }
    let files: Vec<PathBuf> = files.iter().map(|it| it.to_path_buf()).collect();
    let evidence = outcome.evidence.as_ref();
    if let Some(path) = &args.c_output.witness {
        let task =
            Task { files: &files, loaded: &loaded, classes: &request.c.classes, args: &args.c };
        match (evidence, &outcome.verdict) {
            (Some(Evidence::Violation(check, it)), _) => {
                input::write(path, &task.violation(*check, it)?)?;
            }
            (_, Verdict::Safe) => input::write(path, &task.correctness(proof(evidence))?)?,
            _ => {}
        }
    }
    if let (Some(dir), Some(Evidence::Violation(check, it))) = (&args.c_output.testbench, evidence)
    {
        let written = testbench::write(dir, &files, &loaded, *check, it, &args.c)?;
        for doubt in written.doubts {
            anstream::eprintln!("hardbop: the testbench may not fail: {doubt}");
        }
    }
    Ok(exit_of(&outcome))
}

fn proof(evidence: Option<&Evidence>) -> Option<&Proof> {
    match evidence {
        Some(Evidence::Proof(proof)) => Some(proof),
        _ => None,
    }
}

/// Options that do not fit the engine.
fn refuse(args: &CheckArgs) -> Option<Exit> {
    let is_fsoft = args.engine.c() == Some(CEngine::Fsoft);
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

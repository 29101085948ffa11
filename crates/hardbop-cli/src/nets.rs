//! `hardbop check` for nets: thread-transition systems (`.tts`) and Petri nets (`.spec`).

use std::io;
use std::path::Path;
use std::sync::Arc;

use hardbop_base::{CancelToken, SourceFile};
use hardbop_check::render::Report;
use hardbop_check::{NetSubject, Request, Subject};
use hardbop_diag::Diagnostic;
use hardbop_engine::RunCtx;
use hardbop_net::{Initial, Marking, Net, Question, query, spec, tts};

use crate::args::{CheckArgs, NetArgs};
use crate::check::{exit_of, print, write_evidence};
use crate::exit::Exit;
use crate::input;
use crate::progress::Watch;

/// A format of nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Tts,
    Spec,
}

impl Kind {
    /// By the end of the file's name.
    pub fn of(path: &Path) -> Option<Kind> {
        match path.extension()?.to_str()? {
            "tts" => Some(Kind::Tts),
            "spec" => Some(Kind::Spec),
            _ => None,
        }
    }
}

pub fn check(
    path: &Path,
    kind: Kind,
    args: &CheckArgs,
    interrupt: &CancelToken,
) -> io::Result<Exit> {
    let name = path.display().to_string();
    let engine = match args.engine.for_kind(hardbop_check::Kind::Net) {
        Ok(engine) => engine,
        Err(why) => {
            anstream::eprintln!("hardbop: {name}: {why}");
            return Ok(Exit::Usage);
        }
    };
    let Some((source, net, question)) = load(path, kind, &args.net)? else {
        return Ok(Exit::Rejected);
    };
    let ctx = Arc::new(RunCtx::new(args.budget(interrupt)));
    let watch = Watch::start(name.clone(), Arc::clone(&ctx));
    let (net, question) = (&Arc::new(net), &Arc::new(question));
    let request = Request {
        engine,
        no_trace: args.no_trace,
        no_certificate: args.no_certificate,
        ..Request::default()
    };
    let subject = Subject::Net(NetSubject { net, question, source: &source });
    let outcome = hardbop_check::check(subject, &request, &ctx);
    drop(watch);
    print(args.format, Report { file: &name, outcome: &outcome })?;
    write_evidence(args, &name, &outcome)?;
    Ok(exit_of(&outcome))
}

/// A net and the question asked of it, or `None` after its mistakes were told.
pub fn load(
    path: &Path,
    kind: Kind,
    args: &NetArgs,
) -> io::Result<Option<(SourceFile, Net, Question)>> {
    let Some(source) = text(path)? else { return Ok(None) };
    let loaded = match kind {
        Kind::Tts => transition_system(path, &source, args)?,
        Kind::Spec => accepted(&source, spec::parse(&source))?,
    };
    Ok(loaded.map(|(net, question)| (source, net, question)))
}

/// The text of a file, or `None` after telling that it is none.
fn text(path: &Path) -> io::Result<Option<SourceFile>> {
    let name = path.display().to_string();
    match String::from_utf8(input::read(path)?) {
        // Offsets of longer files do not fit.
        Ok(text) if u32::try_from(text.len()).is_ok() => Ok(Some(SourceFile::new(name, text))),
        Ok(_) => {
            anstream::eprintln!("hardbop: {name}: the file is longer than 4 GB");
            Ok(None)
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            anstream::eprintln!("hardbop: {name}:{line}: this byte is no text");
            Ok(None)
        }
    }
}

/// The result, or `None` after its mistakes were told.
fn accepted<T>(source: &SourceFile, parsed: Result<T, Vec<Diagnostic>>) -> io::Result<Option<T>> {
    match parsed {
        Ok(it) => Ok(Some(it)),
        Err(wrong) => input::tell(source, &wrong).map(|()| None),
    }
}

fn transition_system(
    path: &Path,
    source: &SourceFile,
    args: &NetArgs,
) -> io::Result<Option<(Net, Question)>> {
    let Some(net) = accepted(source, tts::parse(source))? else { return Ok(None) };
    let init = SourceFile::new("--init", args.init.as_deref().unwrap_or("0/0"));
    let Some(initial) = accepted(&init, query::initial(&init.text).map_err(|it| vec![*it]))? else {
        return Ok(None);
    };
    let target = match &args.target {
        Some(state) if query::looks_like_state(state) => SourceFile::new("--target", state),
        Some(file) => match text(Path::new(file))? {
            Some(file) => file,
            None => return Ok(None),
        },
        None => match text(&path.with_extension("prop"))? {
            Some(file) => file,
            None => return Ok(None),
        },
    };
    let targets = query::targets(&target.text).map_err(|it| vec![*it]);
    let Some(targets) = accepted(&target, targets)? else { return Ok(None) };
    if let Err((name, why)) = in_range(&net, &init, &initial, &target, &targets) {
        anstream::eprintln!("hardbop: {name}: {why}");
        return Ok(None);
    }
    Ok(Some((net, Question { initial, targets })))
}

/// `Err` names the file and says which state is not of the net.
fn in_range<'n>(
    net: &Net,
    init: &'n SourceFile,
    initial: &Initial,
    target: &'n SourceFile,
    targets: &[Marking],
) -> Result<(), (&'n str, String)> {
    let places = initial.ranges.iter().map(|range| range.place);
    tts::check_in_range(net, initial.control, places).map_err(|why| (init.name.as_str(), why))?;
    for it in targets {
        let places = it.counts.iter().map(|&(place, _)| place);
        tts::check_in_range(net, it.control, places).map_err(|why| (target.name.as_str(), why))?;
    }
    Ok(())
}

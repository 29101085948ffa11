//! `hardbop check`: each file in turn, a report each, and a summary for several.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use hardbop_base::{CancelToken, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_check::render::{self, Report};
use hardbop_check::{Kind, Outcome, Request, Subject, Topic, Verdict};
use hardbop_engine::{InitialThreads, RunCtx, Threads};

use crate::args::{CheckArgs, Format};
use crate::c;
use crate::exit::Exit;
use crate::input;
use crate::misfit::misfit;
use crate::nets;
use crate::progress::Watch;

pub fn check(args: &CheckArgs) -> io::Result<Exit> {
    if let (Some(Threads::AtMost(most)), Some(InitialThreads::Count(first))) =
        (args.threads, args.initial_threads)
        && first > most
    {
        anstream::eprintln!(
            "hardbop: --initial-threads {first} is more than the --threads {most} alive at once"
        );
        return Ok(Exit::Usage);
    }
    if let Some(why) = misfit(args) {
        anstream::eprintln!("hardbop: {why}");
        return Ok(Exit::Usage);
    }
    let interrupt = on_interrupt();
    let mut exits = Vec::new();
    let (c_files, files): (Vec<&Path>, Vec<&Path>) =
        args.files.iter().map(|it| it.as_path()).partition(|it| c::is_c(it));
    let n_programs = files.len() + usize::from(!c_files.is_empty());
    if !c_files.is_empty() {
        exits.push(c::check(&c_files, args, &interrupt)?);
    }
    for path in files {
        let exit = match file(path, args, &interrupt) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe && n_programs > 1 => {
                anstream::eprintln!("hardbop: {error}");
                Exit::Io
            }
            result => result?,
        };
        exits.push(exit);
        if interrupt.is_cancelled() {
            break;
        }
    }
    if n_programs > 1 && args.format == Format::Human {
        summary(&exits, n_programs)?;
    }
    Ok(exits.into_iter().max().unwrap_or(Exit::Safe))
}

/// The first Ctrl-C asks the engine to stop and report; the second ends the process.
fn on_interrupt() -> CancelToken {
    let token = CancelToken::default();
    let cancel = token.clone();
    let handler = move || {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Unknown.code());
        }
        cancel.cancel();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        anstream::eprintln!("hardbop: Ctrl-C will end the run without a report: {error}");
    }
    token
}

fn file(path: &Path, args: &CheckArgs, interrupt: &CancelToken) -> io::Result<Exit> {
    if let Some(kind) = nets::Kind::of(path) {
        return nets::check(path, kind, args, interrupt);
    }
    let Some((source, program)) = input::load(path)? else { return Ok(Exit::Rejected) };
    let program = Arc::new(program);
    if let Some(exit) = unknown_label(&source.name, &program, args) {
        return Ok(exit);
    }
    let engine = match args.engine.for_kind(Kind::Program) {
        Ok(engine) => engine,
        Err(why) => {
            anstream::eprintln!("hardbop: {}: {why}", source.name);
            return Ok(Exit::Usage);
        }
    };
    let ctx = Arc::new(RunCtx::new(args.budget(interrupt)));
    let request = Request {
        goal: args.goal.clone(),
        engine,
        threads: args.threads,
        initial_threads: args.initial_threads,
        reduction: args.por,
        contexts: args.contexts,
        exhaustive: args.all,
        no_trace: args.no_trace,
        no_certificate: args.no_certificate,
        ..Request::default()
    };
    let watch = Watch::start(source.name.clone(), Arc::clone(&ctx));
    let subject = Subject::Program { program: &program, source: Some(&source) };
    let outcome = hardbop_check::check(subject, &request, &ctx);
    drop(watch);
    print(args.format, Report { file: &source.name, outcome: &outcome })?;
    if let Some(topic) = &args.explain
        && args.format == Format::Human
    {
        explain(&source, &program, &outcome, topic)?;
    }
    write_evidence(args, &source.name, &outcome)?;
    Ok(exit_of(&outcome))
}

/// The trace and the certificate, into the files asked for; a file that is not written is told of.
pub fn write_evidence(args: &CheckArgs, name: &str, outcome: &Outcome) -> io::Result<()> {
    if let (Some(path), Some(trace)) = (&args.trace, &outcome.trace) {
        input::write(path, &format!("{:#}\n", render::trace(trace)))?;
    }
    match (&args.certificate, &outcome.certificate) {
        (Some(path), Some(certificate)) => input::write(path, &certificate.print())?,
        (Some(_), None) if outcome.verdict == Verdict::Safe => {
            anstream::eprintln!(
                "hardbop: {name}: engine {} has no certificate for this; none was written",
                outcome.engine
            );
        }
        _ => {}
    }
    Ok(())
}

/// The reasons for a safe verdict, behind the report.
fn explain(
    source: &SourceFile,
    program: &Program,
    outcome: &Outcome,
    topic: &Topic,
) -> io::Result<()> {
    let Some(certificate) = &outcome.certificate else {
        if outcome.verdict == Verdict::Safe {
            anstream::eprintln!("hardbop: engine {} tells no reasons", outcome.engine);
        }
        return Ok(());
    };
    match hardbop_check::explain(program, Some(source), certificate, topic) {
        Ok(text) => write!(anstream::stdout().lock(), "\n{text}"),
        Err(why) => {
            anstream::eprintln!("hardbop: {}: {why}", source.name);
            Ok(())
        }
    }
}

/// A label that no statement carries is unreachable, but a user who asks for it has mistyped it.
fn unknown_label(file: &str, program: &Program, args: &CheckArgs) -> Option<Exit> {
    let Some(Goal::Label(name)) = &args.goal else { return None };
    if program.labelled(name).next().is_some() {
        return None;
    }
    anstream::eprintln!("hardbop: {file}: no statement has the label {name}");
    Some(Exit::Rejected)
}

pub fn print(format: Format, report: Report<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    match format {
        Format::Human => write!(out, "{}", render::human(report, columns()))?,
        Format::Json => writeln!(out, "{}", render::json(report))?,
    }
    out.flush()
}

/// The width of the terminal, or what `COLUMNS` says; `None` where lines have no end.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    said.or_else(|| {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    })
    .filter(|&columns| columns >= WIDE)
}

/// From so many columns on a trace is shown in lanes.
const WIDE: usize = 100;

pub fn exit_of(outcome: &Outcome) -> Exit {
    match &outcome.verdict {
        Verdict::Safe => Exit::Safe,
        Verdict::Unsafe => Exit::Unsafe,
        Verdict::Unknown(why) if why.is_our_mistake() => Exit::Internal,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

fn summary(exits: &[Exit], files: usize) -> io::Result<()> {
    let count = |wanted: Exit| exits.iter().filter(|&&exit| exit == wanted).count();
    let mut parts = vec![
        format!("{} safe", count(Exit::Safe)),
        format!("{} unsafe", count(Exit::Unsafe)),
        format!("{} unknown", count(Exit::Unknown)),
    ];
    for (exit, word) in
        [(Exit::Rejected, "rejected"), (Exit::Io, "unreadable"), (Exit::Internal, "failed")]
    {
        if count(exit) > 0 {
            parts.push(format!("{} {word}", count(exit)));
        }
    }
    if exits.len() < files {
        parts.push(format!("{} not started", files - exits.len()));
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "\n{files} files: {}", parts.join(", "))
}

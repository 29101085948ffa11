//! `hardbop check`: each subject in turn, a report each, and a summary for several.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use hardbop_base::{Budget, Exhausted, SourceFile, address_space};
use hardbop_cfg::{Goal, Program};
use hardbop_check::render::{self, Report};
use hardbop_check::{Outcome, Request, Topic, Verdict};
use hardbop_engine::RunCtx;

use crate::args::{CheckArgs, Format};
use crate::done::{Done, Undecided, diagnostics};
use crate::exit::Exit;
use crate::input::{self, Limits, Loaded};
use crate::last_words::{self, Prepared, Words};
use crate::misfit;
use crate::output::{self, Evidence, Plan};
use crate::progress::Watch;
use crate::refusal::{Complaint, Refusal};
use crate::signals;
use crate::subject::{Kind, Subject, subjects};
use crate::supervisor::{Desk, Stopped, supervise};
use crate::voice::{self, tell};
use crate::{c, nets};

/// What the work on one subject is given.
pub struct Job {
    pub args: Arc<CheckArgs>,
    pub subject: Subject,
    pub plan: Plan,
    pub ctx: Arc<RunCtx>,
    /// Whether there are no other subjects: an option may then say nothing about the program.
    pub is_alone: bool,
}

impl Job {
    /// Where its files are read from.
    pub fn limits(&self, desk: &Desk<Done>) -> Limits {
        Limits { budget: self.ctx.budget.clone(), waiting: desk.waiting.clone() }
    }
}

pub fn check(args: Box<CheckArgs>) -> io::Result<Exit> {
    let args: Arc<CheckArgs> = Arc::from(args);
    let subjects = subjects(&args.files);
    if let Err(why) = misfit::before_reading(&args, &subjects) {
        tell!("hardbop: {why}");
        return Ok(Exit::Usage);
    }
    let plans = match output::plan(&args, &subjects) {
        Ok(plans) => plans,
        Err(why) => {
            tell!("hardbop: {}", why.message);
            return Ok(why.exit);
        }
    };
    let n_subjects = subjects.len();
    let mut exits = Vec::new();
    for at in 0..n_subjects {
        // The first is begun all the same, and reports that it was interrupted.
        if at > 0 && signals::interrupt().is_cancelled() {
            // Machines get an object for each subject; people a number.
            let rest = not_started(&args, &subjects[at..], Exhausted::Cancelled);
            voice::result(&rest)?;
            break;
        }
        exits.push(one(&args, &subjects, at, plans[at].clone(), &exits));
    }
    if n_subjects > 1 && args.format == Format::Human {
        voice::result(&summary(&exits, n_subjects))?;
    }
    let all_started = if exits.len() < n_subjects { Exit::Unknown } else { Exit::Safe };
    Ok(exits.into_iter().max().unwrap_or(Exit::Safe).max(all_started))
}

/// Works on a subject and says what came of it; `exits` are those before.
fn one(args: &Arc<CheckArgs>, subjects: &[Subject], at: usize, plan: Plan, exits: &[Exit]) -> Exit {
    let subject = &subjects[at];
    let budget = args.budget(signals::interrupt());
    let undecided = undecided(args, subject);
    let before = exits.iter().copied().max().unwrap_or(Exit::Safe);
    last_words::prepare(in_case(args, &undecided, &subjects[at + 1..], &budget, before));
    let ctx = Arc::new(RunCtx::new(budget));
    let watch = Watch::start(undecided.file.clone(), Arc::clone(&ctx));
    let job = Job {
        args: Arc::clone(args),
        subject: subject.clone(),
        plan,
        ctx: Arc::clone(&ctx),
        is_alone: subjects.len() == 1,
    };
    let spare = undecided.clone();
    let done = supervise(&ctx.budget, move |desk| {
        work(&job, desk).unwrap_or_else(|refusal| spare.refused(refusal))
    });
    last_words::take_the_floor();
    drop(watch);
    let done = done.unwrap_or_else(|stopped| match stopped {
        Stopped::Limit(limit) => undecided.exhausted(limit),
        Stopped::Failed(why) => undecided.failed(why),
    });
    done.deliver(&undecided.file)
}

fn work(job: &Job, desk: &Desk<Done>) -> Result<Done, Refusal> {
    match job.subject.kind {
        Kind::Boolean => boolean(job, desk),
        Kind::Tts | Kind::Spec => nets::check(job, desk),
        Kind::C => c::check(job, desk),
    }
}

fn undecided(args: &CheckArgs, subject: &Subject) -> Undecided {
    Undecided {
        file: subject.name(),
        format: args.format,
        engine: args.engine.name(),
        goal: match subject.kind {
            Kind::Boolean => args.goal.as_ref().map(Goal::to_string),
            Kind::Tts | Kind::Spec => None,
            Kind::C => Some(c::goal(args)),
        },
        start: Instant::now(),
    }
}

/// What is said if the process ends in the middle of a subject: of this one and of those after it.
fn in_case(
    args: &CheckArgs,
    undecided: &Undecided,
    rest: &[Subject],
    budget: &Budget,
    before: Exit,
) -> Prepared {
    let limit = address_space::limit().or(budget.memory_limit()).unwrap_or(0);
    let limit = Exhausted::Memory(limit);
    let rest = not_started(args, rest, limit);
    let words = |done: Done| {
        // Handlers write bytes: no styles.
        let text = anstream::adapter::strip_str(&done.text).to_string() + &rest;
        Words { text, exit: done.exit.max(before) }
    };
    Prepared {
        out_of_memory: words(undecided.exhausted(limit)),
        failed: words(undecided.failed("the process was stopped by a signal".into())),
    }
}

fn not_started(args: &CheckArgs, rest: &[Subject], limit: Exhausted) -> String {
    match args.format {
        Format::Human => String::new(),
        Format::Json => rest.iter().map(|it| undecided(args, it).exhausted(limit).text).collect(),
    }
}

fn boolean(job: &Job, desk: &Desk<Done>) -> Result<Done, Refusal> {
    let args = &job.args;
    let Loaded { source, program, warnings } =
        input::load(&job.subject.files[0], &job.limits(desk))?;
    let program = Arc::new(program);
    known_label(&source.name, &program, args)?;
    let request = Request {
        goal: args.goal.clone(),
        engine: args.engine.for_kind(Kind::Boolean.of_facade()).map_err(Refusal::Misfit)?,
        threads: args.threads,
        initial_threads: args.initial_threads,
        reduction: args.por,
        contexts: args.contexts,
        exhaustive: args.all,
        no_trace: args.no_trace,
        no_certificate: args.no_certificate,
        ..Request::default()
    };
    if job.is_alone {
        misfit::with_program(args, &request.task(&program)).map_err(Refusal::Misfit)?;
    }
    let subject = hardbop_check::Subject::Program { program: &program, source: Some(&source) };
    let outcome = hardbop_check::check(subject, &request, &job.ctx);
    let mut text =
        rendered(args.format, Report { file: &source.name, outcome: &outcome }, &warnings);
    if let Some(topic) = &args.explain {
        text += &explained(&source, &program, &outcome, topic);
    }
    Ok(with_evidence(job, desk, text, &outcome))
}

/// The report, and then the files, so that a limit in between loses no verdict.
pub fn with_evidence(job: &Job, desk: &Desk<Done>, text: String, outcome: &Outcome) -> Done {
    let trace = job.plan.path(Evidence::Trace).zip(outcome.trace.as_ref());
    let certificate = job.plan.path(Evidence::Certificate).zip(outcome.certificate.as_ref());
    let mut done = Done::new(text.clone(), exit_of(outcome));
    let options = [trace.map(|_| Evidence::Trace), certificate.map(|_| Evidence::Certificate)];
    done.owed = options.into_iter().flatten().map(Evidence::option).collect();
    desk.hand_in(done);
    let mut done = Done::new(text, exit_of(outcome));
    if let Some((path, _)) = trace {
        done.files.push((path.into(), format!("{:#}\n", render::trace(outcome))));
    }
    if let Some((path, certificate)) = certificate {
        done.files.push((path.into(), certificate.print()));
    }
    let wants_proof = job.plan.path(Evidence::Certificate).is_some();
    if wants_proof && certificate.is_none() && outcome.verdict == Verdict::Safe {
        tell!(
            "hardbop: {}: engine {} has no certificate for this; none was written",
            job.subject.name(),
            outcome.engine
        );
    }
    done
}

/// The reasons for a safe verdict, behind the report.
fn explained(source: &SourceFile, program: &Program, outcome: &Outcome, topic: &Topic) -> String {
    let Some(certificate) = &outcome.certificate else {
        if outcome.verdict == Verdict::Safe {
            tell!("hardbop: engine {} tells no reasons", outcome.engine);
        }
        return String::new();
    };
    match hardbop_check::explain(program, Some(source), certificate, topic) {
        Ok(text) => format!("\n{text}"),
        Err(why) => {
            tell!("hardbop: {}: {why}", source.name);
            String::new()
        }
    }
}

/// A label that no statement carries is unreachable, but a user who asks for it has mistyped it.
fn known_label(file: &str, program: &Program, args: &CheckArgs) -> Result<(), Refusal> {
    match &args.goal {
        Some(Goal::Label(name)) if program.labelled(name).next().is_none() => {
            Err(Refusal::of_file(file, format!("no statement has the label {name}")))
        }
        _ => Ok(()),
    }
}

pub fn rendered(format: Format, report: Report<'_>, warnings: &[Complaint]) -> String {
    match format {
        Format::Human => render::human(report, columns()),
        Format::Json => {
            let mut object = render::json(report);
            object["diagnostics"] = diagnostics(warnings);
            format!("{object}\n")
        }
    }
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
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(why) if why.is_our_mistake() => Exit::Internal,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

fn summary(exits: &[Exit], files: usize) -> String {
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
    format!("\n{files} files: {}\n", parts.join(", "))
}

//! `hardbop check`: each subject in turn, a report each, and a summary for several.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use hardbop_base::{Budget, Exhausted, Progress, address_space};
use hardbop_cfg::{Goal, Program};
use hardbop_check::render::{self, Report};
use hardbop_check::{Outcome, Request, Topic, Verdict};
use hardbop_engine::RunCtx;
use hardbop_explorer::{Item, graphs};
use serde_json::Value;

use crate::args::CheckArgs;
use crate::done::{Done, Undecided, diagnostics};
use crate::exit::Exit;
use crate::format::Format;
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
use crate::{c, nets, task};

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

/// What came of all subjects.
pub struct Checked {
    pub exit: Exit,
    /// The results as data, where a document or a page is made of them; none if the command line was refused.
    pub items: Vec<Item>,
}

pub fn check(mut args: Box<CheckArgs>) -> io::Result<Exit> {
    if let Err(exit) = expanded(&mut args) {
        return Ok(exit);
    }
    let args: Arc<CheckArgs> = Arc::from(args);
    let Checked { exit, items } = check_all(&args)?;
    // Where the command line was refused nothing was checked, and nothing is written.
    let Some(path) = args.html.as_ref().filter(|_| !items.is_empty()) else { return Ok(exit) };
    match output::write(path, &hardbop_explorer::page(&items)) {
        Ok(()) => Ok(exit),
        Err(error) => {
            tell!("hardbop: {error}");
            Ok(exit.max(Exit::Io))
        }
    }
}

/// Puts a task's files, property and data model in its place; what is wrong with it is told.
pub fn expanded(args: &mut CheckArgs) -> Result<(), Exit> {
    task::expand(args).map_err(|refusal| match refusal {
        Refusal::Rejected(_) => Exit::Rejected,
        Refusal::Misfit(why) => {
            tell!("hardbop: {why}");
            Exit::Usage
        }
        Refusal::Io(error) => {
            tell!("hardbop: {error}");
            Exit::Io
        }
        Refusal::Limit(limit) => {
            tell!("hardbop: {limit}");
            Exit::Unknown
        }
    })
}

/// Works on each subject in turn and prints what comes of it.
pub fn check_all(args: &Arc<CheckArgs>) -> io::Result<Checked> {
    let subjects = subjects(&args.files);
    let refused = |exit| Ok(Checked { exit, items: Vec::new() });
    if let Err(why) = misfit::before_reading(args, &subjects) {
        tell!("hardbop: {why}");
        return refused(Exit::Usage);
    }
    let plans = match output::plan(args, &subjects) {
        Ok(plans) => plans,
        Err(why) => {
            tell!("hardbop: {}", why.message);
            return refused(why.exit);
        }
    };
    let n_subjects = subjects.len();
    let (mut exits, mut items) = (Vec::new(), Vec::new());
    for (at, plan) in plans.into_iter().enumerate() {
        // The first is begun all the same, and reports that it was interrupted.
        if at > 0 && signals::interrupt().is_cancelled() {
            // Machines get an object for each subject; people a number.
            let rest = not_started(args, &subjects[at..], Exhausted::Cancelled);
            let pieces: String = rest.iter().map(|it| args.format.piece(&it.record)).collect();
            voice::result(&pieces)?;
            items.extend(rest);
            break;
        }
        let turn = Turn { args, subjects: &subjects, at, exits: &exits, items: &items };
        let (exit, item) = turn.take(plan);
        exits.push(exit);
        items.extend(item.filter(|_| args.format.is_document() || args.wants_page()));
    }
    if n_subjects > 1 && args.format == Format::Human {
        voice::result(&summary(&exits, n_subjects))?;
    }
    voice::result(&args.format.document(items.iter().map(|it| &it.record)))?;
    let all_started = if exits.len() < n_subjects { Exit::Unknown } else { Exit::Safe };
    let exit = exits.into_iter().max().unwrap_or(Exit::Safe).max(all_started);
    Ok(Checked { exit, items })
}

/// A subject's turn, with what came of those before it.
struct Turn<'a> {
    args: &'a Arc<CheckArgs>,
    subjects: &'a [Subject],
    at: usize,
    exits: &'a [Exit],
    items: &'a [Item],
}

impl Turn<'_> {
    /// Works on the subject and says what came of it.
    fn take(&self, plan: Plan) -> (Exit, Option<Item>) {
        let Turn { args, subjects, at, .. } = *self;
        let budget = args.budget(signals::interrupt());
        let mut undecided = undecided(args, &subjects[at]);
        undecided.progress = budget.progress().clone();
        last_words::prepare(self.in_case(&undecided, &budget));
        let ctx = Arc::new(RunCtx::new(budget));
        let watch = Watch::start(undecided.file.clone(), Arc::clone(&ctx));
        let job = Job {
            args: Arc::clone(args),
            subject: subjects[at].clone(),
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
        let mut done = done.unwrap_or_else(|stopped| match stopped {
            Stopped::Limit(limit) => undecided.exhausted(limit),
            Stopped::Failed(why) => undecided.failed(why),
        });
        let item = done.item.take();
        (done.deliver(&undecided.file), item)
    }

    /// What is said if the process ends in the middle of the subject: of this one and of those after it, and
    /// in a document of those before it.
    fn in_case(&self, undecided: &Undecided, budget: &Budget) -> Prepared {
        let before = self.exits.iter().copied().max().unwrap_or(Exit::Safe);
        let limit = address_space::limit().or(budget.memory_limit()).unwrap_or(0);
        let limit = Exhausted::Memory(limit);
        let format = self.args.format;
        let rest = not_started(self.args, &self.subjects[self.at + 1..], limit);
        let words = |done: Done| {
            // Handlers write bytes: no styles.
            let mut text = anstream::adapter::strip_str(&done.text).to_string();
            text.extend(rest.iter().map(|it| format.piece(&it.record)));
            let all = self.items.iter().chain(&done.item).chain(&rest);
            text += &format.document(all.map(|it| &it.record));
            Words { text, exit: done.exit.max(before) }
        };
        Prepared {
            out_of_memory: words(undecided.exhausted(limit)),
            failed: words(undecided.failed("the process was stopped by a signal".into())),
        }
    }
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
        progress: Progress::default(),
    }
}

/// Machines get a result for each subject that was not begun.
fn not_started(args: &CheckArgs, rest: &[Subject], limit: Exhausted) -> Vec<Item> {
    rest.iter().filter_map(|it| undecided(args, it).exhausted(limit).item).collect()
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
        order: args.order,
        exhaustive: args.all,
        no_trace: args.no_trace,
        cube: args.cube,
        no_certificate: args.no_certificate,
        ..Request::default()
    };
    if job.is_alone {
        misfit::with_program(args, &request.task(&program)).map_err(Refusal::Misfit)?;
    }
    let subject = hardbop_check::Subject::Program { program: &program, source: Some(&source) };
    let mut outcome = hardbop_check::check(subject, &request, &job.ctx);
    let (text, item) = rendered(args, subject, &source.name, &mut outcome, &warnings, |_| Beside {
        graphs: graphs::data(&program, &source),
        sources: vec![(source.name.clone(), source.text.clone())],
    });
    Ok(with_evidence(job, desk, text, item, &outcome))
}

/// The report, and then the files, so that a limit in between loses no verdict.
pub fn with_evidence(
    job: &Job,
    desk: &Desk<Done>,
    text: String,
    item: Option<Item>,
    outcome: &Outcome,
) -> Done {
    let trace = job.plan.path(Evidence::Trace).zip(outcome.trace.as_ref());
    let certificate = job.plan.path(Evidence::Certificate).zip(outcome.certificate.as_ref());
    let mut done = Done::new(text.clone(), exit_of(outcome));
    let options = [trace.map(|_| Evidence::Trace), certificate.map(|_| Evidence::Certificate)];
    done.owed = options.into_iter().flatten().map(Evidence::option).collect();
    done.item = item.clone();
    desk.hand_in(done);
    let mut done = Done::new(text, exit_of(outcome));
    done.item = item;
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

/// Why it is safe: noted in the outcome for machines and pages, and as text for a person who has asked.
fn explained(
    args: &CheckArgs,
    subject: hardbop_check::Subject<'_>,
    outcome: &mut Outcome,
) -> String {
    if outcome.verdict != Verdict::Safe {
        return String::new();
    }
    if args.wants_page() {
        // A page shows what there is; that there is none is no mistake of the user's.
        outcome.invariants =
            hardbop_check::reasons(subject, outcome, &Topic::EveryLine).unwrap_or_default();
    }
    let Some(topic) = &args.explain else { return String::new() };
    match hardbop_check::reasons(subject, outcome, topic) {
        Ok(list) => {
            let text = render::invariants(&list);
            if !args.wants_page() {
                outcome.invariants = list;
            }
            text
        }
        Err(why) => {
            tell!("hardbop: {why}");
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

/// What a page shows beside a result.
pub struct Beside {
    pub graphs: Value,
    pub sources: Vec<(String, String)>,
}

/// The text of a result, and the result as data where somebody needs it; `beside` is asked for a page.
pub fn rendered(
    args: &CheckArgs,
    subject: hardbop_check::Subject<'_>,
    file: &str,
    outcome: &mut Outcome,
    warnings: &[Complaint],
    beside: impl FnOnce(&Value) -> Beside,
) -> (String, Option<Item>) {
    let explained = explained(args, subject, outcome);
    let report = Report { file, outcome };
    let text =
        (args.format == Format::Human).then(|| render::human(report, columns()) + &explained);
    if let (Some(text), false) = (&text, args.wants_page()) {
        return (text.clone(), None);
    }
    let mut record = render::json(report);
    record["diagnostics"] = diagnostics(warnings);
    let text = text.unwrap_or_else(|| args.format.piece(&record));
    if !args.wants_page() {
        let item = Item { record, ..Item::default() };
        return (text, args.format.is_document().then_some(item));
    }
    let Beside { graphs, sources } = beside(&record);
    (text, Some(Item { record, graphs, sources }))
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

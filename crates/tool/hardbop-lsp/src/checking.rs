//! Checks in the background: one at a time, because a check takes all cores; the others wait.
//!
//! A check is about a text. Whoever changes the text, asks again or presses "cancel" ends it at once as far as
//! anybody can see: the engines are told to stop, and what the thread has to say later is not heard. One that does
//! not come back after its limit is left behind in the same way.

use std::collections::VecDeque;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, tick};
use hardbop_base::{Budget, CancelToken, Exhausted, Progress, memory, stack};
use hardbop_check::render::{self, Report};
use hardbop_check::{Outcome, Subject, Topic, Verdict, check, reasons};
use hardbop_engine::RunCtx;
use hardbop_explorer::{Item, graphs};
use hardbop_report::Record;
use lsp_server::RequestId;
use lsp_types::{
    ProgressToken, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde_json::Value;

use crate::c::{self, Unread};
use crate::client::Client;
use crate::documents::{Kind, Snapshot};
use crate::failure::Failure;
use crate::pages;
use crate::reading::STACK;
use crate::settings::Settings;

/// How often progress is told, and limits are looked at.
const EVERY: Duration = Duration::from_millis(300);

/// How long after its limit a check may take to say what it has found by then.
const GRACE: Duration = Duration::from_secs(2);

/// What is known about a text.
#[derive(Clone, Debug)]
pub struct Checked {
    pub record: Record,
    /// For the explorer.
    pub item: Item,
    /// The function it was begun with, if not `main`.
    pub entry: Option<String>,
}

/// Why nothing is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undone {
    /// The text has mistakes, which are shown where they are.
    Rejected,
    Limit(Exhausted),
    /// What is wrong apart from the text.
    Refused(String),
    /// Our mistake.
    Failed,
}

impl Undone {
    pub fn words(&self) -> String {
        match self {
            Undone::Rejected => "not checked: the program has mistakes".into(),
            Undone::Limit(limit) => format!("unknown: {limit}"),
            Undone::Refused(why) => format!("not checked: {why}"),
            Undone::Failed => "unknown: internal error of hardbop".into(),
        }
    }
}

impl From<Exhausted> for Undone {
    fn from(limit: Exhausted) -> Self {
        Undone::Limit(limit)
    }
}

/// What a request that waits for a check wants of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    Result,
    Page,
}

/// A check that somebody wants.
#[derive(Debug)]
pub struct Wish {
    pub at: Snapshot,
    pub entry: Option<String>,
    /// The request to be answered; without one the text was saved.
    pub request: Option<(RequestId, Wanted)>,
    /// Where the client wants to see progress.
    pub token: Option<ProgressToken>,
}

/// A check at work.
#[derive(Debug)]
pub struct Job {
    pub wish: Wish,
    number: u64,
    start: Instant,
    limit: Duration,
    cancel: CancelToken,
    progress: Progress,
    /// When progress is told and the limit is looked at.
    ticks: Receiver<Instant>,
}

/// All checks.
#[derive(Debug, Default)]
pub struct Checking {
    running: Option<Job>,
    waiting: VecDeque<Wish>,
    n_started: u64,
}

impl Checking {
    /// A new wish takes the place of an older one about the same document.
    pub fn wish(&mut self, wish: Wish, client: &Client) {
        self.forget(&wish.at.uri, "there is a newer check", client);
        self.waiting.push_back(wish);
    }

    /// Begins the next check if none is at work. `done` is called with its number from its thread.
    pub fn next(
        &mut self,
        settings: &Settings,
        client: &Client,
        done: impl FnOnce(u64, Result<Checked, Undone>) + Send + 'static,
    ) {
        if self.running.is_some() {
            return;
        }
        let Some(mut wish) = self.waiting.pop_front() else { return };
        self.n_started += 1;
        let number = self.n_started;
        let is_ours = wish.token.is_none() && client.can().progress;
        if is_ours {
            wish.token = Some(ProgressToken::String(format!("hardbop-check-{number}")));
        }
        if let Some(token) = &wish.token {
            let begin = WorkDoneProgressBegin {
                title: "hardbop check".into(),
                cancellable: Some(true),
                message: wish.at.path.file_name().map(|it| it.to_string_lossy().into_owned()),
                percentage: None,
            };
            client.begin(token, is_ours, WorkDoneProgress::Begin(begin));
        }
        client.status(&wish.at.uri, "running", "checking …");
        let (cancel, progress) = (CancelToken::default(), Progress::default());
        let limit = settings.time_limit;
        let budget = Budget::unlimited().with_time(limit).with_cancel(cancel.clone());
        let half = || memory::total_bytes().map(|it| it / 2);
        let budget = match settings.memory_limit.or_else(half) {
            Some(bytes) => budget.with_memory(bytes),
            None => budget,
        };
        let ctx = RunCtx::new(budget.with_progress(progress.clone()));
        let (at, entry, settings) = (wish.at.clone(), wish.entry.clone(), settings.clone());
        let work = move || {
            let work = || result(&at, entry, &settings, &ctx);
            // The message is on standard error already.
            let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Undone::Failed));
            done(number, result);
        };
        let start = Instant::now();
        self.running =
            Some(Job { wish, number, start, limit, cancel, progress, ticks: tick(EVERY) });
        let thread = std::thread::Builder::new().name("checking".into());
        if thread.stack_size(stack::affordable(STACK)).spawn(work).is_err() {
            let why = Failure::refused("the system gives no thread");
            self.stop(|_| true, &why, "not checked", client);
        }
    }

    /// The check that has come to its end, unless nobody waits for it any more.
    pub fn finished(&mut self, number: u64) -> Option<Job> {
        self.running.take_if(|it| it.number == number)
    }

    /// The check that should have come to its end.
    pub fn overdue(&mut self) -> Option<(Job, Undone)> {
        let job = self.running.take_if(|it| it.start.elapsed() > it.limit + GRACE)?;
        job.cancel.cancel();
        let limit = Exhausted::Time(job.limit);
        Some((job, Undone::Limit(limit)))
    }

    /// When it is time to look after the check at work.
    pub fn ticks(&self) -> Receiver<Instant> {
        self.running.as_ref().map_or_else(never, |it| it.ticks.clone())
    }

    /// Whether a document is being checked, or will be.
    pub fn is_about(&self, uri: &Uri) -> bool {
        let running = self.running.iter().map(|it| &it.wish);
        running.chain(&self.waiting).any(|it| it.at.uri == *uri)
    }

    /// What is known about a document is not wanted any more.
    pub fn forget(&mut self, uri: &Uri, why: &str, client: &Client) {
        self.stop(|it| it.at.uri == *uri, &Failure::cancelled(why), why, client);
    }

    pub fn cancel_token(&mut self, token: &ProgressToken, client: &Client) {
        let is_it = |it: &Wish| it.token.as_ref() == Some(token);
        self.stop(is_it, &Failure::cancelled("cancelled"), "cancelled", client);
    }

    pub fn cancel_request(&mut self, id: &RequestId, client: &Client) {
        let is_it = |it: &Wish| it.request.as_ref().is_some_and(|it| it.0 == *id);
        self.stop(is_it, &Failure::cancelled("cancelled"), "cancelled", client);
    }

    pub fn cancel_all(&mut self, client: &Client) {
        self.stop(|_| true, &Failure::cancelled("the server ends"), "the server ends", client);
    }

    fn stop(
        &mut self,
        is_it: impl Fn(&Wish) -> bool,
        failure: &Failure,
        why: &str,
        client: &Client,
    ) {
        let mut stopped = Vec::new();
        if let Some(job) = self.running.take_if(|it| is_it(&it.wish)) {
            job.cancel.cancel();
            client.status(&job.wish.at.uri, "cancelled", why);
            if let Some(token) = &job.wish.token {
                client.progress(token, end(why));
            }
            stopped.push(job.wish);
        }
        let (gone, kept) = std::mem::take(&mut self.waiting).into_iter().partition(is_it);
        self.waiting = kept;
        stopped.extend::<VecDeque<Wish>>(gone);
        for (id, _) in stopped.into_iter().filter_map(|it| it.request) {
            client.respond(failure.clone().response(id));
        }
    }

    /// Tells how far the check at work has come.
    pub fn report(&self, client: &Client) {
        let Some(job) = &self.running else { return };
        let mut words = format!("{} s", job.start.elapsed().as_secs());
        for engine in job.progress.rivals().iter().filter(|it| it.said.is_none()) {
            write!(words, "; {}", engine.name).expect("writing to a string");
            for (name, n) in &engine.numbers {
                write!(words, ", {name} {n}").expect("writing to a string");
            }
        }
        if let Some(token) = &job.wish.token {
            let report = WorkDoneProgressReport {
                cancellable: Some(true),
                message: Some(words),
                percentage: None,
            };
            client.progress(token, WorkDoneProgress::Report(report));
        }
    }
}

pub fn end(message: &str) -> WorkDoneProgress {
    WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message.into()) })
}

/// The check itself.
fn result(
    at: &Snapshot,
    entry: Option<String>,
    settings: &Settings,
    ctx: &RunCtx,
) -> Result<Checked, Undone> {
    let (record, graphs) = match at.kind {
        Kind::Bp => {
            let bytes = at.file.text.clone().into_bytes();
            let (file, program, _) = hardbop_bp::load_within(&at.file.name, bytes, &ctx.budget)?;
            let program = Arc::new(program.ok_or(Undone::Rejected)?);
            let subject = Subject::Program { program: &program, source: Some(&file) };
            (decided(subject, at, settings, ctx), graphs::data(&program, &file))
        }
        Kind::C => {
            let classes = settings.request(hardbop_check::Kind::C).c.classes;
            let loaded = c::load(at, settings, classes, entry.as_deref(), &ctx.budget);
            let loaded = loaded.map_err(|it| match it {
                Unread::Rejected(it) => it.limit.map_or(Undone::Rejected, Undone::Limit),
                Unread::Database(why) => Undone::Refused(why),
            });
            // What a limit has cut off is wrong for no other reason.
            ctx.budget.check()?;
            let loaded = loaded?;
            (decided(Subject::C(&loaded), at, settings, ctx), graphs::c::data(&loaded))
        }
        Kind::Other => return Err(Undone::Refused("this is no program".into())),
    };
    let object = record;
    let record = Record::of(&object).map_err(Undone::Refused)?;
    let sources = pages::sources(&record, at);
    Ok(Checked { record, item: Item { record: object, graphs, sources }, entry })
}

/// What the facade says, as `hardbop.result/1`, and for a safe program what holds where.
fn decided(subject: Subject<'_>, at: &Snapshot, settings: &Settings, ctx: &RunCtx) -> Value {
    let mut outcome: Outcome = check(subject, &settings.request(subject.kind()), ctx);
    if outcome.verdict == Verdict::Safe {
        // A proof that says nothing is no mistake of the user's.
        outcome.invariants = reasons(subject, &outcome, &Topic::EveryLine).unwrap_or_default();
    }
    render::json(Report { file: &at.file.name, outcome: &outcome })
}

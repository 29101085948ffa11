//! What a person who waits sees: on a terminal a line for the run and one for each engine, elsewhere a plain line
//! every ten seconds; and when a long run is over, who has done what. Always on standard error.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hardbop_base::memory;
use hardbop_base::progress::Seen;
use hardbop_engine::RunCtx;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::voice::tell;

const LIVE: Duration = Duration::from_millis(200);
const PLAIN: Duration = Duration::from_secs(10);
/// After a run as long as this it is told who has done what.
const LONG: Duration = Duration::from_secs(5);
const STACK: usize = 256 << 10;

/// Tells how a run goes until it is dropped.
pub struct Watch {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub fn start(what: String, ctx: Arc<RunCtx>) -> Self {
        let (done, ended) = channel();
        let is_live = std::io::stderr().is_terminal();
        let run = move || {
            let start = Instant::now();
            let mut bars = None;
            let every = if is_live { LIVE } else { PLAIN };
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let head = head(&what, start.elapsed(), &ctx);
                let engines = ctx.progress.rivals();
                if is_live {
                    bars.get_or_insert_with(Bars::new).show(head, &engines);
                } else {
                    let at_work = engines.iter().filter(|it| it.said.is_none());
                    let words: String = at_work.map(|it| format!("; {}", words(it))).collect();
                    tell!("{head}{words}");
                }
            }
            if let Some(bars) = bars {
                bars.clear();
            }
            let long = if is_live { LONG } else { PLAIN };
            if start.elapsed() >= long {
                summary(&what, start.elapsed(), &ctx);
            }
        };
        // Without a thread to spare nobody is told, and the work goes on.
        let thread = std::thread::Builder::new().name("progress".into());
        Watch { done: Some(done), thread: thread.stack_size(STACK).spawn(run).ok() }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // A watcher that failed is no reason to lose the result.
            let _ = thread.join();
        }
    }
}

/// Lines of a terminal that are written again and again.
struct Bars {
    all: MultiProgress,
    head: ProgressBar,
    each: Vec<ProgressBar>,
}

impl Bars {
    fn new() -> Bars {
        let all = MultiProgress::new();
        let head = all.add(bar("{spinner} {wide_msg}"));
        head.enable_steady_tick(LIVE);
        Bars { all, head, each: Vec::new() }
    }

    fn show(&mut self, head: String, engines: &[Seen]) {
        self.head.set_message(head);
        while self.each.len() < engines.len() {
            self.each.push(self.all.add(bar("    {wide_msg}")));
        }
        for (bar, engine) in self.each.iter().zip(engines) {
            bar.set_message(words(engine));
        }
    }

    fn clear(&self) {
        self.each.iter().chain([&self.head]).for_each(ProgressBar::finish_and_clear);
    }
}

fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What is true of the whole run: time, memory, what is left; and numbers that no engine of a race has.
fn head(what: &str, elapsed: Duration, ctx: &RunCtx) -> String {
    let mut line = format!("{what}: {} s", elapsed.as_secs());
    counted(&mut line, &ctx.progress.numbers());
    if let Some(bytes) = memory::resident_bytes() {
        line += &format!(", {} MB", bytes / 1_000_000);
        if let Some(limit) = ctx.budget.memory_limit() {
            line += &format!(" of {}", limit / 1_000_000);
        }
    }
    if let Some(left) = ctx.budget.time_left() {
        line += &format!(", {} s left", left.as_secs());
    }
    line
}

/// What one engine is doing, or what it has said.
fn words(it: &Seen) -> String {
    let mut line = format!("{} ", it.name);
    line += match &it.said {
        Some(said) => said,
        None if it.doing.is_empty() => "at work",
        None => it.doing,
    };
    counted(&mut line, &it.numbers);
    line + &format!(", {:.1} s", it.worked.as_secs_f64())
}

fn counted(line: &mut String, numbers: &[(&str, u64)]) {
    for (name, n) in numbers {
        write!(line, ", {name} {n}").expect("writing to a string");
    }
}

fn summary(what: &str, elapsed: Duration, ctx: &RunCtx) {
    let peak = memory::peak_bytes().map(|it| format!(", at most {} MB", it / 1_000_000));
    let engines = ctx.progress.rivals();
    let lines: String = engines.iter().map(|it| format!("\n    {}", words(it))).collect();
    tell!("{what}: {:.1} s{}{lines}", elapsed.as_secs_f64(), peak.unwrap_or_default());
}

//! What a person who waits sees: a live line on a terminal, a plain line every ten seconds
//! elsewhere. Always on standard error.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hardbop_base::memory;
use hardbop_engine::RunCtx;
use indicatif::{ProgressBar, ProgressStyle};

use crate::voice::tell;

const LIVE: Duration = Duration::from_millis(200);
const PLAIN: Duration = Duration::from_secs(10);
const STACK: usize = 256 << 10;

/// Tells how a run goes until it is dropped.
pub struct Watch {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub fn start(what: String, ctx: Arc<RunCtx>) -> Self {
        let (done, ended) = channel();
        let live = std::io::stderr().is_terminal();
        let run = move || {
            let start = Instant::now();
            let mut bar = None;
            let every = if live { LIVE } else { PLAIN };
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let line = line(&what, start.elapsed(), &ctx);
                if live {
                    bar.get_or_insert_with(spinner).set_message(line);
                } else {
                    tell!("{line}");
                }
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
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

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(LIVE);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn line(what: &str, elapsed: Duration, ctx: &RunCtx) -> String {
    let (found, waiting, round) = ctx.progress.read();
    let mut line = format!("{what}: {} s, {found} states", elapsed.as_secs());
    if waiting > 0 {
        line += &format!(", {waiting} waiting");
    }
    if round > 0 {
        line += &format!(", round {round}");
    }
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

//! How a batch goes: on a terminal a table of what runs, elsewhere a plain line every ten seconds.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hardbop_batch::pool::Watch;
use hardbop_batch::row::{Answer, Row};
use hardbop_batch::task::Task;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::voice::tell;

const TICK: Duration = Duration::from_millis(250);
const PLAIN: Duration = Duration::from_secs(10);

/// What is shown.
pub struct Live {
    /// On a terminal: a line for all, and one for each worker.
    bars: Option<(ProgressBar, Vec<ProgressBar>)>,
    counts: Mutex<Counts>,
    n_tasks: usize,
    start: Instant,
}

struct Counts {
    n_done: usize,
    by_answer: [usize; Answer::ALL.len()],
    /// When the last plain line was told.
    told: Instant,
}

impl Live {
    pub fn start(n_tasks: usize, jobs: usize) -> Live {
        let start = Instant::now();
        let counts = Counts { n_done: 0, by_answer: [0; Answer::ALL.len()], told: start };
        let is_shown = std::io::stderr().is_terminal() && n_tasks > 0;
        let bars = is_shown.then(|| bars(n_tasks, jobs.min(n_tasks)));
        Live { bars, counts: Mutex::new(counts), n_tasks, start }
    }

    /// Leaves the terminal as it was.
    pub fn finish(&self) {
        if let Some((all, each)) = &self.bars {
            each.iter().chain([all]).for_each(ProgressBar::finish_and_clear);
        }
    }
}

fn bars(n_tasks: usize, jobs: usize) -> (ProgressBar, Vec<ProgressBar>) {
    let styled = |bar: ProgressBar, template: &str| match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    let table = MultiProgress::new();
    let all = ProgressBar::new(n_tasks as u64);
    let all = table.add(styled(all, "{pos}/{len} {bar:30} {elapsed} gone, {eta} left  {wide_msg}"));
    all.enable_steady_tick(TICK);
    let worker = |_| {
        let bar =
            table.add(styled(ProgressBar::new_spinner(), "  {spinner} {elapsed:>4} {wide_msg}"));
        bar.enable_steady_tick(TICK);
        bar
    };
    let each = (0..jobs).map(worker).collect();
    (all, each)
}

impl Watch for Live {
    fn started(&self, worker: usize, task: &Task) {
        if let Some(bar) = self.bars.as_ref().and_then(|it| it.1.get(worker)) {
            bar.reset_elapsed();
            bar.set_message(task.name.clone());
        }
    }

    fn ended(&self, worker: usize, _: &Task, row: Option<&Row>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.n_done += 1;
        if let Some(at) = row.and_then(|row| Answer::ALL.iter().position(|it| *it == row.answer)) {
            counts.by_answer[at] += 1;
        }
        let of = |(n, answer): (&usize, Answer)| (*n > 0).then(|| format!("{n} {answer}"));
        let words: Vec<String> = counts.by_answer.iter().zip(Answer::ALL).filter_map(of).collect();
        let words = words.join(", ");
        if let Some((all, each)) = &self.bars {
            all.inc(1);
            all.set_message(words);
            if let Some(bar) = each.get(worker) {
                bar.set_message("");
            }
        } else if counts.told.elapsed() >= PLAIN {
            counts.told = Instant::now();
            let left = self.start.elapsed().as_secs_f64() / counts.n_done as f64
                * self.n_tasks.saturating_sub(counts.n_done) as f64;
            tell!("{} of {} tasks: {words}; about {left:.0} s left", counts.n_done, self.n_tasks);
        }
    }
}

//! Engines side by side, each in a thread of its own: the first that decides ends the others.
//!
//! **Computes** the claim of the first engine that says safe or unsafe; if none does, the claim of
//! the first engine of the list, so that the answer does not depend on who gave up when. Which of
//! two right engines is first does depend on timing, and with it which trace or proof is shown.
//!
//! **Limits.** Engines ask the budget themselves, but one operation of a diagram library or of a
//! solver cannot be interrupted. An engine that does not come back within [`GRACE`] of the limit,
//! or of being cancelled, is left behind: its thread ends with the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hardbop_base::{CancelToken, Exhausted};
use hardbop_cfg::Program;
use hardbop_engine::{Answer, Claim, Engine, Reason, RunCtx};

use crate::run::Request;

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;

/// How long after its end a run may take to say so.
const GRACE: Duration = Duration::from_millis(500);

/// How often the limits are looked at while nothing is said.
const EVERY: Duration = Duration::from_millis(20);

/// Runs the engines, all of which accept the request, on the program.
pub fn contest(
    program: &Arc<Program>,
    request: &Request,
    engines: &[&'static dyn Engine],
    ctx: &RunCtx,
) -> (&'static str, Claim) {
    let stop = CancelToken::default();
    let (say, hear) = channel();
    for (index, &engine) in engines.iter().enumerate() {
        let entrant = Entrant {
            engine,
            program: Arc::clone(program),
            request: request.clone(),
            ctx: ctx.beside(index, stop.clone()),
        };
        entrant.start(index, say.clone());
    }
    drop(say);
    let (index, claim) = wait(engines.len(), ctx, &stop, |patience| hear.recv_timeout(patience));
    stop.cancel();
    (engines[index].name(), claim)
}

/// One engine and all it needs, which outlives the contest if the engine does not stop.
struct Entrant {
    engine: &'static dyn Engine,
    program: Arc<Program>,
    request: Request,
    ctx: RunCtx,
}

type Said = (usize, Claim);

impl Entrant {
    fn start(self, index: usize, say: Sender<Said>) {
        let thread = std::thread::Builder::new().name(self.engine.name().into()).stack_size(STACK);
        let refused = say.clone();
        let run = move || {
            // Nobody listens any more once another engine was first.
            let _ = say.send((index, self.run()));
        };
        if let Err(error) = thread.spawn(run) {
            let why = Reason::Internal(format!("cannot start a thread: {error}"));
            let _ = refused.send((index, Claim::new(Answer::Unknown(why))));
        }
    }

    /// Soundness: a panic leaves no claim behind, so the verdict can only become unknown.
    fn run(&self) -> Claim {
        let task = self.request.task(&self.program);
        let check = || self.engine.check(&task, &self.ctx);
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let why = format!("engine {} failed: {}", self.engine.name(), text.unwrap_or_default());
            Claim::new(Answer::Unknown(Reason::Internal(why)))
        })
    }
}

/// The first decisive claim, else the first engine's, else what ended the run.
fn wait(
    entrants: usize,
    ctx: &RunCtx,
    stop: &CancelToken,
    hear: impl Fn(Duration) -> Result<Said, RecvTimeoutError>,
) -> Said {
    let mut undecided: Vec<Said> = Vec::new();
    let mut over: Option<(Instant, Exhausted)> = None;
    while undecided.len() < entrants {
        match hear(EVERY) {
            Ok((index, claim)) => match claim.answer {
                Answer::Unknown(_) => undecided.push((index, claim)),
                Answer::Safe | Answer::Unsafe { .. } => return (index, claim),
            },
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        match (ctx.budget.check(), over) {
            (Ok(()), _) => over = None,
            (Err(limit), None) => {
                // Ctrl-C reaches the engines through here only; other limits they see themselves.
                if limit == Exhausted::Cancelled {
                    stop.cancel();
                }
                over = Some((Instant::now(), limit));
            }
            (Err(_), Some((since, limit))) if since.elapsed() > GRACE => {
                let left_behind = Claim::new(Answer::Unknown(Reason::Exhausted(limit)));
                undecided.push((0, left_behind));
                break;
            }
            (Err(_), Some(_)) => {}
        }
    }
    undecided.sort_by_key(|&(index, _)| index);
    let none = || (0, Claim::new(Answer::Unknown(Reason::Internal("no engine answered".into()))));
    undecided.into_iter().next().unwrap_or_else(none)
}

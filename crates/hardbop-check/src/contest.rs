//! Engines side by side, each in a thread of its own: the first that decides ends the others.
//!
//! **Computes** the claim of the first engine that says safe or unsafe; if none does, the claim of
//! the first engine of the list, so that the answer does not depend on who gave up when. Which of
//! two right engines is first does depend on timing, and with it which trace or proof is shown.
//! A claim waits for a better one: a safe one without a proof for a proof, half as long again and
//! [`PROOF`]; any for that of the first engine, whose evidence is preferred, [`FIRST`].
//!
//! **Limits.** Engines ask the budget themselves, but one operation of a diagram library or of a
//! solver cannot be interrupted. An engine that does not come back within [`GRACE`] of the limit,
//! or of being cancelled, is left behind: its thread ends with the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hardbop_base::{Bits, CancelToken, Exhausted};
use hardbop_cfg::Program;
use hardbop_engine::{Answer, Claim, Engine, Reason, RunCtx};

use crate::run::Request;

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;

/// How long after its end a run may take to say so.
const GRACE: Duration = Duration::from_millis(500);

/// How long a claim without a proof waits for one at least.
const PROOF: Duration = Duration::from_secs(1);

/// How long any claim waits for the first engine's: on small programs it comes in time, so that
/// people see the same trace and the same proof every time.
const FIRST: Duration = Duration::from_millis(20);

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
    let referee = Referee {
        engines,
        ctx,
        start: Instant::now(),
        wants_proof: !request.no_certificate,
        wants_evidence: !(request.no_trace && request.no_certificate),
        provisional: None,
        heard: Bits::new(),
        undecided: Vec::new(),
        over: None,
    };
    let (index, claim) = referee.winner(&stop, &hear);
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

/// What was said so far, and what is still waited for.
struct Referee<'a> {
    engines: &'a [&'static dyn Engine],
    ctx: &'a RunCtx,
    start: Instant,
    /// Whether a safe claim should come with a certificate.
    wants_proof: bool,
    wants_evidence: bool,
    /// A claim for which there may be a better one, and when it is taken all the same.
    provisional: Option<(Said, Instant)>,
    heard: Bits,
    undecided: Vec<Said>,
    /// The limit that was reached, and when.
    over: Option<(Instant, Exhausted)>,
}

impl Referee<'_> {
    fn winner(mut self, stop: &CancelToken, hear: &Receiver<Said>) -> Said {
        loop {
            match hear.recv_timeout(EVERY) {
                Ok(said) => {
                    if let Some(decisive) = self.note(said) {
                        return decisive;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return self.best(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let patient = |(_, until): &(Said, Instant)| Instant::now() < *until;
            if self.heard.len() == self.engines.len()
                || !self.provisional.as_ref().is_none_or(patient)
            {
                return self.best();
            }
            if self.is_over(stop) {
                return self.best();
            }
        }
    }

    /// Gives the claim back if it ends the contest.
    fn note(&mut self, said: Said) -> Option<Said> {
        let (index, claim) = &said;
        self.heard.insert(*index);
        let is_unproved = |claim: &Claim| {
            matches!(claim.answer, Answer::Safe) && self.wants_proof && claim.certificate.is_none()
        };
        let wait = match claim.answer {
            Answer::Unknown(_) => {
                self.undecided.push(said);
                return None;
            }
            // So that a proof does not cost twice the time.
            _ if is_unproved(claim) => self.start.elapsed() / 2 + PROOF,
            _ if self.wants_evidence && !self.heard.contains(0) => FIRST,
            Answer::Safe | Answer::Unsafe { .. } => return Some(said),
        };
        let is_better = match &self.provisional {
            None => true,
            Some(((_, known), _)) => is_unproved(known) && !is_unproved(claim),
        };
        if is_better {
            self.provisional = Some((said, Instant::now() + wait));
        }
        None
    }

    /// Whether a limit was reached longer ago than engines need to stop.
    fn is_over(&mut self, stop: &CancelToken) -> bool {
        match (self.ctx.budget.check(), self.over) {
            (Ok(()), _) => self.over = None,
            (Err(limit), None) => {
                // Ctrl-C reaches the engines through here only; other limits they see themselves.
                if limit == Exhausted::Cancelled {
                    stop.cancel();
                }
                self.over = Some((Instant::now(), limit));
            }
            (Err(_), Some((since, limit))) if since.elapsed() > GRACE => {
                let left_behind = Claim::new(Answer::Unknown(Reason::Exhausted(limit)));
                self.undecided.push((0, left_behind));
                return true;
            }
            (Err(_), Some(_)) => {}
        }
        false
    }

    fn best(self) -> Said {
        let none = || Claim::new(Answer::Unknown(Reason::Internal("no engine answered".into())));
        let provisional = self.provisional.map(|(said, _)| said);
        let first = self.undecided.into_iter().min_by_key(|&(index, _)| index);
        provisional.or(first).unwrap_or_else(|| (0, none()))
    }
}

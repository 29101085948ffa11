//! From a run up to the order of threads to a trace in which each thread has its number.
//!
//! The search forgets which thread is which. Its run is executed once more, with numbers: of the
//! steps possible at each point, one is taken that leads to the next configuration of the run up
//! to the order of threads. There always is one, because permuting threads changes no step.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_engine::GoalSite;
use hardbop_evidence::{Event, FrameUpdate, Initial, Step, ThreadIx, Trace};

use crate::search::{Found, Search};
use crate::semantics::{Bound, Config, Semantics, Successor};

/// The trace of the search's run to `found`.
pub fn identified_trace(
    semantics: &Semantics<'_>,
    search: &Search<'_>,
    found: &Found,
    meter: &mut Meter<'_>,
) -> Result<Trace, Exhausted> {
    let run = search.run_to(found);
    let (first, _) = run[0];
    let initial = Initial {
        shared: first.shared.clone(),
        locals: first.threads.iter().map(|thread| thread.top().locals.clone()).collect(),
    };
    let mut runner = Runner {
        semantics,
        bound: search.bound,
        config: first.clone(),
        numbers: (0..first.threads.len() as u32).map(ThreadIx::from_u32).collect(),
        n_created: first.threads.len() as u32,
        steps: Vec::new(),
    };
    for pair in run.windows(2) {
        let ((_, before), (config, after)) = (pair[0], pair[1]);
        runner.advance(meter, |step| {
            !matches!(step.event, Event::Violate(_))
                && step.weight() == after - before
                && step.next.clone().canonical() == *config
        })?;
    }
    if let GoalSite::Assert(edge) = found.site {
        runner.advance(meter, |step| step.event == Event::Violate(edge))?;
    }
    Ok(Trace::flat(initial, runner.steps))
}

/// A configuration whose threads have numbers.
struct Runner<'a> {
    semantics: &'a Semantics<'a>,
    bound: Bound,
    config: Config,
    /// Of the threads of `config`, in their order.
    numbers: Vec<ThreadIx>,
    n_created: u32,
    steps: Vec<Step>,
}

impl Runner<'_> {
    /// Takes the first step that is wanted.
    fn advance(
        &mut self,
        meter: &mut Meter<'_>,
        wanted: impl Fn(&Successor) -> bool,
    ) -> Result<(), Exhausted> {
        for thread in 0..self.config.threads.len() {
            let steps = self.semantics.successors(&self.config, thread, self.bound, meter)?;
            if let Some(step) = steps.successors.into_iter().find(&wanted) {
                self.record(thread, step);
                return Ok(());
            }
        }
        unreachable!("the run of the search is a run of the program")
    }

    fn record(&mut self, thread: usize, step: Successor) {
        let number = self.numbers[thread];
        let before = std::mem::replace(&mut self.config, step.next);
        let old: Vec<_> = self.numbers.iter().zip(&before.threads).map(|(n, t)| (*n, t)).collect();
        let mut others = Vec::new();
        let after = if step.ended {
            self.config.shared.clone()
        } else {
            for (at, &(other, before)) in old.iter().enumerate().filter(|&(at, _)| at != thread) {
                let frames = before.stack.iter().zip(&self.config.threads[at].stack).enumerate();
                for (frame, (_, now)) in frames.filter(|(_, (was, now))| was != now) {
                    let locals = now.locals.clone();
                    others.push(FrameUpdate { thread: other, frame, locals });
                }
            }
            self.config.scope(thread)
        };
        if step.ended {
            self.numbers.remove(thread);
        }
        if step.started {
            let new = ThreadIx::from_u32(self.n_created);
            let started = self.config.threads.last().expect("the started thread is the last");
            others.push(FrameUpdate {
                thread: new,
                frame: 0,
                locals: started.top().locals.clone(),
            });
            self.numbers.push(new);
            self.n_created += 1;
        }
        self.steps.push(Step { thread: number, event: step.event, after, others });
    }
}

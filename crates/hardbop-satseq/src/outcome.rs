//! What a run has found, and the claim that follows.

use hardbop_base::Exhausted;
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_engine::{Answer, Claim, GoalSite, Reason, Task, goals};
use hardbop_evidence::{Initial, Trace};
use rustc_hash::FxHashSet;

use crate::concretize::{Env, Walk};
use crate::sim::Sim;

#[derive(Default, Debug)]
pub struct Outcome {
    pub reached: FxHashSet<GoalSite>,
    /// The first goal that was found, with its run.
    pub found: Option<(GoalSite, Trace)>,
}

impl Outcome {
    /// Notes a walk through the whole program to a place of a group, `main` being entered with the
    /// values of `env`.
    pub fn note(&mut self, sim: &Sim<'_>, env: &Env, walk: Walk<'_>, group: usize) {
        let ending = walk.ending.as_ref().expect("a walk to a goal has an end");
        let site = match (sim.facts.only_site(group), ending.fails) {
            (Some(site), _) => site.clone(),
            (None, Some(edge)) => GoalSite::Assert(EdgeRef { proc: ending.at.proc, edge }),
            (None, None) => match &sim.facts.goal {
                Goal::Label(name) => GoalSite::Label(ending.at, name.clone()),
                Goal::Assert => unreachable!("an assertion was asked for"),
            },
        };
        self.reached.insert(site.clone());
        if self.found.is_none() && site.is_of(&sim.facts.goal) {
            let program = sim.facts.program;
            let entry = sim.known_entry(program.main).expect("every run begins in main");
            let scope = env.scope(sim, entry);
            let initial = Initial {
                shared: scope.below(program.n_shared()),
                locals: vec![scope.from(program.n_shared())],
            };
            self.found = Some((site, Trace { initial, steps: walk.steps }));
        }
    }

    /// The claim of a run that ended like this.
    pub fn claim(self, task: &Task<'_>, result: Result<(), Exhausted>) -> Claim {
        let mut claim = Claim::new(Answer::Safe);
        match (self.found, result) {
            // A goal found before the budget ran out is found all the same.
            (Some((site, trace)), _) => {
                claim.stats.set("trace_statements", trace.n_statements() as u64);
                let trace = task.want_trace.then_some(trace);
                claim.answer = Answer::Unsafe { site, trace };
            }
            (None, Err(limit)) => claim.answer = Answer::Unknown(Reason::Exhausted(limit)),
            (None, Ok(())) => {}
        }
        if result.is_ok() && task.exhaustive {
            claim.goals = goals::statuses(task.program, |site| self.reached.contains(site));
        }
        claim
    }
}

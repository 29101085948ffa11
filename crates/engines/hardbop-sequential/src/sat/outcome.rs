//! What a run has found, and the claim that follows.

use hardbop_base::Exhausted;
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_engine::{Claim, GoalSite, Reached, Reason, Task, Verdict, goals};
use hardbop_evidence::{Initial, Trace};
use rustc_hash::FxHashSet;

use crate::sat::concretize::{Ending, Env, Walk};
use crate::sat::sim::Sim;

#[derive(Debug)]
pub struct Outcome {
    pub reached: FxHashSet<GoalSite>,
    /// The first goal that was found, with its run if one is wanted.
    found: Option<(GoalSite, Option<Result<Trace, Exhausted>>)>,
    want_trace: bool,
}

impl Outcome {
    pub fn new(task: &Task<'_>) -> Self {
        Outcome { reached: FxHashSet::default(), found: None, want_trace: task.want_trace }
    }

    /// Notes that a place of a group is reached, where a way ends. `walk` is the walk there through the whole
    /// program, `main` being entered with the values that come with it.
    pub fn note<'b>(
        &mut self,
        sim: &Sim<'_>,
        group: usize,
        ending: &Ending,
        walk: impl FnOnce() -> Result<(Env, Walk<'b>), Exhausted>,
    ) {
        let mut site = site(sim, group, ending);
        if self.found.is_none() && site.is_of(&sim.facts.goal) {
            let walk = self.want_trace.then(walk);
            if let Some(Ok((_, Walk { ending: Some(ending), .. }))) = &walk {
                site = self::site(sim, group, ending);
            }
            let trace = walk.map(|walk| walk.map(|(main, walk)| walk.trace(initial(sim, &main))));
            self.found = Some((site.clone(), trace));
        }
        self.reached.insert(site);
    }

    /// The claim of a run that ended like this.
    pub fn claim(self, task: &Task<'_>, result: Result<(), Exhausted>) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        match (self.found, result) {
            // A goal found before the budget ran out is found all the same.
            (Some((site, None)), _) => {
                claim.answer = Verdict::Unsafe(Reached { site, trace: None })
            }
            (Some((site, Some(trace))), _) => {
                claim.reaches(site, trace.map_err(Reason::Exhausted));
            }
            (None, Err(limit)) => claim.answer = Verdict::Unknown(Reason::Exhausted(limit)),
            (None, Ok(())) => {}
        }
        if result.is_ok() && task.exhaustive {
            claim.goals = goals::statuses(task.program, |site| self.reached.contains(site));
        }
        claim
    }
}

fn site(sim: &Sim<'_>, group: usize, ending: &Ending) -> GoalSite {
    match (sim.facts.only_site(group), ending.fails) {
        (Some(site), _) => site.clone(),
        (None, Some(edge)) => GoalSite::Assert(EdgeRef { proc: ending.at.proc, edge }),
        (None, None) => match &sim.facts.goal {
            Goal::Label(name) => GoalSite::Label(ending.at, name.clone()),
            Goal::Assert => unreachable!("an assertion was asked for"),
        },
    }
}

fn initial(sim: &Sim<'_>, main: &Env) -> Initial {
    let program = sim.facts.program;
    let entry = sim.known_entry(program.main).expect("every run begins in main");
    let scope = main.scope(sim, entry);
    let (shared, locals) = (scope.below(program.n_shared()), scope.from(program.n_shared()));
    Initial { shared, locals: vec![locals] }
}

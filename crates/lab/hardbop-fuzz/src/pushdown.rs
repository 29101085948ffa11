//! The campaign against `contexts-explicit` on pushdown systems: random rules, compared with a search over whole stacks.

use std::time::Duration;

use hardbop_base::rng::Rng;
use hardbop_base::{Budget, SourceFile};
use hardbop_engine::{Reason, RunCtx, Task, Verdict};
use hardbop_gen::pushdown;
use hardbop_interp::replay;
use hardbop_pds::{lower, parse, parse_state, reaches};

use crate::campaign::{Failure, FailureKind, Outcome};
use crate::engines::EngineRef;

/// What a campaign compares.
pub struct Setup {
    pub engine: EngineRef,
    /// For each run of the engine.
    pub limit: Duration,
    /// Configurations of the search.
    pub most: usize,
    /// Context switches at most.
    pub contexts: u32,
}

pub fn check(setup: &Setup, seed: u64) -> Outcome {
    let texts = pushdown::random(&mut Rng::new(seed));
    let fail = |kind, what: String| {
        let detail = format!("{what}: {} to {}\n\n{}", texts.init, texts.target, texts.rules);
        Err(Failure::new(kind, detail))
    };
    let rejected = FailureKind::Rejected("");
    let Ok(system) = parse(&SourceFile::new("random.pds", texts.rules.clone())) else {
        return fail(rejected, "the rules are rejected".into());
    };
    let states = [&texts.init, &texts.target].map(|it| parse_state(it, &system));
    let [Ok(init), Ok(target)] = states else {
        return fail(rejected, "a state is rejected".into());
    };
    let program = lower(&system, &init, Some(&target));
    let task = Task { contexts: Some(setup.contexts), ..Task::new(&program) };
    let ctx = RunCtx::new(Budget::unlimited().with_time(setup.limit));
    let claim = setup.engine.0.check(&task, &ctx);
    let said = match &claim.answer {
        Verdict::Safe => Some(false),
        Verdict::Unsafe(reached) => {
            if let Some(trace) = &reached.trace
                && let Err(error) =
                    replay(&program, &task.goal, task.threads, task.initial_threads, trace)
            {
                return fail(FailureKind::Trace, format!("the trace does not replay: {error}"));
            }
            Some(true)
        }
        Verdict::Unknown(Reason::Exhausted(_) | Reason::Bounded(_)) => None,
        Verdict::Unknown(reason) => return fail(FailureKind::Disagree, format!("{reason:?}")),
    };
    let expected = reaches(&system, &init, &target, setup.most);
    match (said, expected) {
        (Some(said), Some(expected)) if said != expected => {
            fail(FailureKind::Disagree, format!("reached: {said}, should be {expected}"))
        }
        _ => {
            let word = |it: Option<bool>, unknown| match it {
                None => unknown,
                Some(true) => "reached",
                Some(false) => "not reached",
            };
            let (said, expected) = (word(said, "gave up"), word(expected, "does not end"));
            Ok(vec![format!("{}: {said}, the search: {expected}", setup.engine.0.name())])
        }
    }
}

//! The campaign against the engines.
//!
//! For each program: the answers of all engines agree with the reference, every trace replays, and
//! an exhaustive run reports the same asserts and labels as the reference and a violation exactly if
//! the short run found one. An engine that refuses a program or runs out of time is counted, not
//! blamed.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_bp::ast;
use hardbop_cfg::Program;
use hardbop_engine::{Answer, Claim, Engine, GoalSite, GoalStatus, Reason, RunCtx, Task, Threads};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;

use crate::campaign::{Failure, FailureKind, Outcome};
use crate::caught::catch;
use crate::small::shrunk_text;

/// An engine of the table.
#[derive(Clone, Copy)]
pub struct EngineRef(pub &'static dyn Engine);

/// What a campaign compares.
pub struct Setup {
    pub engines: Vec<EngineRef>,
    pub against: EngineRef,
    pub threads: u32,
    /// For each run of an engine.
    pub limit: Duration,
}

/// What an engine said about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Safe,
    Unsafe,
    GaveUp,
    Refused,
}

pub fn named(name: &str) -> Result<EngineRef, String> {
    hardbop_check::engine_named(name)
        .map(EngineRef)
        .ok_or_else(|| format!("there is no engine `{name}`; `hardbop engines` lists them"))
}

pub fn check(setup: &Setup, profile: &Profile, seed: u64) -> Outcome {
    compare(setup, &random::program(seed, profile))
}

pub fn shrunk(setup: &Setup, profile: &Profile, seed: u64, kind: FailureKind) -> String {
    let program = random::program(seed, profile);
    shrunk_text(&program, kind, &|candidate| compare(setup, candidate).map(|_| ()))
}

fn compare(setup: &Setup, program: &ast::Program) -> Outcome {
    let file = SourceFile::new("random.bp", hardbop_bp::print(program));
    let fail = |kind, what: &str| Err(Failure::new(kind, format!("{what}\n\n{}", file.text)));
    let (Some(lowered), _) = hardbop_bp::load(&file) else {
        return fail(FailureKind::Rejected, "the program is rejected");
    };
    let reference = match judge(setup, setup.against, &lowered) {
        Ok(judgement) => judgement,
        Err(failure) => return fail(failure.kind, &failure.detail),
    };
    let mut words = vec![format!("{}: {:?}", setup.against.0.name(), reference.said)];
    for &engine in &setup.engines {
        if engine.0.name() == setup.against.0.name() {
            continue;
        }
        let judgement = match judge(setup, engine, &lowered) {
            Ok(judgement) => judgement,
            Err(failure) => return fail(failure.kind, &failure.detail),
        };
        if let Err(what) = agree(&reference, &judgement) {
            let (name, against) = (engine.0.name(), setup.against.0.name());
            return fail(FailureKind::Disagree, &format!("{name} against {against}: {what}"));
        }
        words.push(format!("{}: {:?}", engine.0.name(), judgement.said));
    }
    Ok(words)
}

/// An engine's say about a program, checked in itself.
struct Judgement {
    said: Said,
    /// Of the exhaustive run, where it came to its end.
    goals: Option<Vec<GoalStatus>>,
}

fn agree(reference: &Judgement, other: &Judgement) -> Result<(), String> {
    let is_decided = |said| matches!(said, Said::Safe | Said::Unsafe);
    if is_decided(reference.said) && is_decided(other.said) && reference.said != other.said {
        return Err(format!("{:?}, should be {:?}", other.said, reference.said));
    }
    match (&reference.goals, &other.goals) {
        (Some(expected), Some(goals)) if expected != goals => {
            let differs = goals.iter().find(|goal| !expected.contains(goal));
            Err(format!("exhaustive runs differ, such as in {differs:?}"))
        }
        _ => Ok(()),
    }
}

/// Runs an engine twice, shortly and exhaustively.
fn judge(setup: &Setup, engine: EngineRef, program: &Program) -> Result<Judgement, Failure> {
    let mut task = Task::new(program);
    if task.threads == Threads::Unbounded {
        task.threads = Threads::AtMost(setup.threads);
    }
    let said = run(setup, engine, &task)?.0;
    task.exhaustive = true;
    let (said_of_all, claim) = run(setup, engine, &task)?;
    let pair = (said, said_of_all);
    if matches!(pair, (Said::Safe, Said::Unsafe) | (Said::Unsafe, Said::Safe)) {
        let what = format!("{}: {said:?}, but exhaustively {said_of_all:?}", engine.0.name());
        return Err(Failure::new(FailureKind::Disagree, what));
    }
    let goals = claim.map(|claim| claim.goals).filter(|goals| !goals.is_empty());
    if let Some(goals) = &goals {
        let is_violated =
            goals.iter().any(|goal| goal.reachable && matches!(goal.site, GoalSite::Assert(_)));
        if task.goal == hardbop_cfg::Goal::Assert
            && (said == Said::Safe && is_violated || said == Said::Unsafe && !is_violated)
        {
            let what = format!("{}: {said:?}, but its goals tell otherwise", engine.0.name());
            return Err(Failure::new(FailureKind::Disagree, what));
        }
    }
    Ok(Judgement { said, goals })
}

/// One run; a violation is believed only with a trace that replays.
fn run(
    setup: &Setup,
    engine: EngineRef,
    task: &Task<'_>,
) -> Result<(Said, Option<Claim>), Failure> {
    let name = engine.0.name();
    let fail = |kind, what: String| Err(Failure::new(kind, format!("{name}: {what}")));
    let ctx = RunCtx::new(Budget::unlimited().with_time(setup.limit));
    let claim = match catch(|| engine.0.accepts(task).map(|()| engine.0.check(task, &ctx))) {
        Ok(Ok(claim)) => claim,
        Ok(Err(_)) => return Ok((Said::Refused, None)),
        Err(panic) => return fail(FailureKind::Panic, panic),
    };
    let said = match &claim.answer {
        Answer::Safe => Said::Safe,
        Answer::Unknown(Reason::Unsupported(_)) => Said::Refused,
        Answer::Unknown(Reason::Exhausted(_) | Reason::Bounded) => Said::GaveUp,
        Answer::Unknown(reason) => return fail(FailureKind::Disagree, format!("{reason:?}")),
        Answer::Unsafe { trace: None, .. } => {
            return fail(FailureKind::Trace, "unsafe without a trace".to_string());
        }
        Answer::Unsafe { trace: Some(trace), .. } => {
            let replayed =
                replay(task.program, &task.goal, task.threads, task.initial_threads, trace);
            if let Err(error) = replayed {
                return fail(FailureKind::Trace, format!("the trace does not replay: {error}"));
            }
            Said::Unsafe
        }
    };
    Ok((said, Some(claim)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_gen::random::Profile;

    use super::{Setup, check, named};

    #[test]
    fn the_reference_agrees_with_itself() {
        let explicit = named("explicit").expect("explicit is always there");
        let limit = Duration::from_millis(200);
        let setup = Setup { engines: vec![explicit], against: explicit, threads: 2, limit };
        for profile in Profile::all() {
            for seed in 0..50 {
                let outcome = check(&setup, &profile, seed);
                assert!(outcome.is_ok(), "{} {seed}: {outcome:?}", profile.name);
            }
        }
    }

    #[test]
    fn an_unknown_engine_is_told() {
        assert!(named("nonsense").is_err_and(|why| why.contains("nonsense")));
    }
}

//! The campaign against the engines.
//!
//! For each program: the answers of all engines agree with the reference, every trace replays, every
//! certificate is accepted if that is asked, and an exhaustive run reports the same asserts and labels
//! as the reference and a violation exactly if the short run found one. An engine that refuses a
//! program, runs out of time or brings no evidence is counted, not blamed.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_bp::ast;
use hardbop_certify::{Rejected, certify};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, GoalSite, GoalStatus, Order, Reached, Reason, Reduction, RunCtx, Task, Threads,
    Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::replay;

use crate::campaign::{Failure, FailureKind, Outcome};
use crate::caught::catch;
use crate::small::shrunk_text;
use crate::variant::{AnyStacks, with_first_nodes};

/// An engine of the table.
#[derive(Clone, Copy)]
pub struct EngineRef(pub &'static dyn Engine);

/// What a campaign compares.
pub struct Setup {
    pub engines: Vec<EngineRef>,
    pub against: EngineRef,
    pub threads: u32,
    /// Of the engines that are tested; the reference uses none.
    pub por: Reduction,
    /// For each run of an engine.
    pub limit: Duration,
    /// Whether certificates are checked.
    pub certify: bool,
    /// Whether traces must be as short as those of the reference.
    pub shortest: bool,
    /// The variable order to begin with.
    pub order: Option<Order>,
    /// Context switches at most, for engines that bound them.
    pub contexts: Option<u32>,
}

/// What an engine said about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Safe,
    Unsafe,
    GaveUp,
    Refused,
}

impl Said {
    pub fn is_decided(self) -> bool {
        matches!(self, Said::Safe | Said::Unsafe)
    }
}

/// An engine by its name, perhaps followed by the nodes of its first manager, as in `symbolic:40`.
pub fn named(name: &str) -> Result<EngineRef, String> {
    if name == AnyStacks.name() {
        return Ok(EngineRef(&AnyStacks));
    }
    if let Some((name, nodes)) = name.split_once(':') {
        let nodes = nodes.parse().map_err(|_| format!("{nodes} is no number of nodes"))?;
        return with_first_nodes(name, nodes).map(EngineRef);
    }
    hardbop_check::engine_named(name)
        .map(EngineRef)
        .ok_or_else(|| format!("there is no engine `{name}`; `hardbop engines` lists them"))
}

/// The engines that decide programs with any number of threads.
pub fn for_any_number() -> Vec<EngineRef> {
    let names = ["backward", "karp-miller", "karp-miller-explicit", "cutoff"];
    names.into_iter().filter_map(hardbop_check::engine_named).map(EngineRef).collect()
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
    let lowered = match hardbop_bp::load(&file) {
        (Some(lowered), _) => lowered,
        (None, diagnostics) => {
            let code = diagnostics.iter().find(|it| it.is_error()).map_or("", |error| error.code.0);
            return fail(FailureKind::Rejected(code), "the program is rejected");
        }
    };
    let reference = match judge(setup, setup.against, Reduction::None, &lowered) {
        Ok(judgement) => judgement,
        Err(failure) => return fail(failure.kind, &failure.detail),
    };
    let mut words = reference.words(setup.against);
    // Where the reference gives up, the others are still compared with each other.
    let mut decided = reference.said.is_decided().then_some((setup.against, reference.said));
    for &engine in &setup.engines {
        if engine.0.name() == setup.against.0.name() {
            continue;
        }
        let judgement = match judge(setup, engine, setup.por, &lowered) {
            Ok(judgement) => judgement,
            Err(failure) => return fail(failure.kind, &failure.detail),
        };
        if let Err(what) = agree(setup, &reference, &judgement) {
            let (name, against) = (engine.0.name(), setup.against.0.name());
            return fail(FailureKind::Disagree, &format!("{name} against {against}: {what}"));
        }
        if judgement.said.is_decided() {
            let (other, before) = *decided.get_or_insert((engine, judgement.said));
            if before != judgement.said {
                let (name, said, other) = (engine.0.name(), judgement.said, other.0.name());
                let what = format!("{name} {said:?}, {other} {before:?}");
                return fail(FailureKind::Disagree, &what);
            }
        }
        words.extend(judgement.words(engine));
    }
    Ok(words)
}

/// An engine's say about a program, checked in itself.
pub struct Judgement {
    pub said: Said,
    /// What became of the evidence.
    evidence: Option<&'static str>,
    /// Statements of the trace.
    length: Option<u64>,
    /// Of the exhaustive run, where it came to its end.
    goals: Option<Vec<GoalStatus>>,
}

impl Judgement {
    fn refused() -> Self {
        Judgement { said: Said::Refused, evidence: None, length: None, goals: None }
    }

    pub fn words(&self, engine: EngineRef) -> Vec<String> {
        let name = engine.0.name();
        let evidence = self.evidence.map(|what| format!("{name}: {:?}, {what}", self.said));
        std::iter::once(format!("{name}: {:?}", self.said)).chain(evidence).collect()
    }
}

fn agree(setup: &Setup, reference: &Judgement, other: &Judgement) -> Result<(), String> {
    let is_decided = reference.said.is_decided() && other.said.is_decided();
    if is_decided && reference.said != other.said {
        return Err(format!("{:?}, should be {:?}", other.said, reference.said));
    }
    if let (true, Some(shortest), Some(length)) = (setup.shortest, reference.length, other.length)
        && shortest != length
    {
        return Err(format!("a trace of {length} statements, the shortest has {shortest}"));
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
fn judge(
    setup: &Setup,
    engine: EngineRef,
    reduction: Reduction,
    program: &Program,
) -> Result<Judgement, Failure> {
    let mut task = Task::new(program);
    task.want_certificate = setup.certify;
    task.reduction = reduction;
    task.order = setup.order;
    task.contexts = setup.contexts;
    if task.threads == Threads::Unbounded {
        task.threads = Threads::AtMost(setup.threads);
    }
    let short = run(setup.limit, setup.certify, engine, &task)?;
    task.exhaustive = true;
    let all = run(setup.limit, setup.certify, engine, &task)?;
    let fail = |what: String| {
        Err(Failure::new(FailureKind::Disagree, format!("{}: {what}", engine.0.name())))
    };
    if matches!((short.said, all.said), (Said::Safe, Said::Unsafe) | (Said::Unsafe, Said::Safe)) {
        return fail(format!("{:?}, but exhaustively {:?}", short.said, all.said));
    }
    if let Some(goals) = &all.goals
        && task.goal == Goal::Assert
    {
        let is_violated =
            goals.iter().any(|goal| goal.reachable && matches!(goal.site, GoalSite::Assert(_)));
        let should_be = if is_violated { Said::Unsafe } else { Said::Safe };
        if short.said.is_decided() && short.said != should_be {
            return fail(format!("{:?}, but its goals say {should_be:?}", short.said));
        }
    }
    Ok(Judgement { goals: all.goals, ..short })
}

/// One run, with its evidence checked: a trace always, a certificate if that is asked.
pub fn run(
    limit: Duration,
    certify: bool,
    engine: EngineRef,
    task: &Task<'_>,
) -> Result<Judgement, Failure> {
    let name = engine.0.name();
    let fail = |kind, what: String| Err(Failure::new(kind, format!("{name}: {what}")));
    let ctx = RunCtx::new(Budget::unlimited().with_time(limit));
    let claim = match catch(|| engine.0.accepts(task).map(|()| engine.0.check(task, &ctx))) {
        Ok(Ok(claim)) => claim,
        Ok(Err(_)) => return Ok(Judgement::refused()),
        Err(panic) => return fail(FailureKind::Panic, panic),
    };
    let (said, evidence) = match &claim.answer {
        Verdict::Safe if certify => (Said::Safe, Some(certified(limit, name, task, &claim)?)),
        Verdict::Safe => (Said::Safe, None),
        Verdict::Unknown(Reason::Unsupported(_)) => (Said::Refused, None),
        Verdict::Unknown(Reason::Exhausted(_) | Reason::Bounded(_)) => (Said::GaveUp, None),
        Verdict::Unknown(reason) => return fail(FailureKind::Disagree, format!("{reason:?}")),
        Verdict::Unsafe(Reached { trace: None, .. }) => (Said::Unsafe, Some("no trace")),
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            let replayed =
                replay(task.program, &task.goal, task.threads, task.initial_threads, trace);
            if let Err(error) = replayed {
                return fail(FailureKind::Trace, format!("the trace does not replay: {error}"));
            }
            (Said::Unsafe, Some("replayed"))
        }
    };
    let length = match &claim.answer {
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => Some(trace.n_statements()),
        _ => None,
    };
    Ok(Judgement {
        said,
        evidence,
        length,
        goals: Some(claim.goals).filter(|goals| !goals.is_empty()),
    })
}

/// What the certifier says of a safe claim.
fn certified(
    limit: Duration,
    name: &str,
    task: &Task<'_>,
    claim: &Claim,
) -> Result<&'static str, Failure> {
    let Some(certificate) = &claim.certificate else { return Ok("no certificate") };
    let budget = Budget::unlimited().with_time(limit);
    match catch(|| certify(task.program, certificate, &budget)) {
        Ok(Ok(_)) => Ok("certified"),
        Ok(Err(Rejected::Exhausted(_))) => Ok("certifier gave up"),
        Ok(Err(rejected)) => {
            let what = format!("{name}: the certificate is rejected: {rejected}");
            Err(Failure::new(FailureKind::Certificate, what))
        }
        Err(panic) => Err(Failure::new(FailureKind::Panic, format!("certifier: {panic}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_engine::Reduction;
    use hardbop_gen::random::Profile;

    use super::{Setup, check, named};

    #[test]
    fn the_reference_agrees_with_itself() {
        let explicit = named("explicit").expect("explicit is always there");
        let limit = Duration::from_millis(200);
        let setup = Setup {
            engines: vec![explicit],
            against: explicit,
            threads: 2,
            por: Reduction::None,
            limit,
            certify: true,
            shortest: true,
            order: None,
            contexts: None,
        };
        for profile in Profile::all() {
            // Enumeration of stacks that grow for ever would be waited for.
            let n_seeds = if profile.name == "recursive-threads" { 5 } else { 50 };
            for seed in 0..n_seeds {
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

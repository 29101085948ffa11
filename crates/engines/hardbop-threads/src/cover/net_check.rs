//! The engines on nets read from files.

use hardbop_base::Exhausted;
use hardbop_engine::{Claim, Reason, RunCtx, Verdict};
use hardbop_net::{Net, NetStep, NetTrace, Question};

use crate::cover::backward::Backward;
use crate::cover::bounds::bounds;
use crate::cover::counts::LocalId;
use crate::cover::cutoff::{self, Outcome};
use crate::cover::fewest::{fewest_threads, nearest_run};
use crate::cover::km::{Forward, Until};
use crate::cover::modular::Modular;
use crate::cover::net_certificate;
use crate::cover::nets::{NetSystem, to_marking};
use crate::cover::run::Run;
use crate::cover::system::{Rule, State, System};
use crate::cover::unroll::{run_to, unroll};

/// An engine for nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetEngine {
    KarpMiller,
    Backward,
    Cutoff,
}

impl NetEngine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            NetEngine::KarpMiller => "karp-miller-explicit",
            NetEngine::Backward => "backward",
            NetEngine::Cutoff => "cutoff",
        }
    }
}

/// A target of a net can be covered.
#[derive(Clone, Debug)]
pub struct Covered {
    /// Its number.
    pub target: usize,
    /// How, if that was wanted and found.
    pub trace: Option<NetTrace>,
}

/// Decides a question by one engine.
pub fn check(net: &Net, question: &Question, engine: NetEngine, ctx: &RunCtx) -> Claim<Covered> {
    let system = NetSystem::new(net, question);
    let mut run = NetRun { net, question, system, claim: Claim::new(Verdict::Safe) };
    let answer = match engine {
        NetEngine::KarpMiller => run.forward(ctx),
        NetEngine::Backward => run.backward(ctx),
        NetEngine::Cutoff => run.cutoff(ctx),
    };
    run.claim.answer = answer.unwrap_or_else(|it| Verdict::Unknown(Reason::Exhausted(it)));
    if net.has_tests() && run.claim.answer.is_unsafe() {
        run.claim.answer = tested(net, question, ctx);
    }
    run.claim
}

/// Engines know nothing of tests for few tokens. Soundness: what they cover without them is covered only if a run
/// with them is found.
fn tested(net: &Net, question: &Question, ctx: &RunCtx) -> Verdict<Covered> {
    match shorter(net, question, &ctx.for_evidence()) {
        Some((target, trace)) => Verdict::Unsafe(Covered { target, trace: Some(trace) }),
        None => Verdict::Unknown(Reason::Unsupported(
            "rules test for an exact number of tokens: without the tests a target is covered, and with them no run \
             of few tokens is found"
                .into(),
        )),
    }
}

/// Gives an unsafe claim the run that is to be shown: the one with the fewest threads, if it is found soon.
/// It does not depend on which engine was first. A claim that has no run after this is right all the same.
pub fn show(claim: &mut Claim<Covered>, net: &Net, question: &Question, ctx: &RunCtx) {
    let Verdict::Unsafe(Covered { target, trace }) = &mut claim.answer else { return };
    let spent = ctx.start.elapsed();
    let ctx = ctx.for_evidence();
    if let Some((better, run)) = shorter(net, question, &ctx.for_better_evidence(spent)) {
        (*target, *trace) = (better, Some(run));
    } else if trace.is_none() && !net.has_tests() {
        let mut system = NetSystem::new(net, question);
        let state = system.targets()[*target].clone();
        match run_to(&mut system, &state, &ctx) {
            Ok(run) => *trace = run.map(|run| to_trace(&run)),
            Err(limit) => claim.lacks = Some(Reason::Exhausted(limit)),
        }
    }
    if let Some(trace) = trace {
        claim.lacks = None;
        claim.stats.set("trace_steps", trace.steps.len() as u64);
    }
}

/// A run with the fewest threads, unless it is too hard to find.
fn shorter(net: &Net, question: &Question, ctx: &RunCtx) -> Option<(usize, NetTrace)> {
    let mut system = NetSystem::new(net, question);
    let targets = system.targets();
    let fires = |state: &State, rule: &Rule| {
        let tests = &net.rules[rule.tag as usize].at_most;
        tests.iter().all(|&(place, most)| state.counts.get(LocalId::from_u32(place)) <= most)
    };
    let run = match nearest_run(&mut system, &targets, &fires, ctx).ok()? {
        Some(run) => run,
        None if net.has_tests() => return None,
        None => fewest_threads(&mut system, &targets, ctx).ok()??,
    };
    let last = run.steps.last().map_or(&run.initial, |step| &step.after);
    Some((targets.iter().position(|target| last.covers(target))?, to_trace(&run)))
}

/// One engine at work, and what it leaves behind.
struct NetRun<'a> {
    net: &'a Net,
    question: &'a Question,
    system: NetSystem<'a>,
    claim: Claim<Covered>,
}

impl NetRun<'_> {
    /// The target is covered; a limit that ends the search for the run does not end what is known.
    fn unsafe_by(
        &mut self,
        target: usize,
        run: Result<Option<Run>, Exhausted>,
    ) -> Verdict<Covered> {
        let trace = match run {
            Ok(run) => run.map(|run| to_trace(&run)),
            Err(limit) => {
                self.claim.lacks = Some(Reason::Exhausted(limit));
                None
            }
        };
        Verdict::Unsafe(Covered { target, trace })
    }

    fn forward(&mut self, ctx: &RunCtx) -> Result<Verdict<Covered>, Exhausted> {
        let targets = self.system.targets();
        let mut tree = Forward::new(targets.clone());
        let explored = tree.explore(&mut self.system, Until::FirstTarget, ctx);
        let cover = tree.cover();
        self.claim.stats.set("states", tree.n_nodes() as u64);
        self.claim.stats.set("maximal", cover.len() as u64);
        self.claim.stats.set("accelerations", tree.n_accels() as u64);
        let found = tree.covered.iter().enumerate().find_map(|(at, node)| Some((at, (*node)?)));
        let Some((target, node)) = found else {
            explored?;
            self.claim.certificate = Some(net_certificate::cover(self.question, &cover).into());
            return Ok(Verdict::Safe);
        };
        let ctx = ctx.for_evidence();
        let mut meter = ctx.budget.meter(256);
        let run = unroll(&tree, &mut self.system, node, &targets[target], &mut meter);
        Ok(self.unsafe_by(target, run))
    }

    fn backward(&mut self, ctx: &RunCtx) -> Result<Verdict<Covered>, Exhausted> {
        let mut meter = ctx.budget.meter(256);
        let modular = Modular::new(&mut self.system, &mut meter)?;
        self.claim.stats.set("thread_states", modular.n_pairs() as u64);
        let mut search = Backward::new(&mut self.system, &modular, &mut meter)?;
        search.listen(ctx);
        let (bounds, sums) = bounds(self.net, self.question);
        self.claim.stats.set("bounds", bounds.len() as u64);
        search.bounds = bounds;
        let targets = self.system.targets();
        let found = search.search(&mut self.system, &targets, ctx);
        self.claim.stats.set("states", search.n_elements() as u64);
        let Some(target) = found? else {
            let controls = modular.controls();
            let occurs = controls.iter().map(|&control| (control, modular.locals(control)));
            self.claim.certificate =
                Some(net_certificate::views(self.question, occurs, &search.basis(), sums).into());
            return Ok(Verdict::Safe);
        };
        let run = search.run(&mut self.system, &ctx.for_evidence());
        Ok(self.unsafe_by(target, run))
    }

    fn cutoff(&mut self, ctx: &RunCtx) -> Result<Verdict<Covered>, Exhausted> {
        let several = |rule: &hardbop_net::Rule| rule.take.iter().map(|&(_, n)| n).sum::<u32>() > 1;
        if self.net.rules.iter().any(several) {
            let why = "rules that take several tokens at once have no thread that moves".into();
            return Ok(Verdict::Unknown(Reason::Unsupported(why)));
        }
        Ok(match cutoff::search(&mut self.system, ctx)? {
            Outcome::Covered { target, n_threads } => {
                self.claim.stats.set("threads", n_threads);
                Verdict::Unsafe(Covered { target, trace: None })
            }
            Outcome::Cutoff(proof) => {
                self.claim.stats.set("cutoff", proof.n_threads);
                self.claim.stats.set("states", proof.reached.n_states as u64);
                self.claim.stats.set("queries", proof.n_queries as u64);
                let controls = proof.reached.controls();
                let locals = &proof.reached.locals;
                let occurs = controls.iter().map(|it| (*it, locals[it].as_slice()));
                let never: Vec<_> = proof.never.iter().collect();
                self.claim.certificate =
                    Some(net_certificate::views(self.question, occurs, &never, Vec::new()).into());
                Verdict::Safe
            }
        })
    }
}

fn to_trace(run: &Run) -> NetTrace {
    let step = |step: &crate::cover::run::RunStep| NetStep {
        rule: step.rule.tag as usize,
        moved: step.moved.iter().map(|&(a, b, n)| (a.as_u32(), b.as_u32(), n)).collect(),
    };
    NetTrace { initial: to_marking(&run.initial), steps: run.steps.iter().map(step).collect() }
}

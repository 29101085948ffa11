//! Small random C programs that ask for few small inputs: every engine, through the facade, against the interpreter
//! on all inputs.
//!
//! A check that is called safe must fail in no run, one that is called violated must fail in some. Checks of the
//! same class, line and words are one question: the report does not tell them apart.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_c::CProgram;
use hardbop_check::{CRequest, EngineEntry, Outcome as Told, Request, Subject, Verdict, check};
use hardbop_cir::interp::all_runs::violated;
use hardbop_cir::{CheckId, Class};
use hardbop_engine::RunCtx;

use crate::campaign::{Failure, FailureKind, Outcome};

/// What kind of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Programs {
    /// Numbers, structures, small arrays, a little of everything
    Mixed,
    /// Lists and arrays of pointers
    Lists,
}

pub struct Setup {
    pub programs: Programs,
    pub engines: Vec<EngineEntry>,
    /// For one question to one engine.
    pub limit: Duration,
}

/// What a report says of a check: class, line, words.
type Place = (Class, u32, String);

impl Programs {
    /// The program of a seed, and what is asked of it: classes, and whether of each check by itself.
    fn of(self, seed: u64) -> (String, [(Vec<Class>, bool); 2]) {
        let asserted = (vec![Class::Assert], false);
        match self {
            Programs::Mixed => {
                // What is read before it is written, and what is lost, depend on more than the inputs.
                let is_fit = |it: &Class| !(it.is_of_heap() || *it == Class::Uninit);
                let all = Class::ALL.into_iter().filter(is_fit).collect();
                (hardbop_gen::c::program(seed), [(all, true), asserted])
            }
            Programs::Lists => {
                let memory = Class::select("valid-memsafety").expect("a property there is");
                (hardbop_gen::lists::program(seed), [(memory, false), asserted])
            }
        }
    }
}

impl Setup {
    pub fn check(&self, seed: u64) -> Outcome {
        let (text, questions) = self.programs.of(seed);
        let all = Class::ALL.to_vec();
        let options = hardbop_c::Options { classes: all, ..Default::default() };
        let Ok(loaded) = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options) else {
            return Err(Failure::new(FailureKind::Rejected("c"), text));
        };
        let mut words = Vec::new();
        for (classes, exhaustive) in questions {
            let Some(expected) = violated(&loaded.program, &classes) else {
                words.push("too many runs, or not understood".to_string());
                continue;
            };
            let expected = places(&loaded, &expected);
            for &engine in &self.engines {
                let c = CRequest { classes: classes.clone(), ..CRequest::default() };
                let engine = Some(engine);
                let request = Request { engine, exhaustive, c, ..Request::default() };
                let ctx = RunCtx::new(Budget::unlimited().with_time(self.limit));
                let told = check(Subject::C(&loaded), &request, &ctx);
                judge(&told, &expected)
                    .map_err(|why| {
                        let detail = format!("{}: {why}\n{text}", told.engine);
                        Failure::new(FailureKind::Disagree, detail)
                    })?
                    .into_iter()
                    .for_each(|word| words.push(format!("{}: {word}", told.engine)));
            }
        }
        Ok(words)
    }
}

fn places(loaded: &CProgram, checks: &BTreeSet<CheckId>) -> BTreeSet<Place> {
    let place = |&check: &CheckId| {
        let info = &loaded.program.checks[check];
        (info.class, loaded.sources.position(info.span).line, info.message.to_string())
    };
    checks.iter().map(place).collect()
}

/// One word for each question that was answered.
fn judge(told: &Told, expected: &BTreeSet<Place>) -> Result<Vec<&'static str>, String> {
    if let Verdict::Unknown(why) = &told.verdict
        && why.is_our_mistake()
    {
        return Err(why.to_string());
    }
    let mut by_place: BTreeMap<Place, Vec<&Verdict>> = BTreeMap::new();
    for it in &told.properties {
        by_place.entry((it.class, it.line, it.message.to_string())).or_default().push(&it.verdict);
    }
    let mut words = Vec::new();
    for (place, verdicts) in by_place {
        let fails = expected.contains(&place);
        if verdicts.iter().any(|it| it.is_unsafe()) {
            if !fails {
                return Err(format!("{place:?} is called violated, and fails in no run"));
            }
            words.push("checks violated");
        } else if verdicts.iter().all(|it| it.is_safe()) {
            if fails {
                return Err(format!("{place:?} is called safe, and fails in some run"));
            }
            words.push("checks safe");
        } else {
            words.push("checks open");
        }
    }
    Ok(words)
}

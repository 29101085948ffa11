//! Violations that there are only if a function without a body returns what nothing says it does: null,
//! or an object that is too short.
//!
//! Such a function is not trusted, so its caller is not safe; and it is not blamed, so its caller is not
//! unsafe. Whether a violation is of this kind is asked of the engines: of the same program in which these
//! functions return objects ([`CProgram::trusting`]), whose executions are executions of the program.

use hardbop_c::CProgram;
use hardbop_cegar_threads::Cover;
use hardbop_cir::CheckId;
use hardbop_engine::Reason;
use hardbop_engine_c::Finding;

use super::confirm::{Confirmed, Shown};
use super::engine::CEngine;
use super::rounds::Round;
use super::trace::Run;

/// What an engine found and a run confirmed.
pub(super) struct Decided {
    pub engine: CEngine,
    pub confirmed: Confirmed,
    /// How engine `cegar` came to it.
    pub rounds: Vec<Round>,
    /// Why a program with threads is safe.
    pub cover: Option<Box<Cover>>,
}

/// What was confirmed, without violations of this kind.
pub(super) struct Settled {
    pub decided: Decided,
    /// The program it was confirmed on, if that is the trusting one.
    pub trusting: Option<Box<CProgram>>,
    /// The violations of this kind.
    pub depending: Vec<Depending>,
}

/// A violation that depends on functions without a body.
pub(super) struct Depending {
    pub shown: Shown,
    /// What they returned.
    pub on: Vec<String>,
}

/// Sets apart what depends on results of functions without a body; `ask` has a program checked.
pub(super) fn settle(
    loaded: &CProgram,
    decided: Decided,
    ask: impl Fn(&CProgram) -> Decided,
) -> Settled {
    let (mut engine, mut rounds, cover) = (decided.engine, decided.rounds, decided.cover);
    let (mut confirmed, mut depending) = set_apart(loaded, decided.confirmed);
    let mut used = None;
    if let Some(program) = loaded.trusting.as_ref().filter(|_| !depending.is_empty()) {
        let (program, brief) = (program.clone(), None);
        let trusting = CProgram { program, trusting: None, brief, ..loaded.clone() };
        let asked = ask(&trusting);
        let (also, _) = set_apart(&trusting, asked.confirmed);
        let is_sure = |check: CheckId| also.runs.iter().any(|it| it.check == check);
        let (sure, rest): (Vec<_>, Vec<_>) =
            depending.into_iter().partition(|it| is_sure(it.shown.check));
        depending = rest;
        confirmed.runs.extend(sure.into_iter().map(|it| it.shown));
        if confirmed.runs.is_empty() && !also.runs.is_empty() {
            (engine, confirmed, rounds) = (asked.engine, also, asked.rounds);
            used = Some(Box::new(trusting));
        }
    }
    let Confirmed { claim, runs } = &mut confirmed;
    for it in runs {
        let found = Finding::Unsafe(it.counterexample.clone());
        claim.goals.checks.insert(it.check, found);
    }
    for Depending { shown, on } in &depending {
        let reason = Reason::DependsOn(on.clone());
        claim.goals.checks.insert(shown.check, Finding::Unknown(reason));
    }
    Settled { decided: Decided { engine, confirmed, rounds, cover }, trusting: used, depending }
}

/// The violations without those that come with a null result or an object of unknown length.
fn set_apart(loaded: &CProgram, confirmed: Confirmed) -> (Confirmed, Vec<Depending>) {
    let Confirmed { claim, runs } = confirmed;
    let (mut sure, mut depending) = (Vec::new(), Vec::new());
    for shown in runs {
        let on = results(loaded, &shown);
        match on.is_empty() {
            true => sure.push(shown),
            false => depending.push(Depending { shown, on }),
        }
    }
    (Confirmed { claim, runs: sure }, depending)
}

fn results(loaded: &CProgram, shown: &Shown) -> Vec<String> {
    if let Some(func) = shown.lent_by {
        let name = &loaded.program.funcs[func].name;
        return vec![format!("{name}() returned an object that ends there")];
    }
    match loaded.trusting {
        Some(_) => Run::of(loaded, shown).null_results,
        None => Vec::new(),
    }
}

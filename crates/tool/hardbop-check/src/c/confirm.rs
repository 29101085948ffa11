//! Each violation is shown once more before it counts: by a fresh run of the interpreter, on the whole
//! program, from nothing but the recorded values.

use std::time::Duration;

use hardbop_base::{Budget, Span};
use hardbop_c::CProgram;
use hardbop_cir::interp::{self, Config, Deed, Ending, EndsAt, Race, run};
use hardbop_cir::{CheckId, Class, FuncId};
use hardbop_engine::Reason;
use hardbop_engine_c::{Counterexample, Finding};

use super::engine::Claim;

/// A claim without what could not be confirmed.
pub(super) struct Confirmed {
    pub claim: Claim,
    /// Of each violation.
    pub runs: Vec<Shown>,
}

/// A violation that a run has shown.
pub(super) struct Shown {
    pub check: CheckId,
    pub counterexample: Counterexample,
    pub n_steps: u64,
    /// Where in the user's text.
    pub place: Span,
    /// What happened, where that is more than what the check says.
    pub told: Option<String>,
    /// The function without a body whose object is too short, or not what it should be.
    pub lent_by: Option<FuncId>,
}

/// For a replay when the time is up: a verdict that is known is not to be lost.
const GRACE: Duration = Duration::from_millis(500);

/// Soundness: a violation that is not shown is none, and takes its place as unknown.
pub(super) fn confirm(
    loaded: &CProgram,
    mut claim: Claim,
    classes: &[Class],
    budget: &Budget,
) -> Confirmed {
    let mut runs = Vec::new();
    let left = budget.time_left().map(|left| left.max(GRACE));
    let budget = left.map_or(budget.clone(), |left| budget.clone().with_time(left));
    for (&check, verdict) in &mut claim.goals.checks {
        let Finding::Unsafe(counterexample) = verdict else { continue };
        let class = loaded.program.checks[check].class;
        match replay(loaded, check, counterexample, classes, &budget) {
            Ok(run) => runs.push(Shown {
                check,
                counterexample: counterexample.clone(),
                n_steps: run.n_steps,
                place: place(loaded, check, &run),
                told: run.race.as_ref().filter(|_| class == Class::Race).map(|it| told(loaded, it)),
                lent_by: run.faulty.and_then(|it| loaded.lent.get(&it).copied()),
            }),
            Err(reason) => *verdict = Finding::Unknown(reason),
        }
    }
    Confirmed { claim, runs }
}

/// The run to the violation of this very check, before anything else goes wrong.
fn replay(
    loaded: &CProgram,
    check: CheckId,
    counterexample: &Counterexample,
    classes: &[Class],
    budget: &Budget,
) -> Result<interp::Run, Reason> {
    let config = Config {
        ends_at: EndsAt::Check(check),
        budget: budget.clone(),
        ..counterexample.config(classes.to_vec())
    };
    let run = run(&counterexample.program(&loaded.program), &config);
    match &run.ending {
        Ending::Violation(it) if *it == check => Ok(run),
        Ending::Exhausted(limit) => Err(Reason::Exhausted(*limit)),
        other => Err(Reason::NotConfirmed(format!(
            "running the program on the values found ended otherwise ({other:?})"
        ))),
    }
}

/// A race by its two accesses.
pub fn told(loaded: &CProgram, race: &Race) -> String {
    let deed = |it: &Deed| {
        let places = it.stack.iter().rev().copied();
        let place = places.into_iter().find(|&it| !loaded.sources.is_ours(it));
        let line = loaded.sources.position(place.unwrap_or_default()).line;
        let act = if it.is_write { "writes" } else { "reads" };
        format!("thread {} {act} it in line {line}", it.thread)
    };
    let Race { place, earlier, later } = race;
    format!("nothing orders two accesses to `{place}`: {}, {}", deed(earlier), deed(later))
}

/// Lost memory is where it was allocated; what goes wrong in our library, where the user calls it.
fn place(loaded: &CProgram, check: CheckId, run: &interp::Run) -> Span {
    let is_users = |it: &Span| !loaded.sources.is_ours(*it);
    let lost = run.leaked.and_then(|it| loaded.program.objects[it].span).filter(is_users);
    let stated = loaded.program.checks[check].span;
    let called = || run.stack.iter().rev().map(|it| it.1).find(is_users);
    // What is watched from the start goes wrong where the threads are.
    if matches!(loaded.program.checks[check].class, Class::Deadlock | Class::Race) {
        return called().unwrap_or(stated);
    }
    lost.or_else(|| Some(stated).filter(is_users)).or_else(called).unwrap_or(stated)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use hardbop_base::Budget;
    use hardbop_cir::Class;
    use hardbop_engine::Reason;
    use hardbop_engine_c::{Counterexample, Finding, Report};

    use super::super::engine::claim;
    use super::confirm;

    /// Fails for 7 only.
    const PROGRAM: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }";

    fn confirmed(input: u128) -> (Finding, usize) {
        let classes = vec![Class::Assert];
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let texts = vec![("t.c".into(), PROGRAM.into())];
        let loaded = hardbop_c::load_text(texts, &options).expect("it is C");
        let check = loaded.program.checks.ids().next().expect("there is one check");
        let inputs = vec![input];
        let claimed = Counterexample { inputs, ..Counterexample::default() };
        let checks = BTreeMap::from([(check, Finding::Unsafe(claimed))]);
        let report =
            Report { checks, ..Report::unknown(&loaded.program, &classes, Reason::Stopped) };
        let mut confirmed = confirm(&loaded, claim(report), &classes, &Budget::unlimited());
        let verdict = confirmed.claim.goals.checks.remove(&check);
        (verdict.expect("the check is still there"), confirmed.runs.len())
    }

    #[test]
    fn a_violation_counts_only_if_a_run_shows_it() {
        let (right, n_runs) = confirmed(7);
        assert!(matches!(right, Finding::Unsafe(_)) && n_runs == 1, "{right:?}");
        let (wrong, n_runs) = confirmed(8);
        let is_unknown = matches!(wrong, Finding::Unknown(Reason::NotConfirmed(_)));
        assert!(is_unknown && n_runs == 0, "{wrong:?}");
    }
}

//! The goals of an exhaustive run, one by one.
//!
//! Engines say of an assert whether it can fail, and of a label whether it is reached. So that an assert
//! that holds can be told from one that control never comes to, each gets a label of ours.

use std::sync::Arc;

use hardbop_cfg::{LocRef, Program};
use hardbop_engine::{GoalSite, GoalStatus, Task, Verdict, goals};
use rustc_hash::FxHashSet;

use crate::outcome::Outcome;
use crate::shown::{Shown, ShownGoal};

/// No label of a source has such a name.
const MARK: &str = "(assert)";

/// The program with a label of ours at every assert; places stay the same.
pub fn marked(program: &Program) -> Arc<Program> {
    let mut marked = program.clone();
    for site in goals::sites(program) {
        if let GoalSite::Assert(_) = site {
            let LocRef { proc, loc } = place(program, &site);
            marked.procs[proc].locs[loc].labels.push(MARK.into());
        }
    }
    Arc::new(marked)
}

fn place(program: &Program, site: &GoalSite) -> LocRef {
    match site {
        GoalSite::Assert(edge) => LocRef { proc: edge.proc, loc: program.edge(*edge).from },
        GoalSite::Label(at, _) => *at,
    }
}

/// What was claimed of each goal of the source, and whether the evidence of the outcome confirms it:
/// the replayed trace that its end is reached, the certificate that nothing that was asked about is.
pub fn shown(
    shown: Shown<'_>,
    task: &Task<'_>,
    claimed: &[GoalStatus],
    violated: Option<&GoalSite>,
    outcome: &Outcome,
) -> Vec<ShownGoal> {
    let is_mark = |site: &GoalSite| matches!(site, GoalSite::Label(_, name) if &**name == MARK);
    let reached = claimed.iter().filter(|it| it.reachable && is_mark(&it.site));
    let reached: FxHashSet<LocRef> = reached.map(|it| place(shown.program, &it.site)).collect();
    let show = |status: &GoalStatus| {
        let (proc, place_shown) = shown.site(&status.site);
        let confirmed = outcome.certified
            && match outcome.verdict {
                Verdict::Unsafe(_) => status.reachable && violated == Some(&status.site),
                Verdict::Safe => !status.reachable && status.site.is_of(&task.goal),
                Verdict::Unknown(_) => false,
            };
        ShownGoal {
            place: place_shown,
            proc: shown.program.procs[proc].name.clone(),
            reachable: status.reachable,
            reached: status.reachable || reached.contains(&place(shown.program, &status.site)),
            confirmed,
        }
    };
    claimed.iter().filter(|it| !is_mark(&it.site)).map(show).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hardbop_base::SourceFile;
    use hardbop_engine::RunCtx;

    use crate::{Request, Subject, check};

    /// An assert that fails, one that holds, one behind what never happens.
    const PROGRAM: &str = "decl g := T;
    void main() begin
      if (*) then assert(!g); fi
      assert(g);
      if (!g) then assert(g); L: skip; fi
    end";

    #[test]
    fn holds_is_not_never_reached() {
        let source = SourceFile::new("t.bp", PROGRAM);
        let program = Arc::new(hardbop_bp::load(&source).0.expect("the program is right"));
        for engine in crate::program_engines() {
            let request = Request {
                engine: crate::entry_named(engine.name()),
                exhaustive: true,
                no_certificate: true,
                ..Request::default()
            };
            if engine.accepts(&request.task(&program)).is_err() {
                continue;
            }
            let subject = Subject::Program { program: &program, source: Some(&source) };
            let outcome = check(subject, &request, &RunCtx::default());
            let goals: Vec<_> =
                outcome.goals.iter().map(|it| (it.place.line, it.reachable, it.reached)).collect();
            let name = engine.name();
            assert_eq!(
                goals,
                [
                    (Some(3), true, true),
                    (Some(4), false, true),
                    (Some(5), false, false),
                    (Some(5), false, false)
                ],
                "{name}"
            );
            // The trace confirms what it reaches and nothing else.
            let confirmed: Vec<_> = outcome.goals.iter().map(|it| it.confirmed).collect();
            assert_eq!(confirmed, [true, false, false, false], "{name}");
        }
    }
}

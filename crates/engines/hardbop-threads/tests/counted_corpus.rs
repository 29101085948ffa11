//! The thread programs of the benchmark collection beside the repository: recorded verdicts, and
//! for those without one the same goals whatever interleavings are left out.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{Claim, Engine, Reached, Reason, Reduction, RunCtx, Task, Threads, Verdict};
use hardbop_interp::replay;
use hardbop_threads::counted::CounterExplicit;

/// Where the collection is, if it is; a test that has nothing to test says so.
fn collection() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp");
    if !folder.join("manifest.csv").is_file() {
        eprintln!("SKIPPED: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

/// The programs of a folder that start threads: name, program, goal, recorded verdict.
fn programs(root: &Path, folder: &str) -> Vec<(String, Program, Goal, String)> {
    let manifest = std::fs::read_to_string(root.join("manifest.csv")).expect("it was there");
    let mut programs = Vec::new();
    for row in manifest.lines().filter(|row| row.starts_with(folder)) {
        let columns: Vec<_> = row.split(',').collect();
        let [name, goal, _, expected, ..] = columns[..] else { panic!("a short row: {row}") };
        let text = std::fs::read_to_string(root.join(name)).expect("the manifest lists files");
        let program = hardbop_bp::load(&SourceFile::new(name, text)).0.expect("it is a program");
        let goal = goal.strip_prefix("label:").map_or(Goal::Assert, |it| Goal::Label(it.into()));
        if program.starts_threads() {
            programs.push((name.into(), program, goal, expected.into()));
        }
    }
    programs
}

fn check(task: &Task<'_>, name: &str) -> Claim {
    CounterExplicit.accepts(task).unwrap_or_else(|why| panic!("{name}: {why}"));
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(5)));
    CounterExplicit.check(task, &ctx)
}

#[test]
fn recorded_verdicts_hold_with_every_reduction() {
    let Some(root) = collection() else { return };
    let programs = programs(&root, "satabs/");
    assert!(programs.len() >= 6, "{} thread programs", programs.len());
    for (name, program, goal, expected) in programs {
        for reduction in Reduction::ALL {
            let (goal, threads) = (goal.clone(), Threads::AtMost(4));
            let task = Task { goal, threads, reduction, ..Task::new(&program) };
            let verdict = match check(&task, &name).answer {
                Verdict::Safe => "safe",
                Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                    replay(&program, &task.goal, threads, task.initial_threads, &trace)
                        .unwrap_or_else(|error| panic!("{name}, {reduction}: {error}"));
                    "unsafe"
                }
                other => panic!("{name}, {reduction}: {other:?}"),
            };
            assert_eq!(verdict, expected, "{name}, {reduction}");
        }
    }
}

#[test]
fn reductions_keep_every_goal() {
    let Some(root) = collection() else { return };
    let mut compared = 0;
    for (name, program, goal, _) in programs(&root, "ijit/") {
        let claim = |reduction| {
            let task = Task {
                goal: goal.clone(),
                threads: Threads::AtMost(2),
                reduction,
                exhaustive: true,
                want_trace: false,
                want_certificate: false,
                ..Task::new(&program)
            };
            check(&task, &name)
        };
        let all = claim(Reduction::None);
        if matches!(all.answer, Verdict::Unknown(Reason::Exhausted(_))) {
            continue;
        }
        for reduction in Reduction::ALL {
            let reduced = claim(reduction);
            if !matches!(reduced.answer, Verdict::Unknown(Reason::Exhausted(_))) {
                assert_eq!(reduced.goals, all.goals, "{name}, {reduction}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared} runs came to their end");
}

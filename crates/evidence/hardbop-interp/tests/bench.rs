//! The public programs with known verdicts.

mod common;

use std::path::Path;
use std::time::Duration;

use common::{Said, claim};
use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::Goal;
use hardbop_engine::{RunCtx, Task};

/// Too wide for enumeration, or with threads of which no number is enough.
const UNDECIDED: &[&str] = &[];

#[test]
fn known_verdicts_are_reproduced() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp");
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.csv")) else {
        println!("skipped: the benchmark files are not here");
        return;
    };
    let mut n_checked = 0;
    for row in manifest.lines().skip(1) {
        let [file, goal, _, expected, _] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let expected = match expected {
            "safe" => Said::Safe,
            "unsafe" => Said::Unsafe,
            // "With the semantics of boolean programs, the error is expected to be reachable"
            "see leading comment" => Said::Unsafe,
            _ => continue,
        };
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let (program, diagnostics) = hardbop_bp::load(&SourceFile::new(file, text));
        let program = program.unwrap_or_else(|| panic!("{file}: {diagnostics:?}"));
        let goal = goal.strip_prefix("label:").map_or(Goal::Assert, |it| Goal::Label(it.into()));
        let task = Task { goal, ..Task::new(&program) };
        let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(20)));
        let (verdict, claim) = claim(&task, &ctx);
        println!("{file}: {verdict:?} {:?} {:?}", claim.scope, claim.stats);
        let expected = if UNDECIDED.contains(&file) { Said::Unknown } else { expected };
        assert_eq!(verdict, expected, "{file}");
        n_checked += 1;
    }
    assert_eq!(n_checked, 26);
}

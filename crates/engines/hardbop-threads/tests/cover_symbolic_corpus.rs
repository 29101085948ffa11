//! The collected thread programs: the verdict of the enumerating tree, traces replayed. Skipped, saying so, where
//! they are absent.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify;
use hardbop_engine::{Engine, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_interp::replay;
use hardbop_threads::cover::KarpMillerExplicit;
use hardbop_threads::cover_symbolic::KarpMiller;

/// All programs below a folder, in order.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            all.extend(programs(&path));
        } else if path.extension().is_some_and(|it| it == "bp") {
            all.push(path);
        }
    }
    all.sort();
    all
}

#[test]
fn collected_programs_have_the_verdict_of_the_enumerating_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp/ijit");
    if !folder.is_dir() {
        println!("skipped: {} is absent", folder.display());
        return;
    }
    let ctx = || RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(60)));
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for path in programs(&folder) {
        let what = path.display();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let program = hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("it is right");
        let task = Task { threads: Threads::Unbounded, ..Task::new(&program) };
        let plain = Task { want_trace: false, want_certificate: false, ..task.clone() };
        let expected = KarpMillerExplicit.check(&plain, &ctx()).answer;
        let claim = KarpMiller.check(&task, &ctx());
        match &claim.answer {
            Verdict::Safe => {
                assert!(matches!(expected, Verdict::Safe), "{what}: {expected:?}");
                let certificate = claim.certificate.expect("these are small");
                certify(&program, &certificate, &Budget::unlimited())
                    .unwrap_or_else(|rejected| panic!("{what}: {rejected}"));
                n_safe += 1;
            }
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                assert!(matches!(expected, Verdict::Unsafe(_)), "{what}: {expected:?}");
                replay(&program, &task.goal, task.threads, task.initial_threads, trace)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                n_unsafe += 1;
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    assert!(n_safe > 0 && n_unsafe > 50, "{n_safe} safe, {n_unsafe} unsafe");
}

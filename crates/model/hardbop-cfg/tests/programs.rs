//! Every program of the collected benchmarks and many random ones: well-formed, the same after
//! printing and reading, and digestible for every analysis.

use std::path::{Path, PathBuf};

use hardbop_base::{Idx, SourceFile};
use hardbop_cfg::analysis::{
    AtomicFuture, CallGraph, Dominators, Effects, Exposed, Follow, Future, Live, ModRef,
    Population, Reading, WeakOrder,
};
use hardbop_cfg::{LocRef, Program, dot, text, verify};
use hardbop_gen::random::{self, Profile};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "bp") {
            found.push(path);
        }
    }
}

fn check(name: &str, source: &SourceFile, program: &Program) {
    assert_eq!(verify(program), Ok(()), "{name}");
    let printed = text::print(program);
    let again = text::read(&printed).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text::print(&again) == printed, "{name}: printed differently after reading");
    assert!(dot::to_dot(program, Some(source)).ends_with("}\n"));

    let calls = CallGraph::of(program);
    let effects = Effects::of(program, Reading::DataFlow);
    let exposed = Exposed::of(program, &effects, &calls);
    let modref = ModRef::of(program, &effects, &calls, Follow::Calls);
    let one = Live::with(program, Population::One, &effects, &calls);
    let many = Live::with(program, Population::Many, &effects, &calls);
    let dependence = Effects::of(program, Reading::DependencePastAsserts);
    let (future, atomic) =
        (Future::of(program, &dependence, &calls), AtomicFuture::of(program, &dependence, &calls));
    for (id, proc) in program.procs.iter_enumerated() {
        assert!(exposed.exposed(id).is_subset(modref.referenced(id)), "{name}");
        let (dominators, weak) = (Dominators::of(proc), WeakOrder::of(proc));
        assert_eq!(weak.priorities(proc).len(), proc.locs.len());
        let mut heads: Vec<_> = proc.locs.ids().filter(|&loc| weak.is_head(loc)).collect();
        heads.sort_unstable();
        if dominators.is_reducible() {
            assert_eq!(heads, dominators.loop_heads(), "{name}: {}", proc.name);
        }
        for loc in proc.locs.ids() {
            let at = LocRef { proc: id, loc };
            assert_eq!(dominators.is_reachable(loc), weak.position(loc).is_some());
            // One thread reads no more than many; nobody is live outside of its scope.
            assert!(one.at(at).is_subset(many.at(at)), "{name}: {at:?}");
            assert!(many.at(at).iter().all(|var| var < program.scope_width(id)));
            assert!(atomic.at(at).reads.is_subset(&future.at(at).reads), "{name}: {at:?}");
            assert!(atomic.at(at).writes.is_subset(&future.at(at).writes), "{name}: {at:?}");
        }
    }
    assert!(calls.reachable(Follow::Calls).contains(program.main.index()));
}

#[test]
fn collected_benchmarks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp");
    let mut found = Vec::new();
    files(&folder, &mut found);
    if found.is_empty() {
        println!("no collected benchmarks here, nothing to check");
        return;
    }
    let mut n_checked = 0;
    for path in &found {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (source, program, _) = hardbop_bp::load_bytes(&name, bytes);
        if let Some(program) = program {
            check(&name, &source, &program);
            n_checked += 1;
        }
    }
    println!("{n_checked} of {} files are programs; all were checked", found.len());
    assert!(n_checked * 10 >= found.len() * 9, "{n_checked} of {}", found.len());
}

#[test]
fn random_programs() {
    for profile in Profile::all() {
        for seed in 0..300 {
            let name = format!("{} seed {seed}", profile.name);
            let text = hardbop_bp::print(&random::program(seed, &profile));
            let source = SourceFile::new(&*name, text);
            let (program, diagnostics) = hardbop_bp::load(&source);
            let program = program.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
            check(&name, &source, &program);
        }
    }
}

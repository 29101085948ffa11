//! The programs others wrote, where they are at hand.

use std::path::{Path, PathBuf};

use hardbop_base::SourceFile;

/// Every `.bp` of the benchmark folder; none where it is absent.
fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "bp") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        println!("skipped: no benchmark programs in {}", root.display());
    }
    files.sort();
    files
}

fn source(path: &Path) -> SourceFile {
    let bytes = std::fs::read(path).expect("a listed file can be read");
    hardbop_bp::text_of(&path.display().to_string(), bytes).expect("a benchmark is text")
}

#[test]
fn every_program_loads_without_errors() {
    for path in corpus() {
        let (program, diagnostics) = hardbop_bp::load(&source(&path));
        let Some(program) = program else { panic!("{}: {diagnostics:#?}", path.display()) };
        hardbop_cfg::verify::verify(&program)
            .unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    }
}

#[test]
fn every_program_survives_the_formatter() {
    for path in corpus() {
        let (tree, _) = hardbop_bp::parse(&source(&path));
        let text = hardbop_bp::print(&tree);
        let (again, diagnostics) = hardbop_bp::parse(&SourceFile::new("printed", text.clone()));
        assert!(diagnostics.is_empty(), "{}: {diagnostics:#?}\n{text}", path.display());
        let [tree, again_tree] = [&tree, &again].map(|tree| without_places(&format!("{tree:?}")));
        assert!(tree == again_tree, "{}:\n{text}", path.display());
        assert_eq!(hardbop_bp::print(&again), text, "{}", path.display());
    }
}

/// A tree's debug text without the spans `12..34` and without blank lines.
fn without_places(text: &str) -> String {
    const BLANK: &str = "Comment { text: \"\" }";
    let text = text.replace(&format!("{BLANK}, "), "").replace(&format!(", {BLANK}"), "");
    let text = text.replace(BLANK, "");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("..") {
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_digit()));
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

//! What slicing and ranges save, per file: `shrink FILE…` prints a table for the assertions.

use std::path::Path;
use std::time::Instant;

use hardbop_c::{DataModel, Options, SystemLoader, load};
use hardbop_cir::Class;
use hardbop_cir::analysis::{PointsTo, Ranges, Size};
use hardbop_cir::pass::{self, Keep};

fn main() {
    println!(
        "| file | blocks | instructions | registers | register bits | by ranges | memory bits | ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for path in std::env::args().skip(1) {
        let model = if path.ends_with(".i") { DataModel::Ilp32 } else { DataModel::Lp64 };
        let options = Options { model, classes: vec![Class::Assert], ..Options::default() };
        let Ok(loaded) = load(&[Path::new(&path)], &SystemLoader::default(), &options) else {
            println!("| {path} | not read | | | | | | |");
            continue;
        };
        let start = Instant::now();
        let before = Size::of(&loaded.program);
        let mut program = loaded.program;
        let points_to = PointsTo::of(&program);
        pass::resolve_calls(&mut program, &points_to);
        pass::propagate(&mut program);
        let points_to = PointsTo::of(&program);
        pass::slice(&mut program, &points_to, Keep::Checks);
        let after = Size::of(&program);
        let (_, bits) = Ranges::of(&program).saved_bits(&program);
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!(
            "| {name} | {} → {} | {} → {} | {} → {} | {} → {} | {bits} | {} → {} | {} |",
            before.n_blocks,
            after.n_blocks,
            before.n_insts,
            after.n_insts,
            before.n_vars,
            after.n_vars,
            before.register_bits,
            after.register_bits,
            before.memory_bits,
            after.memory_bits,
            start.elapsed().as_millis(),
        );
    }
}

//! What slicing and ranges save, per program: a table.
//!
//! `shrink [--property NAME] [--each N] [--no-inline] [--no-promote] [-I DIR]… FILE[,FILE…]…`; files
//! joined by commas are one program. `--each N` slices for N single checks, evenly chosen, and gives the median.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hardbop_c::{DataModel, Options, SystemLoader, load};
use hardbop_cir::analysis::{PointsTo, Ranges, Size, needed_state_bits};
use hardbop_cir::pass::{self, Keep, Passes};
use hardbop_cir::{CheckId, Class, Op, Program};

struct Args {
    classes: Vec<Class>,
    each: Option<usize>,
    passes: Passes,
    include_paths: Vec<PathBuf>,
    programs: Vec<String>,
}

fn args() -> Option<Args> {
    let mut args = Args {
        classes: vec![Class::Assert],
        each: None,
        passes: Passes::ALL,
        include_paths: Vec::new(),
        programs: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--property" => args.classes = Class::select(&words.next()?)?,
            "--each" => args.each = Some(words.next()?.parse().ok()?),
            "--no-inline" => args.passes.inline = false,
            "--no-promote" => args.passes.promote = false,
            "-I" => args.include_paths.push(words.next()?.into()),
            _ => args.programs.push(word),
        }
    }
    Some(args)
}

fn main() {
    let Some(args) = args() else {
        eprintln!(
            "usage: shrink [--property NAME] [--each N] [--no-inline] [--no-promote] [-I DIR]… FILE[,FILE…]…"
        );
        std::process::exit(1);
    };
    println!(
        "| program | checks | blocks | instructions | registers | register bits | state bits | by ranges | memory bits | ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for program in &args.programs {
        row(program, &args);
    }
}

fn row(files: &str, args: &Args) {
    let model = if files.ends_with(".i") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = Options { model, classes: args.classes.clone(), ..Options::default() };
    let paths: Vec<&Path> = files.split(',').map(Path::new).collect();
    let loader =
        SystemLoader { include_paths: args.include_paths.clone(), ..SystemLoader::default() };
    let name = paths[0].file_name().unwrap_or_default().to_string_lossy().into_owned();
    let loaded = match load(&paths, &loader, &options) {
        Ok(loaded) => loaded,
        Err(rejected) => {
            println!("| {name} | not read: {} | | | | | | | | |", rejected.message());
            return;
        }
    };
    let start = Instant::now();
    let before = Size::of(&loaded.program, &PointsTo::of(&loaded.program));
    let mut program = loaded.program;
    let (after, bits) = match args.each {
        None => sliced(program, args.passes),
        Some(n) => {
            pass::shrink(&mut program, Keep::Checks, Passes { slice: false, ..args.passes });
            median(&program, n)
        }
    };
    println!(
        "| {name} | {} | {} → {} | {} → {} | {} → {} | {} → {} | {} → {} | {bits} | {} → {} | {} |",
        before.n_checks,
        before.n_blocks,
        after.n_blocks,
        before.n_insts,
        after.n_insts,
        before.n_vars,
        after.n_vars,
        before.register_bits,
        after.register_bits,
        before.state_bits,
        after.state_bits,
        before.memory_bits,
        after.memory_bits,
        start.elapsed().as_millis(),
    );
}

/// The size after shrinking, and the state bits that ranges and points-to leave of it.
fn sliced(mut program: Program, passes: Passes) -> (Size, u64) {
    pass::shrink(&mut program, Keep::Checks, passes);
    let (ranges, points_to) = (Ranges::of(&program), PointsTo::of(&program));
    (Size::of(&program, &points_to), needed_state_bits(&program, &ranges, &points_to))
}

/// The slice of median size (in state bits) among those for `n` single checks.
fn median(program: &Program, n: usize) -> (Size, u64) {
    let insts = |it: &Program| {
        let blocks = it.funcs.iter().flat_map(|func| &func.blocks);
        blocks.flat_map(|block| &block.insts).cloned().collect::<Vec<_>>()
    };
    let checks: Vec<CheckId> = insts(program)
        .into_iter()
        .filter_map(|inst| match inst.op {
            Op::Check { check, .. } => Some(check),
            _ => None,
        })
        .collect();
    let step = checks.len().div_ceil(n.max(1)).max(1);
    let mut sizes: Vec<(Size, u64)> = checks
        .iter()
        .step_by(step)
        .map(|&only| {
            let mut one = program.clone();
            for func in one.funcs.as_mut_slice() {
                for block in func.blocks.as_mut_slice() {
                    block.insts.retain(
                        |inst| !matches!(inst.op, Op::Check { check, .. } if check != only),
                    );
                }
            }
            sliced(one, Passes { inline: false, promote: false, ..Passes::ALL })
        })
        .collect();
    sizes.sort_by_key(|it| it.0.state_bits);
    sizes.get(sizes.len() / 2).copied().unwrap_or((Size::of(program, &PointsTo::of(program)), 0))
}

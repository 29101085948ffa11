//! What slicing and ranges save of C programs: a table.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hardbop_c::{DataModel, Options, SystemLoader, load};
use hardbop_cir::analysis::{PointsTo, Ranges, Size, needed_state_bits};
use hardbop_cir::pass::{self, Keep, Passes};
use hardbop_cir::{CheckId, Class, Op, Program};

#[derive(clap::Args)]
pub struct ShrinkArgs {
    /// Programs; files joined by commas are one
    #[arg(required = true, value_name = "FILE,…")]
    programs: Vec<String>,
    /// What is checked, by class or SV-COMP name
    #[arg(long, value_name = "NAME", default_value = "assert")]
    property: String,
    /// Slice for so many single checks, evenly chosen, and give the median
    #[arg(long, value_name = "N")]
    each: Option<usize>,
    /// Without inlining
    #[arg(long)]
    no_inline: bool,
    /// Without memory as registers
    #[arg(long)]
    no_promote: bool,
    /// Where included files are looked for
    #[arg(short = 'I', value_name = "DIR")]
    include_paths: Vec<PathBuf>,
}

struct Args {
    classes: Vec<Class>,
    each: Option<usize>,
    passes: Passes,
    include_paths: Vec<PathBuf>,
}

pub fn run(asked: &ShrinkArgs) -> Result<(), String> {
    let classes = Class::select(&asked.property)
        .ok_or_else(|| format!("there is no property {}", asked.property))?;
    let passes = Passes { inline: !asked.no_inline, promote: !asked.no_promote, ..Passes::ALL };
    let include_paths = asked.include_paths.clone();
    let args = Args { classes, each: asked.each, passes, include_paths };
    println!(
        "| program | checks | blocks | instructions | registers | register bits | state bits | by ranges | memory bits | ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    asked.programs.iter().for_each(|program| row(program, &args));
    Ok(())
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

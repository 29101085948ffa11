//! For each `false` row of a manifest about memory or overflow: is the violating line among the
//! listed checks?
//!
//! The manifest names no lines. Two witnesses give them: our interpreter on inputs tried one after
//! the other, and the compiler's sanitizers on the same inputs.

use std::path::Path;

use hardbop_c::property::list_checks;
use hardbop_c::{CProgram, Options, SystemLoader, load};
use hardbop_cir::interp::{Config, Ending, run};
use hardbop_cir::{CheckId, Class};

use super::compiled::Native;

pub fn run_all(root: &Path, native: &Native) -> std::io::Result<()> {
    let manifest = std::fs::read_to_string(root.join("manifest.csv"))?;
    println!(
        "| file | property | checks listed | interpreter | sanitizer | listed |\n|---|---|---|---|---|---|"
    );
    let (mut n_rows, mut n_ours, mut n_sanitizer, mut n_listed) = (0, 0, 0, 0);
    for row in manifest.lines() {
        let fields: Vec<&str> = row.split(',').collect();
        let [file, property, "false", ..] = fields[..] else { continue };
        let Some(classes) = Class::select(property).filter(|it| !it.contains(&Class::Assert))
        else {
            continue;
        };
        n_rows += 1;
        let path = root.join(file);
        let options = Options::default();
        let Ok(loaded) = load(&[&path], &SystemLoader::default(), &options) else {
            println!("| {file} | {property} | not read | | | |");
            continue;
        };
        let lines: Vec<u32> = list_checks(&loaded)
            .into_iter()
            .filter(|it| classes.contains(&it.class))
            .map(|it| it.position.line)
            .collect();
        let found =
            attempts().find_map(|inputs| Some((violation(&loaded, &classes, &inputs)?, inputs)));
        let inputs = found.as_ref().map(|it| it.1.clone());
        let ours =
            found.map(|(check, _)| loaded.sources.position(loaded.program.checks[check].span).line);
        let sanitizer = inputs.and_then(|inputs| sanitized(native, &path, &inputs));
        let is_leak = classes.contains(&Class::Leak);
        // A leak is asked about once, at the end; the sanitizer tells where the memory came from.
        let is_listed = match (ours, sanitizer) {
            (Some(line), _) if is_leak => lines.contains(&line),
            (Some(line), Some(other)) => lines.contains(&line) && lines.contains(&other),
            (Some(line), None) => lines.contains(&line),
            (None, _) => false,
        };
        n_ours += usize::from(ours.is_some());
        n_sanitizer += usize::from(sanitizer.is_some());
        n_listed += usize::from(is_listed);
        let shown = |line: Option<u32>| line.map_or("-".into(), |line| line.to_string());
        let answer = if is_listed { "yes" } else { "?" };
        println!(
            "| {file} | {property} | {} | {} | {} | {answer} |",
            lines.len(),
            shown(ours),
            shown(sanitizer)
        );
    }
    println!(
        "\n{n_rows} rows; the interpreter finds a violation for {n_ours}, the sanitizer confirms \
         {n_sanitizer}; the line is listed for {n_listed}"
    );
    Ok(())
}

/// Inputs to try: one number for all, then numbers from a fixed generator.
fn attempts() -> impl Iterator<Item = Vec<u128>> {
    let same = [0, 1, 2, 3, 5, 10, u128::MAX, 0x7fff_ffff, 0x8000_0000].map(|it| vec![it; 60]);
    let mut state: u64 = 1;
    let mixed = (0..3000).map(move |round| {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        // Few bits first: most programs count.
        let most = 2 << (round % 4);
        (0..60).map(|_| u128::from(next() % most)).collect()
    });
    same.into_iter().chain(mixed)
}

/// The byte that gcc's sanitizer fills fresh memory with.
const FILL: u8 = 0xbe;

fn violation(loaded: &CProgram, classes: &[Class], inputs: &[u128]) -> Option<CheckId> {
    [0, FILL].into_iter().find_map(|fresh| violation_with(loaded, classes, inputs, fresh))
}

fn violation_with(
    loaded: &CProgram,
    classes: &[Class],
    inputs: &[u128],
    fresh_byte: u8,
) -> Option<CheckId> {
    let config = Config {
        inputs: inputs.to_vec(),
        fresh_byte,
        classes: classes.to_vec(),
        max_steps: 200_000,
        ..Config::default()
    };
    let result = run(&loaded.program, &config);
    match result.ending {
        Ending::Violation(check) => Some(check),
        _ => result.violations.first().copied(),
    }
}

/// The line of the file the sanitizer's first report names.
fn sanitized(native: &Native, path: &Path, inputs: &[u128]) -> Option<u32> {
    let binary = native.compile(path, &["-fsanitize=address,undefined"])?;
    let ran = native.run(&binary, inputs)?;
    let name = format!("{}:", path.file_name()?.to_str()?);
    let at = ran.stderr.find(&name)? + name.len();
    let digits: String = ran.stderr[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

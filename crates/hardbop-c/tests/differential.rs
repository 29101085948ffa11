//! Generated programs print on the interpreter what they print when compiled.

mod generate;

use std::path::Path;
use std::process::Command;

use hardbop_c::{Options, load_text};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

/// What `cc` and the processor make of a program; `None` if it does not end well.
fn compiled(folder: &Path, seed: u64, text: &str) -> Option<(Vec<u8>, i32)> {
    let (source, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.out")));
    std::fs::write(&source, text).ok()?;
    let flags = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing"];
    let status =
        Command::new("cc").args(flags).arg(&source).arg("-o").arg(&binary).status().ok()?;
    assert!(status.success(), "the generated program does not compile:\n{text}");
    let output = Command::new(&binary).output().ok()?;
    let _ = std::fs::remove_file(&binary);
    Some((output.stdout, output.status.code()?))
}

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success());
    if !found {
        eprintln!("SKIPPED: there is no C compiler `cc` to compare with");
    }
    found
}

#[test]
fn generated_programs_run_as_compiled() {
    if !has_compiler() {
        return;
    }
    let n: u64 = std::env::var("HARDBOP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let folder = std::env::temp_dir().join(format!("hardbop-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let mut n_compared = 0;
    for seed in 0..n {
        let text = generate::program(seed);
        let Some((output, code)) = compiled(&folder, seed, &text) else { continue };
        // Overflow is what it is on the machine: the generator avoids the rest.
        let classes: Vec<Class> =
            Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
        let options = Options { classes: classes.clone(), ..Options::default() };
        let loaded = match load_text(vec![("generated.c".into(), text.clone())], &options) {
            Ok(loaded) => loaded,
            Err(rejected) => panic!("seed {seed}: {:?}\n{text}", rejected.diagnostic),
        };
        hardbop_cir::verify(&loaded.program).expect("the program is well formed");
        let config = Config { classes, max_steps: 50_000_000, ..Config::default() };
        let result = run(&loaded.program, &config);
        let failed = match &result.ending {
            Ending::Violation(check) => {
                let check = &loaded.program.checks[*check];
                format!("line {}: {}", loaded.sources.position(check.span).line, check.message)
            }
            other => format!("{other:?}"),
        };
        let printed = String::from_utf8_lossy(&result.output).into_owned();
        assert_eq!(printed, String::from_utf8_lossy(&output), "seed {seed}: {failed}\n{text}");
        assert_eq!(result.ending, Ending::Exit(code as u8), "seed {seed}: {failed}\n{text}");
        n_compared += 1;
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(n_compared * 10 >= n * 9, "only {n_compared} of {n} programs were compared");
}

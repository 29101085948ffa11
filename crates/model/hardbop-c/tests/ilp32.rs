//! With pointers of 32 bits: generated programs and layouts against a compiler for that model.
//!
//! Such compilers often come without a library, so the programs are linked with a small runtime of
//! our own and nothing else.

mod generate;

use std::path::{Path, PathBuf};
use std::process::Command;

use hardbop_c::{DataModel, Options, load_text};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

struct Compiler {
    folder: PathBuf,
    runtime: PathBuf,
}

impl Compiler {
    /// `None`, and said aloud, if nothing for 32 bits can be compiled, linked and run.
    fn find(name: &str) -> Option<Compiler> {
        let folder = std::env::temp_dir().join(format!("hardbop-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ilp32/runtime.c");
        let compiler = Compiler { folder, runtime };
        let found = compiler.run("probe", "int main(void) { return sizeof(void *); }");
        if found.as_ref().is_some_and(|it| it.1 == 4) {
            return Some(compiler);
        }
        eprintln!("SKIPPED: `cc -m32` makes no program that runs here");
        None
    }

    fn run(&self, name: &str, text: &str) -> Option<(Vec<u8>, i32)> {
        let source = self.folder.join(format!("{name}.c"));
        let binary = self.folder.join(name);
        std::fs::write(&source, text).ok()?;
        let status = Command::new("cc")
            .args(["-m32", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin"])
            .args(["-ffreestanding", "-nostdlib", "-static", "-fno-pie", "-no-pie"])
            // No excess precision, as our model has it.
            .args(["-fno-stack-protector", "-msse2", "-mfpmath=sse"])
            .args([&source, &self.runtime])
            .arg("-o")
            .arg(&binary)
            .output()
            .ok()?;
        if !status.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&status.stderr));
            return None;
        }
        let output = Command::new(&binary).output().ok()?;
        let _ = std::fs::remove_file(&binary);
        Some((output.stdout, output.status.code()?))
    }

    fn compare(&self, name: &str, text: &str) {
        let Some((output, code)) = self.run(name, text) else {
            panic!("{name} does not compile or end:\n{text}");
        };
        let classes: Vec<Class> =
            Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
        let options =
            Options { model: DataModel::Ilp32, classes: classes.clone(), ..Options::default() };
        let loaded = load_text(vec![("generated.c".into(), text.into())], &options)
            .unwrap_or_else(|it| panic!("{name}: {:?}\n{text}", it.diagnostics));
        let config = Config { classes, max_steps: 50_000_000, ..Config::default() };
        let result = run(&loaded.program, &config);
        let printed = String::from_utf8_lossy(&result.output).into_owned();
        assert_eq!(printed, String::from_utf8_lossy(&output), "{name}\n{text}");
        assert_eq!(result.ending, Ending::Exit(code as u8), "{name}\n{text}");
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn generated_programs_run_as_compiled_for_32_bits() {
    let Some(compiler) = Compiler::find("ilp32") else { return };
    let n: u64 = std::env::var("HARDBOP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    for seed in 0..n {
        compiler.compare(&format!("seed{seed}"), &generate::program(seed));
    }
}

#[test]
fn torture_programs_run_as_compiled_for_32_bits() {
    let Some(compiler) = Compiler::find("ilp32-torture") else { return };
    for (name, text) in generate::torture() {
        compiler.compare(&name, &text);
    }
}

/// Sizes, alignments and offsets of random structures and unions, with bit-fields and packed ones.
#[test]
fn layouts_are_those_of_the_compiler() {
    let Some(compiler) = Compiler::find("ilp32-layouts") else { return };
    for seed in 0..40 {
        compiler.compare(&format!("layout{seed}"), &generate::layouts::program(seed, 32));
    }
}

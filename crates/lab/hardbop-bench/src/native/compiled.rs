//! The same program compiled: what the processor makes of given inputs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The functions a verification task is given, with inputs from the environment. Weak, so that a
/// program that defines one keeps its own.
const STUBS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long next(void) {
    static char *at; static int started;
    if (!started) { started = 1; at = getenv("HARDBOP_INPUTS"); }
    return at && *at ? strtoul(at, &at, 0) : 0;
}
#define INPUT(TYPE, NAME) __attribute__((weak)) TYPE __VERIFIER_nondet_##NAME(void) { return (TYPE)next(); }
INPUT(int, int) INPUT(unsigned, uint) INPUT(unsigned, unsigned) INPUT(char, char) INPUT(unsigned char, uchar)
INPUT(short, short) INPUT(unsigned short, ushort) INPUT(long, long) INPUT(unsigned long, ulong)
INPUT(unsigned char, u8) INPUT(unsigned short, u16) INPUT(unsigned, u32) INPUT(unsigned long, size_t) INPUT(long, loff_t)
INPUT(_Bool, bool) INPUT(void *, pointer)
__attribute__((weak)) int nondet_int(void) { return (int)next(); }
__attribute__((weak)) int nondet(void) { return (int)next(); }
__attribute__((weak)) unsigned nondet_uint(void) { return (unsigned)next(); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) exit(77); }
__attribute__((weak)) void __VERIFIER_error(void) { exit(78); }
__attribute__((weak)) void reach_error(void) { exit(78); }
__attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) exit(78); }
"#;

/// Exit codes of the stubs.
pub const ASSUMPTION_FAILED: i32 = 77;
pub const VIOLATION: i32 = 78;

/// A folder for binaries.
pub struct Native {
    folder: PathBuf,
}

pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// As a shell gives it: 128 and the signal for a process that was killed.
    pub code: i32,
}

impl Native {
    pub fn new() -> std::io::Result<Native> {
        let folder = std::env::temp_dir().join(format!("hardbop-native-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("stubs.c"), STUBS)?;
        Ok(Native { folder })
    }

    /// Compiles and links; `None` if the compiler refuses.
    pub fn compile(&self, source: &Path, flags: &[&str]) -> Option<PathBuf> {
        let binary = self.folder.join("program");
        let mut command = Command::new("cc");
        command.args(["-w", "-g", "-O0", "-std=gnu11", "-fno-strict-aliasing"]).args(flags);
        command.args(["-x", "c"]).arg(source).arg(self.folder.join("stubs.c"));
        let output = command.args(["-lm", "-o"]).arg(&binary).output().ok()?;
        output.status.success().then_some(binary)
    }

    /// Runs a binary for two seconds at most.
    pub fn run(&self, binary: &Path, inputs: &[u128]) -> Option<Ran> {
        let inputs: Vec<String> = inputs.iter().map(|it| (*it as u64).to_string()).collect();
        let mut command = Command::new("timeout");
        command.arg("2").arg(binary).env("HARDBOP_INPUTS", inputs.join(" "));
        let output = command.current_dir(&self.folder).output().ok()?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Some(Ran { stdout: output.stdout, stderr, code: output.status.code()? })
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // What stays behind in the temporary folder harms no one.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

//! Programs of csmith (Yang, Chen, Eide and Regehr, PLDI 2011) on the interpreter of C: the checksum they
//! print must be the one the compiled program prints.
//!
//! csmith is a package of its own; without it there is nothing to do, which is said aloud.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hardbop_base::Budget;
use hardbop_c::{Options, load};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

use crate::campaign::{Failure, FailureKind, Outcome};

/// Small programs: the interpreter is a hundred times slower than a processor.
const ARGUMENTS: [&str; 5] = ["--no-argc", "--max-funcs", "4", "--max-block-depth", "3"];

pub struct Setup {
    /// The folder of `csmith.h`.
    include: PathBuf,
    folder: PathBuf,
    limit: Duration,
}

impl Setup {
    /// `None`, and said aloud, if csmith, its headers or a compiler are missing.
    pub fn find(limit: Duration) -> Option<Setup> {
        let works = |program: &str| {
            let output = Command::new(program).arg("--version").output();
            output.is_ok_and(|it| it.status.success())
        };
        let places = ["/usr/include/csmith", "/usr/local/include/csmith", "/usr/include"];
        let mut folders = std::env::var_os("CSMITH_INCLUDE").into_iter().map(PathBuf::from).chain(
            std::fs::read_dir("/usr/include").into_iter().flatten().flatten().map(|it| it.path()),
        );
        let has_header = |it: &PathBuf| it.join("csmith.h").is_file();
        let include = places.iter().map(PathBuf::from).find(has_header);
        let include = include.or_else(|| folders.find(has_header));
        let folder = std::env::temp_dir().join(format!("hardbop-csmith-{}", std::process::id()));
        match include.filter(|_| works("csmith") && works("cc")) {
            Some(include) => {
                std::fs::create_dir_all(&folder).ok()?;
                Some(Setup { include, folder, limit })
            }
            None => {
                eprintln!("SKIPPED: csmith, its headers or a C compiler are not here");
                None
            }
        }
    }

    pub fn check(&self, seed: u64) -> Outcome {
        let source = self.folder.join(format!("{seed}.c"));
        let outcome = self.compare(seed, &source);
        let _ = std::fs::remove_file(&source);
        outcome
    }

    fn compare(&self, seed: u64, source: &Path) -> Outcome {
        let broken = |what: &str| Ok(vec![what.to_string()]);
        let made = Command::new("csmith")
            .args(ARGUMENTS)
            .args(["--seed", &seed.to_string(), "--output"])
            .arg(source)
            // It leaves a file of its own where it runs.
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .status();
        if !made.is_ok_and(|it| it.success()) {
            return broken("no program was generated");
        }
        let Some(theirs) = self.compiled(seed, source) else {
            return broken("the compiled program does not end in time");
        };
        let classes: Vec<Class> =
            [Class::Bounds, Class::Index, Class::Null, Class::Dangling].into();
        let options = Options { classes: classes.clone(), ..Options::default() };
        let loader = hardbop_c::SystemLoader {
            include_paths: vec![self.include.clone()],
            ..Default::default()
        };
        let loaded = match load(&[source], &loader, &options) {
            Ok(loaded) => loaded,
            Err(rejected) => {
                let detail = format!("{:?}", rejected.diagnostics);
                return Err(Failure::new(FailureKind::Rejected("c"), detail));
            }
        };
        let budget = Budget::unlimited().with_time(self.limit);
        let result = run(&loaded.program, &Config { classes, budget, ..Config::default() });
        let ours = String::from_utf8_lossy(&result.output).into_owned();
        match result.ending {
            Ending::Exit(0) if ours == theirs => broken("same checksum"),
            Ending::Exhausted(_) | Ending::TooLong => broken("the interpreter needs more time"),
            Ending::Unsupported(what, _) => Ok(vec![format!("not modelled: {what}")]),
            ending => {
                let detail = format!("compiled: {theirs}, interpreted: {ours}, {ending:?}");
                Err(Failure::new(FailureKind::Disagree, detail))
            }
        }
    }

    /// What the compiled program prints; `None` if it does not end well.
    fn compiled(&self, seed: u64, source: &Path) -> Option<String> {
        let binary = self.folder.join(format!("{seed}.out"));
        let built = Command::new("cc")
            .args(["-w", "-O0", "-fwrapv", "-I"])
            .arg(&self.include)
            .arg(source)
            .arg("-o")
            .arg(&binary)
            .stderr(Stdio::null())
            .status();
        if !built.is_ok_and(|it| it.success()) {
            return None;
        }
        let mut child = Command::new(&binary).stdout(Stdio::piped()).spawn().ok()?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait().ok()? {
                Some(status) => break status,
                None if start.elapsed() > self.limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    let _ = std::fs::remove_file(&binary);
                    return None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let _ = std::fs::remove_file(&binary);
        let output = child.wait_with_output().ok()?;
        status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Setup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

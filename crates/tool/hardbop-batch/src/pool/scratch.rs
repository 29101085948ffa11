//! Files of running tasks, in a folder of this process that goes with it.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAME: &str = "hardbop-batch-";

/// The folder.
pub struct Scratch(PathBuf);

/// The files of one worker.
pub struct Files {
    /// Standard output of the process.
    pub stdout: PathBuf,
    /// Standard error of the process.
    pub stderr: PathBuf,
    /// The certificate that it writes.
    pub evidence: PathBuf,
}

impl Scratch {
    pub fn new() -> io::Result<Scratch> {
        let all = std::env::temp_dir();
        sweep(&all);
        static N_MADE: AtomicUsize = AtomicUsize::new(0);
        let nth = N_MADE.fetch_add(1, Ordering::Relaxed);
        let path = all.join(format!("{NAME}{}.{nth}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    /// Fresh files for the next task of a worker.
    pub fn files(&self, worker: usize) -> Files {
        let path = |what: &str| self.0.join(format!("{worker}.{what}"));
        let files = Files { stdout: path("out"), stderr: path("err"), evidence: path("evidence") };
        // The last task's would be taken for this one's.
        let _ = std::fs::remove_file(&files.evidence);
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Removes what processes that were killed have left behind; what cannot be removed harms no one.
fn sweep(all: &std::path::Path) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|it| it.strip_prefix(NAME)?.split('.').next()?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !std::path::Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

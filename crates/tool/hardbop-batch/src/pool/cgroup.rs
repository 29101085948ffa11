//! Control groups (version 2): limits that the kernel keeps for a task as a whole, where we may make groups.
//!
//! A group is made below our own. The memory controller must be handed down to it; where it is not, the group still
//! serves to end everyone in it at once (`cgroup.kill`), and memory is watched by `group.rs`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A group of one task; gone when it is dropped.
pub struct Cgroup {
    folder: PathBuf,
    members: File,
}

impl Cgroup {
    /// `None` where none can be made.
    pub fn new(memory: u64) -> Option<Cgroup> {
        static N_MADE: AtomicU64 = AtomicU64::new(0);
        let nth = N_MADE.fetch_add(1, Ordering::Relaxed);
        let folder = own()?.join(format!("hardbop-{}-{nth}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let made = File::options().write(true).open(folder.join("cgroup.procs"));
        let Ok(members) = made else {
            let _ = fs::remove_dir(&folder);
            return None;
        };
        // Without the controller these files are not there, and the group is watched.
        let _ = fs::write(folder.join("memory.max"), memory.to_string());
        let _ = fs::write(folder.join("memory.swap.max"), "0");
        let _ = fs::write(folder.join("memory.oom.group"), "1");
        Some(Cgroup { folder, members })
    }

    /// Who writes `0` to it becomes a member.
    pub fn members(&self) -> &File {
        &self.members
    }

    /// Ends all members.
    pub fn kill(&self) {
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Bytes at most; 0 where nobody counts.
    pub fn peak(&self) -> u64 {
        let text = fs::read_to_string(self.folder.join("memory.peak")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// Whether the kernel ended a member for its memory.
    pub fn was_out_of_memory(&self) -> bool {
        let text = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let count = text.lines().find_map(|it| it.strip_prefix("oom_kill "));
        count.is_some_and(|it| it.trim() != "0")
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Members that were killed take a moment to go.
        for _ in 0..50 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

/// The folder of the group that this process is in.
fn own() -> Option<&'static Path> {
    static OWN: OnceLock<Option<PathBuf>> = OnceLock::new();
    OWN.get_or_init(find).as_deref()
}

fn find() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mounts.lines().find_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        (words.get(2) == Some(&"cgroup2")).then(|| words[1].to_string())
    })?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let name = groups.lines().find_map(|it| it.strip_prefix("0::"))?;
    let folder = Path::new(&mount).join(name.trim_start_matches('/'));
    // Handing down is allowed where the group has no members of its own, as below a delegated slice.
    let _ = fs::write(folder.join("cgroup.subtree_control"), "+memory");
    folder.is_dir().then_some(folder)
}

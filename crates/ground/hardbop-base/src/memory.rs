//! The memory of this process, as the system counts it.
//!
//! Resident memory is read rather than allocations counted, because decision diagrams and solvers
//! bring their own allocators. Where the system does not tell, the answer is `None` and a memory
//! limit has no effect; the command line says so.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes of memory resident now.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Bytes of memory resident a moment ago: read at most once in [`FRESH`], whoever asks how often.
pub fn recent_resident_bytes() -> Option<u64> {
    static START: OnceLock<Instant> = OnceLock::new();
    static RECENT: Recent = Recent::new();
    RECENT.at(START.get_or_init(Instant::now).elapsed(), resident_bytes)
}

/// A reading not older than this is as good as a new one: a process touches some ten megabytes of new
/// memory in this time, and to read costs three calls of the system.
const FRESH: Duration = Duration::from_millis(5);

/// The last reading of a meter that is not free to read.
struct Recent {
    /// Nanoseconds after the start from which on a reading is due.
    due: AtomicU64,
    reading: AtomicU64,
}

/// No process has so much: the system has not told, or nobody has asked it.
const NOT_TOLD: u64 = u64::MAX;

impl Recent {
    const fn new() -> Self {
        Recent { due: AtomicU64::new(0), reading: AtomicU64::new(NOT_TOLD) }
    }

    /// The reading at a time after the start. Of several threads that see one due the first reads, the
    /// others take what is there.
    fn at(&self, now: Duration, read: impl FnOnce() -> Option<u64>) -> Option<u64> {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let (due, next) = (self.due.load(Ordering::Relaxed), nanos(now.saturating_add(FRESH)));
        let is_first =
            || self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if nanos(now) >= due && is_first() {
            self.reading.store(read().unwrap_or(NOT_TOLD), Ordering::Relaxed);
        }
        Some(self.reading.load(Ordering::Relaxed)).filter(|&bytes| bytes != NOT_TOLD)
    }
}

/// The largest number of bytes ever resident.
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// What this process may use: the memory of the machine, or of the container it runs in.
pub fn total_bytes() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    Some((kib * 1024).min(container.unwrap_or(u64::MAX)))
}

/// Linux reports pages of this size on the machines we build for.
pub(crate) const PAGE: u64 = 4096;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Recent;
    use std::time::Duration;

    #[test]
    fn this_process_uses_some_memory() {
        let now = super::resident_bytes().unwrap();
        assert!(now > 100_000 && super::peak_bytes().unwrap() >= now / 2);
        assert!(super::total_bytes().unwrap() > now);
    }

    #[test]
    fn asking_often_reads_seldom() {
        let recent = Recent::new();
        let mut n_readings = 0;
        for micros in 0..10_000 {
            let read = || {
                n_readings += 1;
                Some(n_readings)
            };
            assert!(recent.at(Duration::from_micros(micros), read).is_some());
        }
        assert_eq!(n_readings, 2);
        assert_eq!(recent.at(Duration::from_secs(1), || None), None);
        assert_eq!(recent.at(Duration::from_secs(2), || Some(7)), Some(7));
    }

    #[test]
    fn a_recent_reading_follows_the_memory() {
        assert!(super::recent_resident_bytes().is_some());
        let held = vec![1u8; 64 << 20];
        std::thread::sleep(2 * super::FRESH);
        assert!(super::recent_resident_bytes().unwrap() > held.len() as u64);
    }
}

//! The memory of this process, as the system counts it.
//!
//! Resident memory is read rather than allocations counted, because decision diagrams and solvers
//! bring their own allocators. Where the system does not tell, the answer is `None` and a memory
//! limit has no effect; the command line says so.

/// Bytes of memory resident now.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
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
const PAGE: u64 = 4096;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn this_process_uses_some_memory() {
        let now = super::resident_bytes().unwrap();
        assert!(now > 100_000 && super::peak_bytes().unwrap() >= now / 2);
        assert!(super::total_bytes().unwrap() > now);
    }
}

//! A process as `/proc/PID/stat` shows it.

use std::time::Duration;

/// What is known of a process that lives.
pub struct Stat {
    /// Who started it, or has taken it over.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// When it was started, in ticks since the boot: two processes of one number differ in it.
    pub started: u64,
    /// Of the processor, children that it has waited for included.
    pub cpu: Duration,
    /// Bytes in memory.
    pub memory: u64,
}

impl Stat {
    /// `None` if there is no such process, or it has ended.
    pub fn of(pid: u32) -> Option<Stat> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name is in parentheses and may contain any of them; field 3, the state, follows.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        if matches!(fields.first(), Some(&("Z" | "X"))) {
            return None;
        }
        // SAFETY: asks for two constants of the system.
        let (ticks, page) =
            unsafe { (libc::sysconf(libc::_SC_CLK_TCK), libc::sysconf(libc::_SC_PAGESIZE)) };
        // User and system time, its own and of children.
        let spent: u64 = (14..=17).filter_map(number).sum();
        Some(Stat {
            parent: number(4)? as u32,
            group: number(5)? as u32,
            started: number(22)?,
            cpu: Duration::from_secs_f64(spent as f64 / ticks.max(1) as f64),
            memory: number(24)? * page.max(0) as u64,
        })
    }
}

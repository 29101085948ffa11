//! A process and everything it has started, as `/proc` shows it: what they use, and their end.

use std::time::Duration;

/// What a group uses, and has used at most.
#[derive(Clone, Copy, Default, Debug)]
pub struct Used {
    /// Of the processor, by all.
    pub cpu: Duration,
    /// Bytes in memory, now.
    pub memory: u64,
    /// Bytes in memory, at most.
    pub peak: u64,
}

/// Those of a process group and all descendants of its leader.
pub struct Group {
    leader: u32,
}

/// A line of `/proc/PID/stat`.
struct Stat {
    parent: u32,
    group: u32,
    cpu: Duration,
    memory: u64,
}

impl Group {
    pub fn led_by(leader: u32) -> Group {
        Group { leader }
    }

    /// The leader alone: quick, and for most tasks all there is.
    pub fn look_at_leader(&self, used: &mut Used) {
        if let Some(stat) = stat(self.leader) {
            used.see(stat.cpu, stat.memory);
        }
    }

    /// Everyone.
    pub fn look(&self, used: &mut Used) {
        let members = self.members();
        let cpu = members.iter().map(|it| it.1.cpu).sum();
        used.see(cpu, members.iter().map(|it| it.1.memory).sum());
    }

    /// Ends everyone. They are listed first: whose parent has ended is nobody's child. Who starts others meanwhile is
    /// found the next time.
    pub fn kill(&self) {
        for _ in 0..3 {
            let members = self.members();
            // SAFETY: a signal to a group that we have made, whose leader is not yet buried.
            unsafe { libc::kill(-(self.leader as libc::pid_t), libc::SIGKILL) };
            let others: Vec<u32> =
                members.into_iter().map(|it| it.0).filter(|it| *it != self.leader).collect();
            if others.is_empty() {
                break;
            }
            for pid in others {
                // SAFETY: as above; a member was seen a moment ago.
                unsafe { libc::kill(pid as libc::pid_t, libc::SIGKILL) };
            }
        }
    }

    /// Members that live, the leader included.
    fn members(&self) -> Vec<(u32, Stat)> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
        let mut others: Vec<(u32, Stat)> =
            pids.filter_map(|pid| stat(pid).map(|it| (pid, it))).collect();
        let mut members: Vec<(u32, Stat)> = Vec::new();
        // Children may be listed before their parents: until nothing is new.
        loop {
            let is_member = |(pid, stat): &(u32, Stat)| {
                *pid == self.leader
                    || stat.group == self.leader
                    || members.iter().any(|it| it.0 == stat.parent)
            };
            let found: Vec<bool> = others.iter().map(is_member).collect();
            if !found.contains(&true) {
                return members;
            }
            let mut found = found.into_iter();
            let (new, rest) = others.into_iter().partition(|_| found.next().unwrap_or(false));
            let new: Vec<(u32, Stat)> = new;
            members.extend(new);
            others = rest;
        }
    }
}

impl Used {
    fn see(&mut self, cpu: Duration, memory: u64) {
        self.cpu = self.cpu.max(cpu);
        self.memory = memory;
        self.peak = self.peak.max(memory);
    }
}

/// `None` if there is no such process, or it has ended.
fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and may contain any of them; field 3 follows.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    if matches!(fields.first(), Some(&("Z" | "X"))) && fields.len() > 2 {
        return None;
    }
    // SAFETY: asks for two constants of the system.
    let (ticks, page) =
        unsafe { (libc::sysconf(libc::_SC_CLK_TCK), libc::sysconf(libc::_SC_PAGESIZE)) };
    // User and system time, and that of children that were waited for.
    let spent: u64 = (14..=17).filter_map(number).sum();
    Some(Stat {
        parent: number(4)? as u32,
        group: number(5)? as u32,
        cpu: Duration::from_secs_f64(spent as f64 / ticks.max(1) as f64),
        memory: number(24)? * page.max(0) as u64,
    })
}

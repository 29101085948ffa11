//! A process and everything it has started, as `/proc` shows it: what they use, and their end.

use std::time::Duration;

use crate::stat::Stat;

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

impl Group {
    pub fn led_by(leader: u32) -> Group {
        Group { leader }
    }

    /// The leader alone: quick, and for most tasks all there is.
    pub fn look_at_leader(&self, used: &mut Used) {
        if let Some(stat) = Stat::of(self.leader) {
            used.see(stat.cpu, stat.memory);
        }
    }

    /// Everyone.
    pub fn look(&self, used: &mut Used) {
        let members = self.members();
        let cpu = members.iter().map(|it| it.1.cpu).sum();
        used.see(cpu, members.iter().map(|it| it.1.memory).sum());
    }

    /// Ends the process group: enough where the leader has ended by itself.
    pub fn kill(&self) {
        // SAFETY: a signal to a group that we have made, whose leader is not yet buried.
        unsafe { libc::kill(-(self.leader as libc::pid_t), libc::SIGKILL) };
    }

    /// Ends everyone. They are listed first: whose parent has ended is nobody's child. Who starts others meanwhile is
    /// found the next time.
    pub fn kill_all(&self) {
        for _ in 0..3 {
            let mut others = self.members();
            others.retain(|it| it.0 != self.leader);
            self.kill();
            for (pid, _) in &others {
                // SAFETY: a signal to a member that was seen a moment ago.
                unsafe { libc::kill(*pid as libc::pid_t, libc::SIGKILL) };
            }
            if others.is_empty() {
                break;
            }
        }
    }

    /// Members that live, the leader included.
    fn members(&self) -> Vec<(u32, Stat)> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
        let mut others: Vec<(u32, Stat)> =
            pids.filter_map(|pid| Stat::of(pid).map(|it| (pid, it))).collect();
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

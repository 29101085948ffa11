//! One process under limits, with everything it starts.
//!
//! It leads a process group, and where memory is limited a cgroup if one can be made (`cgroup.rs`). The clock, the processor time and the
//! memory of the whole group are looked at while it runs; resource limits stand behind that for the processor. At its
//! end, whatever the end, the group is killed: nothing stays behind. If we die first, so does it.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hardbop_base::CancelToken;

use super::cgroup::Cgroup;
use super::group::{Group, Used};
use super::scratch::Files;
use crate::limits::Limits;

/// How a process came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours.
    Signalled(i32),
    /// By us: it had used up what it was allowed.
    OutOf(Resource),
    /// By us: nobody waits for it any more.
    Interrupted,
}

/// What there is a limit of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Resource {
    Cpu,
    Wall,
    Memory,
}

/// What a process left behind.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The end.
    pub how: How,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said.
    pub stderr: Vec<u8>,
    /// Of the processor.
    pub cpu: Duration,
    /// By the clock.
    pub wall: Duration,
    /// Bytes at most.
    pub memory: u64,
}

impl Ended {
    /// A process that could not be started.
    pub fn unstarted(error: &io::Error) -> Ended {
        let stderr = format!("the process could not be started: {error}").into_bytes();
        let (cpu, wall) = (Duration::ZERO, Duration::ZERO);
        Ended { how: How::Exited(3), stdout: Vec::new(), stderr, cpu, wall, memory: 0 }
    }
}

/// The command's own limit of time ends with a report; ours gives it a little longer.
const GRACE: Duration = Duration::from_millis(1500);
/// How often the leader is looked at, and its group every [`ROUNDS`] times.
const LOOK: Duration = Duration::from_millis(20);
const ROUNDS: u32 = 5;

/// Runs a command to its end or to its limits.
pub fn run(
    mut command: Command,
    limits: Limits,
    files: &Files,
    interrupt: &CancelToken,
) -> io::Result<Ended> {
    command.stdin(Stdio::null());
    command.stdout(File::create(&files.stdout)?).stderr(File::create(&files.stderr)?);
    // To move a process into a cgroup takes as long as a small task: only where it keeps a limit.
    let cgroup = limits.memory.and_then(Cgroup::new);
    prepare(&mut command, limits, cgroup.as_ref().map(Cgroup::members));
    let start = Instant::now();
    let mut child = command.spawn()?;
    drop(command);
    let group = Group::led_by(child.id());
    let mut used = Used::default();
    let stopped = watch(&child, &group, limits, start, interrupt, &mut used);
    // The leader is not yet buried: its number is still its own, and the group's.
    match &stopped {
        Ok(None) => group.kill(),
        Ok(Some(_)) | Err(_) => group.kill_all(),
    }
    if let Some(cgroup) = &cgroup {
        cgroup.kill();
    }
    let wall = start.elapsed();
    let (status, cpu, rss) = bury(&mut child)?;
    let cpu = cpu.max(used.cpu);
    let memory = rss.max(used.peak).max(cgroup.as_ref().map_or(0, Cgroup::peak));
    let how = match stopped? {
        Some(how) => how,
        None if libc::WIFEXITED(status) => How::Exited(libc::WEXITSTATUS(status)),
        None if cgroup.as_ref().is_some_and(Cgroup::was_out_of_memory) => {
            How::OutOf(Resource::Memory)
        }
        None if libc::WTERMSIG(status) == libc::SIGXCPU
            || limits.cpu.is_some_and(|limit| cpu >= limit) =>
        {
            How::OutOf(Resource::Cpu)
        }
        None => How::Signalled(libc::WTERMSIG(status)),
    };
    let read = |path| std::fs::read(path);
    Ok(Ended { how, stdout: read(&files.stdout)?, stderr: read(&files.stderr)?, cpu, wall, memory })
}

/// What happens between fork and exec: only system calls that are safe there.
fn prepare(command: &mut Command, limits: Limits, members: Option<&File>) {
    command.process_group(0);
    let parent = std::process::id() as libc::pid_t;
    let members = members.map(AsRawFd::as_raw_fd);
    // Whole seconds, the first one beyond the limit: the group is looked at more closely.
    let seconds = limits.cpu.map(|it| it.as_secs() + 1);
    // SAFETY: only prctl, getppid, setrlimit and write are called, which are safe after a fork, on values that were
    // made before it.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != parent {
                // We died before the line above.
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            let core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &core);
            if let Some(seconds) = seconds {
                let cpu = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 };
                libc::setrlimit(libc::RLIMIT_CPU, &cpu);
            }
            if let Some(members) = members {
                // "0" is whoever writes. Where it is not allowed the process group does.
                libc::write(members, b"0".as_ptr().cast(), 1);
            }
            Ok(())
        });
    }
}

/// Waits for the end of the leader; `Some` if it has to be brought about.
fn watch(
    child: &Child,
    group: &Group,
    limits: Limits,
    start: Instant,
    interrupt: &CancelToken,
    used: &mut Used,
) -> io::Result<Option<How>> {
    let end = pidfd(child.id())?;
    // Where there is nothing to keep nobody looks; the end tells what was used.
    let is_looked_at = limits.memory.is_some() || limits.cpu.is_some();
    let mut rounds = 0;
    loop {
        if is_ended(&end, LOOK)? {
            return Ok(None);
        }
        if interrupt.is_cancelled() {
            return Ok(Some(How::Interrupted));
        }
        if limits.wall.is_some_and(|limit| start.elapsed() > limit + GRACE) {
            return Ok(Some(How::OutOf(Resource::Wall)));
        }
        if !is_looked_at {
            continue;
        }
        rounds += 1;
        match rounds % ROUNDS {
            0 => group.look(used),
            _ => group.look_at_leader(used),
        }
        if limits.memory.is_some_and(|limit| used.memory > limit) {
            return Ok(Some(How::OutOf(Resource::Memory)));
        }
        if limits.cpu.is_some_and(|limit| used.cpu > limit) {
            return Ok(Some(How::OutOf(Resource::Cpu)));
        }
    }
}

/// A descriptor that can be waited on until a process ends.
fn pidfd(pid: u32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and returns a descriptor of ours or an error.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

fn is_ended(end: &OwnedFd, within: Duration) -> io::Result<bool> {
    let mut wait = libc::pollfd { fd: end.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry, which lives as long as the call.
    match unsafe { libc::poll(&mut wait, 1, within.as_millis() as i32) } {
        -1 => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            error => Err(error),
        },
        n => Ok(n > 0),
    }
}

/// Waits for the leader, which has ended or was killed: status, processor time and memory, children that it has
/// waited for included.
fn bury(child: &mut Child) -> io::Result<(i32, Duration, u64)> {
    let mut status = 0;
    // SAFETY: a struct of numbers, for which zeroes are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to values of ours.
        let pid = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
        match pid {
            -1 => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
            _ => break,
        }
    }
    let time = |it: libc::timeval| Duration::new(it.tv_sec as u64, it.tv_usec as u32 * 1000);
    Ok((status, time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss as u64 * 1024))
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use hardbop_base::CancelToken;

    use super::super::scratch::Scratch;
    use super::{Ended, How, Resource, run};
    use crate::limits::Limits;

    fn shell(nth: usize, script: &str, limits: Limits) -> Ended {
        let scratch = Scratch::new().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, limits, &scratch.files(nth), &CancelToken::default()).unwrap()
    }

    fn wall(millis: u64) -> Limits {
        Limits { wall: Some(Duration::from_millis(millis)), ..Limits::default() }
    }

    /// Whether a process was called with these words.
    fn is_running(words: &str) -> bool {
        let wanted = words.replace(' ', "\0");
        std::fs::read_dir("/proc").unwrap().flatten().any(|it| {
            let text = std::fs::read(it.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&text).trim_end_matches('\0') == wanted
        })
    }

    fn is_soon_gone(words: &str) -> bool {
        let start = Instant::now();
        while is_running(words) {
            if start.elapsed() > Duration::from_secs(10) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }

    #[test]
    fn an_end_is_told_as_what_it_was() {
        let ended = shell(1, "echo out; echo err >&2; exit 7", Limits::default());
        assert_eq!(
            (ended.how, &ended.stdout[..], &ended.stderr[..]),
            (How::Exited(7), &b"out\n"[..], &b"err\n"[..])
        );
        assert_eq!(shell(1, "kill -SEGV $$", Limits::default()).how, How::Signalled(libc::SIGSEGV));
    }

    #[test]
    fn who_sleeps_is_ended() {
        let ended = shell(2, "sleep 73911", wall(200));
        assert_eq!(ended.how, How::OutOf(Resource::Wall));
        assert!(ended.cpu < Duration::from_secs(1), "{ended:?}");
        assert!(is_soon_gone("sleep 73911"));
    }

    #[test]
    fn who_forks_is_ended_with_all_others() {
        let script =
            "for i in 1 2 3; do sleep 73912 & done; (setsid sleep 73913 &); sleep 1; sleep 73914";
        let limits = Limits { memory: Some(1 << 30), ..wall(1500) };
        assert_eq!(shell(3, script, limits).how, How::OutOf(Resource::Wall));
        assert!(is_soon_gone("sleep 73912") && is_soon_gone("sleep 73914"));
        // Whoever leaves the group and has lost its parent is held by a cgroup alone.
        match super::Cgroup::new(1 << 30) {
            Some(_) => assert!(is_soon_gone("sleep 73913")),
            None => println!("skipped: no cgroup can be made here"),
        }
    }

    #[test]
    fn what_is_left_behind_is_ended() {
        assert_eq!(shell(4, "sleep 73915 & exit 0", Limits::default()).how, How::Exited(0));
        assert!(is_soon_gone("sleep 73915"));
    }

    #[test]
    fn who_works_too_long_is_ended() {
        let limits = Limits { cpu: Some(Duration::from_secs(1)), ..Limits::default() };
        let ended = shell(5, "(while :; do :; done) & while :; do :; done", limits);
        assert_eq!(ended.how, How::OutOf(Resource::Cpu));
    }

    #[test]
    fn who_takes_too_much_is_ended() {
        let limits = Limits { memory: Some(200_000_000), ..wall(60_000) };
        // `tail` keeps all of it, in a process that is not the leader.
        let ended =
            shell(6, "head -c 4000000000 /dev/zero | tail -c 3900000000; sleep 73916", limits);
        assert_eq!(ended.how, How::OutOf(Resource::Memory), "{}", ended.memory);
        assert!(ended.memory > 200_000_000 && ended.memory < 2_000_000_000, "{}", ended.memory);
    }

    #[test]
    fn who_is_not_waited_for_is_ended() {
        let interrupt = CancelToken::default();
        let scratch = Scratch::new().unwrap();
        let mut command = Command::new("sleep");
        command.arg("73917");
        interrupt.cancel();
        let ended = run(command, Limits::default(), &scratch.files(7), &interrupt).unwrap();
        assert_eq!(ended.how, How::Interrupted);
    }
}

//! Running a case, and how it ended.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::Setup;
use crate::command::case::{Case, Disturbance, Stdin};
use crate::command::world::World;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Code(i32),
    Signal(i32),
    /// It did not end by itself.
    Hung,
}

pub struct Ended {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
    /// From the signal on.
    pub after_signal: Option<Duration>,
}

/// Nothing takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run(setup: &Setup, case: &Case, world: &World) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = spawn(setup, case, world)?;
    let mut stdin = child.stdin.take();
    if let (Stdin::Program, Some(stdin)) = (case.stdin, &mut stdin) {
        // A command that does not read its input is free to close it.
        let _ = stdin.write_all(b"decl x;\nvoid main() begin x := T; assert(x); end\n");
    }
    if case.stdin != Stdin::HeldOpen {
        stdin = None;
    }
    let stdout = child.stdout.take().filter(|_| case.disturbance != Disturbance::ClosedPipe);
    let stdout = drain(stdout);
    let stderr = drain(child.stderr.take());
    let (end, signalled) = wait(&mut child, case, start)?;
    drop(stdin);
    Ok(Ended {
        end,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        time: start.elapsed(),
        after_signal: signalled.map(|it| it.elapsed()),
    })
}

fn spawn(setup: &Setup, case: &Case, world: &World) -> io::Result<Child> {
    let mut command = match case.address_space {
        None => Command::new(&setup.binary),
        Some(kilobytes) => {
            let mut shell = Command::new("sh");
            let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
            shell.args(["-c", &script]).arg(&setup.binary);
            shell
        }
    };
    command.arg(case.command).args(&case.args).current_dir(&world.folder);
    command.stdin(if case.stdin == Stdin::Nothing { Stdio::null() } else { Stdio::piped() });
    command.stdout(match case.disturbance {
        Disturbance::FullDisk => Stdio::from(File::options().write(true).open("/dev/full")?),
        _ => Stdio::piped(),
    });
    command.stderr(Stdio::piped()).env_remove("COLUMNS").env("RUST_BACKTRACE", "0").spawn()
}

/// Reads to the end in a thread of its own; a pipe that is not there is closed at once.
fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read until an error counts.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// How it ended, and when it was signalled.
fn wait(child: &mut Child, case: &Case, start: Instant) -> io::Result<(End, Option<Instant>)> {
    let mut signalled = None;
    loop {
        if let Some(status) = child.try_wait()? {
            let end = match (status.code(), status.signal()) {
                (Some(code), _) => End::Code(code),
                (None, signal) => End::Signal(signal.unwrap_or(0)),
            };
            return Ok((end, signalled));
        }
        if let Disturbance::Signal(signal, delay) = case.disturbance
            && signalled.is_none()
            && start.elapsed() >= delay
        {
            signalled = Some(Instant::now());
            if let Ok(pid) = i32::try_from(child.id()) {
                // SAFETY: a signal to a child that was not waited for.
                unsafe { libc::kill(pid, signal) };
            }
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok((End::Hung, signalled));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

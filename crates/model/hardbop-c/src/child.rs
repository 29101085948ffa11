//! A program run for its output, within a budget: one that does not end in time is ended, with all it
//! has started.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use hardbop_base::Budget;

/// How often the budget is asked.
const EVERY: Duration = Duration::from_millis(10);

/// More output than this is not read: no preprocessed file is so long.
const MOST_BYTES: u64 = 512 << 20;

/// [`Command::output`] within a budget.
pub fn output(command: &mut Command, budget: &Budget) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // In a group of its own, which can be ended as a whole.
    let mut child = command.process_group(0).spawn()?;
    let result = collect(&mut child, budget);
    if result.is_err() {
        end(&mut child);
    }
    result
}

fn collect(child: &mut Child, budget: &Budget) -> io::Result<Output> {
    let stdout = drain(child.stdout.take())?;
    let stderr = drain(child.stderr.take())?;
    let stdout = wait(&stdout, budget)?;
    let stderr = wait(&stderr, budget)?;
    Ok(Output { status: status(child, budget)?, stdout, stderr })
}

/// Reads a pipe to its end in a thread of its own.
fn drain(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (say, hear) = channel();
    let read = move || {
        let mut bytes = Vec::new();
        let pipe = pipe.map(|pipe| pipe.take(MOST_BYTES).read_to_end(&mut bytes)).transpose();
        // Nobody listens any more once the budget is used up.
        let _ = say.send(pipe.map(|_| bytes));
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(read)?;
    Ok(hear)
}

fn wait<T>(hear: &Receiver<io::Result<T>>, budget: &Budget) -> io::Result<T> {
    loop {
        match hear.recv_timeout(EVERY) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => budget.check().map_err(io::Error::other)?,
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// A program may close its output long before it ends.
fn status(child: &mut Child, budget: &Budget) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        budget.check().map_err(io::Error::other)?;
        std::thread::sleep(EVERY);
    }
}

fn end(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: a signal to a group that we have made; its leader was not waited for, so that the
        // number belongs to nobody else.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    // It is gone, or was gone before.
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::output;
    use hardbop_base::Budget;
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn shell(script: &str, budget: &Budget) -> std::io::Result<std::process::Output> {
        output(Command::new("sh").args(["-c", script]), budget)
    }

    #[test]
    fn output_and_status_are_collected() {
        let it = shell("echo out; echo err >&2; exit 3", &Budget::unlimited()).unwrap();
        assert_eq!((&*it.stdout, &*it.stderr), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(it.status.code(), Some(3));
        let much = shell("yes | head -c 1000000", &Budget::unlimited()).unwrap();
        assert_eq!(much.stdout.len(), 1_000_000);
    }

    #[test]
    fn what_hangs_is_ended_with_its_children() {
        let start = Instant::now();
        let budget = || Budget::unlimited().with_time(Duration::from_millis(100));
        // The second sleeper holds the pipe open.
        assert!(shell("sleep 60 & sleep 60", &budget()).is_err());
        assert!(shell("exec >&- 2>&-; sleep 60", &budget()).is_err());
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}

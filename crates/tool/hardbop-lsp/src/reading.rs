//! Mistakes while typing: a thread reads the text as it is, until it is told that there is a newer one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use hardbop_base::{Budget, CancelToken, Exhausted, stack};
use lsp_types::Diagnostic;

use crate::c::{self, Symbol};
use crate::diagnostics::{note, of_program};
use crate::documents::{Kind, Snapshot};
use crate::positions::Encoding;
use crate::settings::Settings;

/// Who types is not interrupted: reading begins when nothing was typed for so long. That of C starts a process.
const PAUSE: Duration = Duration::from_millis(30);
const PAUSE_C: Duration = Duration::from_millis(200);
const NAP: Duration = Duration::from_millis(5);

/// A text that takes longer has its mistakes told by a check alone.
const LIMIT: Duration = Duration::from_secs(10);

/// Deep programs need deep stacks; the pages are touched only when used.
pub const STACK: usize = 512 << 20;

/// What a text says.
#[derive(Debug, Default)]
pub struct Reading {
    pub diagnostics: Vec<Diagnostic>,
    /// Of C.
    pub symbols: Vec<Symbol>,
}

/// Reads a text in a thread and hands over what it found, unless there is a newer text by then.
pub fn start(
    at: Snapshot,
    settings: Settings,
    encoding: Encoding,
    cancel: CancelToken,
    done: impl FnOnce(Snapshot, Reading) + Send + 'static,
) -> std::io::Result<()> {
    let work = move || {
        let pause = if at.kind == Kind::C { PAUSE_C } else { PAUSE };
        let begin = Instant::now();
        while begin.elapsed() < pause && !cancel.is_cancelled() {
            std::thread::sleep(NAP);
        }
        let budget = Budget::unlimited().with_time(LIMIT).with_cancel(cancel);
        let read = || read(&at, &settings, encoding, &budget);
        let why = match catch_unwind(AssertUnwindSafe(read)) {
            Ok(Err(Exhausted::Cancelled)) => return,
            Ok(Ok(reading)) => return done(at, reading),
            Ok(Err(limit)) => format!("{limit} while reading"),
            // The message is on standard error already.
            Err(_) => "internal error of hardbop".into(),
        };
        let message = format!("mistakes are not shown: {why}");
        let diagnostics = vec![note(encoding, &at.file, message)];
        done(at, Reading { diagnostics, ..Reading::default() });
    };
    let thread = std::thread::Builder::new().name("reading".into());
    thread.stack_size(stack::affordable(STACK)).spawn(work).map(drop)
}

fn read(
    at: &Snapshot,
    settings: &Settings,
    encoding: Encoding,
    budget: &Budget,
) -> Result<Reading, Exhausted> {
    match at.kind {
        Kind::Other => Ok(Reading::default()),
        Kind::C => c::read(at, settings, encoding, budget),
        Kind::Bp => {
            let bytes = at.file.text.clone().into_bytes();
            let (_, _, found) = hardbop_bp::load_within(&at.file.name, bytes, budget)?;
            let diagnostics = found.iter().map(|it| of_program(it, at, encoding)).collect();
            Ok(Reading { diagnostics, symbols: Vec::new() })
        }
    }
}

//! What is said, and to whom: results to standard output, everything else to standard error.

use std::fmt;
use std::io::{self, Write};

/// A line on standard error, in the words of `format!`.
macro_rules! tell {
    ($($words:tt)*) => { $crate::voice::line(format_args!($($words)*)) };
}
pub(crate) use tell;

/// That nobody can read it is no reason to stop.
pub fn line(words: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr().lock(), "{words}");
}

/// A result, styled where the reader wants styles.
pub fn result(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    heard(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Bytes that are a result as they are.
pub fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    heard(out.write_all(bytes).and_then(|()| out.flush()))
}

/// A reader that has seen enough (`hardbop … | head`) is no error, and changes no exit code.
fn heard(said: io::Result<()>) -> io::Result<()> {
    match said {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => {
            other.map_err(|error| io::Error::new(error.kind(), format!("standard output: {error}")))
        }
    }
}

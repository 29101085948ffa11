//! `hardbop lsp`: the language server on standard input and output, until the client ends it or goes.

use std::io;
use std::time::Duration;

use hardbop_base::stack;
use hardbop_lsp::{Ended, connect, serve};

use crate::exit::Exit;
use crate::signals;
use crate::voice::tell;

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;
const NAP: Duration = Duration::from_millis(20);

pub fn lsp() -> io::Result<Exit> {
    let (connection, writer) = connect(io::stdin(), io::stdout())?;
    let thread = std::thread::Builder::new().name("server".into());
    let server = thread.stack_size(stack::affordable(STACK)).spawn(move || serve(&connection))?;
    while !server.is_finished() {
        if signals::interrupt().is_cancelled() {
            return Ok(Exit::Unknown);
        }
        std::thread::sleep(NAP);
    }
    // What is said last has to be heard.
    let ended = server.join();
    let _ = writer.join();
    Ok(match ended {
        Ok(Ended::Orderly) => Exit::Safe,
        // The protocol wants 1 here.
        Ok(Ended::Abrupt) => Exit::Usage,
        Ok(Ended::Lost) => {
            tell!("hardbop: the client has gone without saying `exit`");
            Exit::Io
        }
        // The panic message is on standard error already.
        Err(_) => Exit::Internal,
    })
}

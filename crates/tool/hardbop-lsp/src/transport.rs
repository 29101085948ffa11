//! Messages over pipes: a header with the length, then JSON.
//!
//! `lsp-server` has this too, and ends at the first message that is none. Here such a message is answered with an
//! error (JSON-RPC 2.0, section 5: its number is null), and the next one is read.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::json;

/// Longer messages are passed over: no text of an editor is so long.
const MOST_BYTES: usize = 256 << 20;
/// A line of a header is not longer.
const MOST_HEADER: u64 = 8 << 10;

/// A connection over two pipes, and the thread that writes: it ends when the connection is dropped.
pub fn connect(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<(Connection, JoinHandle<()>)> {
    let output = Arc::new(Mutex::new(output));
    let (heard, receiver) = bounded(0);
    let (sender, said) = unbounded();
    let answers = output.clone();
    // It waits for input until the process ends: nobody joins it.
    let reader = std::thread::Builder::new().name("reader".into());
    reader.spawn(move || read_all(BufReader::new(input), &heard, &*answers))?;
    let writer = std::thread::Builder::new().name("writer".into());
    let writer = writer.spawn(move || write_all(&said, &*output))?;
    Ok((Connection { sender, receiver }, writer))
}

/// Hands on what is a message until the input ends or nobody listens.
fn read_all(mut input: impl BufRead, heard: &Sender<Message>, answers: &Mutex<impl Write>) {
    loop {
        match next(&mut input) {
            Ok(Some(Ok(message))) => {
                if heard.send(message).is_err() {
                    return;
                }
            }
            Ok(Some(Err(why))) => {
                if refuse(answers, &why).is_err() {
                    return;
                }
            }
            Ok(None) | Err(_) => return,
        }
    }
}

fn write_all(said: &Receiver<Message>, output: &Mutex<impl Write>) {
    for message in said {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that has gone closes its other end, too: the reader notices.
        if message.write(&mut *output).is_err() {
            return;
        }
    }
}

/// Says that something was no message.
fn refuse(answers: &Mutex<impl Write>, why: &str) -> io::Result<()> {
    let code = ErrorCode::ParseError as i32;
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": why } });
    let text = error.to_string();
    let mut output = answers.lock().unwrap_or_else(PoisonError::into_inner);
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// The next message, or why it is none; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let Some(length) = header(input)? else { return Ok(None) };
    let length = match length {
        Ok(length) if length <= MOST_BYTES => length,
        Ok(length) => {
            io::copy(&mut input.take(length as u64), &mut io::sink())?;
            return Ok(Some(Err(format!("a message of {length} bytes is too long"))));
        }
        Err(why) => return Ok(Some(Err(why))),
    };
    let mut bytes = Vec::new();
    if input.take(length as u64).read_to_end(&mut bytes)? < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&bytes).map_err(|error| format!("no message: {error}"))))
}

/// The length a header says; `None` at the end of the input.
fn header(input: &mut impl BufRead) -> io::Result<Option<Result<usize, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(MOST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            let missing = || "a header says no Content-Length".to_string();
            return Ok(Some(length.ok_or_else(missing)));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next;
    use lsp_server::Message;

    fn all(text: &str) -> Vec<Result<Message, String>> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| next(&mut input).unwrap()).collect()
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_no_message_is_told_and_the_next_is_read() {
        let right = framed(r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#);
        let deep = framed(&"[".repeat(100_000));
        let wrong = [framed("{"), framed("7"), framed("\u{0}"), deep, framed("")];
        for wrong in wrong.iter().map(String::as_str).chain(["\r\n", "Content-Length: x\r\n\r\n"]) {
            let heard = all(&format!("{wrong}{right}"));
            assert_eq!(heard.len(), 2, "{wrong:.40}");
            assert!(heard[0].is_err() && heard[1].is_ok(), "{wrong:.40}");
        }
    }

    #[test]
    fn a_message_that_is_cut_off_is_the_end() {
        assert!(all("Content-Length: 10\r\n\r\n{").is_empty());
        assert!(all("Content-Le").is_empty());
        let other = "content-type: x\r\nCONTENT-LENGTH:2\n\r\n{}";
        assert_eq!(all(other).len(), 1);
    }
}

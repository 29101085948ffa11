//! `hardbop lsp` as an editor sees it: a process with two pipes.

#[path = "../../hardbop-lsp/tests/editor/mod.rs"]
mod editor;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use editor::Editor;
use serde_json::{Value, json};

fn start() -> (Child, ChildStdin, ChildStdout) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(["lsp", "--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

#[test]
fn a_session_over_pipes() {
    let (mut child, stdin, stdout) = start();
    // The framing is the same on both sides.
    let (connection, writer) = hardbop_lsp::connect(stdout, stdin).unwrap();
    let mut editor = Editor::ready(connection, json!({ "check": "command" }));
    let uri = "file:///tmp/none/%C3%BC.bp";
    editor.open(uri, "decl g;\nvoid main()\nbegin\n  assert(g);\nend\n");
    assert!(editor.diagnostics(uri, 1).is_empty());
    let result = editor.command("hardbop.check", json!([uri])).unwrap();
    assert_eq!(result["verdict"], "unsafe");
    assert_eq!(editor.diagnostics(uri, 1)[0]["range"]["start"]["line"], 3);
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    editor.notify("exit", Value::Null);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(editor);
    writer.join().unwrap();
}

#[test]
fn what_is_no_message_is_answered_with_an_error_and_the_session_goes_on() {
    let (mut child, mut stdin, mut stdout) = start();
    let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let shutdown = r#"{"jsonrpc":"2.0","id":"two","method":"shutdown"}"#;
    let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
    let mut sent = String::from("Content-Type: nonsense\r\n\r\n");
    for text in ["{", initialize, "[1,2]", "\u{0}", shutdown, exit] {
        sent += &framed(text);
    }
    stdin.write_all(sent.as_bytes()).unwrap();
    let mut heard = String::new();
    stdout.read_to_string(&mut heard).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(heard.matches("-32700").count(), 4, "{heard}");
    assert!(heard.contains(r#""id":1,"#) && heard.contains(r#""id":"two""#), "{heard}");
}

#[test]
fn how_a_session_ends_is_the_exit_code() {
    let exit = "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    for (sent, code) in [(exit, 1), ("", 3), ("Content-Length: 99\r\n\r\n{", 3)] {
        let (mut child, mut stdin, _stdout) = start();
        stdin.write_all(sent.as_bytes()).unwrap();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{sent}");
    }
}

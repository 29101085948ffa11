//! An editor for tests: it talks to a server over a connection and keeps what it hears.

// Not every test needs all of it.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

/// Longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Editor {
    pub connection: Connection,
    n_sent: i32,
    /// Notifications that nobody has waited for yet.
    heard: VecDeque<Notification>,
    /// Requests of the server, by method.
    pub asked: Vec<String>,
}

impl Editor {
    pub fn new(connection: Connection) -> Editor {
        Editor { connection, n_sent: 0, heard: VecDeque::new(), asked: Vec::new() }
    }

    /// One that has introduced itself; it understands all that there is.
    pub fn ready(connection: Connection, settings: Value) -> Editor {
        let mut editor = Editor::new(connection);
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "workspace": { "codeLens": { "refreshSupport": true } },
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        });
        let params = json!({ "capabilities": capabilities, "initializationOptions": settings });
        let result = editor.request("initialize", params).expect("it is initialized");
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
        editor.notify("initialized", json!({}));
        editor
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let message = Notification { method: method.into(), params };
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    /// Sends a request and does not wait.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.n_sent += 1;
        let request = Request { id: self.n_sent.into(), method: method.into(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        self.n_sent
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.answer(id)
    }

    #[track_caller]
    pub fn answer(&mut self, id: i32) -> Result<Value, (i32, String)> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(response) = self.hear(deadline) {
                assert_eq!(response.id, id.into(), "answers come to who waits");
                return response.response_result.map_err(|it| (it.code, it.message));
            }
        }
    }

    /// The next notification that is wanted; others are kept for who waits for them.
    #[track_caller]
    pub fn wait(&mut self, wanted: impl Fn(&Notification) -> bool) -> Notification {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.heard.iter().position(&wanted) {
                return self.heard.remove(at).expect("it was there");
            }
            assert!(self.hear(deadline).is_none(), "nobody waits for an answer");
        }
    }

    /// Takes one message; an answer is handed out.
    #[track_caller]
    fn hear(&mut self, deadline: Instant) -> Option<Response> {
        let message = self.connection.receiver.recv_deadline(deadline);
        match message.expect("the server says something") {
            Message::Response(response) => return Some(response),
            Message::Notification(it) => self.heard.push_back(it),
            Message::Request(Request { id, method, .. }) => {
                self.asked.push(method);
                let answer = Response { id, response_result: Ok(Value::Null) };
                self.connection.sender.send(answer.into()).expect("the server listens");
            }
        }
        None
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    pub fn save(&mut self, uri: &str) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    /// The next diagnostics of a version.
    #[track_caller]
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let it = self.wait(|it| {
            let is_it = it.method == "textDocument/publishDiagnostics";
            is_it && it.params["uri"] == uri && it.params["version"] == version
        });
        it.params["diagnostics"].as_array().expect("a list").clone()
    }

    /// A request about a place.
    #[track_caller]
    pub fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true, "triggerKind": 1 },
        });
        self.request(&format!("textDocument/{method}"), params).expect("an answer")
    }

    /// A request about a document.
    #[track_caller]
    pub fn of(&mut self, method: &str, uri: &str) -> Value {
        let zero = json!({ "line": 0, "character": 0 });
        let params = json!({
            "textDocument": { "uri": uri },
            "options": { "tabSize": 2, "insertSpaces": true },
            "range": { "start": zero, "end": { "line": 99, "character": 0 } },
            "context": { "diagnostics": [] },
        });
        self.request(&format!("textDocument/{method}"), params).expect("an answer")
    }

    pub fn command(&mut self, name: &str, arguments: Value) -> Result<Value, (i32, String)> {
        let params = json!({ "command": name, "arguments": arguments });
        self.request("workspace/executeCommand", params)
    }
}

//! What the server says of its own accord.

use std::sync::atomic::{AtomicI32, Ordering};

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, Request, Response};
use lsp_types::notification::Notification as Notice;
use lsp_types::notification::{LogMessage, Progress, PublishDiagnostics, ShowMessage};
use lsp_types::request::Request as Question;
use lsp_types::request::{CodeLensRefresh, ShowDocument, WorkDoneProgressCreate};
use lsp_types::{
    Diagnostic, LogMessageParams, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
    PublishDiagnosticsParams, ShowDocumentParams, ShowMessageParams, Uri, WorkDoneProgress,
    WorkDoneProgressCreateParams,
};

/// The other end. Whether it still listens is noticed where its messages are read.
#[derive(Debug)]
pub struct Client {
    sender: Sender<Message>,
    can: Abilities,
    next_id: AtomicI32,
}

/// What the other end understands besides what everybody does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abilities {
    /// Progress that the server begins.
    pub progress: bool,
    /// To open an address.
    pub show_document: bool,
    /// To ask for lenses again.
    pub refresh_lenses: bool,
    /// Further places of a diagnostic.
    pub related: bool,
}

impl Client {
    pub fn new(sender: Sender<Message>, can: Abilities) -> Client {
        Client { sender, can, next_id: AtomicI32::new(0) }
    }

    pub fn can(&self) -> Abilities {
        self.can
    }

    pub fn respond(&self, response: Response) {
        self.send(response.into());
    }

    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }

    fn notify<N: Notice>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.into(), params).into());
    }

    /// The answer is not waited for.
    fn ask<R: Question>(&self, params: R::Params) {
        let id = format!("hardbop-{}", self.next_id.fetch_add(1, Ordering::Relaxed));
        self.send(Request::new(id.into(), R::METHOD.into(), params).into());
    }

    pub fn publish(&self, uri: &Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        self.notify::<PublishDiagnostics>(params);
    }

    pub fn show(&self, typ: MessageType, message: impl Into<String>) {
        self.notify::<ShowMessage>(ShowMessageParams { typ, message: message.into() });
    }

    pub fn log(&self, typ: MessageType, message: impl Into<String>) {
        self.notify::<LogMessage>(LogMessageParams { typ, message: message.into() });
    }

    /// What our own client shows in its status bar; others pass it over.
    pub fn status(&self, uri: &Uri, state: &str, text: &str) {
        let params = serde_json::json!({ "uri": uri, "state": state, "text": text });
        self.send(Notification::new("hardbop/status".into(), params).into());
    }

    pub fn begin(&self, token: &ProgressToken, is_ours: bool, it: WorkDoneProgress) {
        if is_ours {
            let token = token.clone();
            self.ask::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token });
        }
        self.progress(token, it);
    }

    pub fn progress(&self, token: &ProgressToken, it: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(it);
        self.notify::<Progress>(ProgressParams { token: token.clone(), value });
    }

    /// Lenses and colours have changed though the text has not.
    pub fn refresh(&self) {
        if self.can.refresh_lenses {
            self.ask::<CodeLensRefresh>(());
        }
    }

    pub fn open(&self, uri: &Uri) {
        if self.can.show_document {
            self.ask::<ShowDocument>(ShowDocumentParams {
                uri: uri.clone(),
                external: Some(true),
                take_focus: Some(true),
                selection: None,
            });
        }
    }
}

//! The loop: messages of the client and events of threads, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::MessageType;
use lsp_types::Uri;

use crate::checking::{Checked, Checking, Job, Undone, Wish, end};
use crate::client::Client;
use crate::documents::{Documents, Kind, Snapshot};
use crate::failure::Failure;
use crate::handshake;
use crate::positions::Encoding;
use crate::reading::{self, Reading};
use crate::settings::Settings;
use crate::verdict;

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By `shutdown` and `exit`.
    Orderly,
    /// By `exit` alone.
    Abrupt,
    /// The client has gone.
    Lost,
}

/// All state; one thread owns it.
pub struct Server {
    pub client: Client,
    pub documents: Documents,
    pub settings: Settings,
    /// As they were sent.
    sent: serde_json::Value,
    pub encoding: Encoding,
    pub checking: Checking,
    pub n_pages: u64,
    events: Sender<Event>,
    is_shut_down: bool,
}

/// What a thread has to say.
enum Event {
    Read(Box<(Snapshot, Reading)>),
    Checked(u64, Box<Result<Checked, Undone>>),
}

/// Serves one client until it says `exit` or goes.
pub fn serve(connection: &Connection) -> Ended {
    let (mut server, events) = match Server::start(connection) {
        Ok(started) => started,
        Err(ended) => return ended,
    };
    loop {
        let ticks = server.checking.ticks();
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(it)) => server.request(it),
                Ok(Message::Notification(it)) if it.method == "exit" => {
                    return if server.is_shut_down { Ended::Orderly } else { Ended::Abrupt };
                }
                Ok(Message::Notification(it)) => server.notification(it),
                // Nothing we ask has an answer that matters.
                Ok(Message::Response(_)) => {}
                Err(_) => return Ended::Lost,
            },
            recv(events) -> event => event.into_iter().for_each(|it| server.event(it)),
            recv(ticks) -> _ => server.tick(),
        }
    }
}

impl Server {
    fn start(connection: &Connection) -> Result<(Server, Receiver<Event>), Ended> {
        let (id, params) = handshake::wait(connection)?;
        let encoding = handshake::encoding(&params.capabilities);
        let can = handshake::abilities(&params.capabilities);
        let client = Client::new(connection.sender.clone(), can);
        let (events, heard) = unbounded();
        let mut server = Server {
            client,
            documents: Documents::default(),
            settings: Settings::default(),
            sent: serde_json::Value::Null,
            encoding,
            checking: Checking::default(),
            n_pages: 0,
            events,
            is_shut_down: false,
        };
        server.client.respond(Response::new_ok(id, handshake::result(encoding)));
        server.set(&params.initialization_options.unwrap_or_default());
        Ok((server, heard))
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if method == "shutdown" && !self.is_shut_down {
            self.is_shut_down = true;
            self.checking.cancel_all(&self.client);
            return self.client.respond(Response::new_ok(id, ()));
        }
        if self.is_shut_down {
            return self.respond(id, Err(Failure::out_of_order("the server was shut down")));
        }
        let answer = catch_unwind(AssertUnwindSafe(|| self.route(&id, &method, params)));
        let failed = || Some(Err(Failure::internal("internal error of hardbop")));
        if let Some(answer) = answer.unwrap_or_else(|_| failed()) {
            self.respond(id, answer);
        }
    }

    fn notification(&mut self, it: Notification) {
        if self.is_shut_down {
            return;
        }
        let method = it.method.clone();
        let done = catch_unwind(AssertUnwindSafe(|| self.notice(it)));
        let done = done.unwrap_or_else(|_| Err(Failure::internal("internal error of hardbop")));
        if let Err(why) = done {
            self.client.log(MessageType::ERROR, format!("{method}: {why}"));
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Read(it) => {
                let (at, reading) = *it;
                self.read(&at, reading);
            }
            Event::Checked(number, result) => {
                if let Some(job) = self.checking.finished(number) {
                    self.checked(job, *result);
                }
            }
        }
        self.next_check();
    }

    fn tick(&mut self) {
        if let Some((job, undone)) = self.checking.overdue() {
            self.checked(job, Err(undone));
        }
        self.checking.report(&self.client);
        self.next_check();
    }

    pub fn respond(&self, id: RequestId, answer: Result<serde_json::Value, Failure>) {
        self.client.respond(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(failure) => failure.response(id),
        });
    }

    /// New settings; what is wrong with them is told. What was found out by others does not count any more.
    pub fn set(&mut self, sent: &serde_json::Value) {
        if self.sent == *sent {
            return;
        }
        self.sent = sent.clone();
        let (settings, wrong) = Settings::read(sent);
        self.settings = settings;
        wrong.into_iter().for_each(|it| self.client.show(MessageType::WARNING, it));
        self.outdate(Kind::Bp, None);
        self.outdate(Kind::C, None);
    }

    /// Reads all documents of a kind again, but for one: something has changed besides their text.
    pub fn outdate(&mut self, kind: Kind, but: Option<&Uri>) {
        for at in self.documents.outdate(kind, but) {
            self.checking.forget(&at.uri, "what it rests on has changed", &self.client);
            self.start_reading(at);
        }
        self.next_check();
        self.client.refresh();
    }

    /// Reads a text in the background.
    pub fn start_reading(&self, at: Snapshot) {
        let Ok(document) = self.documents.get(&at.uri) else { return };
        let (cancel, events) = (document.reading.clone(), self.events.clone());
        let done = move |at, reading| {
            // Nobody listens any more when the server has ended.
            let _ = events.send(Event::Read(Box::new((at, reading))));
        };
        let started = reading::start(at, self.settings.clone(), self.encoding, cancel, done);
        if let Err(error) = started {
            self.client.log(MessageType::ERROR, format!("a text is not read: {error}"));
        }
    }

    /// A text was read.
    fn read(&mut self, at: &Snapshot, reading: Reading) {
        let Some(document) = self.documents.current(at) else { return };
        let has_news = *document.symbols != reading.symbols;
        document.mistakes = reading.diagnostics;
        document.symbols = reading.symbols.into();
        self.publish(&at.uri);
        if has_news {
            self.client.refresh();
        }
    }

    /// Shows all that is known about a document.
    pub fn publish(&self, uri: &Uri) {
        let Ok(document) = self.documents.get(uri) else { return };
        let mut all = document.mistakes.clone();
        if let Some(checked) = &document.checked {
            all.extend(verdict::diagnostics(&checked.record, document.now(), self.encoding));
        }
        if !self.client.can().related {
            all.iter_mut().for_each(verdict::told_in_words);
        }
        self.client.publish(uri, Some(document.now().version), all);
    }

    /// Asks for a check.
    pub fn check(&mut self, wish: Wish) {
        self.checking.wish(wish, &self.client);
        self.next_check();
        self.client.refresh();
    }

    /// Begins the next check if none is at work.
    pub fn next_check(&mut self) {
        let events = self.events.clone();
        self.checking.next(&self.settings, &self.client, move |number, result| {
            let _ = events.send(Event::Checked(number, Box::new(result)));
        });
    }

    /// A check has come to its end: it is shown, told, and answers who has asked.
    fn checked(&mut self, job: Job, result: Result<Checked, Undone>) {
        let Wish { at, request, token, .. } = job.wish;
        let (state, words, loudness) = match &result {
            Ok(it) => {
                let state = it.record.verdict.to_string();
                (state, verdict::sentence(&it.record), verdict::loudness(&it.record))
            }
            Err(undone) => ("unknown".into(), undone.words(), MessageType::WARNING),
        };
        if let Some(token) = &token {
            self.client.progress(token, end(&words));
        }
        self.client.status(&at.uri, &state, &words);
        let name = at.path.file_name().map(|it| it.to_string_lossy()).unwrap_or_default();
        let told = format!("{name}: {words}");
        match request {
            // Who has saved a text is not interrupted.
            None => self.client.log(loudness, told),
            Some(_) => self.client.show(loudness, told),
        }
        if let (Ok(checked), Some(document)) = (&result, self.documents.current(&at)) {
            document.checked = Some(checked.clone());
            self.publish(&at.uri);
        }
        self.client.refresh();
        if let Some((id, wanted)) = request {
            let answer = match &result {
                Ok(checked) => self.answer(wanted, checked),
                Err(undone) => Err(Failure::refused(undone.words())),
            };
            self.respond(id, answer);
        }
    }
}

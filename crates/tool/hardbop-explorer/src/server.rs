//! One page on loopback.
//!
//! The server knows a single text and a single address with a token in it; every other path is not found, so
//! there is no file a request could reach. Only the machine itself can connect, and a page of somebody else
//! that guesses the port does not know the token, nor does it come with our `Host` (DNS rebinding).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::page::policy;

/// Longer requests are not read: a browser's are shorter.
const LONGEST: u64 = 16 << 10;
/// A client that says nothing is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections served at once.
const MOST: usize = 32;

/// A page and where it is to be had.
pub struct Server {
    listener: TcpListener,
    port: u16,
    token: String,
    page: Arc<str>,
}

impl Server {
    /// Takes a free port on loopback; the token comes from the system's source of chance.
    pub fn start(page: String) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let mut bytes = [0; 16];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Server { listener, port, token, page: page.into() })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Answers until the process ends.
    pub fn serve(self) -> io::Result<()> {
        let here = Arc::new(self);
        let busy = Arc::new(());
        for stream in here.listener.incoming() {
            // A connection that was given up before it was taken is no reason to stop.
            let Ok(stream) = stream else { continue };
            if Arc::strong_count(&busy) > MOST {
                continue;
            }
            let (here, busy) = (Arc::clone(&here), Arc::clone(&busy));
            let answer = move || {
                let _busy = busy;
                // Whoever has gone does not hear the answer.
                let _ = here.answer(stream);
            };
            let thread = std::thread::Builder::new().name("explorer".into());
            thread.stack_size(256 << 10).spawn(answer)?;
        }
        Ok(())
    }

    fn answer(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Request { method, path, host } = match Request::read(&stream)? {
            Some(request) => request,
            None => return self.say(stream, "400 Bad Request", "text/plain", "no request", true),
        };
        let is_ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
            .iter()
            .any(|it| host.eq_ignore_ascii_case(it));
        if !is_ours {
            return self.say(stream, "403 Forbidden", "text/plain", "not this host", true);
        }
        let has_body = match method.as_str() {
            "GET" => true,
            "HEAD" => false,
            _ => return self.say(stream, "405 Method Not Allowed", "text/plain", "only GET", true),
        };
        if is_same(path.as_bytes(), format!("/{}/", self.token).as_bytes()) {
            return self.say(stream, "200 OK", "text/html; charset=utf-8", &self.page, has_body);
        }
        self.say(stream, "404 Not Found", "text/plain", "there is nothing here", has_body)
    }

    fn say(
        &self,
        mut stream: TcpStream,
        status: &str,
        kind: &str,
        body: &str,
        has_body: bool,
    ) -> io::Result<()> {
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Content-Security-Policy: {}; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCache-Control: no-store\r\n\
             Connection: close\r\n\r\n",
            policy(),
        )?;
        if has_body {
            stream.write_all(body.as_bytes())?;
        }
        stream.flush()
    }
}

/// What is asked for.
struct Request {
    method: String,
    path: String,
    host: String,
}

impl Request {
    /// `None` for what is no request.
    fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
        let mut lines = BufReader::new(stream.take(LONGEST));
        let mut first = String::new();
        lines.read_line(&mut first)?;
        let mut words = first.split_ascii_whitespace();
        let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        if !version.starts_with("HTTP/1.") {
            return Ok(None);
        }
        let (mut host, mut is_whole) = (String::new(), false);
        let mut line = String::new();
        while lines.read_line(&mut line)? > 0 {
            if line.trim_end().is_empty() {
                is_whole = true;
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = value.trim().to_string();
            }
            line.clear();
        }
        Ok(is_whole.then(|| Request { method: method.into(), path: path.into(), host }))
    }
}

/// Takes as long for a wrong token as for a right one.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::Server;

    /// A server, and a function that says something to it and hears the answer.
    fn started() -> (String, impl Fn(&str) -> String) {
        let server = Server::start("<p>page</p>".into()).unwrap();
        let (address, port) = (server.address(), server.port);
        assert!(server.listener.local_addr().unwrap().ip().is_loopback());
        std::thread::spawn(move || server.serve());
        let say = move |text: &str| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.write_all(text.replace("PORT", &port.to_string()).as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let path = address.splitn(4, '/').nth(3).unwrap();
        (format!("/{path}"), say)
    }

    #[test]
    fn the_page_is_had_by_its_token_alone() {
        let (path, say) = started();
        let get = |path: &str| say(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"));
        let page = get(&path);
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("<p>page</p>"), "{page}");
        assert!(
            page.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'sha256-")
        );
        assert!(path.len() == 34, "32 digits between two slashes");
        let others = ["/", "/favicon.ico", "/../etc/passwd", "//etc/passwd", "/%2e%2e/etc/passwd"];
        let longer = format!("{path}../../etc/passwd");
        let shorter = &path[..path.len() - 2];
        for other in others.into_iter().chain([longer.as_str(), shorter]) {
            assert!(get(other).starts_with("HTTP/1.1 404 "), "{other}");
        }
    }

    #[test]
    fn other_hosts_methods_and_noise_are_refused() {
        let (path, say) = started();
        let rebound = say(&format!("GET {path} HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n"));
        assert!(rebound.starts_with("HTTP/1.1 403 "), "{rebound}");
        let nameless = say(&format!("GET {path} HTTP/1.1\r\n\r\n"));
        assert!(nameless.starts_with("HTTP/1.1 403 "), "{nameless}");
        let post = say(&format!("POST {path} HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"));
        assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
        let head = say(&format!("HEAD {path} HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"));
        assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(say("nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
        assert!(say(&format!("GET {path} SPDY\r\n\r\n")).starts_with("HTTP/1.1 400 "));
    }
}

//! The scripted model as a server.

use std::io::{self, BufReader, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::reply;
use super::script::{self, Answer};
use crate::http::log::Log;
use crate::http::request::HttpRequest;
use crate::http::wire::Wire;

/// A scripted model on a port of the loopback interface, with everything that was asked of it.
///
/// It runs on threads of its own and stops when it is dropped. The answers of its script are given in their order, one a
/// request; behind the last one it answers with a text that says so.
///
/// ```
/// let model = codewhale_testkit::ModelFake::start(r#"[{"text": "hello"}]"#);
/// assert!(model.base_url().ends_with("/v1"));
/// assert!(model.asked().is_empty());
/// ```
pub struct ModelFake {
    server: Arc<Server>,
}

struct Server {
    port: u16,
    answers: Vec<Answer>,
    next: AtomicUsize,
    log: Log,
    stopped: AtomicBool,
    connections: Mutex<Vec<TcpStream>>,
}

impl ModelFake {
    /// Starts a model with a script: a JSON array of answers, each with `text`, `thoughts`, `calls` (`name`, `arguments`,
    /// `id`), `usage`, `stream`, `split`, `events`, `status`, `error` and `retry_after`, and `fault` (`stall`, `deaf`,
    /// `gone`, `cut`, `end`, `broken` or `said`).
    ///
    /// # Panics
    ///
    /// When the script cannot be read, or there is no port.
    #[must_use]
    pub fn start(script: &str) -> ModelFake {
        ModelFake::listen(script, 0).unwrap_or_else(|fault| panic!("{fault}"))
    }

    pub(super) fn listen(script: &str, port: u16) -> Result<ModelFake, String> {
        let answers = script::read(script)?;
        let cannot = |error: io::Error| format!("cannot listen: {error}");
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        let server = Arc::new(Server {
            port,
            answers,
            next: AtomicUsize::new(0),
            log: Log::default(),
            stopped: AtomicBool::new(false),
            connections: Mutex::default(),
        });
        let accepting = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if accepting.stopped.load(Ordering::SeqCst) {
                    break;
                }
                let server = accepting.clone();
                std::thread::spawn(move || {
                    // What goes wrong on a connection ends that connection.
                    let _ = server.serve(&stream);
                    let _ = stream.shutdown(Shutdown::Both);
                    server.log.closed();
                });
            }
        });
        Ok(ModelFake { server })
    }

    /// What `[model] base_url` is set to.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.server.port)
    }

    /// Every request, in the order they were read.
    #[must_use]
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.server.log.requests()
    }

    /// The body of every request.
    #[must_use]
    pub fn asked(&self) -> Vec<Value> {
        self.requests().iter().map(HttpRequest::json).collect()
    }

    /// How many connections there are now.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.server.log.open()
    }

    /// Completes when it is so; looks whenever something has happened. Any runtime does.
    pub async fn until(&self, is_so: impl Fn(&ModelFake) -> bool) {
        self.server.log.until(|| is_so(self)).await;
    }

    /// Blocks this thread until it is so.
    ///
    /// # Panics
    ///
    /// When it has not happened after a minute.
    pub fn wait(&self, is_so: impl Fn(&ModelFake) -> bool) {
        self.server.log.wait(|| is_so(self));
    }
}

impl Drop for ModelFake {
    fn drop(&mut self) {
        self.server.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts, so that it sees the order.
        let _ = TcpStream::connect(("127.0.0.1", self.server.port));
        for stream in self.server.connections.lock().expect("no holder panics").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Server {
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let number = self.log.opened();
        stream.set_nodelay(true)?;
        self.connections.lock().expect("no holder panics").push(stream.try_clone()?);
        let mut input = BufReader::new(stream.try_clone()?);
        while let Some(request) = HttpRequest::read(&mut input, number, self.port)? {
            let model = request.json()["model"].as_str().unwrap_or("none").to_owned();
            self.log.request(request);
            let answer = self.answers.get(self.next.fetch_add(1, Ordering::SeqCst)).cloned();
            let answer = answer.unwrap_or_else(|| Answer {
                text: "the script is at its end".to_owned(),
                split: 7,
                status: 200,
                ..Answer::default()
            });
            let left = || drop(stream.peek(&mut [0]));
            reply::write(&answer, &model, &mut Wire::new(stream.try_clone()?), left)?;
        }
        // The client has said all it has to.
        let _ = input.read(&mut [0]);
        Ok(())
    }
}

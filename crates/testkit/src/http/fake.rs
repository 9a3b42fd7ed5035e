//! A fake HTTP server within the process of a test.

use super::log::Log;
use super::mode;
use super::request::HttpRequest;
use super::running::{Running, run};
use super::server::Server;
use super::traffic::Traffic;
use std::sync::{Arc, Mutex, MutexGuard};

/// A fake MCP server on a port of the loopback interface, with everything that came to it.
///
/// It runs on threads of its own, whatever the test runs on, and stops when it is dropped.
///
/// ```
/// let fake = codewhale_testkit::HttpFake::start("everything --era modern");
/// assert!(fake.url().starts_with("http://127.0.0.1:"));
/// assert_eq!(fake.count("tools/call"), 0);
/// ```
pub struct HttpFake {
    words: Mutex<Vec<String>>,
    exit: fn(&Server, i32),
    log: Arc<Log>,
    path: &'static str,
    port: u16,
    other: u16,
    running: Mutex<Option<Running>>,
}

impl HttpFake {
    /// Starts a mode, with flags between spaces: what `codewhale-fake --http` takes.
    ///
    /// # Panics
    ///
    /// When there is no such mode or flag, or no port.
    #[must_use]
    pub fn start(mode: &str) -> HttpFake {
        HttpFake::start_with(&mode.split_whitespace().collect::<Vec<_>>())
    }

    /// The same, with words that may have spaces.
    ///
    /// # Panics
    ///
    /// As [`HttpFake::start`].
    #[must_use]
    pub fn start_with(words: &[&str]) -> HttpFake {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        HttpFake::listen(words, |server, _| server.stop()).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// `exit` is what happens when a client makes the server exit.
    pub(super) fn listen(words: Vec<String>, exit: fn(&Server, i32)) -> Result<HttpFake, String> {
        let log = Arc::new(Log::default());
        let plan = mode::plan(&words)?;
        let port = plan.options.text("port").and_then(|text| text.parse().ok()).unwrap_or(0);
        let running = run(&words, &log, (port, 0), exit)?;
        let (port, other) = (running.server.port, running.server.other);
        let running = Mutex::new(Some(running));
        Ok(HttpFake { words: Mutex::new(words), exit, log, path: plan.path, port, other, running })
    }

    /// The URL that a client is to be given.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of(self.path)
    }

    /// The URL of another path.
    #[must_use]
    pub fn url_of(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The port of the other origin, where modes send clients that should not go there.
    #[must_use]
    pub fn other_port(&self) -> u16 {
        self.other
    }

    /// Everything that comes to it, also when it is gone.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        Traffic(self.log.clone())
    }

    /// Every request, in the order they were read.
    #[must_use]
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.log.requests()
    }

    /// Every request that came to the other origin.
    #[must_use]
    pub fn elsewhere(&self) -> Vec<HttpRequest> {
        self.requests().into_iter().filter(|request| request.port == self.other).collect()
    }

    /// How many requests had this HTTP method or this method of JSON-RPC.
    #[must_use]
    pub fn count(&self, method: &str) -> usize {
        let fits = |request: &&HttpRequest| {
            request.method == method || request.rpc_method().as_deref() == Some(method)
        };
        self.requests().iter().filter(fits).count()
    }

    /// The requests with this HTTP method or this method of JSON-RPC.
    #[must_use]
    pub fn requests_of(&self, method: &str) -> Vec<HttpRequest> {
        let fits = |request: &HttpRequest| {
            request.method == method || request.rpc_method().as_deref() == Some(method)
        };
        self.requests().into_iter().filter(fits).collect()
    }

    /// How many connections there are now.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.log.open()
    }

    /// How many connections there have been.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.log.connections()
    }

    /// What happened, a line each: `head …`, `in …`, `out …`, `left ID` (the client left before its answer),
    /// `violation: …`.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.log.notes()
    }

    /// The rules that the client broke, a line each.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        let notes = self.notes().into_iter();
        notes.filter_map(|note| note.strip_prefix("violation: ").map(str::to_owned)).collect()
    }

    /// Completes when it is so; looks whenever something has happened. Any runtime does.
    pub async fn until(&self, is_so: impl Fn(&HttpFake) -> bool) {
        self.log.until(|| is_so(self)).await;
    }

    /// Blocks this thread until it is so.
    ///
    /// # Panics
    ///
    /// When it has not happened after a minute.
    pub fn wait(&self, is_so: impl Fn(&HttpFake) -> bool) {
        self.log.wait(|| is_so(self));
    }

    /// Ends the server at once: its port is closed, and so is every connection.
    pub fn stop(&self) {
        let Some(running) = self.running().take() else { return };
        running.server.stop();
        for thread in running.threads {
            thread.join().expect("a thread that accepts does not panic");
        }
    }

    /// Starts the server anew on the same port; it knows nothing of what was before.
    ///
    /// # Panics
    ///
    /// When the port has been taken meanwhile.
    pub fn restart(&self) {
        self.stop();
        let words = self.words.lock().expect("no holder panics").clone();
        let running = run(&words, &self.log, (self.port, self.other), self.exit);
        *self.running() = Some(running.unwrap_or_else(|fault| panic!("{fault}")));
    }

    /// Starts another mode in its place, on the same port.
    ///
    /// # Panics
    ///
    /// As [`HttpFake::start`] and [`HttpFake::restart`].
    pub fn restart_as(&self, mode: &str) {
        let words = mode.split_whitespace().map(str::to_owned).collect();
        *self.words.lock().expect("no holder panics") = words;
        self.restart();
    }

    /// Forgets every legacy session: who names one is answered with 404.
    pub fn lose_sessions(&self) {
        self.with(|server| server.legacy.lose_all());
    }

    /// Ends every open stream as it should be ended, whether or not it has said all it has to.
    pub fn close_streams(&self) {
        self.with(Server::close_streams);
    }

    /// Breaks every connection; the server goes on.
    pub fn cut_connections(&self) {
        self.with(Server::cut_connections);
    }

    /// Says a message as it is on every stream that belongs to no request: those of sessions, of subscriptions and
    /// of the deprecated transport.
    pub fn say(&self, message: &str) {
        self.with(|server| {
            server.say_modern(message);
            server.streams.say(message);
            server.legacy.all().iter().for_each(|session| session.general.push(message.to_owned()));
        });
    }

    fn with(&self, deed: impl FnOnce(&Server)) {
        if let Some(running) = &*self.running() {
            deed(&running.server);
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().expect("no holder panics")
    }
}

impl Drop for HttpFake {
    fn drop(&mut self) {
        self.stop();
    }
}

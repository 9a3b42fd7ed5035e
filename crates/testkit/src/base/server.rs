//! The well-behaved server: one message in, one answer out.

use super::catalogue::Catalogue;
use super::client::Client;
use super::era::{Era, Handshake};
use super::feature::Feature;
use super::listen::Listener;
use super::paging::Paging;
use super::reply::{Answer, Reply};
use super::slow::Cancels;
use super::tools::{self, Call, Done};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;

/// What the server is, knows and has been told so far.
pub(crate) struct Base {
    pub(crate) era: Era,
    /// The version `initialize` answers, whatever was asked.
    pub(crate) version: Option<String>,
    pub(crate) instructions: Option<String>,
    /// How long the modern era lets a client keep a list, in milliseconds.
    pub(crate) ttl: u64,
    /// How the server names itself, as raw JSON.
    pub(crate) info: String,
    pub(crate) capabilities: String,
    pub(crate) catalogue: Catalogue,
    pub(crate) paging: Paging,
    pub(crate) handshake: Handshake,
    pub(super) cancels: Cancels,
    /// Open `subscriptions/listen` requests.
    pub(super) listeners: Vec<Listener>,
    /// The members of a filter that are honoured; all of them when this is absent.
    pub(crate) honours: Option<Vec<String>>,
    pub(super) client: Client,
    pub(crate) features: Vec<Box<dyn Feature>>,
}

impl Base {
    pub(crate) fn new(era: Era) -> Base {
        Base {
            era,
            version: None,
            instructions: None,
            ttl: 60_000,
            info: r#"{"name":"fake","version":"1.0.0"}"#.to_owned(),
            capabilities: CAPABILITIES.to_owned(),
            catalogue: Catalogue::standard(),
            paging: Paging::Whole,
            handshake: Handshake::AwaitsInitialize,
            cancels: Cancels::default(),
            listeners: Vec::new(),
            honours: None,
            client: Client::default(),
            features: Vec::new(),
        }
    }

    pub(crate) fn answer(&mut self, message: &Message, out: &Out) -> Answer {
        let Some(id) = message.id().filter(|_| message.is_request()) else {
            self.notified(message);
            self.tell_features(message, out);
            return Answer::None;
        };
        let Some(method) = message.method() else { return Answer::None };
        if let Some(refusal) = self.refusal(id, &method, message) {
            return Answer::Now(refusal);
        }
        if let Some(answer) = self.featured(message, out) {
            return answer;
        }
        let modern = self.is_modern(message);
        match method.as_str() {
            "server/discover" if modern => Answer::Now(self.discover(message)),
            "initialize" => Answer::Now(self.initialize(message)),
            "ping" | "logging/setLevel" if !modern => Answer::Now(Reply::result(id, "")),
            "subscriptions/listen" if modern => {
                self.listen(id, message, out);
                Answer::None
            }
            "tools/call" => self.call(message, out),
            "resources/read" => Answer::Now(self.read(id, message)),
            "prompts/get" => Answer::Now(self.prompt(id, message)),
            _ => Answer::Now(self.list(id, &method, message)),
        }
    }

    /// Where the calls that come next can be cancelled, by other means than a notification and apart from all that
    /// run already: clients who know nothing of each other use the same ids.
    pub(crate) fn cancels_apart(&mut self) -> Cancels {
        self.cancels = Cancels::default();
        self.cancels.clone()
    }

    fn notified(&mut self, message: &Message) {
        match message.method().unwrap_or_default().as_str() {
            "notifications/initialized" if self.handshake == Handshake::AwaitsInitialized => {
                self.handshake = Handshake::Done;
            }
            "notifications/cancelled" => {
                let id = message.param("requestId").unwrap_or_default();
                self.unlisten(id);
                self.cancels.cancel(id);
            }
            _ => {}
        }
    }

    fn call(&self, message: &Message, out: &Out) -> Answer {
        let id = message.id().unwrap_or("null").to_owned();
        let name = message.param_text("name").unwrap_or_default();
        let call = Call {
            id: &id,
            arguments: message.arguments(),
            progress_token: message.meta("progressToken"),
            wants_log: !self.is_modern(message) || message.meta("io.modelcontextprotocol/logLevel").is_some(),
            cancels: &self.cancels,
            out,
        };
        let finished = self.result(message, "");
        let done = match tools::find(&name) {
            Some(run) => run(&call),
            None if self.catalogue.has_tool(&name) => tools::echo_arguments(&call),
            None => return Answer::Now(Reply::error(&id, -32602, &format!("unknown tool {name}"), None)),
        };
        match done {
            Done::Result(members) => Answer::Now(self.result(message, &members)),
            Done::Exit(code) => Answer::Exit(code),
            Done::Later(job) => Answer::Later(Box::new(move || {
                let members = job()?;
                let body = finished.body.strip_suffix('}').expect("a result body ends its object");
                let comma = if body.ends_with('{') { "" } else { "," };
                Some(Reply { body: format!("{body}{comma}{members}}}"), ..finished })
            })),
        }
    }

    fn list(&self, id: &str, method: &str, message: &Message) -> Reply {
        let Some((name, items)) = self.catalogue.list(method) else {
            return Reply::error(id, -32601, &format!("method {method} not found"), None);
        };
        match self.paging.page(items, message.param_text("cursor").as_deref()) {
            Ok(page) => self.cached_result(message, &page.members(name)),
            Err(text) => Reply::error(id, -32602, &text, None),
        }
    }

    fn read(&self, id: &str, message: &Message) -> Reply {
        let uri = message.param_text("uri").unwrap_or_default();
        match self.catalogue.read(&uri) {
            Some(contents) => self.cached_result(message, &format!(r#""contents":[{contents}]"#)),
            None => {
                let code = if self.is_modern(message) { -32602 } else { -32002 };
                Reply::error(id, code, &format!("resource {uri} not found"), None)
            }
        }
    }

    fn prompt(&self, id: &str, message: &Message) -> Reply {
        let name = message.param_text("name").unwrap_or_default();
        if !self.catalogue.has_prompt(&name) {
            return Reply::error(id, -32602, &format!("unknown prompt {name}"), None);
        }
        let who = message.arguments().text("name").unwrap_or_else(|| "world".to_owned());
        let text = quote(&format!("Say hello to {who}"));
        let members = format!(
            r#""description":"A greeting","messages":[{{"role":"user","content":{{"type":"text","text":{text}}}}}]"#
        );
        self.result(message, &members)
    }
}

const CAPABILITIES: &str = r#"{"tools":{"listChanged":true},"resources":{"listChanged":true},"prompts":{"listChanged":true},"logging":{}}"#;

//! The well-behaved server: one message in, one answer out.

use super::catalogue::Catalogue;
use super::era::{Era, Handshake};
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
    pub(crate) capabilities: String,
    pub(crate) catalogue: Catalogue,
    pub(crate) paging: Paging,
    pub(crate) handshake: Handshake,
    pub(super) cancels: Cancels,
    /// Ids of open `subscriptions/listen` requests.
    listeners: Vec<String>,
}

impl Base {
    pub(crate) fn new(era: Era) -> Base {
        Base {
            era,
            version: None,
            instructions: None,
            ttl: 60_000,
            capabilities: CAPABILITIES.to_owned(),
            catalogue: Catalogue::standard(),
            paging: Paging::Whole,
            handshake: Handshake::AwaitsInitialize,
            cancels: Cancels::default(),
            listeners: Vec::new(),
        }
    }

    pub(crate) fn answer(&mut self, message: &Message, out: &Out) -> Answer {
        let Some(method) = message.method() else { return Answer::None };
        let Some(id) = message.id().filter(|_| message.is_request()) else {
            self.notified(&method, message);
            return Answer::None;
        };
        if let Some(refusal) = self.refusal(id, &method, message) {
            return Answer::Now(refusal);
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

    /// Tells the client that its list is old: every subscription in the modern era, else everybody.
    pub(crate) fn list_changed(&self, out: &Out) {
        let method = "notifications/tools/list_changed";
        if self.era != Era::Modern {
            out.message(format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#));
        }
        for id in &self.listeners {
            out.message(format!(
                r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{}}}}}"#,
                subscribed(id)
            ));
        }
    }

    /// The running calls, to be cancelled by other means than a notification.
    pub(crate) fn cancels(&self) -> Cancels {
        self.cancels.clone()
    }

    fn notified(&mut self, method: &str, message: &Message) {
        match method {
            "notifications/initialized" if self.handshake == Handshake::AwaitsInitialized => {
                self.handshake = Handshake::Done;
            }
            "notifications/cancelled" => {
                let id = message.param("requestId").unwrap_or_default();
                self.listeners.retain(|listener| listener != id);
                self.cancels.cancel(id);
            }
            _ => {}
        }
    }

    fn listen(&mut self, id: &str, message: &Message, out: &Out) {
        self.listeners.push(id.to_owned());
        let wanted = message.param("notifications").unwrap_or("{}");
        let method = "notifications/subscriptions/acknowledged";
        out.message(format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"notifications":{wanted},{}}}}}"#,
            subscribed(id)
        ));
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

fn subscribed(id: &str) -> String {
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}

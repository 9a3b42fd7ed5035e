//! Lists that grow, resources that change, and who is told: subscribers of either era.

use crate::base::{Answer, Base, Feature, PROMPTS_CHANGED, RESOURCES_CHANGED, Reply, TOOLS_CHANGED};
use crate::json::{quote, text_block};
use crate::message::Message;
use crate::options::Options;
use crate::out::Out;

/// The tools `grow`, `touch` and `end_listen`, and the subscriptions of the legacy era.
pub(super) struct Changes {
    /// Resources that a legacy client has subscribed to.
    subscribed: Vec<String>,
    grown: u32,
    /// How subscriptions end: `result`, `cancelled` or `both`.
    end: String,
    /// Subscriptions end as soon as they are acknowledged.
    short: bool,
}

const TOOLS: [(&str, &str); 3] = [
    (
        "grow",
        r#""description":"Adds an entry to a list and says so","inputSchema":{"type":"object","properties":{"what":{"enum":["tools","prompts","resources"]}},"required":["what"]}"#,
    ),
    (
        "touch",
        r#""description":"Says that a resource has changed","inputSchema":{"type":"object","properties":{"uri":{"type":"string"}},"required":["uri"]}"#,
    ),
    (
        "end_listen",
        r#""description":"Ends all subscriptions","inputSchema":{"type":"object","properties":{"how":{"enum":["result","cancelled","both"]}}}"#,
    ),
];

impl Changes {
    pub(super) fn new(base: &mut Base, options: &Options) -> Changes {
        for (name, rest) in TOOLS {
            base.catalogue.add_tool(name, "", rest);
        }
        Changes {
            subscribed: Vec::new(),
            grown: 0,
            end: options.word("end", "both"),
            short: options.word("end-at", "call") == "ack",
        }
    }

    fn call(&mut self, name: &str, message: &Message, base: &mut Base, out: &Out) -> Option<String> {
        let argument = |name: &str| message.arguments().text(name);
        Some(match name {
            "grow" => self.grow(&argument("what").unwrap_or_default(), base, out),
            "touch" => self.touch(&argument("uri").unwrap_or_default(), base, out),
            "end_listen" => {
                let how = argument("how").unwrap_or_else(|| self.end.clone());
                format!("ended {}", base.end_listeners(&how))
            }
            _ => return None,
        })
    }

    fn grow(&mut self, what: &str, base: &mut Base, out: &Out) -> String {
        self.grown += 1;
        let name = format!("grown_{}", self.grown);
        match what {
            "prompts" => {
                base.catalogue.prompts.push(format!(r#"{{"name":"{name}"}}"#));
                base.changed(PROMPTS_CHANGED, out);
            }
            "resources" => {
                base.catalogue.resources.push(format!(r#"{{"uri":"text://{name}","name":"{name}"}}"#));
                base.changed(RESOURCES_CHANGED, out);
            }
            _ => {
                let rest = r#""description":"Was not here before","inputSchema":{"type":"object"}"#;
                base.catalogue.add_tool(&name, "", rest);
                base.changed(TOOLS_CHANGED, out);
            }
        }
        format!("added {name}")
    }

    fn touch(&self, uri: &str, base: &Base, out: &Out) -> String {
        let (method, member) = ("notifications/resources/updated", format!(r#""uri":{}"#, quote(uri)));
        let mut told = base.tell_listeners(method, &member, |filter| {
            let uris = filter["resourceSubscriptions"].as_array().into_iter().flatten();
            uris.filter_map(|asked| asked.as_str()).any(|asked| covers(asked, uri))
        });
        if self.subscribed.iter().any(|asked| covers(asked, uri)) {
            out.message(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{member}}}}}"#));
            told += 1;
        }
        format!("told {told}")
    }
}

/// A subscription covers the resource itself and what lies below it.
fn covers(asked: &str, uri: &str) -> bool {
    uri.strip_prefix(asked)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || asked.ends_with('/'))
}

impl Feature for Changes {
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer> {
        let (id, method) = (message.id()?, message.method()?);
        let modern = base.is_modern(message);
        match method.as_str() {
            "tools/call" => {
                let text = self.call(&message.param_text("name")?, message, base, out)?;
                Some(Answer::Now(base.result(message, &format!(r#""content":[{}]"#, text_block(&text)))))
            }
            "resources/subscribe" | "resources/unsubscribe" if !modern => {
                let Some(uri) = message.param_text("uri") else {
                    return Some(Answer::Now(Reply::error(id, -32602, "uri is missing", None)));
                };
                self.subscribed.retain(|known| *known != uri);
                if method == "resources/subscribe" {
                    self.subscribed.push(uri);
                }
                Some(Answer::Now(Reply::result(id, "")))
            }
            "subscriptions/listen" if modern => {
                if !message.param_value("notifications").is_object() {
                    return Some(Answer::Now(Reply::error(id, -32602, "notifications is missing", None)));
                }
                if !self.short {
                    return None;
                }
                base.listen(id, message, out);
                base.end_listeners(&self.end);
                Some(Answer::None)
            }
            _ => None,
        }
    }
}

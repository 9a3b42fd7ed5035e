//! The mode whose every text is hostile.

use super::text::spoilt;
use super::{listed, questions, text};
use crate::base::{Answer, Base, Feature, Reply};
use crate::fault::Flow;
use crate::faults::Setup;
use crate::features::input::{Asking, Input, Router};
use crate::message::Message;
use crate::options::Options;
use crate::out::Out;

/// Lists, results, errors, logs, progress, questions, completions and stderr with control characters.
pub(crate) fn hostile_text(options: &Options, setup: &mut Setup) {
    let base = &mut setup.base;
    listed::fill(base);
    base.features.push(Box::new(Input::with(Asking::of(options), Router::default(), questions::inquiry)));
    base.features.push(Box::new(Hostile));
    setup.at_start(|_| {
        crate::complain(&format!("stderr {}", text::TEXT));
        Flow::Pass
    });
}

struct Hostile;

impl Feature for Hostile {
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer> {
        let id = message.id()?;
        let refusal = |code: i32| {
            let text = format!("message {}", text::TEXT);
            Answer::Now(Reply::error(id, code, &text, Some(&format!(r#"{{"why":{}}}"#, spoilt("why")))))
        };
        let members = match message.method()?.as_str() {
            "tools/call" => match message.param_text("name")?.as_str() {
                "hostile_error" => return Some(refusal(-32000)),
                "hostile_log" => log(out, wants_log(message, base)),
                "hostile_progress" => progress(message, out),
                name if name == "hostile_result" || name.starts_with("hostile\u{1b}") => result(),
                _ => return None,
            },
            "resources/read" => {
                let uri = message.param_text("uri")?;
                if !uri.starts_with("hostile://") {
                    return Some(refusal(if base.is_modern(message) { -32602 } else { -32002 }));
                }
                let text = spoilt("text");
                let contents =
                    format!(r#"{{"uri":{0},"mimeType":{0},"text":{text}}}"#, spoilt("hostile://text"));
                return Some(Answer::Now(
                    base.cached_result(message, &format!(r#""contents":[{contents}]"#)),
                ));
            }
            "prompts/get" => format!(
                r#""description":{},"messages":[{{"role":"user","content":{{"type":"text","text":{}}}}}]"#,
                spoilt("description"),
                spoilt("text")
            ),
            "completion/complete" => format!(r#""completion":{{"values":[{}]}}"#, spoilt("value")),
            _ => return None,
        };
        Some(Answer::Now(base.result(message, &members)))
    }

    fn capabilities(&self, _: &str) -> Option<String> {
        Some(r#"{"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}}"#.to_owned())
    }
}

/// A block of each kind, structured content, and names of members that are hostile too.
fn result() -> String {
    let (text, name) = (spoilt("text"), spoilt("name"));
    format!(
        r#""content":[{{"type":"text","text":{text}}},{{"type":"resource_link","uri":{name},"name":{name},"title":{name},"mimeType":{name}}},{{"type":"resource","resource":{{"uri":{name},"mimeType":{name},"text":{text}}}}},{{"type":"image","data":{name},"mimeType":{name}}},{{"type":{name},{name}:{text}}}],"structuredContent":{{{name}:{text}}}"#
    )
}

fn log(out: &Out, wanted: bool) -> String {
    if wanted {
        out.message(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"error","logger":{},"data":{}}}}}"#,
            spoilt("logger"),
            spoilt("data")
        ));
    }
    r#""content":[]"#.to_owned()
}

fn wants_log(message: &Message, base: &Base) -> bool {
    !base.is_modern(message) || message.meta("io.modelcontextprotocol/logLevel").is_some()
}

fn progress(message: &Message, out: &Out) -> String {
    if let Some(token) = message.meta("progressToken") {
        out.message(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1,"total":2,"message":{}}}}}"#,
            spoilt("message")
        ));
    }
    r#""content":[]"#.to_owned()
}

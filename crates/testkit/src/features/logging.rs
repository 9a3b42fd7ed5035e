//! Log messages at every level: as far as `logging/setLevel` or the request itself wants them.

use crate::base::{Answer, Base, Feature, Reply};
use crate::json::text_block;
use crate::message::Message;
use crate::out::Out;

/// The levels, the least important first.
pub(crate) const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// One message a level, with data of every kind.
const DATA: [&str; 8] = [
    r#""a text""#,
    r#"{"text":"an object","deep":{"n":9007199254740993}}"#,
    r#"["an","array"]"#,
    "null",
    "true",
    "0.1",
    r#""several\nlines""#,
    r#""""#,
];

/// The tool `log_levels` and the level of a legacy connection.
pub(super) struct Logging {
    /// Before a legacy client sets one, the server sends all.
    level: usize,
}

impl Logging {
    pub(super) fn new(base: &mut Base) -> Logging {
        let rest = r#""description":"A log message at every level","inputSchema":{"type":"object"}"#;
        base.catalogue.add_tool("log_levels", "", rest);
        Logging { level: 0 }
    }

    fn log(&self, message: &Message, base: &Base, out: &Out) -> String {
        let from = if base.is_modern(message) { asked(message) } else { Some(self.level) };
        let levels = LEVELS.iter().zip(DATA).skip(from.unwrap_or(LEVELS.len()));
        let sent = levels.map(|(level, data)| {
            out.message(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{level}","logger":"fake.levels","data":{data}}}}}"#
            ));
        });
        let text = format!("{} messages", sent.count());
        format!(r#""content":[{}]"#, text_block(&text))
    }
}

/// The level that a modern request wants its log from.
fn asked(message: &Message) -> Option<usize> {
    let raw = message.meta("io.modelcontextprotocol/logLevel")?;
    LEVELS.iter().position(|level| raw == format!(r#""{level}""#))
}

impl Feature for Logging {
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer> {
        let id = message.id()?;
        let refusal = |text: &str| Some(Answer::Now(Reply::error(id, -32602, text, None)));
        if base.is_modern(message) {
            let level = message.meta("io.modelcontextprotocol/logLevel");
            if level.is_some() && asked(message).is_none() {
                return refusal("_meta io.modelcontextprotocol/logLevel is no level");
            }
        } else if message.is_method("logging/setLevel") {
            let level = message.param_text("level").unwrap_or_default();
            let Some(level) = LEVELS.iter().position(|known| *known == level) else {
                return refusal("level is no level");
            };
            self.level = level;
            return Some(Answer::Now(Reply::result(id, "")));
        }
        if message.is_method("tools/call") && message.param_text("name")? == "log_levels" {
            return Some(Answer::Now(base.result(message, &self.log(message, base, out))));
        }
        None
    }
}

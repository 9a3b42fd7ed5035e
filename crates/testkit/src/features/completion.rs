//! Completion of prompt arguments and of the parts of resource templates.

use crate::base::{Answer, Base, Feature, Reply};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;

/// `completion/complete`. The prompt `review` has few styles and 250 numbers of which 100 are shown; `file` of the
/// template `note://{folder}/{file}` depends on the folder that the context names.
pub(super) struct Completion;

const STYLES: [&str; 4] = ["formal", "friendly", "funny", "terse"];
const FOLDERS: [&str; 3] = ["home", "shared", "work"];
/// The most values that one answer may hold.
const SHOWN: usize = 100;

impl Feature for Completion {
    fn answer(&mut self, message: &Message, base: &mut Base, _: &Out) -> Option<Answer> {
        if !message.is_method("completion/complete") {
            return None;
        }
        let id = message.id()?;
        Some(Answer::Now(match candidates(message) {
            Ok(values) => base.result(message, &completion(&values)),
            Err(text) => Reply::error(id, -32602, &text, None),
        }))
    }
}

fn candidates(message: &Message) -> Result<Vec<String>, String> {
    let (reference, argument) = (message.param_value("ref"), message.param_value("argument"));
    let (Some(name), Some(value)) = (argument["name"].as_str(), argument["value"].as_str()) else {
        return Err("argument needs a name and a value".to_owned());
    };
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let known = match (reference["type"].as_str(), reference["name"].as_str(), reference["uri"].as_str()) {
        (Some("ref/prompt"), Some("review"), _) => match name {
            "style" => owned(&STYLES),
            "line" => (1..=250).map(|line| line.to_string()).collect(),
            _ => vec![],
        },
        (Some("ref/prompt"), Some("greet" | "interview"), _) => vec![],
        (Some("ref/resource"), _, Some("note://{folder}/{file}")) if name == "folder" => owned(&FOLDERS),
        (Some("ref/resource"), _, Some("note://{folder}/{file}")) => {
            let context = message.param_value("context");
            let folder = context["arguments"]["folder"].as_str().unwrap_or("any").to_owned();
            (1..=3).map(|number| format!("{folder}-{number}.md")).collect()
        }
        (Some("ref/resource"), _, Some("text://{name}")) => vec!["greeting".to_owned()],
        _ => return Err(format!("nothing is known of {reference}")),
    };
    Ok(known.into_iter().filter(|known| known.starts_with(value)).collect())
}

fn completion(values: &[String]) -> String {
    let shown: Vec<String> = values.iter().take(SHOWN).map(|value| quote(value)).collect();
    let more = values.len() > SHOWN;
    format!(r#""completion":{{"values":[{}],"total":{},"hasMore":{more}}}"#, shown.join(","), values.len())
}

//! The arguments of a call as they stand on the command line, turned into names and values.

use std::path::Path;

use codewhale_mcp_manager::{Argument, ArgumentValue};
use codewhale_mcp_protocol::Json;
use codewhale_mcp_redact::safe_args;
use serde_json::value::RawValue;

use crate::args::CallArgs;
use crate::failure::Failure;
use crate::input::{read, read_file};
use crate::run::Run;

/// The tool that is called, for messages.
#[derive(Clone, Copy)]
pub(super) struct Meant<'a> {
    pub(super) server: &'a str,
    pub(super) tool: &'a str,
}

impl Meant<'_> {
    fn no_argument(self, word: &str) -> Failure {
        // It may be a secret.
        let word = safe_args(&[word]).concat();
        Failure::NotAnArgument { server: self.server.to_owned(), tool: self.tool.to_owned(), word }
    }
}

/// Reads files and standard input where the words say so.
pub(super) fn arguments(
    run: &mut Run,
    args: &CallArgs,
    meant: Meant<'_>,
    words: &[String],
) -> Result<Vec<Argument>, Failure> {
    let mut given = Vec::new();
    if let Some(json) = &args.json_args {
        given.extend(object(json, "--json-args")?);
    }
    let mut stdin_read = false;
    for word in words {
        if word == "-" {
            if std::mem::replace(&mut stdin_read, true) {
                return Err(Failure::usage("standard input can be read only once"));
            }
            let text = read(&mut run.world.stdin, "standard input")?;
            given.extend(object(&text, "standard input")?);
        } else if let Some(path) = word.strip_prefix('@').filter(|path| !path.is_empty()) {
            let file = run.world.cwd.join(path);
            given.extend(object(&read_file(&file)?, &format!("`{}`", file.display()))?);
        } else {
            let argument = pair(word, &run.world.cwd)?;
            given.push(argument.ok_or_else(|| meant.no_argument(word))?);
        }
    }
    Ok(given)
}

/// `key=text` or `key:=JSON`, whichever sign comes first; `None` if it is neither. `@FILE` as the value is what a file
/// holds, without the line end behind a text; `@@` begins a text with an `@`.
fn pair(word: &str, cwd: &Path) -> Result<Option<Argument>, Failure> {
    let Some((name, value)) = word.split_once('=').filter(|(name, _)| !matches!(*name, "" | ":")) else {
        return Ok(None);
    };
    let file = value.strip_prefix('@').filter(|path| !path.is_empty() && !path.starts_with('@'));
    let text = match file {
        Some(path) => read_file(&cwd.join(path))?,
        None => value.to_owned(),
    };
    let Some(name) = name.strip_suffix(':') else {
        let text = match (file, text.strip_prefix("@@")) {
            (Some(_), _) => {
                text.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).unwrap_or(&text)
            }
            (None, Some(_)) => &text[1..],
            (None, None) => &text,
        };
        let value = ArgumentValue::Text(text.to_owned());
        return Ok(Some(Argument { name: name.to_owned(), value }));
    };
    let json = Json::from_text(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Failure::usage(format!("the value of `{name}` is not JSON: {error}")))?;
    Ok(Some(Argument { name: name.to_owned(), value: ArgumentValue::Json(json) }))
}

/// The members of a JSON object, each as it is written.
fn object(text: &str, from: &str) -> Result<Vec<Argument>, Failure> {
    let members = Members::parse(text).map_err(|error| {
        let what = if error.is_data() { "not a JSON object" } else { "not JSON" };
        Failure::usage(format!("{from} is {what}: line {}, column {}", error.line(), error.column()))
    })?;
    Ok(members.0)
}

struct Members(Vec<Argument>);

impl Members {
    fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text.trim_start_matches('\u{feff}'))
    }
}

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> serde::de::Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    members.push(Argument { name, value: ArgumentValue::Json(Json::from(&*value)) });
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_text_or_json_by_its_first_sign() {
        let check = |word: &str, name: &str, shown: &str| {
            let argument = pair(word, Path::new("/")).unwrap().unwrap();
            let value = match &argument.value {
                ArgumentValue::Text(text) => format!("text {text}"),
                ArgumentValue::Json(json) => format!("json {}", json.as_str()),
            };
            assert_eq!((argument.name.as_str(), value.as_str()), (name, shown), "{word}");
        };
        check("a=b", "a", "text b");
        check("a=", "a", "text ");
        check("a=b=c", "a", "text b=c");
        check("a=b:=c", "a", "text b:=c");
        check("a:=1.50", "a", "json 1.50");
        check("a:={\"b\":[1]}", "a", "json {\"b\":[1]}");
        check("a=@", "a", "text @");
        check("a=@@b", "a", "text @b");
        check("a=b@c", "a", "text b@c");
        for none in ["a", "=b", ":=1"] {
            assert!(pair(none, Path::new("/")).unwrap().is_none(), "{none}");
        }
        for bad in ["a:=", "a:=tru", "a=@no/such/file", "a:=@no/such/file"] {
            assert!(pair(bad, Path::new("/")).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_object_keeps_the_spelling_of_its_values() {
        let members = object("\u{feff}{\"a\": 9007199254740993, \"b\": 1e30, \"c\": -0}", "x").unwrap();
        let texts: Vec<String> = members.iter().map(|member| format!("{:?}", member.value)).collect();
        assert!(
            texts[0].contains("9007199254740993") && texts[1].contains("1e30") && texts[2].contains("-0")
        );
        for bad in ["[1]", "1", "{", "", "{\"a\":1} x"] {
            assert!(object(bad, "x").is_err(), "{bad}");
        }
    }
}

//! The arguments of a call as they stand on the command line, turned into names and values.

use codewhale_mcp_manager::{Argument, ArgumentValue};
use codewhale_mcp_protocol::Json;
use serde_json::value::RawValue;

use crate::args::CallArgs;
use crate::failure::Failure;
use crate::input::{read, read_file};
use crate::run::Run;

/// Reads files and standard input where the words say so.
pub(super) fn arguments(run: &mut Run, args: &CallArgs, words: &[String]) -> Result<Vec<Argument>, Failure> {
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
            given.push(pair(word)?);
        }
    }
    Ok(given)
}

/// `key=text` or `key:=JSON`, whichever sign comes first.
fn pair(word: &str) -> Result<Argument, Failure> {
    let Some((name, value)) = word.split_once('=').filter(|(name, _)| !matches!(*name, "" | ":")) else {
        // What it was may be a secret.
        return Err(Failure::usage("an argument must be key=text, key:=JSON, @FILE or -"));
    };
    let value = match name.strip_suffix(':') {
        Some(name) => {
            let json = Json::from_text(value)
                .map_err(|error| Failure::usage(format!("the value of `{name}` is not JSON: {error}")))?;
            return Ok(Argument { name: name.to_owned(), value: ArgumentValue::Json(json) });
        }
        None => ArgumentValue::Text(value.to_owned()),
    };
    Ok(Argument { name: name.to_owned(), value })
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
            let argument = pair(word).unwrap();
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
        for bad in ["a", "=b", ":=1", "a:=", "a:=tru"] {
            assert!(pair(bad).is_err(), "{bad}");
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

//! One field of a form: how it is shown, and what a typed line means.

use codewhale_mcp_protocol::{Choice, Json, Misfit, Property, PropertyKind, StringFormat};
use serde_json::{Number, Value};

use super::dialog::short;

/// The longest name or title that is shown, in characters.
const NAME: usize = 80;

/// The field's name for people.
pub(super) fn title(property: &Property) -> String {
    short(property.title.as_deref().unwrap_or(&property.name), NAME)
}

/// What can be filled in, in words.
pub(super) fn expected(property: &Property) -> String {
    let mut words = match &property.kind {
        PropertyKind::String { min_length, max_length, format, .. } => {
            let what = match format {
                Some(StringFormat::Email) => "a mail address",
                Some(StringFormat::Uri) => "an address with a scheme, such as https://…",
                Some(StringFormat::Date) => "a day, YYYY-MM-DD",
                Some(StringFormat::DateTime) => "a moment, YYYY-MM-DDTHH:MM:SSZ",
                _ => "text",
            };
            with_range(what, *min_length, *max_length, " characters")
        }
        PropertyKind::Number { integer, minimum, maximum, .. } => {
            let what = if *integer { "a whole number" } else { "a number" };
            with_range(what, minimum.as_ref(), maximum.as_ref(), "")
        }
        PropertyKind::Boolean { .. } => "yes or no".to_owned(),
        PropertyKind::SingleSelect { .. } => "one of these".to_owned(),
        PropertyKind::MultiSelect { min_items, max_items, .. } => {
            with_range("some of these, with commas between", *min_items, *max_items, " of them")
        }
        _ => "a value".to_owned(),
    };
    if !property.required {
        words.push_str(", may be left out");
    }
    words
}

fn with_range<T: ToString>(what: &str, least: Option<T>, most: Option<T>, unit: &str) -> String {
    match (least.map(|least| least.to_string()), most.map(|most| most.to_string())) {
        (Some(least), Some(most)) => format!("{what}, {least} to {most}{unit}"),
        (Some(least), None) => format!("{what}, at least {least}{unit}"),
        (None, Some(most)) => format!("{what}, at most {most}{unit}"),
        (None, None) => what.to_owned(),
    }
}

/// What there is to choose from.
pub(super) fn choices(property: &Property) -> &[Choice] {
    match &property.kind {
        PropertyKind::SingleSelect { choices, .. } | PropertyKind::MultiSelect { choices, .. } => choices,
        _ => &[],
    }
}

/// A choice as it is shown.
pub(super) fn choice(choice: &Choice) -> String {
    let value = short(&choice.value, NAME);
    match &choice.title {
        Some(title) if *title != choice.value => format!("{} ({value})", short(title, NAME)),
        _ => value,
    }
}

/// A value as it is shown.
pub(super) fn shown(value: &Json) -> String {
    let text = match value.decode::<Value>() {
        Ok(Value::Bool(true)) => "yes".to_owned(),
        Ok(Value::Bool(false)) => "no".to_owned(),
        Ok(Value::String(text)) if text.is_empty() => "\"\"".to_owned(),
        Ok(Value::String(text)) => text,
        Ok(Value::Array(items)) if items.is_empty() => "none".to_owned(),
        Ok(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ")
        }
        _ => value.as_str().to_owned(),
    };
    short(&text, 200)
}

/// The value that a typed line means, or why it means none. `""` is an empty text, and `-` chooses nothing.
pub(super) fn read(property: &Property, line: &str) -> Result<Json, String> {
    let value = match &property.kind {
        PropertyKind::String { .. } if line == "\"\"" => Json::from(Value::from("")),
        PropertyKind::String { .. } => Json::from(Value::from(line)),
        PropertyKind::Number { .. } => match line.parse::<Number>() {
            // As it was typed, which no value tree could keep.
            Ok(_) => Json::from_text(line).map_err(|_| "it has to be a number".to_owned())?,
            Err(_) => return Err("it has to be a number".to_owned()),
        },
        PropertyKind::Boolean { .. } => match line.to_ascii_lowercase().as_str() {
            "y" | "yes" | "true" => Json::from(Value::Bool(true)),
            "n" | "no" | "false" => Json::from(Value::Bool(false)),
            _ => return Err("it has to be yes or no".to_owned()),
        },
        PropertyKind::SingleSelect { choices, .. } => Json::from(Value::from(chosen(choices, line)?)),
        PropertyKind::MultiSelect { choices, .. } => {
            let words = line.split(',').map(str::trim).filter(|word| !word.is_empty() && line != "-");
            let values: Result<Vec<&str>, String> = words.map(|word| chosen(choices, word)).collect();
            Json::from(Value::from(values?))
        }
        _ => return Err("this version does not know such fields".to_owned()),
    };
    property.fits(&value).map_err(|misfit| reason(&misfit))?;
    Ok(value)
}

/// A value, else a title, else a number of the list.
fn chosen<'c>(choices: &'c [Choice], word: &str) -> Result<&'c str, String> {
    let titled = |choice: &&Choice| {
        choice.title.as_deref().is_some_and(|title| title.to_lowercase() == word.to_lowercase())
    };
    let numbered = || word.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    let found = choices.iter().find(|choice| choice.value == word);
    let found = found.or_else(|| choices.iter().find(titled)).or_else(numbered);
    found
        .map(|choice| choice.value.as_str())
        .ok_or_else(|| format!("`{}` is none of the choices", short(word, NAME)))
}

/// Why a value does not fit, for whoever typed it.
pub(super) fn reason(misfit: &Misfit) -> String {
    match misfit {
        Misfit::Count { least, most, what, found } => {
            let range = match (*least, *most) {
                (least, u64::MAX) => format!("at least {least}"),
                (0, most) => format!("at most {most}"),
                (least, most) => format!("{least} to {most}"),
            };
            format!("it has to have {range} {what}, not {found}")
        }
        other => format!("it {other}"),
    }
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_protocol::RequestedSchema;

    use super::*;

    fn property(schema: &str) -> Property {
        let text = format!(r#"{{"type":"object","properties":{{"p":{schema}}}}}"#);
        serde_json::from_str::<RequestedSchema>(&text).unwrap().form().unwrap().remove(0)
    }

    #[test]
    fn a_line_becomes_a_value_of_the_fields_kind() {
        let choice = r#"{"type":"string","oneOf":[{"const":"2","title":"Two"},{"const":"b","title":"Bee"}]}"#;
        let several =
            r#"{"type":"array","items":{"type":"string","enum":["red","green","blue"]},"minItems":1}"#;
        let rows = [
            (r#"{"type":"string"}"#, "a b", "\"a b\""),
            (r#"{"type":"string"}"#, "\"\"", "\"\""),
            (r#"{"type":"number"}"#, "1.50", "1.50"),
            (r#"{"type":"integer"}"#, "9007199254740993", "9007199254740993"),
            (r#"{"type":"boolean"}"#, "Yes", "true"),
            (r#"{"type":"boolean"}"#, "n", "false"),
            (choice, "2", "\"2\""),
            (choice, "bee", "\"b\""),
            (choice, "1", "\"2\""),
            (several, "1, blue", "[\"red\",\"blue\"]"),
        ];
        for (schema, line, value) in rows {
            assert_eq!(read(&property(schema), line).unwrap().as_str(), value, "{schema} {line}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_reason() {
        let several = r#"{"type":"array","items":{"type":"string","enum":["red","green"]},"minItems":1}"#;
        let rows = [
            (r#"{"type":"string","minLength":3}"#, "ab", "at least 3 characters, not 2"),
            (r#"{"type":"string","maxLength":1}"#, "ab", "at most 1 characters, not 2"),
            (r#"{"type":"string","minLength":3,"maxLength":4}"#, "ab", "3 to 4 characters"),
            (r#"{"type":"string","format":"email"}"#, "x", "format email"),
            (r#"{"type":"integer"}"#, "1.5", "a whole number"),
            (r#"{"type":"integer","maximum":3}"#, "4", "out of range"),
            (r#"{"type":"number"}"#, "four", "a number"),
            (r#"{"type":"boolean"}"#, "maybe", "yes or no"),
            (r#"{"type":"string","enum":["a"]}"#, "b", "none of the choices"),
            (r#"{"type":"string","enum":["a"]}"#, "0", "none of the choices"),
            (several, "-", "at least 1 choices"),
            (several, "red, red", "cannot be \"red\""),
        ];
        for (schema, line, why) in rows {
            let error = read(&property(schema), line).unwrap_err();
            assert!(error.contains(why), "{schema} {line}: {error}");
        }
    }

    #[test]
    fn what_is_expected_is_said_in_words() {
        let rows = [
            (r#"{"type":"string","minLength":2,"maxLength":9}"#, "text, 2 to 9 characters, may be left out"),
            (r#"{"type":"integer","minimum":0}"#, "a whole number, at least 0, may be left out"),
            (r#"{"type":"string","format":"date"}"#, "a day, YYYY-MM-DD, may be left out"),
        ];
        for (schema, words) in rows {
            assert_eq!(expected(&property(schema)), words);
        }
    }
}

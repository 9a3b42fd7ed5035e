//! A schema of any kind is used within bounds, and arguments become what was given.
//!
//! The input is a schema; behind a line `---` may follow a value, and behind another arguments, one `name=text` or
//! `name:=json` a line. After a zero byte, bytes choose one.

#![no_main]

mod document;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use codewhale_mcp_manager::{
    Argument, ArgumentCheck, ArgumentValue, CoerceError, Mismatch, OutputFault, SchemaFault, Uncheckable,
    check_arguments, check_output, coerce, schema_fault,
};
use codewhale_mcp_protocol::{CallToolResult, Json, MoreTool, Tool};
use codewhale_mcp_redact::safe_line;
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Far more than any of it may take, also on a machine that does much else.
const BOUND: Duration = Duration::from_secs(15);
/// More bytes than a message about a mismatch has, its escapes included.
const MESSAGE: usize = 4096;

fuzz_target!(|input: &[u8]| match input.split_first() {
    Some((0, choices)) =>
        check(&document::input(&mut Unstructured::new(choices)).expect("choices never run out")),
    _ => check(&String::from_utf8_lossy(input)),
});

fn check(input: &str) {
    let mut parts = input.splitn(3, "\n---\n");
    let schema = Json::from_text(parts.next().unwrap_or_default()).ok();
    let value = Json::from_text(parts.next().unwrap_or("{}")).ok();
    let given: Vec<Argument> = parts.next().unwrap_or_default().lines().filter_map(argument).collect();
    let more = MoreTool { output_schema: schema.clone(), ..MoreTool::default() };
    let tool = Tool { name: "t".into(), input_schema: schema, more: Some(Box::new(more)), ..Tool::default() };

    let started = Instant::now();
    let coerced = coerce(&tool, &given);
    assert!(started.elapsed() < BOUND, "coercion takes {:?}", started.elapsed());
    check_coerced(&given, coerced.as_ref());
    for arguments in coerced.into_iter().chain(value.clone()) {
        let started = Instant::now();
        check_checked(&tool, &arguments, &check_arguments(&tool, &arguments));
        assert!(started.elapsed() < BOUND, "a check takes {:?}", started.elapsed());
    }
    check_result(&tool, value);
}

fn argument(line: &str) -> Option<Argument> {
    let (name, value) = line.split_once('=')?;
    Some(match name.strip_suffix(':') {
        Some(name) => {
            Argument { name: name.to_owned(), value: ArgumentValue::Json(Json::from_text(value).ok()?) }
        }
        None => Argument { name: name.to_owned(), value: ArgumentValue::Text(value.to_owned()) },
    })
}

/// Every argument is there, as it was given or as the JSON that its text is.
fn check_coerced(given: &[Argument], coerced: Result<&Json, &CoerceError>) {
    let mut by_name: BTreeMap<&str, Vec<&ArgumentValue>> = BTreeMap::new();
    for argument in given {
        by_name.entry(&argument.name).or_default().push(&argument.value);
    }
    let object = match coerced {
        Ok(object) => object.decode::<BTreeMap<String, Json>>().expect("arguments are an object"),
        Err(CoerceError::GivenTwice { name }) => {
            return assert!(by_name[name.as_str()].len() > 1, "{name:?} is given once");
        }
        Err(error) => panic!("{error}"),
    };
    assert!(object.keys().map(String::as_str).eq(by_name.keys().copied()));
    for (name, values) in by_name {
        let made = &object[name];
        let is_one = values.len() == 1 && stands_for(values[0], made);
        let items: Option<Vec<Json>> = made.decode().ok();
        let is_list = items.is_some_and(|items| {
            items.len() == values.len()
                && items.iter().zip(&values).all(|(item, value)| stands_for(value, item))
        });
        assert!(is_one || is_list, "{values:?} became {made:?}");
    }
}

fn stands_for(given: &ArgumentValue, made: &Json) -> bool {
    match given {
        ArgumentValue::Json(json) => made == json,
        ArgumentValue::Text(text) => {
            made.decode::<String>().is_ok_and(|made| made == *text) || made.as_str() == text.trim()
        }
    }
}

/// Arguments are an object; a schema that cannot be meant stops nothing.
fn check_checked(tool: &Tool, arguments: &Json, check: &ArgumentCheck) {
    let is_object = arguments.decode::<Value>().is_ok_and(|value| value.is_object());
    let is_usable = matches!(schema_fault(tool), None | Some(SchemaFault::NoType));
    match check {
        ArgumentCheck::Refused(mismatches) => {
            assert!(is_usable || !is_object, "a schema that cannot be meant refuses nothing");
            check_told(mismatches);
        }
        ArgumentCheck::Passed => assert!(is_object),
        ArgumentCheck::Unchecked(why) => {
            assert!(is_usable && is_object);
            check_uncheckable(why);
        }
    }
}

/// A result is checked only if the tool did not fail.
fn check_result(tool: &Tool, value: Option<Json>) {
    let is_there = value.is_some();
    let mut result = CallToolResult { structured_content: value, ..CallToolResult::default() };
    let started = Instant::now();
    match check_output(tool, &result) {
        Some(OutputFault::Mismatch { mismatches }) => check_told(&mismatches),
        Some(OutputFault::Unchecked(why)) => check_uncheckable(&why),
        Some(OutputFault::Missing) => assert!(!is_there),
        Some(other) => panic!("{other}"),
        None => {}
    }
    assert!(started.elapsed() < BOUND, "a check takes {:?}", started.elapsed());
    result.is_error = true;
    assert_eq!(check_output(tool, &result), None);
}

fn check_told(mismatches: &[Mismatch]) {
    assert!((1..=20).contains(&mismatches.len()));
    let texts: BTreeSet<&String> = mismatches.iter().flat_map(|it| [&it.path, &it.message]).collect();
    texts.into_iter().for_each(|text| check_printable(text));
}

fn check_uncheckable(why: &Uncheckable) {
    if let Uncheckable::Invalid { reason } = why {
        check_printable(reason);
    }
}

fn check_printable(text: &str) {
    assert_eq!(safe_line(text), text);
    assert!(text.len() <= MESSAGE, "{} bytes", text.len());
}

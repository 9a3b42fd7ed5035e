//! An object of the protocol that is written again is the same object, and a form judges any answer.
//!
//! The input is a JSON object; behind a line `---` may follow an answer to it, if it is a form.

#![no_main]

use std::fmt::Debug;

use codewhale_mcp_protocol::{
    CallToolResult, CancelledParams, CompleteResult, CreateMessageParams, CreateMessageResult,
    DiscoverResult, ElicitParams, ElicitResult, ErrorObject, ErrorResponse, GetPromptResult,
    InitializeParams, InitializeResult, InputRequiredResult, InvalidAnswer, Json, ListPromptsResult,
    ListResourcesResult, ListRootsResult, ListTasksResult, ListToolsResult, Members, MessageParams,
    Notification, Property, ReadResourceResult, Reply, ReplyError, Request, RequestedSchema, ResultResponse,
    Task, check_answer,
};
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|input: &str| {
    let (text, answer) = input.split_once("\n---\n").unwrap_or((input, "{}"));
    for check in OBJECTS {
        check(text);
    }
    check_tool_result(text);
    if let Ok(request) = serde_json::from_str::<Request>(text) {
        let _ = request.input();
    }
    let schema = serde_json::from_str::<RequestedSchema>(text);
    if let Some(form) = schema.ok().and_then(|schema| schema.form().ok()) {
        check_form(&form, &serde_json::from_str(answer).unwrap_or_default());
    }
});

const OBJECTS: &[fn(&str)] = &[
    check::<CallToolResult>,
    check::<CancelledParams>,
    check::<CompleteResult>,
    check::<CreateMessageParams>,
    check::<CreateMessageResult>,
    check::<DiscoverResult>,
    check::<ElicitParams>,
    check::<ElicitResult>,
    check::<ErrorObject>,
    check::<ErrorResponse>,
    check::<GetPromptResult>,
    check::<InitializeParams>,
    check::<InitializeResult>,
    check::<InputRequiredResult>,
    check::<ListPromptsResult>,
    check::<ListResourcesResult>,
    check::<ListRootsResult>,
    check::<ListTasksResult>,
    check::<ListToolsResult>,
    check::<MessageParams>,
    check::<Notification>,
    check::<ReadResourceResult>,
    check::<Request>,
    check::<RequestedSchema>,
    check::<ResultResponse>,
    check::<Task>,
];

/// Unknown members and all, an object stays what it is, and what reads results reads it as `serde_json` does.
fn check<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &str) {
    let read = serde_json::from_str::<T>(text);
    match (Reply::Result(0..text.len()).decode::<T>(text.as_bytes()), &read) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, *theirs),
        (Err(ReplyError::Form(ours)), Err(theirs)) => assert_eq!(ours.to_string(), theirs.to_string()),
        (ours, theirs) => panic!("{ours:?} is not {theirs:?}"),
    }
    let Ok(object) = read else { return };
    let written = serde_json::to_string(&object).expect("wire types have a JSON form");
    let again: T = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(again, object);
}

/// What a tool answers is read as any other result is.
fn check_tool_result(text: &str) {
    let reply = Reply::Result(0..text.len());
    let quick = reply.decode_tool_result(text.as_bytes()).map_err(|fault| fault.to_string());
    assert_eq!(quick, reply.decode(text.as_bytes()).map_err(|fault| fault.to_string()));
}

/// An answer is taken if and only if each of its fields is.
fn check_form(form: &[Property], answer: &Members<Json>) {
    let fits = |property: &Property| match answer.member(&property.name) {
        Some(value) => property.fits(value).is_ok(),
        None => !property.required,
    };
    let is_known = |name: &str| form.iter().any(|property| property.name == name);
    match check_answer(form, answer) {
        Ok(()) => assert!(form.iter().all(fits) && answer.iter().all(|(name, _)| is_known(name))),
        Err(InvalidAnswer::Unknown { name }) => assert!(!is_known(&name)),
        Err(InvalidAnswer::Missing { name } | InvalidAnswer::Misfit { name, .. }) => {
            assert!(form.iter().any(|property| property.name == name && !fits(property)));
        }
        Err(other) => panic!("{other}"),
    }
    for default in form.iter().filter_map(Property::default_value) {
        default.decode::<serde_json::Value>().expect("a default is a value");
    }
}

//! The names of methods and the codes of errors are those of the schemas.

use std::collections::BTreeSet;

use codewhale_mcp_protocol::{Revision, code, method};
use serde_json::Value;

use crate::schemas::Schema;

const METHODS: &[&str] = &[
    method::CANCELLED,
    method::COMPLETE,
    method::DISCOVER,
    method::ELICITATION_COMPLETE,
    method::ELICITATION_CREATE,
    method::INITIALIZE,
    method::INITIALIZED,
    method::LISTEN,
    method::MESSAGE,
    method::PING,
    method::PROGRESS,
    method::PROMPTS_GET,
    method::PROMPTS_LIST,
    method::PROMPTS_LIST_CHANGED,
    method::RESOURCES_LIST,
    method::RESOURCES_LIST_CHANGED,
    method::RESOURCES_READ,
    method::RESOURCES_SUBSCRIBE,
    method::RESOURCES_TEMPLATES_LIST,
    method::RESOURCES_UNSUBSCRIBE,
    method::RESOURCES_UPDATED,
    method::ROOTS_LIST,
    method::ROOTS_LIST_CHANGED,
    method::SAMPLING_CREATE_MESSAGE,
    method::SET_LEVEL,
    method::SUBSCRIPTIONS_ACKNOWLEDGED,
    method::TASKS_CANCEL,
    method::TASKS_GET,
    method::TASKS_LIST,
    method::TASKS_RESULT,
    method::TASKS_STATUS,
    method::TOOLS_CALL,
    method::TOOLS_LIST,
    method::TOOLS_LIST_CHANGED,
];

const CODES: &[i64] = &[
    code::HEADER_MISMATCH,
    code::INTERNAL_ERROR,
    code::INVALID_PARAMS,
    code::INVALID_REQUEST,
    code::METHOD_NOT_FOUND,
    code::MISSING_REQUIRED_CLIENT_CAPABILITY,
    code::PARSE_ERROR,
    code::UNSUPPORTED_PROTOCOL_VERSION,
    code::URL_ELICITATION_REQUIRED,
];

/// The constants that members of this name have anywhere in the schemas.
fn constants(member: &str) -> Vec<Value> {
    let schemas = Revision::ALL.map(Schema::of);
    let mut open: Vec<&Value> = schemas.iter().flat_map(|schema| schema.definitions().values()).collect();
    let mut found = Vec::new();
    while let Some(schema) = open.pop() {
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        for (name, property) in properties {
            if name == member {
                found.extend(property.get("const").cloned());
            }
            open.push(property);
        }
        open.extend(schema.get("allOf").and_then(Value::as_array).into_iter().flatten());
    }
    found
}

#[test]
fn every_method_of_every_revision_has_its_constant() {
    let found: BTreeSet<String> =
        constants("method").iter().map(|method| method.as_str().unwrap().to_owned()).collect();
    assert_eq!(found, METHODS.iter().map(|method| (*method).to_owned()).collect());
}

#[test]
fn every_error_code_of_every_revision_has_its_constant() {
    let found: BTreeSet<i64> = constants("code").iter().map(|code| code.as_i64().unwrap()).collect();
    assert_eq!(found, CODES.iter().copied().collect());
}

//! The arguments that a tool says it takes, for people who have to write them.

use codewhale_mcp_protocol::{Json, Members, Tool};
use serde_json::Value;

use super::fault::{SchemaFault, schema_fault};
use super::shape::{Shape, member, with_branches};

/// The arguments that a tool says it takes. Its words may hold anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expected {
    /// Those that it names, the required ones first, otherwise in the order of the schema.
    pub arguments: Vec<ExpectedArgument>,
    /// What it says of all others.
    pub others: OtherArguments,
}

/// What a tool says of arguments that it does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OtherArguments {
    /// It takes them, or names none at all.
    #[default]
    Taken,
    /// Nothing, so that the schema lets them pass; most tools ignore them.
    Untold,
    /// It refuses them.
    Refused,
}

/// An argument that a tool names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedArgument {
    /// Its name.
    pub name: String,
    /// Whether it must be given.
    pub required: bool,
    /// Its type in words, such as `number`, `string or null`, `array of string`, or `any`.
    pub kind: String,
    /// The values that are listed, as JSON, strings without their quotes; empty where none are.
    pub values: Vec<String>,
    /// Its default, as JSON.
    pub default: Option<String>,
    /// What the tool says about it.
    pub description: Option<String>,
}

/// The arguments that a tool says it takes.
#[must_use]
pub fn expected_arguments(tool: &Tool) -> Expected {
    if !matches!(schema_fault(tool), None | Some(SchemaFault::NoType)) {
        return Expected::default();
    }
    let schema = tool.input_schema.as_ref();
    let Some(root) = schema.and_then(|schema| schema.decode::<Value>().ok()) else {
        return Expected::default();
    };
    let required = required(&root);
    let names = names(schema.map(properties).unwrap_or_default(), &root);
    let mut arguments: Vec<ExpectedArgument> =
        names.into_iter().map(|name| argument(&root, &required, name)).collect();
    arguments.sort_by_key(|argument| !argument.required);
    Expected { others: others(&root), arguments }
}

/// The names of the properties in the order they were written, which a value tree does not keep.
fn properties(schema: &Json) -> Vec<String> {
    let root = schema.decode::<Members<Json>>().unwrap_or_default();
    let own =
        root.member("properties").and_then(|own| own.decode::<Members<Json>>().ok()).unwrap_or_default();
    own.iter().map(|(name, _)| name.to_owned()).collect()
}

fn names(mut names: Vec<String>, root: &Value) -> Vec<String> {
    for schema in with_branches(root, root) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(|properties| properties.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn required(root: &Value) -> Vec<&str> {
    let all_of = root.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let listed = |schema| Value::get(schema, "required").and_then(Value::as_array);
    std::iter::once(root).chain(all_of).filter_map(listed).flatten().filter_map(Value::as_str).collect()
}

fn others(root: &Value) -> OtherArguments {
    let mut told = OtherArguments::Untold;
    let mut names_any = false;
    for schema in with_branches(root, root) {
        names_any |= schema.get("properties").is_some();
        if schema.get("patternProperties").is_some() {
            return OtherArguments::Taken;
        }
        for key in ["additionalProperties", "unevaluatedProperties"] {
            match schema.get(key) {
                None => {}
                Some(Value::Bool(false)) => told = OtherArguments::Refused,
                Some(_) => return OtherArguments::Taken,
            }
        }
    }
    if names_any || told == OtherArguments::Refused { told } else { OtherArguments::Taken }
}

fn argument(root: &Value, required: &[&str], name: String) -> ExpectedArgument {
    let own = member(root, root, &name);
    let shape = own.map(|own| Shape::of(root, own)).unwrap_or_default();
    let text = |key: &str| own.and_then(|own| own.get(key));
    ExpectedArgument {
        required: required.contains(&name.as_str()),
        kind: kind(root, &shape),
        values: shape.values.iter().map(|value| plain(value)).collect(),
        default: text("default").map(ToString::to_string),
        description: text("description").and_then(Value::as_str).map(ToOwned::to_owned),
        name,
    }
}

fn kind(root: &Value, shape: &Shape<'_>) -> String {
    let items = shape.items.map(|items| Shape::of(root, items)).unwrap_or_default();
    let one = |name: &&str| match (*name, items.types.is_empty()) {
        ("array", false) => format!("array of {}", items.types.iter().copied().collect::<Vec<_>>().join("/")),
        (name, _) => name.to_owned(),
    };
    let types: Vec<String> = shape.types.iter().map(one).collect();
    if types.is_empty() { "any".to_owned() } else { types.join(" or ") }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(schema: &str) -> Expected {
        let tool = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        expected_arguments(&serde_json::from_str(&tool).expect("a tool"))
    }

    #[test]
    fn arguments_are_named_with_what_they_take_the_required_ones_first() {
        let check = |schema: &str, wanted: &[&str], others: OtherArguments| {
            let expected = expected(schema);
            let told = |argument: &ExpectedArgument| {
                let (name, kind, values) = (&argument.name, &argument.kind, argument.values.join("|"));
                let must = if argument.required { "!" } else { "" };
                format!("{name}{must}:{kind}:{values}:{}", argument.default.as_deref().unwrap_or_default())
            };
            let told: Vec<String> = expected.arguments.iter().map(told).collect();
            assert_eq!((told, expected.others), (wanted.iter().map(ToString::to_string).collect(), others));
        };
        check(
            r##"{"type":"object","properties":{"z":{"type":"number","default":1.0},"a":{"$ref":"#/$defs/A"},
                "m":{"type":"string"}},"required":["m"],"$defs":{"A":{"enum":["x",2],"type":["string","null"]}}}"##,
            &["m!:string::", "z:number::1.0", "a:null or string:x|2:"],
            OtherArguments::Untold,
        );
        check(
            r#"{"type":"object","allOf":[{"properties":{"l":{"type":"array","items":{"type":"string"}}},
                "required":["l"]}],"additionalProperties":false}"#,
            &["l!:array of string::"],
            OtherArguments::Refused,
        );
        check(r#"{"type":"object","properties":{},"additionalProperties":{}}"#, &[], OtherArguments::Taken);
        check(r#"{"type":"object","properties":{}}"#, &[], OtherArguments::Untold);
        check(r#"{"type":"object"}"#, &[], OtherArguments::Taken);
        check("true", &[], OtherArguments::Taken);
    }
}

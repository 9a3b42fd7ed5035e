//! Instances of a definition, made from its schema: without and with all optional members, one for each branch
//! of each union, arrays of two, and a member more where the schema lets it.

use serde_json::{Map, Value, json};

use crate::schemas::Schema;

/// The instances of a definition, minimal ones first.
pub(crate) fn instances(definitions: &Map<String, Value>, name: &str) -> Vec<Value> {
    let schema = &definitions[name];
    let at = |full| Generator { definitions, definition: name, member: "", full, shallow: false };
    distinct([at(false).of(schema), at(true).of(schema)].concat())
}

#[derive(Clone, Copy)]
struct Generator<'a> {
    definitions: &'a Map<String, Value>,
    definition: &'a str,
    member: &'a str,
    full: bool,
    /// Within a JSON value: the only definition that comes back to itself.
    shallow: bool,
}

impl<'a> Generator<'a> {
    fn of(self, schema: &'a Value) -> Vec<Value> {
        if let Some(reference) = schema.get("$ref") {
            let definition = Schema::name_in(reference);
            let shallow = self.shallow || definition == "JSONValue";
            let inner = Self { definition, shallow, ..self };
            return inner.of(&self.definitions[definition]);
        }
        if let Some(word) = schema.get("const") {
            return vec![word.clone()];
        }
        if let Some(words) = schema.get("enum") {
            return words.as_array().unwrap().clone();
        }
        if let Some(branches) = schema.get("anyOf") {
            let branches = branches.as_array().unwrap();
            let last = branches.len() - 1;
            let of = |(at, branch)| {
                if self.shallow && self.definition == "JSONValue" && at < last {
                    vec![]
                } else {
                    self.of(branch)
                }
            };
            return branches.iter().enumerate().flat_map(of).collect();
        }
        if let Some(parts) = schema.get("allOf") {
            return self.merged(parts.as_array().unwrap());
        }
        match schema.get("type") {
            Some(Value::Array(kinds)) => {
                kinds.iter().flat_map(|kind| self.of_kind(kind.as_str().unwrap(), schema)).collect()
            }
            Some(kind) => self.of_kind(kind.as_str().unwrap(), schema),
            None if schema.get("properties").is_some() => self.object(schema),
            None => self.anything(),
        }
    }

    fn of_kind(self, kind: &str, schema: &'a Value) -> Vec<Value> {
        match kind {
            "string" => vec![self.text(schema)],
            "integer" if schema.get("maximum").is_none() => vec![json!(5_000_000_000_u64)],
            "integer" => vec![json!(1)],
            "number" => vec![json!(0.5), json!(1)],
            "boolean" => vec![json!(true), json!(false)],
            "null" => vec![Value::Null],
            "array" => self.array(schema),
            "object" => self.object(schema),
            other => panic!("the type {other}"),
        }
    }

    fn text(self, schema: &Value) -> Value {
        let text = match schema.get("format").and_then(Value::as_str) {
            Some("uri") => "https://host.example/a?b=c",
            Some("uri-template") => "file:///{path}",
            Some("byte") => "aGVsbG8=",
            None if self.member == "resultType" && self.definition == "InputRequiredResult" => {
                "input_required"
            }
            None if self.member == "resultType" => "complete",
            None => "a \"text\" \u{1f40b}\u{0}",
            Some(other) => panic!("the format {other}"),
        };
        json!(text)
    }

    /// Not `null`, which is absent for most; only `structuredContent` has it as a value.
    fn anything(self) -> Vec<Value> {
        let mut all =
            vec![json!({ "free": [1, 0.25, "x", null, {}] }), json!("text"), json!([[]]), json!(-7)];
        if self.member == "structuredContent" {
            all.push(Value::Null);
        }
        all
    }

    fn array(self, schema: &'a Value) -> Vec<Value> {
        if !self.full {
            return vec![json!([])];
        }
        let elements = self.both(&schema["items"]);
        elements.chunks(2).map(|two| json!([two[0], two.get(1).unwrap_or(&elements[0])])).collect()
    }

    fn object(self, schema: &'a Value) -> Vec<Value> {
        let required: Vec<&str> = match schema.get("required") {
            Some(names) => names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect(),
            None => Vec::new(),
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut members: Vec<(String, Vec<Value>)> = Vec::new();
        for (member, schema) in properties.into_iter().flatten() {
            if self.full || required.contains(&member.as_str()) {
                let inner = Self { member, definition: self.definition, ..self };
                members.push((member.clone(), inner.of(schema)));
            }
        }
        if self.full {
            members.extend(self.more(schema.get("additionalProperties")));
        }
        varied(&members)
    }

    /// Members that the schema does not name.
    fn more(self, additional: Option<&'a Value>) -> Vec<(String, Vec<Value>)> {
        match additional {
            Some(Value::Object(typed)) if !typed.is_empty() => {
                let schema = additional.unwrap();
                let values = self.both(schema);
                let other = values.last().unwrap().clone();
                vec![("one".into(), values), ("another".into(), vec![other])]
            }
            Some(Value::Bool(false)) => vec![],
            _ => {
                vec![("x-unknown".into(), vec![json!([1.5, { "a": null, "b": 9_007_199_254_740_993_u64 }])])]
            }
        }
    }

    /// Everything that a schema allows, with and without what is optional.
    fn both(self, schema: &'a Value) -> Vec<Value> {
        distinct([Self { full: true, ..self }.of(schema), Self { full: false, ..self }.of(schema)].concat())
    }

    /// Objects that are instances of all the parts.
    fn merged(self, parts: &'a [Value]) -> Vec<Value> {
        let mut members: Vec<(String, Vec<Value>)> = Vec::new();
        for part in parts {
            for instance in self.of(part) {
                for (name, value) in instance.as_object().unwrap() {
                    match members.iter_mut().find(|(known, _)| known == name) {
                        Some((_, values)) => values.insert(0, value.clone()),
                        None => members.push((name.clone(), vec![value.clone()])),
                    }
                }
            }
        }
        // The last part is the narrowest, and what it says of a member holds.
        let narrowest = self.of(parts.last().unwrap()).remove(0);
        for (name, values) in &mut members {
            if let Some(value) = narrowest.get(&*name) {
                *values = vec![value.clone()];
            }
        }
        varied(&members.into_iter().map(|(name, values)| (name, distinct(values))).collect::<Vec<_>>())
    }
}

/// One object of the first values, and one more for each other value.
fn varied(members: &[(String, Vec<Value>)]) -> Vec<Value> {
    let first: Map<String, Value> =
        members.iter().map(|(name, values)| (name.clone(), values[0].clone())).collect();
    let mut all = vec![Value::Object(first.clone())];
    for (name, values) in members {
        for value in &values[1..] {
            let mut other = first.clone();
            other.insert(name.clone(), value.clone());
            all.push(Value::Object(other));
        }
    }
    all
}

fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

//! The form a server asks a person to fill in, as it stands on the wire.

use serde_json::Number;

use crate::open::open_object;
use crate::word::open_word;
use crate::{InvalidSchema, Json, Members, Property};

open_object! {
    /// The schema of a form: a flat JSON Schema object (MCP 2026-07-28, client/elicitation).
    ///
    /// This is what came; [`form`](Self::form) says whether it is a form and gives its fields.
    ///
    /// ```
    /// use codewhale_mcp_protocol::{PropertyKind, RequestedSchema};
    ///
    /// let schema: RequestedSchema = serde_json::from_str(
    ///     r#"{"type":"object","properties":{"ok":{"type":"boolean","default":true}},"required":["ok"]}"#,
    /// )?;
    /// let form = schema.form()?;
    /// assert!(form[0].required);
    /// assert_eq!(form[0].kind, PropertyKind::Boolean { default: Some(true) });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct RequestedSchema {
        /// The dialect (2025-11-25 and later).
        optional schema: String = "$schema",
        /// Always `object`.
        optional kind: String = "type",
        /// The fields by their names, in the order to show them.
        required properties: Members<PropertySchema> = "properties",
        /// The names of the fields that have to be filled in.
        optional required: Vec<String> = "required",
    }
}

open_object! {
    /// The schema of one field: the members of all kinds side by side (`PrimitiveSchemaDefinition`).
    pub struct PropertySchema {
        /// What kind of value.
        optional kind: PropertyType = "type",
        /// A name for people.
        optional title: String = "title",
        /// What is expected.
        optional description: String = "description",
        /// What stands there at first. 2025-06-18 has it for booleans only.
        optional default: Json = "default",
        /// Of a string: the fewest characters.
        optional min_length: Number = "minLength",
        /// Of a string: the most characters.
        optional max_length: Number = "maxLength",
        /// Of a string: what it has to be.
        optional format: StringFormat = "format",
        /// Of a number: the least.
        optional minimum: Number = "minimum",
        /// Of a number: the greatest.
        optional maximum: Number = "maximum",
        /// Of a string: the values to choose from.
        optional choices: Vec<String> = "enum",
        /// Names for people for `enum`, in its order (2025-06-18; deprecated).
        optional choice_names: Vec<String> = "enumNames",
        /// Of a string: the values to choose from, with names (2025-11-25).
        optional one_of: Vec<TitledChoice> = "oneOf",
        /// Of an array: the values to choose from (2025-11-25).
        optional items: Box<ItemsSchema> = "items",
        /// Of an array: the fewest choices.
        optional min_items: Number = "minItems",
        /// Of an array: the most choices.
        optional max_items: Number = "maxItems",
    }
}

open_object! {
    /// What can be chosen for an array (MCP 2025-11-25, client/elicitation).
    pub struct ItemsSchema {
        /// Always `string`, or absent.
        optional kind: String = "type",
        /// The values.
        optional choices: Vec<String> = "enum",
        /// The values, with names.
        optional any_of: Vec<TitledChoice> = "anyOf",
    }
}

open_object! {
    /// A value with a name for people.
    pub struct TitledChoice {
        /// The value.
        required value: String = "const",
        /// Its name.
        optional title: String = "title",
    }
}

open_word! {
    /// What kind of value a field has.
    pub enum PropertyType {
        /// A text, or one of several.
        String = "string",
        /// A number.
        Number = "number",
        /// A number without a fraction.
        Integer = "integer",
        /// Yes or no.
        Boolean = "boolean",
        /// Some of several texts (2025-11-25).
        Array = "array",
    }
}

open_word! {
    /// What a text has to be (JSON Schema `format`).
    pub enum StringFormat {
        /// A mail address.
        Email = "email",
        /// An address with a scheme.
        Uri = "uri",
        /// A day.
        Date = "date",
        /// A moment.
        DateTime = "date-time",
    }
}

impl RequestedSchema {
    /// The fields of the form, in order, each checked.
    ///
    /// # Errors
    /// When it is not a form: what a client has to decline, or to refuse with `-32602` in the legacy era.
    pub fn form(&self) -> Result<Vec<Property>, InvalidSchema> {
        if let Some(kind) = self.kind.as_ref().filter(|kind| *kind != "object") {
            return Err(InvalidSchema::NotAnObject { kind: kind.clone() });
        }
        let required = self.required.as_deref().unwrap_or_default();
        let unknown = required.iter().find(|name| self.properties.member(name).is_none());
        if let Some(name) = unknown {
            return Err(InvalidSchema::RequiredUnknown { name: name.clone() });
        }
        let property = |(name, schema): (&str, &PropertySchema)| {
            let required = required.iter().any(|required| required == name);
            Property::read(name, schema, required)
        };
        self.properties.iter().map(property).collect()
    }
}

//! A form from the answers file.

use codewhale_mcp_protocol::{InvalidAnswer, Json, Members, Property, check_answer, with_defaults};

use super::field::reason;
use super::file::Given;

/// What a file says to a form.
#[derive(Debug, PartialEq)]
pub(super) enum Filled {
    Accept(Members<Json>),
    Decline,
    Cancel,
}

/// What an answer of the file comes to for a form; the error says why it comes to nothing. A field that is not named
/// has its default.
pub(super) fn filled(form: &[Property], given: Given) -> Result<Filled, String> {
    let content = match given {
        Given::Decline => return Ok(Filled::Decline),
        Given::Cancel => return Ok(Filled::Cancel),
        Given::Text(_) => return Err("the question is a form, and the answer is a text".to_owned()),
        Given::Accept => with_defaults(form, Members::default()),
        Given::Fields(fields) => with_defaults(form, fields),
        Given::Common(fields) => {
            let of_form = |name: &str| form.iter().any(|property| property.name == name);
            with_defaults(form, fields.into_iter().filter(|(name, _)| of_form(name)).collect())
        }
    };
    match check_answer(form, &content) {
        Ok(()) => Ok(Filled::Accept(content)),
        Err(InvalidAnswer::Misfit { name, misfit }) => Err(format!("`{name}`: {}", reason(&misfit))),
        Err(other) => Err(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_protocol::RequestedSchema;

    use super::*;

    fn form() -> Vec<Property> {
        let text = r#"{"type":"object","required":["name"],"properties":{
            "name":{"type":"string"},"age":{"type":"integer","default":36},"note":{"type":"string"}}}"#;
        serde_json::from_str::<RequestedSchema>(text).unwrap().form().unwrap()
    }

    fn fields(text: &str) -> Members<Json> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn defaults_fill_what_is_not_named() {
        let given = Given::Fields(fields(r#"{"name": "Ada"}"#));
        let Ok(Filled::Accept(content)) = filled(&form(), given) else { panic!("it fits") };
        assert_eq!(serde_json::to_string(&content).unwrap(), r#"{"name":"Ada","age":36}"#);
        assert_eq!(filled(&form(), Given::Decline), Ok(Filled::Decline));
        assert_eq!(filled(&form(), Given::Cancel), Ok(Filled::Cancel));
    }

    #[test]
    fn only_an_answer_for_every_form_may_hold_fields_of_others() {
        let more = r#"{"name": "Ada", "other": 1}"#;
        assert!(matches!(filled(&form(), Given::Common(fields(more))), Ok(Filled::Accept(_))));
        assert_eq!(filled(&form(), Given::Fields(fields(more))), Err("there is no field \"other\"".into()));
    }

    #[test]
    fn an_answer_that_does_not_fit_says_why() {
        let rows = [
            (Given::Accept, "\"name\" has to be filled in"),
            (Given::Text("x".into()), "the answer is a text"),
            (Given::Fields(fields(r#"{"name": 1}"#)), "`name`: it has to be a text"),
        ];
        for (given, why) in rows {
            let error = filled(&form(), given).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}

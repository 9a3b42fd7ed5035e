//! The answers file.

use std::collections::VecDeque;

use codewhale_mcp_protocol::{Json, Members};

use crate::failure::Failure;

/// What stands in an answers file.
#[derive(Debug)]
pub(super) enum AnswersFile {
    /// Values for the fields of every form.
    Every(Members<Json>),
    /// An answer for each question, in order; what is left.
    InOrder(VecDeque<Given>),
}

/// One answer of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    /// Values for fields of a form.
    Fields(Members<Json>),
    /// Values for whatever form comes, so that those of other forms may be among them.
    Common(Members<Json>),
    /// The person agrees.
    Accept,
    /// The person says no.
    Decline,
    /// The person goes away.
    Cancel,
    /// What a model would say.
    Text(String),
}

impl AnswersFile {
    /// Reads an answers file; `named` is what messages call it.
    pub(super) fn read(text: &str, named: &str) -> Result<Self, Failure> {
        let json = Json::from_text(text.trim_start_matches('\u{feff}')).map_err(|error| {
            Failure::usage(format!("{named} is not JSON: line {}, column {}", error.line(), error.column()))
        })?;
        if let Ok(fields) = json.decode::<Members<Json>>() {
            return Ok(Self::Every(fields));
        }
        let Ok(elements) = json.decode::<Vec<Json>>() else {
            return Err(Failure::usage(format!("{named} holds neither an object nor an array")));
        };
        let given = elements.iter().enumerate().map(|(at, element)| {
            Given::read(element).ok_or_else(|| {
                Failure::usage(format!("{named}: element {} is neither an object nor a text", at + 1))
            })
        });
        Ok(Self::InOrder(given.collect::<Result<_, _>>()?))
    }

    /// The answer to the next question, if there is one. An object answers forms alone.
    pub(super) fn next(&mut self, is_form: IsForm) -> Option<Given> {
        match (self, is_form) {
            (Self::Every(fields), IsForm::Yes) => Some(Given::Common(fields.clone())),
            (Self::Every(_), IsForm::No) => None,
            (Self::InOrder(given), _) => given.pop_front(),
        }
    }
}

/// Whether a question is a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsForm {
    Yes,
    No,
}

impl Given {
    fn read(element: &Json) -> Option<Self> {
        if let Ok(fields) = element.decode::<Members<Json>>() {
            return Some(Self::Fields(fields));
        }
        let text = element.decode::<String>().ok()?;
        Some(match text.as_str() {
            "accept" => Self::Accept,
            "decline" => Self::Decline,
            "cancel" => Self::Cancel,
            _ => Self::Text(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_answers_every_form_and_an_array_each_question_once() {
        let mut every = AnswersFile::read("\u{feff}{\"a\": 1.50}", "f").unwrap();
        for _ in 0..2 {
            let Some(Given::Common(fields)) = every.next(IsForm::Yes) else { panic!("fields") };
            assert_eq!(fields.member("a").unwrap().as_str(), "1.50");
        }
        assert_eq!(every.next(IsForm::No), None);

        let text = r#"[{"a": 1}, "accept", "decline", "cancel", "Hello"]"#;
        let mut in_order = AnswersFile::read(text, "f").unwrap();
        assert!(matches!(in_order.next(IsForm::Yes), Some(Given::Fields(_))));
        let rest: Vec<Given> = std::iter::from_fn(|| in_order.next(IsForm::No)).collect();
        assert_eq!(rest, [Given::Accept, Given::Decline, Given::Cancel, Given::Text("Hello".into())]);
    }

    #[test]
    fn what_is_no_answer_is_named_with_its_place() {
        let rows = [
            ("", "not JSON: line 1"),
            ("{\"a\": }", "line 1, column 7"),
            ("1", "neither an object nor an array"),
            ("[{}, 1]", "element 2"),
        ];
        for (text, said) in rows {
            let error = AnswersFile::read(text, "`f`").unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("`f`"), "{text}: {error}");
        }
    }
}

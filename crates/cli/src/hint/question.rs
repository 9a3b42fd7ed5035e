//! How a question or a task is taken up.

use codewhale_mcp_protocol::Property;

use super::{Naming, word};

/// How a task is taken up again.
pub(crate) fn task(server: &str, naming: Naming, id: &str) -> String {
    format!("take it up again with `codewhale mcp tasks {} {} --wait`", naming.of(server), word(id))
}

/// How a form could be answered where nobody can be asked.
pub(crate) fn form_answer(form: &[Property]) -> String {
    let needed: Vec<&Property> =
        form.iter().filter(|property| property.required && property.default_value().is_none()).collect();
    let fields: Vec<&Property> = if needed.is_empty() { form.iter().take(3).collect() } else { needed };
    let fields: Vec<String> = fields.iter().map(|property| format!("{:?}: …", property.name)).collect();
    format!("answer it with --answers FILE, which holds {{{}}}", fields.join(", "))
}

/// How an address could be agreed to where nobody can be asked.
pub(crate) fn address_answer() -> String {
    "agree with --answers FILE, which holds [\"accept\"]".to_owned()
}

/// How a question for a model could be answered where nobody can be asked.
pub(crate) fn model_answer() -> String {
    "answer it with --answers FILE, which holds [\"the answer\"]".to_owned()
}

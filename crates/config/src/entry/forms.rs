//! `${…}` that nobody expands.

use super::{Fields, ServerEntry};
use crate::server::odd_form;
use crate::{Place, Warning};

/// Warns of each value that holds a form of other programs.
pub(super) fn warn_forms(fields: &mut Fields<'_>, entry: &ServerEntry) {
    let mut warn = |key: String, place: &Place, text: &str| {
        let place = place.clone();
        match odd_form(text) {
            Some(form) if form.starts_with("input:") => {
                fields.warnings.push(Warning::InputForm { place, key });
            }
            Some(_) => fields.warnings.push(Warning::UnknownForm { place, key }),
            None => {}
        }
    };
    for (key, value) in [("command", &entry.command), ("cwd", &entry.cwd), ("url", &entry.url)] {
        if let Some(value) = value {
            warn(key.to_owned(), &value.place, &value.value);
        }
    }
    for (at, arg) in entry.args.iter().enumerate() {
        warn(format!("args[{at}]"), &arg.place, &arg.value);
    }
    for (member, pairs) in [("env", &entry.env), ("headers", &entry.headers)] {
        for pair in pairs {
            warn(format!("{member}.{}", pair.name), &pair.value.place, pair.value.value.expose());
        }
    }
}

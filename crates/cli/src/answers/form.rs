//! A form, field by field, and the look at all of it before it is sent.

use codewhale_mcp_protocol::{Json, Members, Property};
use codewhale_mcp_redact::is_secret_name;

use super::dialog::{Stop, WithPerson, quote};
use super::field::{choice, choices, expected, read, shown, title};
use crate::print::{Line, Printer};

/// The most bytes of a description that are shown.
const DESCRIPTION: usize = 1024;
/// The most choices that are shown.
const CHOICES: usize = 100;

const DECLINE: &str = ":decline";
const CANCEL: &str = ":cancel";
const LEAVE_OUT: &str = ":skip";

const NEEDED: &str = "it has to be filled in";

/// Asks for each field, then for a yes to all of them (MCP 2026-07-28, client/elicitation).
pub(super) async fn fill(person: &WithPerson<'_>, form: &[Property]) -> Result<Members<Json>, Stop> {
    let words = format!(
        "an empty line takes what stands in brackets; {LEAVE_OUT} leaves a field out, {DECLINE} says no, {CANCEL} \
         goes away"
    );
    person.printer.talk(Line::new().plain("  ").dim(words));
    let mut values: Vec<Option<Json>> = Vec::with_capacity(form.len());
    for (at, property) in form.iter().enumerate() {
        describe(person.printer, property, &format!("{}/{} ", at + 1, form.len()));
        values.push(field(person, property, property.default_value()).await?);
    }
    review(person.printer, form, &values);
    loop {
        let question = "send it? [s]end, a number to change it, [d]ecline, [c]ancel:";
        match person.consent(question).await?.to_ascii_lowercase().as_str() {
            "s" | "send" | "y" | "yes" | "" => break,
            "d" | "decline" | "n" | "no" | DECLINE => return Err(Stop::Decline),
            "c" | "cancel" | CANCEL => return Err(Stop::Cancel),
            other => {
                let at = other.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let Some((at, property)) = at.and_then(|at| Some((at, form.get(at)?))) else {
                    person.refuse(format!("type s, d, c or a number from 1 to {}", form.len()));
                    continue;
                };
                describe(person.printer, property, "");
                values[at] = field(person, property, values[at].take()).await?;
                review(person.printer, form, &values);
            }
        }
    }
    let named = form.iter().zip(values);
    Ok(named.filter_map(|(property, value)| Some((property.name.as_str(), value?))).collect())
}

/// A line for each field, for whoever cannot be asked.
pub(super) fn outline(printer: &Printer, form: &[Property]) {
    for property in form {
        let name = Line::new().plain("  ").bold(&property.name);
        let first = property.default_value().map(|value| format!(" [{}]", shown(&value))).unwrap_or_default();
        let title = property.title.as_ref().map(|_| format!(": {}", title(property))).unwrap_or_default();
        printer.talk(name.plain(format!(" ({}){first}{title}", expected(property))));
        for one in choices(property).iter().take(CHOICES) {
            printer.talk(Line::new().plain("    ").plain(choice(one)));
        }
        quote(printer, property.description.as_deref().unwrap_or_default(), DESCRIPTION, "    ");
    }
}

fn describe(printer: &Printer, property: &Property, number: &str) {
    let line = Line::new().plain("  ").dim(number).bold(title(property));
    printer.talk(line.plain(format!(": {}", expected(property))));
    quote(printer, property.description.as_deref().unwrap_or_default(), DESCRIPTION, "    ");
    let all = choices(property);
    for (at, one) in all.iter().take(CHOICES).enumerate() {
        printer.talk(Line::from(format!("    {}) ", at + 1)).plain(choice(one)));
    }
    if all.len() > CHOICES {
        printer.talk(Line::from(format!("    +{} more", all.len() - CHOICES)));
    }
    if is_secret_name(&property.name) {
        // It must not (MCP 2026-07-28, client/elicitation).
        printer.warn("this looks like a secret, which a server must not ask for in a form");
    }
}

/// Asks until a value fits; `first` is what an empty line takes.
async fn field(
    person: &WithPerson<'_>,
    property: &Property,
    first: Option<Json>,
) -> Result<Option<Json>, Stop> {
    let brackets = first.as_ref().map(|value| format!(" [{}]", shown(value))).unwrap_or_default();
    loop {
        let line = person.ask(Line::from(format!("  {}{brackets}:", title(property)))).await?;
        let value = match line.as_str() {
            DECLINE => return Err(Stop::Decline),
            CANCEL => return Err(Stop::Cancel),
            LEAVE_OUT if property.required => Err(NEEDED.to_owned()),
            LEAVE_OUT => return Ok(None),
            "" => match &first {
                Some(first) => property
                    .fits(first)
                    .map(|()| first.clone())
                    .map_err(|misfit| super::field::reason(&misfit)),
                None if property.required => Err(NEEDED.to_owned()),
                None => return Ok(None),
            },
            // Two colons make one, so that every text can be typed.
            "::decline" | "::cancel" | "::skip" => read(property, &line[1..]),
            line => read(property, line),
        };
        match value {
            Ok(value) => return Ok(Some(value)),
            Err(why) => person.refuse(why),
        }
    }
}

fn review(printer: &Printer, form: &[Property], values: &[Option<Json>]) {
    printer.talk(Line::from("your answer:"));
    for (at, (property, value)) in form.iter().zip(values).enumerate() {
        let value =
            value.as_ref().map_or_else(|| Line::new().dim("left out"), |value| Line::from(shown(value)));
        printer.talk(Line::from(format!("  {}) {}: ", at + 1, title(property))).join(value));
    }
}

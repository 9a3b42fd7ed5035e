//! An address that the person is to open. Nothing is fetched and no browser is started here.

use super::address::Address;
use super::dialog::{Stop, WithPerson};
use crate::print::{Line, Printer};

/// Whether the person has agreed to this address before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    First,
    /// They have, and the server wants more of them there.
    Again,
}

/// Shows the whole address, its host, and what is odd about it (MCP 2026-07-28, client/elicitation).
pub(super) fn show(printer: &Printer, address: &Address) {
    printer.talk(Line::new().plain("  ").join(address.line()));
    printer.talk(Line::new().plain("  host: ").bold(address.host()));
    address.warnings().iter().for_each(|warning| printer.warn(warning));
}

/// Asks for consent. A yes is no more than that: what happens at the address is between the person and the server.
pub(super) async fn agree(person: &WithPerson<'_>, time: Time) -> Result<(), Stop> {
    if time == Time::Again {
        let question =
            "the server still waits for what you do there; [Enter] when it is done, [d]ecline, [c]ancel:";
        return match person.consent(question).await?.to_ascii_lowercase().as_str() {
            "n" | "no" | "d" | "decline" => Err(Stop::Decline),
            "c" | "cancel" => Err(Stop::Cancel),
            _ => Ok(()),
        };
    }
    loop {
        let question = "agree to go there? [y]es, [n]o, [c]ancel:";
        match person.consent(question).await?.to_ascii_lowercase().as_str() {
            "y" | "yes" => break,
            "n" | "no" | "d" | "decline" => return Err(Stop::Decline),
            "c" | "cancel" => return Err(Stop::Cancel),
            _ => person.refuse("type y, n or c"),
        }
    }
    person.printer.talk(Line::from("open it in your browser yourself; no browser is started here"));
    Ok(())
}

//! The table of HTTP modes, and the way from words to a plan.

use super::faults::{
    answers, endpoints, events, general, headers, names, notified, probe, redirects, sessions, sizes, status,
    streams, versions,
};
use super::oauth;
use super::plan::Plan;
use super::strict::strict;
use crate::base::Era;
use crate::features::{self, EVERYTHING_FLAGS};
use crate::options::{COMMON, Options};
use std::sync::Arc;

/// One row of the table.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) name: &'static str,
    /// The flags it takes beside the common ones, as they are shown.
    pub(super) flags: &'static str,
    pub(super) about: &'static str,
    pub(super) build: fn(&Options, &mut Plan),
}

/// A row of the table.
pub(super) const fn row(
    name: &'static str,
    flags: &'static str,
    about: &'static str,
    build: fn(&Options, &mut Plan),
) -> Mode {
    Mode { name, flags, about, build }
}

/// Flags of every HTTP mode.
const HTTP_COMMON: &str = "--answers mixed|json|events --port N";

/// The modes and their flags, a line each.
pub(crate) fn listing() -> String {
    let line = |mode: &Mode| format!("{:28} {} {}\n", mode.name, mode.about, mode.flags).replace(" \n", "\n");
    let mut text: String = modes().map(line).collect();
    text.push_str(&format!("{:28} for every mode: {HTTP_COMMON} {COMMON} {EVERYTHING_FLAGS}\n", ""));
    text.push_str(&format!("{:28} modes of stdio servers that spoil messages may be added with +\n", ""));
    text
}

/// Reads `[MODE[+MODE…]] [flags]`; without a mode it is `everything`, with `--era dual`.
pub(super) fn plan(words: &[String]) -> Result<Plan, String> {
    let (names, flags) = match words.split_first() {
        Some((first, rest)) if !first.starts_with("--") => (first.as_str(), rest),
        _ => ("everything", words),
    };
    let mut known = format!("{HTTP_COMMON} {COMMON} {EVERYTHING_FLAGS}");
    let (mut chosen, mut builders) = (Vec::new(), Vec::new());
    for name in names.split('+') {
        if let Some(mode) = modes().find(|mode| mode.name == name) {
            known = format!("{known} {}", mode.flags);
            chosen.push(mode);
        } else if let Some((build, flags)) = crate::mode::spoiler(name) {
            known = format!("{known} {flags}");
            builders.push(build);
        } else {
            return Err(format!("unknown mode {name}; codewhale-fake --http --list shows them"));
        }
    }
    if builders.is_empty() {
        builders.push(features::everything);
    }
    let options = Arc::new(Options::parse(flags, &known)?);
    let mut plan = Plan::new(options.clone(), Era::parse(&options.word("era", "dual"))?);
    plan.builders = builders;
    for mode in chosen {
        (mode.build)(&options, &mut plan);
    }
    Ok(plan)
}

/// Every mode there is.
fn modes() -> impl Iterator<Item = &'static Mode> {
    let tables: [&[Mode]; 16] = [
        RIGHT,
        probe::MODES,
        versions::MODES,
        headers::MODES,
        names::MODES,
        status::MODES,
        redirects::MODES,
        sessions::MODES,
        general::MODES,
        streams::MODES,
        sizes::MODES,
        events::MODES,
        answers::MODES,
        notified::MODES,
        endpoints::MODES,
        oauth::MODES,
    ];
    tables.into_iter().flatten()
}

/// The modes that do everything right.
const RIGHT: &[Mode] = &[
    row("everything", "", "the whole protocol, in every era", |_, _| {}),
    row("strict", "", "refuses what breaks a rule, with a violation in the record", strict),
];

//! Texts that may be longer than a value of the keyring.
//!
//! A text that fits is one value. Otherwise the value under its name says how many parts there are and in which of two
//! slots they lie. A new text goes into the other slot, then the name turns to it, then the former parts go: whoever is
//! killed in between leaves the former text or the new one.

use std::fmt::Write as _;

use codewhale_mcp_redact::Secret;
use ring::digest::{SHA256, digest};

use super::vault::{Vault, VaultError};

/// More parts than any login needs.
const MOST: usize = 64;

const WHOLE: &str = "whole\n";
const PARTS: &str = "parts\n";

/// The text under a name. One that misses a part is none.
pub(super) fn read(vault: &dyn Vault, name: &str) -> Result<Option<Secret<String>>, VaultError> {
    let Some(value) = vault.read(name)? else { return Ok(None) };
    if let Some(text) = value.expose().strip_prefix(WHOLE) {
        return Ok(Some(Secret::new(text.to_owned())));
    }
    let Some(index) = Index::parse(value.expose()) else { return Err(damaged("it is not written by us")) };
    let mut text = String::new();
    for number in 0..index.count {
        let Some(part) = vault.read(&part(name, index.slot, number))? else { return Ok(None) };
        text.push_str(part.expose());
    }
    match hash(&text) == index.hash {
        true => Ok(Some(Secret::new(text))),
        false => Err(damaged("its parts do not belong together")),
    }
}

/// Writes a text under a name. `Ok(false)`: it is longer than all the parts that there may be.
pub(super) fn write(vault: &dyn Vault, name: &str, text: &Secret<String>) -> Result<bool, VaultError> {
    let whole = text.map(|text| format!("{WHOLE}{text}"));
    let Some(longest) = vault.longest() else {
        vault.write(name, &whole)?;
        return Ok(true);
    };
    let former = Former::of(vault, name)?;
    if whole.expose().len() <= longest {
        vault.write(name, &whole)?;
        former.sweep(vault, name, Slot::A)?;
        former.sweep(vault, name, Slot::B)?;
        return Ok(true);
    }
    let parts = cut(text.expose(), longest);
    if parts.len() > MOST {
        return Ok(false);
    }
    let slot = former.0.as_ref().map_or(Slot::A, |index| index.slot.other());
    former.sweep(vault, name, slot)?;
    for (number, text) in parts.iter().enumerate() {
        vault.write(&part(name, slot, number), &Secret::new((*text).to_owned()))?;
    }
    let index = Index { slot, count: parts.len(), hash: hash(text.expose()) };
    vault.write(name, &Secret::new(index.print()))?;
    former.sweep(vault, name, slot.other())?;
    Ok(true)
}

/// Takes a text away.
pub(super) fn remove(vault: &dyn Vault, name: &str) -> Result<(), VaultError> {
    let limited = vault.longest().is_some();
    let former = if limited { Former::of(vault, name)? } else { Former(None) };
    vault.remove(name)?;
    if limited {
        former.sweep(vault, name, Slot::A)?;
        former.sweep(vault, name, Slot::B)?;
    }
    Ok(())
}

/// The longest text in bytes, `None` when nobody sets a limit.
pub(super) fn longest(vault: &dyn Vault) -> Option<usize> {
    vault.longest().map(|longest| longest * MOST)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    A,
    B,
}

impl Slot {
    fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    fn letter(self) -> char {
        match self {
            Self::A => 'a',
            Self::B => 'b',
        }
    }
}

/// Where the parts of a text are.
struct Index {
    slot: Slot,
    count: usize,
    hash: String,
}

impl Index {
    fn parse(value: &str) -> Option<Self> {
        let mut words = value.strip_prefix(PARTS)?.split(' ');
        let slot = match words.next()? {
            "a" => Slot::A,
            "b" => Slot::B,
            _ => return None,
        };
        let count = words.next()?.parse().ok().filter(|count| (1..=MOST).contains(count))?;
        let hash = words.next()?.to_owned();
        words.next().is_none().then_some(Self { slot, count, hash })
    }

    fn print(&self) -> String {
        format!("{PARTS}{} {} {}", self.slot.letter(), self.count, self.hash)
    }
}

fn part(name: &str, slot: Slot, number: usize) -> String {
    format!("{name} {}{number}", slot.letter())
}

/// Where the parts are that were in use until now.
struct Former(Option<Index>);

impl Former {
    fn of(vault: &dyn Vault, name: &str) -> Result<Self, VaultError> {
        Ok(Self(vault.read(name)?.and_then(|value| Index::parse(value.expose()))))
    }

    /// Takes the parts of a slot away, the last first: what is left after a kill is found again from the first on.
    fn sweep(&self, vault: &dyn Vault, name: &str, slot: Slot) -> Result<(), VaultError> {
        let known = self.0.as_ref().filter(|index| index.slot == slot).map_or(0, |index| index.count);
        let mut count = known;
        while count < MOST && vault.read(&part(name, slot, count))?.is_some() {
            count += 1;
        }
        (0..count).rev().try_for_each(|number| vault.remove(&part(name, slot, number)))
    }
}

/// Cuts a text between characters.
fn cut(mut text: &str, longest: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let (part, rest) = text.split_at(text.floor_char_boundary(longest.max(4)));
        parts.push(part);
        text = rest;
    }
    parts
}

fn hash(text: &str) -> String {
    digest(&SHA256, text.as_bytes()).as_ref().iter().fold(String::new(), |mut hexadecimal, byte| {
        let _ = write!(hexadecimal, "{byte:02x}");
        hexadecimal
    })
}

fn damaged(reason: &str) -> VaultError {
    VaultError::Damaged { reason: reason.to_owned() }
}

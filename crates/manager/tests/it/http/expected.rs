//! What each mode of the fake HTTP server has to come to.

/// A mode with flags, and what has to become of it.
pub(crate) struct Row {
    /// What the fake is started with, without an era.
    pub(crate) mode: &'static str,
    /// The budgets of the definition, where they are not a minute each.
    pub(crate) budgets: &'static str,
    pub(crate) eras: Eras,
}

/// `REVISION`, `TOOLS` and `POSTS` stand for the revision of the era, how many tools a sound server has and how many
/// messages it gets, `WORDS` for what it was asked to say, `…` for anything.
pub(crate) enum Eras {
    Alike(&'static str),
    /// Legacy, then modern.
    Each(&'static str, &'static str),
    /// The mode has its own eras.
    Fixed(&'static str),
}

pub(crate) const fn alike(mode: &'static str, expected: &'static str) -> Row {
    Row { mode, budgets: "{}", eras: Eras::Alike(expected) }
}

pub(crate) const fn each(mode: &'static str, legacy: &'static str, modern: &'static str) -> Row {
    Row { mode, budgets: "{}", eras: Eras::Each(legacy, modern) }
}

pub(crate) const fn fixed(mode: &'static str, expected: &'static str) -> Row {
    Row { mode, budgets: "{}", eras: Eras::Fixed(expected) }
}

pub(crate) const fn within(budgets: &'static str, row: Row) -> Row {
    Row { budgets, ..row }
}

/// The usual.
pub(crate) const FINE: &str = "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; POSTS posts";
pub(crate) const FINE_LEGACY: &str = "ready in 2025-11-25 with 36; says WORDS; then lists 36; 6 posts";
pub(crate) const FINE_MODERN: &str = "ready in 2026-07-28 with 35; says WORDS; then lists 35; 4 posts";

//! What a mode of a fake server has to come to.

/// A mode with flags, and what has to become of it.
pub(crate) struct Row {
    /// The command line, or what the fake is started with, without an era.
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
    /// The mode takes no era, or has its own.
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

//! The modes of a session: which tools run without a question.

/// Which tools run without a question. Helpers always do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// None.
    #[default]
    Default,
    /// Those that say that they change nothing.
    AcceptEdits,
    /// None run at all but helpers.
    Plan,
    /// All of them.
    BypassPermissions,
}

impl Mode {
    /// Every name, for a message.
    pub const NAMES: &str = "default, acceptEdits, plan, bypassPermissions";

    /// The mode of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let modes = [Self::Default, Self::AcceptEdits, Self::Plan, Self::BypassPermissions];
        modes.into_iter().find(|mode| mode.as_str() == name)
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::BypassPermissions => "bypassPermissions",
        }
    }
}

//! The revisions of the protocol and the two eras they fall into.

use std::fmt;

/// A published revision of the protocol.
///
/// Peers compare revisions as strings; the order here is only our own preference for the newer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// `2024-11-05`
    V2024_11_05,
    /// `2025-03-26`
    V2025_03_26,
    /// `2025-06-18`
    V2025_06_18,
    /// `2025-11-25`
    V2025_11_25,
    /// `2026-07-28`
    V2026_07_28,
}

/// How a revision begins a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// A handshake (`initialize`) opens a session; revisions up to 2025-11-25.
    Legacy,
    /// Every request stands alone and names its revision; revisions from 2026-07-28.
    Modern,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision of the legacy era.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The newest revision of the modern era.
    pub const NEWEST_MODERN: Self = Self::V2026_07_28;

    /// The string that stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision with exactly this string.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// The era of this revision.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// The newest of our revisions of one era among the strings a peer offers.
    #[must_use]
    pub fn newest_common(offered: &[String], era: Era) -> Option<Self> {
        Self::ALL
            .into_iter()
            .rev()
            .find(|ours| ours.era() == era && offered.iter().any(|theirs| theirs == ours.as_str()))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        })
    }
}

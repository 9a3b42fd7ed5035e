//! What a group is asked to do.

/// What a group is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// To leave (`SIGTERM`).
    Leave,
    /// Nothing any more: it is ended (`SIGKILL`).
    End,
}

//! Whom the end of a process takes along.

/// Whom the end of a process takes along.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// Its group: what began a session of its own meant to stay.
    #[default]
    Group,
    /// Also whoever left the group, as far as they keep their environment, by which they are found: on Linux, and with a
    /// [`Guard`](crate::Guard), which marks it.
    Marked,
}

//! What one peer may make us hold.

/// What one peer may make us hold. Whatever is beyond a limit is refused in words of the protocol, and nothing else is
/// lost for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The longest message that is read, in bytes.
    pub message: usize,
    /// The most requests of one connection, or one session, that are not answered yet, subscriptions among them.
    pub in_flight: usize,
    /// The most resources that a legacy session, or one subscription, watches, and the most tasks of a subscription.
    pub subscriptions: usize,
    /// The most tasks that are kept, of all connections together.
    pub tasks: usize,
    /// The most messages of a batch (2025-03-26).
    pub batch: usize,
    /// The most bytes of the answers to a batch, together; requests that are left then are refused.
    pub batch_answers: usize,
    /// The bytes that wait for a slow reader before those who have something to say wait too.
    pub unread: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 16 << 20,
            in_flight: 4096,
            subscriptions: 256,
            tasks: 1000,
            batch: 100,
            batch_answers: 4 << 20,
            unread: 1 << 20,
        }
    }
}

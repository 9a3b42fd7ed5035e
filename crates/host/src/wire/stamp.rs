//! What makes a message one of its own: ids and the time of day.

use std::fmt::Write as _;
use std::time::SystemTime;

use codewhale_mcp_manager::rfc3339;
use ring::rand::{SecureRandom, SystemRandom};

/// Makes stamps for the messages of one session.
#[derive(Debug, Clone)]
pub(crate) struct Stamp {
    pub(crate) session_id: String,
    pub(crate) clock: fn() -> SystemTime,
}

impl Stamp {
    /// The time of day: RFC 3339, UTC, milliseconds.
    pub(crate) fn now(&self) -> String {
        rfc3339((self.clock)())
    }
}

/// A random UUID (RFC 9562, version 4).
pub(crate) fn uuid() -> String {
    let mut bytes = [0_u8; 16];
    SystemRandom::new().fill(&mut bytes).expect("a system without random numbers runs no session");
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_random_uuid_each_time() {
        let (one, other) = (uuid(), uuid());
        assert_ne!(one, other);
        let parts: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert!(one.as_bytes()[14] == b'4' && b"89ab".contains(&one.as_bytes()[19]), "{one}");
    }
}

//! The fingerprint a consent is bound to.

use std::fmt;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::json::{Data, Node, canonical};

/// Changes when anything of a definition changes: SHA-256 over its members as written, unexpanded, in a canonical form.
/// Layout, comments and the order of members do not count, and neither do `enabled` and `disabled`: turning a server
/// off and on is no new definition. Prints as 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionHash(String);

impl DefinitionHash {
    pub(crate) fn of(node: &Node) -> Self {
        let mut node = node.clone();
        if let Data::Object(members) = &mut node.data {
            members.retain(|member| member.key != "enabled" && member.key != "disabled");
        }
        Self(hex_digest(&[b"codewhale definition 1", canonical(&node).as_bytes()]))
    }

    /// The 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DefinitionHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// SHA-256 over parts, each with its length, so that moving a byte from one part to the next changes the sum.
pub(crate) fn hex_digest(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

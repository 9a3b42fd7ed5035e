//! What credentials are found by.

/// What credentials are found by. None of it is secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// What belongs to one server: its tokens, or the mark that a logout left.
    Server {
        /// The name that the configuration gives it.
        name: String,
        /// Its URL, as it is used.
        url: String,
    },
    /// Our registration with an authorization server.
    Issuer {
        /// Its issuer, as its metadata write it.
        issuer: String,
    },
}

//! The mark on what is being started.

/// The environment variable by which the guard recognizes a process that it was not told about in time. Its value
/// is a random name, not a secret.
pub const SPAWN_VARIABLE: &str = "CODEWHALE_SPAWN";

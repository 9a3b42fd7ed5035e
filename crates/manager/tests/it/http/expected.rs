//! What a sound server over HTTP comes to.

/// The usual.
pub(crate) const FINE: &str = "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; POSTS posts";
pub(crate) const FINE_LEGACY: &str = "ready in 2025-11-25 with 36; says WORDS; then lists 36; 6 posts";
pub(crate) const FINE_MODERN: &str = "ready in 2026-07-28 with 35; says WORDS; then lists 35; 4 posts";

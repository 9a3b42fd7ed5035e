//! A server that wants a token, and the authorization server that gives it, at one address.
//!
//! Everybody is let in: whoever goes to `/authorize` is sent back with a code at once. Access tokens are
//! `access-secret-N`, refresh tokens `refresh-secret-N`, codes `code-secret-N`. A refresh token is spent by its first use;
//! as long as what came of it was not used, it gives the same again (`--reuse grace`), or nothing any more for anybody
//! (`--reuse revoke`).

mod gate;
mod hostile;
mod provider;
mod table;

pub(super) use table::MODES;

//! The next step, for everything that can go wrong. The only place where hints are written.
//!
//! - `failure`: what to do about a command that failed
//! - `server`: what to do about a server that cannot be used
//! - `login`: what to do about a login
//! - `question`: how a question or a task is taken up
//! - `naming`: how a server is named on a command line

mod failure;
mod login;
mod naming;
mod question;
mod server;

pub(crate) use failure::hint;
pub(crate) use login::{login_required, scopes_required};
pub(crate) use naming::{Naming, is_url, word};
pub(crate) use question::{address_answer, form_answer, model_answer, task};
pub(crate) use server::{connect, degraded, not_cached, refused};

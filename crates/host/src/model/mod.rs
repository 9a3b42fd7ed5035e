//! The model: an OpenAI-compatible chat API.
//!
//! - `settings`: which model is asked, where, and with which key
//! - `conversation`: what was said so far, in the form of the API
//! - `request`: a request's body
//! - `chunk`: a piece of an answer as the API sends it
//! - `halves`: characters that are split between pieces
//! - `assemble`: pieces of an answer become one
//! - `answer`: an answer that is whole
//! - `body`: the bytes of an answer, as a stream of events or in one piece
//! - `chat`: one question to the model
//! - `insist`: a question that came to nothing is asked again
//! - `error`: why there is no answer

mod answer;
mod assemble;
mod body;
mod chat;
mod chunk;
mod conversation;
mod error;
mod halves;
mod insist;
mod request;
mod settings;

pub use answer::Usage;
pub(crate) use answer::{ModelAnswer, ToolCall};
pub(crate) use assemble::{Assembler, Piece};
pub use chat::Way;
pub(crate) use chat::{Chat, SILENCE};
pub(crate) use conversation::{Conversation, Conversing};
pub use error::ModelError;
pub(crate) use insist::{BACKOFF, Insist};
pub(crate) use request::{Offer, body_of};
pub use settings::{Endpoint, NotConfigured};

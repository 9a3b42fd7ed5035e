//! An answer, kept in parts so that a fault can spoil one of them.

use crate::json::quote;

/// What the server does about a message.
pub(crate) enum Answer {
    None,
    Now(Reply),
    /// Work that may end without an answer, because it was cancelled.
    Later(Box<dyn FnOnce() -> Option<Reply> + Send>),
    Exit(i32),
}

/// A response before it is printed.
#[derive(Clone)]
pub(crate) struct Reply {
    /// The id as it goes on the wire.
    pub(crate) id: String,
    /// The member `result` or `error`, with its name.
    pub(crate) body: String,
}

impl Reply {
    /// `members` is the inside of the result object.
    pub(crate) fn result(id: &str, members: &str) -> Reply {
        Reply { id: id.to_owned(), body: format!(r#""result":{{{members}}}"#) }
    }

    pub(crate) fn error(id: &str, code: i32, message: &str, data: Option<&str>) -> Reply {
        let data = data.map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
        let body = format!(r#""error":{{"code":{code},"message":{}{data}}}"#, quote(message));
        Reply { id: id.to_owned(), body }
    }

    pub(crate) fn render(&self) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},{}}}"#, self.id, self.body)
    }
}

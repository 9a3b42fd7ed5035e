//! What the answer to one request looks like on the wire.

use super::framing::Framing;
use super::wire::Pieces;
use crate::message::Message;

/// How an answer is written. The default is a correct one.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) answers: Answers,
    pub(super) framing: Framing,
    pub(super) pieces: Pieces,
    /// The connection ends after so many bytes of the answer, its head included.
    pub(super) cut: Option<usize>,
    /// The argument `cut` of a call says after how many.
    pub(super) cut_as_asked: bool,
    /// `Content-Type` of a JSON body, and of an event stream.
    pub(super) json_type: Option<String>,
    pub(super) events_type: Option<String>,
    /// Bytes at the beginning of an event stream.
    pub(super) preamble: String,
    /// What `retry` says in the first event.
    pub(super) retry: Option<u64>,
    /// Events of the legacy era have ids.
    pub(super) ids: bool,
    pub(super) filler: Filler,
    pub(super) stall: Stall,
    pub(super) polling: Polling,
    pub(super) ending: Ending,
    /// The answer comes in an array with a notification, as 2025-03-26 allows.
    pub(super) batch: bool,
    /// Headers beside those that belong there.
    pub(super) more: Vec<(&'static str, String)>,
}

/// In what an answer comes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// In JSON, unless something else is to be said before it, or its method is one that may take long.
    Mixed,
    /// In JSON, whatever there is to say beside it.
    Json,
    /// In events, apart from modern errors, which have a status.
    Events,
}

/// What comes before the answer itself.
#[derive(Clone, Copy)]
pub(super) enum Filler {
    Nothing,
    /// So many bytes of comments.
    Comments(u64),
    /// So many bytes of one line of data.
    Data(u64),
    /// So many bytes of one JSON text.
    Json(u64),
}

/// Where an answer comes to a halt for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    Nowhere,
    /// Before the first byte.
    Head,
    /// After the head.
    Body,
}

/// Whether a stream is closed before it has said anything, to be resumed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Polling {
    No,
    /// The first time.
    Once,
    /// Whenever it is opened.
    Always,
}

/// How a stream ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With the answer.
    Answered,
    /// In its place.
    Lost,
    /// With the answer, said twice.
    Twice,
    /// The connection breaks where the answer belongs.
    Broken,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            answers: Answers::Mixed,
            framing: Framing::default(),
            pieces: Pieces::Whole,
            cut: None,
            cut_as_asked: false,
            json_type: Some("application/json".to_owned()),
            events_type: Some("text/event-stream".to_owned()),
            preamble: String::new(),
            retry: None,
            ids: true,
            filler: Filler::Nothing,
            stall: Stall::Nowhere,
            polling: Polling::No,
            ending: Ending::Answered,
            batch: false,
            more: Vec::new(),
        }
    }
}

impl Shape {
    /// With the cut that the message itself asks for.
    pub(super) fn asked(mut self, message: &Message) -> Shape {
        if self.cut_as_asked {
            self.cut = message.arguments().count("cut").and_then(|bytes| usize::try_from(bytes).ok());
        }
        self
    }
}

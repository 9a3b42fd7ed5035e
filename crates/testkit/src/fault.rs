//! The seam between a well-behaved server and the ways to misbehave.

use crate::base::{Base, Reply};
use crate::message::Message;
use crate::out::Out;

/// What happens after a fault has seen something.
pub(crate) enum Flow {
    /// Go on as if nothing had been done.
    Pass,
    /// This fault has dealt with it.
    Handled,
    /// The process ends with this code.
    Exit(i32),
}

/// What a fault can use of the server it sits in.
pub(crate) struct Context<'a> {
    pub(crate) base: &'a mut Base,
    pub(crate) out: &'a Out,
}

/// One way to misbehave. A mode is a list of these around the well-behaved [`Base`].
pub(crate) trait Fault: Send {
    /// Before the first line is read.
    fn start(&mut self, _context: &mut Context<'_>) -> Flow {
        Flow::Pass
    }

    /// A message of the client, before the server answers it.
    fn message(&mut self, _message: &Message, _context: &mut Context<'_>) -> Flow {
        Flow::Pass
    }

    /// An answer on its way out, which may be changed, dropped or preceded by something.
    fn reply(&mut self, _message: &Message, _reply: &mut Reply, _context: &mut Context<'_>) -> Flow {
        Flow::Pass
    }

    /// After an answer has been written.
    fn replied(&mut self, _message: &Message, _context: &mut Context<'_>) -> Flow {
        Flow::Pass
    }

    /// A line that is no JSON object.
    fn unreadable(&mut self, _line: &[u8], _context: &mut Context<'_>) {}

    /// At the end of the input.
    fn end(&mut self) {}
}

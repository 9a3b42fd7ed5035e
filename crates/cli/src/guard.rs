//! The hidden verb of the process that ends our servers if we are killed.

use std::io::Read;
use std::path::Path;

use codewhale_mcp_manager::{Guard, Launch};

/// The only argument of the guard process. It is no command: nobody but this program starts it.
pub const GUARD_VERB: &str = "__guard";

/// Guards until `orders` end; what the binary does when its only argument is [`GUARD_VERB`]. It needs no [`World`].
///
/// [`World`]: crate::World
pub fn guard(orders: impl Read) {
    codewhale_mcp_manager::guard::serve(orders);
}

/// A guard that is this program, or none where its file is not known.
pub(crate) fn guard_of(program: Option<&Path>) -> Guard {
    match program {
        Some(program) => Guard::new(Launch { args: vec![GUARD_VERB.into()], ..Launch::new(program) }),
        None => Guard::none(),
    }
}

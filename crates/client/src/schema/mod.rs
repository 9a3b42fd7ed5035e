//! What a tool's schemas say about arguments and results. A schema is the word of a server: it is bounded, nothing is
//! fetched for it, and one that makes no sense stops nothing.
//!
//! - `fault`: an input schema that is not what it should be
//! - `compile`: a schema as something to check values with
//! - `arguments`: checks arguments before they are sent
//! - `expected`: the arguments that a tool says it takes
//! - `shape`: what kinds of values a schema allows, for a person's `k=v`
//! - `coerce`: from `k=v` to arguments
//! - `output`: checks what a tool answered

mod arguments;
mod coerce;
mod compile;
mod expected;
mod fault;
mod output;
mod shape;

pub use arguments::{ArgumentCheck, check_arguments};
pub use coerce::{Argument, ArgumentValue, CoerceError, coerce};
pub use compile::{Mismatch, MismatchKind, Uncheckable};
pub use expected::{Expected, ExpectedArgument, OtherArguments, expected_arguments};
pub use fault::{SchemaFault, schema_fault};
pub use output::{OutputFault, check_output};

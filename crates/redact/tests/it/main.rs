//! Tests of the public API.

mod args;
mod detect;
mod redactor;
mod text;
mod url;

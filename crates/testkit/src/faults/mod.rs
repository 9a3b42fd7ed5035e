//! The ways to misbehave on stdio, grouped by what they spoil.
//!
//! Each is a function that adds its hooks to a [`Setup`]; modes are compositions of them.

mod asks;
mod death;
mod handshake;
mod hook;
mod lists;
mod noise;
mod processes;
mod replies;
mod setup;
mod timing;

pub(crate) use asks::{ping_first, server_requests};
pub(crate) use death::{close_stdout, die_on_call, die_on_start, exit_on_unknown};
pub(crate) use handshake::{
    another_revision, ignore_probe, modern_refuse, no_initialize, wedge, wrong_version,
};
pub(crate) use lists::{
    bad_schemas, empty_cursor, empty_list, endless_cursor, hints, list_changed, list_once, many_tools,
    null_cursor, odd_names, page_error, paged,
};
pub(crate) use noise::{
    bad_utf8, crlf, flood, junk_between, junk_first, notify_burst, split_bytes, stderr_flood,
    unknown_notifications,
};
pub(crate) use processes::{grandchild, ignore_term, launcher, linger, stay};
pub(crate) use replies::{
    batch, big_numbers, both_result_and_error, duplicate, error_no_id, huge_line, id_as_string, neither,
};
pub(crate) use setup::Setup;
pub(crate) use timing::{hang, hang_call, hang_no_read, late, reverse, slow, slow_list, slow_start};

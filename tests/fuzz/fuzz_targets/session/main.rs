//! Whatever a server and the owner of a connection do, in any order: every request ends once, within its time.
//!
//! The input is a script, see `script`. Beside the session runs a `model` of it that knows nothing but requests and
//! their deadlines.

#![no_main]

mod drive;
mod model;
mod script;

use libfuzzer_sys::fuzz_target;

use crate::drive::Drive;
use crate::script::{commands, settings};

fuzz_target!(|input: &[u8]| {
    let (first, rest) = input.split_at(input.len().min(4));
    let mut drive = Drive::new(settings(first));
    for command in commands(rest) {
        drive.run(&command);
    }
    drive.finish();
});

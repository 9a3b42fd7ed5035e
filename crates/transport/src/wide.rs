//! Pipes that hold more, once more is sent than they hold.
//!
//! A pipe of Linux holds 64 KiB, so that a message of a megabyte is sixteen turns of writer and reader. What all pipes
//! of a user hold together is limited (pipe(7)), which is why this is done for those that need it, and not up to the
//! limit of each.

use std::os::fd::AsFd;

/// How many bytes a pipe holds when it is made.
pub const PIPE_HOLDS: usize = 64 << 10;
/// What it is made to hold.
const WIDE: usize = 256 << 10;

/// Makes a pipe hold more, where the system allows it. What it is asked for is a kindness, so a refusal is none.
pub fn widen(pipe: impl AsFd) {
    #[cfg(all(target_os = "linux", feature = "stdio"))]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, WIDE);
    #[cfg(not(all(target_os = "linux", feature = "stdio")))]
    let _ = (pipe, WIDE);
}

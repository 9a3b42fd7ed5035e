//! Messages in lines; all that have come are answered with one write.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use super::answer::{Answered, Answers};
use super::inbox::Inbox;
use crate::sys::find;

/// Serves until standard input ends.
pub(super) fn serve(answers: &Answers) -> io::Result<()> {
    // As files, since std would put buffers of its own between.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let (mut inbox, mut out, mut searched) = (Inbox::default(), Vec::new(), 0);
    while inbox.fill(&input)? > 0 {
        let there = inbox.unused();
        let mut begin = 0;
        while let Some(length) = find(&there[searched..], b'\n') {
            let end = searched + length;
            if answers.answer(&there[begin..end], &mut out) == Answered::Yes {
                out.push(b'\n');
            }
            begin = end + 1;
            searched = begin;
        }
        inbox.used(begin);
        searched = inbox.unused().len();
        if !out.is_empty() {
            output.write_all(&out)?;
            out.clear();
        }
    }
    Ok(())
}

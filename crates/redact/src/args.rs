//! Command lines without the credentials in them.

use std::ops::Range;

use crate::spans::{cover, secrets, spans};
use crate::words::{Follows, follower};
use crate::{Secret, safe_line};

/// Shows the arguments of a command without what looks like a secret: the value after `--token`, of `--api-key=…`, of
/// `KEY=…`, of a header such as `Authorization: …`, of a member of a JSON argument; the password of `-u user:password`
/// and of `user:password@host`; the credentials of URLs; and tokens with a well-known prefix anywhere. An argument that
/// is a whole command line is looked at word by word. Each argument is made safe for one line.
pub fn safe_args<S: AsRef<str>>(args: &[S]) -> Vec<String> {
    hidden(args).map(|(arg, spans)| safe_line(&cover(arg, &spans)).into_owned()).collect()
}

/// What [`safe_args`] hides, for a [`Redactor`](crate::Redactor): as it is written, and decoded; of user and password,
/// the password too.
pub fn secrets_in_args<S: AsRef<str>>(args: &[S]) -> Vec<Secret<String>> {
    hidden(args).flat_map(|(arg, spans)| secrets(arg, &spans)).collect()
}

/// Each argument with its parts that are hidden.
fn hidden<S: AsRef<str>>(args: &[S]) -> impl Iterator<Item = (&str, Vec<Range<usize>>)> {
    let mut follows: Option<Follows> = None;
    args.iter().map(move |arg| {
        let arg = arg.as_ref();
        let whole = follows.and_then(|follows| follows.span(arg));
        follows = follower(arg);
        (arg, whole.map_or_else(|| spans(arg), |span| vec![span]))
    })
}

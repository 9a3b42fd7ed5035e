//! Process trees: launchers that leave, children that stay, a deaf ear for SIGTERM.

use super::setup::Setup;
use crate::fault::{Fault, Flow};
use crate::options::Options;
use std::process::{Command, Stdio};

/// Starts a child that outlives it, then serves. The child keeps stdout and stderr open unless `--detached`.
pub(crate) fn grandchild(options: &Options, setup: &mut Setup) {
    let mut child = myself(&["linger"]);
    if options.has("ignore-term") {
        child.arg("--ignore-term");
    }
    child.stdin(Stdio::null());
    if options.has("detached") {
        child.stdout(Stdio::null()).stderr(Stdio::null());
    }
    setup.at_start(move |_| match child.spawn() {
        Ok(child) => {
            crate::complain(&format!("grandchild {}", child.id()));
            Flow::Pass
        }
        Err(fault) => {
            crate::complain(&format!("cannot start a child: {fault}"));
            Flow::Exit(1)
        }
    });
}

/// Starts the real server with its own stdio, as package runners do, and waits for it or with `--leave`
/// goes at once.
pub(crate) fn launcher(options: &Options) -> i32 {
    let mode = options.word("serve", "plain");
    let mut child = match myself(&[mode.as_str()]).spawn() {
        Ok(child) => child,
        Err(fault) => {
            crate::complain(&format!("cannot start {mode}: {fault}"));
            return 1;
        }
    };
    crate::complain(&format!("grandchild {}", child.id()));
    if options.has("leave") {
        return 0;
    }
    child.wait().ok().and_then(|status| status.code()).unwrap_or(1)
}

/// Does nothing for ten minutes.
pub(crate) fn linger(options: &Options) -> i32 {
    if options.has("ignore-term")
        && let Some(code) = deaf(&["linger"])
    {
        return code;
    }
    crate::linger()
}

/// Serves, but neither SIGTERM nor the end of its input ends it.
pub(crate) fn ignore_term(options: &Options) -> i32 {
    let mut arguments = vec!["stay".to_owned()];
    arguments.extend(options.text("record").map(|path| format!("--record={path}")));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    deaf(&arguments).unwrap_or(2)
}

/// Stays after the end of its input, as servers do that wait for something else.
pub(crate) fn stay(_: &Options, setup: &mut Setup) {
    setup.add(Stay);
}

struct Stay;

impl Fault for Stay {
    fn end(&mut self) {
        crate::linger()
    }
}

/// This program again, with other arguments.
#[expect(clippy::disallowed_methods, reason = "process trees are what these modes play")]
pub(super) fn myself(arguments: &[&str]) -> Command {
    let path = std::env::current_exe().expect("a running program has a path");
    let mut command = Command::new(path);
    command.args(arguments);
    command
}

/// Becomes this program again with signals ignored, which only a shell can arrange without unsafe code and
/// which survives the change of image. Returns when that failed.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "process trees are what these modes play")]
fn deaf(arguments: &[&str]) -> Option<i32> {
    use std::os::unix::process::CommandExt as _;
    let path = std::env::current_exe().expect("a running program has a path");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"trap "" TERM INT HUP; exec "$0" "$@""#]).arg(path).args(arguments);
    crate::complain(&format!("cannot start a shell: {}", shell.exec()));
    Some(1)
}

#[cfg(not(unix))]
fn deaf(_: &[&str]) -> Option<i32> {
    None
}

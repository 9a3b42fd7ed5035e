//! From a server's definition to the process that is started and the budgets that hold.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use codewhale_mcp_client::Options;
use codewhale_mcp_config::{Server, Stdio, Timeouts};
use codewhale_mcp_protocol::Era;
use codewhale_mcp_transport::stdio::Launch;

use crate::is_package_runner;

/// How long a probe may go unanswered by a server that may have to be downloaded first, or that has answered one
/// before.
const LONG_PROBE: Duration = Duration::from_secs(15);

/// The process of a server: the caller's environment with the server's own on top.
pub(crate) fn launch(stdio: &Stdio, environment: &[(OsString, OsString)], cwd: &Path) -> Launch {
    let mut launch = Launch::new(&stdio.command);
    launch.args = stdio.args.iter().map(OsString::from).collect();
    launch.env = environment.to_vec();
    launch.env.extend(stdio.env.iter().map(|(name, value)| (name.into(), value.expose().into())));
    launch.cwd = Some(stdio.cwd.clone().unwrap_or_else(|| cwd.to_owned()));
    launch
}

/// The budgets of a connection to a server, which is started as a program unless it has a URL.
pub(crate) fn budgets(server: &Server, launch: Option<&Launch>, mut options: Options) -> Options {
    let Timeouts { connect, execute, read, idle } = &server.timeouts;
    options.connect_timeout = connect.value;
    options.execute_timeout = execute.value;
    options.read_timeout = read.value;
    options.idle_timeout = idle.as_ref().map(|idle| idle.value);
    let is_modern = options.memory.era == Some(Era::Modern);
    if is_modern || launch.is_some_and(|launch| is_package_runner(&launch.program, &launch.args)) {
        options.probe_timeout = options.probe_timeout.max(LONG_PROBE);
    }
    // Behind an unanswered probe there must be time for the other handshake; and it is one of the waits that
    // `read_timeout` bounds.
    options.probe_timeout = options.probe_timeout.min(connect.value / 2).min(read.value);
    options
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use codewhale_mcp_config::{McpFile, Merged, Scope, Source, Transport};

    use super::*;

    fn budgets_of(definition: &str) -> Options {
        budgets_with(definition, Options::default())
    }

    fn budgets_with(definition: &str, options: Options) -> Options {
        let text = format!(r#"{{"servers": {{"s": {definition}}}}}"#);
        let file = McpFile::parse(&text, &Source::label("test", Scope::Flag)).unwrap();
        let server = Merged::new(vec![file]).servers[0].resolve(&|_: &str| None, Path::new("/")).unwrap();
        let Transport::Stdio(stdio) = &server.transport else { panic!("a command") };
        budgets(&server, Some(&launch(stdio, &[], Path::new("/"))), options)
    }

    #[test]
    fn a_probe_may_take_longer_where_a_package_is_fetched_and_never_the_whole_budget() {
        let rows = [
            (r#"{"command": "server"}"#, 5),
            (r#"{"command": "npx", "args": ["-y", "x"]}"#, 15),
            (r#"{"command": "npx", "connect_timeout": 60}"#, 15),
            (r#"{"command": "npx", "connect_timeout": 8}"#, 4),
            (r#"{"command": "server", "connect_timeout": 2}"#, 1),
            (r#"{"command": "npx", "read_timeout": 3}"#, 3),
        ];
        for (definition, seconds) in rows {
            assert_eq!(budgets_of(definition).probe_timeout, Duration::from_secs(seconds), "{definition}");
        }
    }

    #[test]
    fn a_server_that_is_known_to_be_modern_may_be_slow_to_start() {
        for (era, seconds) in [(Some(Era::Modern), 15), (Some(Era::Legacy), 5), (None, 5)] {
            let mut options = Options::default();
            options.memory.era = era;
            let budgets = budgets_with(r#"{"command": "server"}"#, options);
            assert_eq!(budgets.probe_timeout, Duration::from_secs(seconds), "{era:?}");
        }
    }

    #[test]
    fn the_budgets_of_the_definition_hold() {
        let options = budgets_of(
            r#"{"command": "x", "connect_timeout": 1, "read_timeout": 2, "execute_timeout": 3, "idle_timeout": 4}"#,
        );
        let seconds = |time: Duration| time.as_secs();
        assert_eq!(
            [options.connect_timeout, options.read_timeout, options.execute_timeout].map(seconds),
            [1, 2, 3]
        );
        assert_eq!(options.idle_timeout.map(seconds), Some(4));
    }

    #[test]
    fn defaults_stand_in_one_place() {
        let other = Duration::from_secs(7);
        let mut options = Options::default();
        (options.connect_timeout, options.execute_timeout, options.read_timeout) = (other, other, other);
        let budgets = budgets_with(r#"{"command": "server", "connect_timeout": 0}"#, options);
        let (connect, execute) = (Timeouts::DEFAULT_CONNECT, Timeouts::DEFAULT_EXECUTE);
        let counts = (budgets.connect_timeout, budgets.execute_timeout, budgets.read_timeout);
        assert_eq!(counts, (connect, execute, Timeouts::DEFAULT_READ), "they are those of the configuration");
        // Who takes the client alone gets the same.
        let alone = Options::default();
        let counts = (alone.connect_timeout, alone.execute_timeout, alone.read_timeout);
        assert_eq!(counts, (connect, execute, Timeouts::DEFAULT_READ));
    }

    #[test]
    fn the_clients_defaults_and_the_configurations_are_the_same() {
        let (ours, theirs) = (budgets_of(r#"{"command": "x"}"#), Options::default());
        assert_eq!(ours.connect_timeout, theirs.connect_timeout);
        assert_eq!(ours.read_timeout, theirs.read_timeout);
        assert_eq!(ours.execute_timeout, theirs.execute_timeout);
        assert_eq!(ours.idle_timeout, theirs.idle_timeout);
    }
}

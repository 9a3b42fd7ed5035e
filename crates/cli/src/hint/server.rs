//! What to do about a server that cannot be used.

use codewhale_mcp_config::Problem;
use codewhale_mcp_manager::{Degradation, DegradationClass, Failure, FailureClass};

use super::login::{login, login_or_token, scopes_refused};
use super::{Naming, word};

/// As many lines of standard error are told with a failure; where there are fewer, its log has no more.
const TOLD: usize = 20;

/// Programs that come with others.
const COMES_WITH: [(&str, &str); 6] = [
    ("uvx", "`uvx` comes with uv"),
    ("uv", "`uv` is the package manager for Python of that name"),
    ("npx", "`npx` comes with Node.js"),
    ("node", "`node` comes with Node.js"),
    ("bunx", "`bunx` comes with Bun"),
    ("docker", "`docker` comes with Docker"),
];

/// What to do about a server that cannot be used, with the last lines of its standard error.
pub(crate) fn connect(name: &str, naming: Naming, failure: &Failure, stderr: &[String]) -> Option<String> {
    let causes = || failure.causes.iter().map(String::as_str);
    let logs = || Some(format!("`codewhale mcp logs {}` shows its standard error", word(name)));
    Some(match failure.class {
        FailureClass::Config => format!("see `codewhale mcp get {}`, then mend the file", word(name)),
        // The member holds the variable's name alone.
        FailureClass::MissingVariable if causes().any(|cause| cause.contains("_env_var`")) => {
            "set the variable".to_owned()
        }
        FailureClass::MissingVariable => "set the variable, or write `${NAME:-default}`".to_owned(),
        FailureClass::Untrusted => "look at it and agree with `codewhale trust`".to_owned(),
        FailureClass::CommandNotFound => match comes_with(causes()) {
            Some(with) => format!("{with}; install that, or write the program's absolute path as `command`"),
            None => "install the program, or write its absolute path as `command`; arguments belong into `args`"
                .to_owned(),
        },
        FailureClass::InterpreterNotFound => {
            "install the interpreter, or set PATH under `env` of the server".to_owned()
        }
        FailureClass::NotExecutable if causes().any(|cause| cause.contains("is a directory")) => {
            "name a program within that folder; arguments belong into `args`".to_owned()
        }
        FailureClass::NotExecutable => {
            "make it executable with `chmod +x`, or name its interpreter".to_owned()
        }
        FailureClass::BadCwd => "mend `cwd`; a relative one starts at the workspace".to_owned(),
        FailureClass::TimedOut => {
            format!("{}; what never answers may be no MCP server at all", slow(naming))
        }
        FailureClass::Exited if stderr.is_empty() => {
            "it said nothing on standard error; start its command by hand to see what it does".to_owned()
        }
        FailureClass::Exited if stderr.len() >= TOLD => return logs(),
        // What it said stands above.
        FailureClass::Exited if naming != Naming::Name => return None,
        FailureClass::Exited => {
            format!("`codewhale mcp get {}` shows what it is started with", word(name))
        }
        FailureClass::HandshakeFailed if causes().any(|cause| cause.contains("Method not found")) => {
            "a program that does not know `initialize` is no MCP server; one that sends back whatever it gets, \
             such as `cat`, looks like that too"
                .to_owned()
        }
        FailureClass::Closed
        | FailureClass::HandshakeFailed
        | FailureClass::Protocol
        | FailureClass::Limit
            if !stderr.is_empty() =>
        {
            return logs();
        }
        FailureClass::NeedsLogin => login_or_token(name, naming),
        FailureClass::MissingScopes => login(name, naming),
        FailureClass::ScopesRefused => scopes_refused(name, naming),
        FailureClass::CredentialsRefused => {
            "mend its `Authorization` header, or the variable that the token comes from".to_owned()
        }
        FailureClass::LoginFailed if naming != Naming::Stdio => {
            format!("{} to log in anew", login(name, naming))
        }
        FailureClass::Blocked => {
            "`allow_private_network` lets the name in its URL stand for a private address; the lists of hosts stand in \
             `[network]` of config.toml"
                .to_owned()
        }
        FailureClass::Unreachable => {
            "look at the URL, and whether the server runs; HTTPS_PROXY, HTTP_PROXY and NO_PROXY count".to_owned()
        }
        FailureClass::Refused => {
            "look at the URL: it has to be the endpoint itself, which often ends with /mcp or /sse".to_owned()
        }
        FailureClass::Redirected => "write the address that it sends us to as `url`, if you trust it".to_owned(),
        FailureClass::UnsupportedTransport => {
            "a server of type sdk lives in the program that starts this one".to_owned()
        }
        _ => return None,
    })
}

/// What to do about a definition that cannot be used.
pub(crate) fn refused(name: &str, problems: &[Problem]) -> String {
    let mut missing: Vec<&str> = Vec::new();
    for problem in problems {
        match problem {
            Problem::MissingVariable { variable, .. } if !missing.contains(&variable.as_str()) => {
                missing.push(variable);
            }
            Problem::MissingVariable { .. } => {}
            _ => return format!("`codewhale mcp get {}` shows it; mend the file", word(name)),
        }
    }
    let set = format!("set {}", missing.join(" and "));
    if !problems.iter().all(Problem::may_have_default) {
        return set;
    }
    let default = missing.first().copied().unwrap_or("NAME");
    format!("{set}, or give a default with `${{{default}:-…}}`")
}

/// What to do about a server whose list of tools cannot be read.
pub(crate) fn degraded(name: &str, naming: Naming, degradation: &Degradation) -> Option<String> {
    match degradation.class {
        DegradationClass::ListTimedOut => Some(slow(naming)),
        DegradationClass::ListEmpty => None,
        _ if naming != Naming::Name => None,
        // What the server answered says more than any log.
        _ => Some(format!("`codewhale mcp connect {}` shows what it offers beside", word(name))),
    }
}

/// What to do about a server whose tools were never listed.
pub(crate) fn not_cached(name: &str, naming: Naming) -> String {
    format!("ask the server itself with `codewhale mcp tools {}`", naming.of(name))
}

fn slow(naming: Naming) -> String {
    let now = "give it more time with --connect-timeout SECS or --read-timeout SECS";
    match naming {
        Naming::Name | Naming::Given => {
            format!("{now}, or for good with `connect_timeout` or `read_timeout` in its definition")
        }
        Naming::Stdio | Naming::Url => now.to_owned(),
    }
}

fn comes_with<'c>(mut causes: impl Iterator<Item = &'c str>) -> Option<&'static str> {
    let cause = causes.next()?;
    let known = COMES_WITH.iter().find(|(program, _)| cause.contains(&format!("program \"{program}\" ")))?;
    Some(known.1)
}

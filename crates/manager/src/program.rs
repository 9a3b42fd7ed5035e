//! What decides which code runs as a server, beside its command.

use std::ffi::OsStr;
use std::path::Path;

/// Package runners, with the subcommands that run a package.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("uvx", &[]),
    ("bunx", &[]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx"]),
    ("yarn", &["dlx"]),
    ("bun", &["x"]),
    ("pipx", &["run"]),
    ("uv", &["run", "tool", "x"]),
    ("docker", &["run"]),
    ("podman", &["run"]),
];

/// Whether a command may download a package before the server itself starts.
#[must_use]
pub fn is_package_runner<S: AsRef<OsStr>>(program: &OsStr, args: &[S]) -> bool {
    let stem = Path::new(program).file_stem().unwrap_or(program);
    let subcommand = args.iter().map(AsRef::as_ref).find(|arg| !arg.as_encoded_bytes().starts_with(b"-"));
    RUNNERS.iter().any(|(name, subcommands)| {
        let named = |word: &OsStr| subcommands.iter().any(|known| word == OsStr::new(known));
        stem == OsStr::new(name) && (subcommands.is_empty() || subcommand.is_some_and(named))
    })
}

/// Variables that make programs load other code, run other programs, or fetch packages from elsewhere.
const STEERING: &[&str] = &[
    "PATH",
    "ENV",
    "IFS",
    "SHELL",
    "SHELLOPTS",
    "BASH_ENV",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "NODE_OPTIONS",
    "NODE_PATH",
    "BUN_OPTIONS",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "RUBYLIB",
    "RUBYOPT",
    "GEM_PATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "DOTNET_STARTUP_HOOKS",
    "GCONV_PATH",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "OPENSSL_CONF",
    "COMSPEC",
    "PATHEXT",
];

/// The same by how they begin.
const STEERING_PREFIXES: &[&str] = &[
    "LD_",
    "DYLD_",
    "PYTHON",
    "GIT_CONFIG",
    "NPM_CONFIG_",
    "PIP_",
    "UV_",
    "YARN_",
    "DOCKER_",
    "CORECLR_",
    "COR_",
];

/// Whether a variable of this name may decide which code runs, whatever the command says: `LD_PRELOAD`,
/// `NODE_OPTIONS`, `PATH`. Case does not matter, since it does not on every system.
#[must_use]
pub fn steers_programs(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    STEERING.contains(&name.as_str()) || STEERING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_decide_what_runs_are_known() {
        for name in ["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "BASH_ENV", "Path", "PYTHONPATH"]
        {
            assert!(steers_programs(name), "{name}");
        }
        for name in ["API_KEY", "NODE_ENV", "LOG_LEVEL", "HOME", "DATABASE_PATH"] {
            assert!(!steers_programs(name), "{name}");
        }
    }

    #[test]
    fn runners_are_known_by_name_and_subcommand() {
        let check = |program: &str, args: &[&str]| is_package_runner(program.as_ref(), args);
        assert!(check("npx", &["-y", "x"]));
        assert!(check("/usr/local/bin/uvx", &[]));
        assert!(check("npx.cmd", &[]));
        assert!(check("pnpm", &["--silent", "dlx", "x"]));
        assert!(check("docker", &["run", "image"]));
        assert!(!check("docker", &["ps"]));
        assert!(!check("node", &["npx"]));
    }
}

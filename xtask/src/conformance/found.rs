//! What the suite wrote down of each scenario: a folder with `checks.json` and, of a client, what the driver printed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::scenarios::Role;

/// What came of one scenario.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) checks: Vec<Check>,
    /// The driver's last line, if there was a driver.
    pub(crate) last_line: String,
    /// The driver's complaints.
    pub(crate) complaints: String,
}

/// One check of a scenario.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Check {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) status: Status,
    #[serde(default)]
    pub(crate) error_message: Option<String>,
    /// Facts, of any form.
    #[serde(default)]
    pub(crate) details: Value,
}

impl Check {
    /// Why it is not a success, as far as the suite says.
    pub(crate) fn reason(&self) -> &str {
        let told = self.error_message.as_deref().or(self.details["message"].as_str());
        told.unwrap_or("no reason is given")
    }
}

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    Success,
    Failure,
    Warning,
    /// It did not come to it.
    Skipped,
    /// It is a note, no check.
    Info,
}

/// Every scenario that left its results in this folder, by its name.
pub(crate) fn read(folder: &Path, role: Role) -> Result<BTreeMap<String, Found>, String> {
    let mut all = BTreeMap::new();
    collect(folder, "", role, &mut all)?;
    Ok(all)
}

fn collect(folder: &Path, prefix: &str, role: Role, all: &mut BTreeMap<String, Found>) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if !path.is_dir() {
            continue;
        }
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        let checks = path.join("checks.json");
        if !checks.exists() {
            collect(&path, &format!("{name}/"), role, all)?;
            continue;
        }
        let text = fs::read_to_string(&checks).map_err(cannot)?;
        let checks = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", checks.display()))?;
        let printed = |file: &str| match role {
            Role::Client => fs::read_to_string(path.join(file)).map_err(cannot),
            Role::Server => Ok(String::new()),
        };
        let last_line = printed("stdout.txt")?.trim_end().lines().last().unwrap_or_default().to_owned();
        let complaints = printed("stderr.txt")?.trim().to_owned();
        let scenario = scenario(&name, role).to_owned();
        if all.insert(scenario, Found { checks, last_line, complaints }).is_some() {
            return Err(format!("{}: there are two results of one scenario", path.display()));
        }
    }
    Ok(())
}

/// The folder of a scenario is named for it and the time; of a server it says so first.
fn scenario(name: &str, role: Role) -> &str {
    let name = without_time(name);
    match role {
        Role::Client => name,
        Role::Server => name.strip_prefix("server-").unwrap_or(name),
    }
}

/// A name without a time such as `-2026-01-31T23-59-59-999Z`.
fn without_time(name: &str) -> &str {
    let Some(at) = name.len().checked_sub("-2026-01-31T23-59-59-999Z".len()) else { return name };
    match name.get(at..) {
        Some(time) if time.starts_with("-2") && time.ends_with('Z') && time.contains('T') => &name[..at],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_by_the_names_of_their_scenarios() {
        let place = tempfile::tempdir().unwrap();
        let put = |name: &str, checks: &str, stdout: &str| {
            let folder = place.path().join(format!("{name}-2026-11-30T10-49-38-311Z"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("checks.json"), checks).unwrap();
            fs::write(folder.join("stdout.txt"), stdout).unwrap();
            fs::write(folder.join("stderr.txt"), "why\n").unwrap();
        };
        let check = r#"[{"id":"a","name":"A","status":"WARNING","errorMessage":"late","details":{}}]"#;
        put("auth/iss-supported", check, "one\nDRIVER-OK\n");
        put("tools_call", "[]", "");
        fs::write(place.path().join("runner.txt"), "talk").unwrap();
        let all = read(place.path(), Role::Client).unwrap();
        assert_eq!(all.keys().collect::<Vec<_>>(), ["auth/iss-supported", "tools_call"]);
        let found = &all["auth/iss-supported"];
        assert_eq!((found.last_line.as_str(), found.complaints.as_str()), ("DRIVER-OK", "why"));
        assert_eq!(found.checks[0].status, Status::Warning);
        assert_eq!(found.checks[0].reason(), "late");
    }

    #[test]
    fn results_of_a_server_have_no_driver() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("server-server-initialize-2026-11-30T10-49-38-311Z");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("checks.json"), "[]").unwrap();
        let all = read(place.path(), Role::Server).unwrap();
        assert_eq!(all.keys().collect::<Vec<_>>(), ["server-initialize"]);
        assert!(read(place.path(), Role::Client).is_err(), "a driver always leaves what it printed");
    }

    #[test]
    fn only_a_time_is_cut_off_a_name() {
        assert_eq!(without_time("sse-retry-2026-11-30T10-49-38-311Z"), "sse-retry");
        assert_eq!(without_time("json-schema-2020-12-preservation"), "json-schema-2020-12-preservation");
        assert_eq!(without_time("a"), "a");
    }
}

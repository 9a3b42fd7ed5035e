//! Where credentials are, and where they are not seen.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use codewhale_cli::{Exit, Vault, VaultError};
use codewhale_mcp_redact::Secret;
use codewhale_testkit::HttpFake;

use super::Browser;
use super::world::{CALL, login, machine_of};
use crate::world::Machine;

/// A keyring that counts how often it is asked.
#[derive(Debug, Default)]
struct Keyring {
    values: Mutex<BTreeMap<String, Secret<String>>>,
    asked: AtomicUsize,
    is_locked: bool,
}

impl Keyring {
    fn ask(&self) -> Result<std::sync::MutexGuard<'_, BTreeMap<String, Secret<String>>>, VaultError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match self.is_locked {
            true => Err(VaultError::Locked { reason: "its owner is away".to_owned() }),
            false => Ok(self.values.lock().unwrap()),
        }
    }
}

impl Vault for Keyring {
    fn read(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        Ok(self.ask()?.get(name).cloned())
    }

    fn write(&self, name: &str, value: &Secret<String>) -> Result<(), VaultError> {
        self.ask()?.insert(name.to_owned(), value.clone());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), VaultError> {
        self.ask()?.remove(name);
        Ok(())
    }

    fn longest(&self) -> Option<usize> {
        None
    }
}

/// Every file below a folder, with what is in it.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found
}

#[test]
fn without_a_keyring_they_are_in_a_file_that_only_the_owner_reads_and_nowhere_else() {
    let fake = HttpFake::start("oauth --uses 4");
    let machine = machine_of(&fake);
    let file = machine.home().join(".codewhale/credentials/credentials.json");
    let said = format!("credentials go to {}", file.display());
    let mut runs = vec![login(&machine, &["s"]).0.ends(Exit::Ok).says(&said)];
    runs.push(login(&machine, &["s"]).0.ends(Exit::Ok).hides(&said));
    for arguments in [
        &CALL[..],
        &CALL,
        &["--json", "mcp", "call", "s", "echo", "text=x"],
        &["-v", "mcp", "validate"],
        &["--json", "mcp", "get", "s"],
        &["mcp", "list"],
        &["mcp", "logs", "s"],
        &["--json", "mcp", "logout", "s"],
    ] {
        runs.push(machine.run(arguments));
    }
    for ran in runs {
        ran.hides("-secret-");
    }
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let with_secrets: Vec<String> = files(&machine.home())
        .into_iter()
        .filter(|(_, text)| text.contains("-secret-"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(with_secrets, [file.to_string_lossy().into_owned()]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn what_the_server_says_of_a_token_is_not_seen() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let echo = |text: &str| machine.run(&["mcp", "call", "s", "echo", text]).ends(Exit::Ok);
    echo("text=my token is access-secret-3, is it?").hides("access-secret").prints("REDACTED");
}

#[test]
fn with_a_keyring_they_are_in_it_and_to_look_opens_it_only_where_it_must() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let keyring = Arc::<Keyring>::default();
    let run = |arguments: &[&str]| machine.trial().keyring(keyring.clone()).run(arguments);
    run(&["mcp", "login", "s"]).ends(Exit::Ok).hides("credentials go to");
    run(&CALL).ends(Exit::Ok);
    assert_eq!(files(&machine.home()).iter().filter(|(_, text)| text.contains("-secret-")).count(), 0);
    let asked = keyring.asked.load(Ordering::Relaxed);
    run(&["mcp", "list"]).ends(Exit::Ok).prints("oauth: logged in");
    run(&["mcp", "get", "s"]).ends(Exit::Ok).prints("oauth: logged in");
    assert_eq!(keyring.asked.load(Ordering::Relaxed), asked);
    run(&["mcp", "logout", "s"]).ends(Exit::Ok);
    run(&CALL).ends(Exit::LoginNeeded);
}

#[test]
fn a_server_that_wants_no_login_opens_no_keyring() {
    let fake = HttpFake::start("everything");
    let machine = machine_of(&fake);
    let keyring = Arc::<Keyring>::default();
    machine.trial().keyring(keyring.clone()).run(&CALL).ends(Exit::Ok);
    assert_eq!(keyring.asked.load(Ordering::Relaxed), 0);
}

#[test]
fn a_note_that_is_lost_is_found_out_when_the_server_asks() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    std::fs::remove_dir_all(machine.home().join(".codewhale/credentials/logins")).unwrap();
    machine.run(&["mcp", "list"]).hides("logged in");
    machine.run(&CALL).ends(Exit::Ok);
    machine.run(&["mcp", "list"]).prints("oauth: logged in");
}

#[test]
fn a_keyring_that_is_locked_is_no_missing_login() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let keyring = Arc::<Keyring>::default();
    machine.trial().keyring(keyring.clone()).run(&["mcp", "login", "s"]).ends(Exit::Ok);
    let values = keyring.values.lock().unwrap().clone();
    let locked = Arc::new(Keyring { values: Mutex::new(values), is_locked: true, ..Keyring::default() });
    let run = |arguments: &[&str]| machine.trial().keyring(locked.clone()).run(arguments);
    run(&["mcp", "connect", "s"])
        .ends(Exit::Failed)
        .says("its owner is away")
        .hides("OAuth authentication required");
    run(&["mcp", "validate"]).ends(Exit::Failed).prints("login_failed");
    let browser = Arc::<Browser>::default();
    let ran = machine.trial().keyring(locked.clone()).browser(browser.clone()).run(&["mcp", "login", "s"]);
    ran.ends(Exit::Failed).says("open your keyring and begin again");
    assert_eq!(browser.opened().len(), 0, "nobody logs in for nothing");
}

#[test]
fn different_homes_and_names_have_logins_of_their_own() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let definition = serde_json::json!({"servers": {"t": {"url": fake.url()}}}).to_string();
    let other: &Machine = &machine;
    other.write(&other.config(), &definition);
    machine.run(&["mcp", "connect", "t"]).ends(Exit::LoginNeeded);
    let definition =
        serde_json::json!({"servers": {"s": {"url": format!("{}?tenant=2", fake.url())}}}).to_string();
    other.write(&other.config(), &definition);
    machine.run(&["mcp", "connect", "s"]).ends(Exit::LoginNeeded);
}

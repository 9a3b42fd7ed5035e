//! Headless Chromium as the program that opens addresses, and somebody who sits before it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::super::machine::Machine;
use crate::check::Outcome;
use crate::expect::{contains, same};
use crate::world::World;

/// How often it is looked for a page that is there.
const OFTEN: Duration = Duration::from_millis(20);

/// Far more than a visit takes.
const LONGEST: Duration = Duration::from_secs(120);

/// A browser that somebody has to themselves. What it knows of them stays until it is dropped.
pub(super) struct Browser {
    folder: TempDir,
}

/// What they do about pages.
#[derive(Debug, Clone, Copy)]
pub(super) enum Does {
    /// They fill in every form, and agree.
    Agrees,
    /// They call off what the first page asks for.
    Refuses,
    /// They look, and leave it at that.
    Looks,
}

/// A page that a visit ended at.
pub(super) struct Page(Value);

impl Page {
    /// It is one of ours, says this, and no script runs in it.
    pub(super) fn is(&self, title: &str, text: &str) -> Outcome {
        same("its title", &self.0["title"], title)?;
        same("its heading", &self.0["heading"], title)?;
        contains(self.0["text"].as_str().unwrap_or_default(), text)?;
        same("its elements", &self.0["elements"], "h1 p")
    }

    /// Its title.
    pub(super) fn title(&self) -> &str {
        self.0["title"].as_str().unwrap_or_default()
    }

    /// The forms that were filled in on the way to it, by what they asked for.
    pub(super) fn asked(&self) -> Vec<&str> {
        self.0["asked"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

impl Browser {
    /// A new one. Addresses are opened with it until somebody else has one.
    pub(super) fn new(world: &World, machine: &Machine, account: &str, does: Does) -> Result<Self, String> {
        let browser = Self { folder: world.folder()? };
        let opener = browser.folder.path().join("xdg-open");
        let script = world.browser_script();
        let text = format!("#!/bin/sh\nexec node {} \"$@\"\n", script.display());
        fs::write(&opener, text).map_err(|error| error.to_string())?;
        fs::set_permissions(&opener, Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
        let path = std::env::var("PATH").unwrap_or_default();
        machine.has("PATH", format!("{}:{path}", browser.folder.path().display()));
        machine.has("BROWSER_ACCOUNT", account);
        machine.has(
            "BROWSER_DOES",
            match does {
                Does::Agrees => "agrees",
                Does::Refuses => "refuses",
                Does::Looks => "looks",
            },
        );
        machine.has("BROWSER_PROFILE", browser.folder.path().join("profile"));
        machine.has("BROWSER_REPORT", browser.report());
        machine.has("BROWSER_PROGRAM", world.chromium.as_ref().ok_or("--chromium is missing")?);
        Ok(browser)
    }

    /// The page that a visit ended at, when Chromium has gone.
    pub(super) async fn page(&self) -> Result<Page, String> {
        let mut looks = tokio::time::interval(OFTEN);
        let found = tokio::time::timeout(LONGEST, async {
            loop {
                looks.tick().await;
                if let Ok(bytes) = fs::read(self.report()) {
                    return bytes;
                }
            }
        });
        let bytes = found.await.map_err(|_| "Chromium shows nothing".to_owned())?;
        // The next visit has a report of its own.
        fs::remove_file(self.report()).map_err(|error| error.to_string())?;
        serde_json::from_slice(&bytes).map(Page).map_err(|error| error.to_string())
    }

    fn report(&self) -> PathBuf {
        self.folder.path().join("report")
    }
}

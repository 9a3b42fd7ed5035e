//! Who is measured.

use std::path::{Path, PathBuf};

use super::cases::Speed;
use crate::bench::programs::{self, Ours, Through};

/// Who is measured when nobody is named.
pub(super) const USUAL: [&str; 5] = ["ours", "floor", "rmcp", "ts", "py"];

/// A client that can be run.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) program: PathBuf,
    /// The one that goes through the manager, if there is one.
    pub(super) managed: Option<PathBuf>,
    /// Before a scenario's own.
    pub(super) arguments: Vec<PathBuf>,
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) speed: Speed,
    /// What is started when only the start is measured.
    pub(super) starts: PathBuf,
}

impl Client {
    /// Builds or installs whoever is named.
    pub(super) fn made(name: &str, ours: &Ours) -> Result<Self, String> {
        let native =
            |program: &Path, variables, speed| Self { variables, speed, ..Self::also(name, program) };
        Ok(match name {
            "floor" => native(&ours.floor, &[], Speed::Fast),
            "ours" => Self {
                managed: Some(ours.managed.clone()),
                starts: programs::codewhale()?,
                ..native(&ours.client, &[], Speed::Fast)
            },
            "ours-mt" => native(&programs::threads()?, &[], Speed::Fast),
            "rmcp" => native(&programs::rmcp()?, &[], Speed::Rmcp),
            "rmcp-ct" => native(&programs::rmcp()?, &[("RT", "ct")], Speed::Rmcp),
            "rmcp-tuned" => native(&programs::rmcp()?, &[("HTTP_TUNED", "1")], Speed::Rmcp),
            "ts" => Self {
                arguments: vec![programs::typescript("client.mjs")?],
                ..native(Path::new("node"), &[], Speed::Node)
            },
            "py" => {
                let [python, client] = programs::python("client.py")?;
                Self { arguments: vec![client], ..native(&python, &[], Speed::Python) }
            }
            _ => return Err(format!("there is no client {name}")),
        })
    }

    /// A program that is there already and follows the contract.
    pub(super) fn also(name: &str, program: &Path) -> Self {
        Self {
            name: name.to_owned(),
            program: program.to_owned(),
            managed: None,
            arguments: Vec::new(),
            variables: &[],
            speed: Speed::Fast,
            starts: program.to_owned(),
        }
    }

    /// What is run where ours goes through this.
    pub(super) fn through(&self, through: Through) -> &Path {
        match through {
            Through::Manager => self.managed.as_deref().unwrap_or(&self.program),
            Through::Client => &self.program,
        }
    }

    /// Whether it is a program of its own and not one for an interpreter.
    pub(super) fn is_native(&self) -> bool {
        self.arguments.is_empty()
    }
}

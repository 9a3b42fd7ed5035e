//! The reference server `mcp-server-git`: every tool, on a repository that goes away.

use std::fs;
use std::path::Path;

use codewhale_mcp_protocol::{Era, Revision};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::check::{Check, Outcome, checks, checks_with};
use crate::expect::{contains, same, say, say_failed, tools};
use crate::peer::{in_era, newest, plain, speaks, with};
use crate::world::World;

pub(crate) fn checks() -> Vec<Check> {
    let mut all = checks!["git"; lists_its_tools];
    all.extend(checks_with!["git (modern)", Era::Modern; works_on_a_repository, stays_in_its_repository]);
    all.extend(checks_with!["git (legacy)", Era::Legacy; works_on_a_repository, stays_in_its_repository]);
    all
}

/// Makes a repository with one commit.
async fn repository(folder: &Path) -> Outcome {
    git(folder, &["init", "--quiet", "--initial-branch", "main"]).await?;
    git(folder, &["config", "user.name", "Whale"]).await?;
    git(folder, &["config", "user.email", "whale@example.com"]).await?;
    fs::write(folder.join("a.txt"), "one\n").map_err(|error| error.to_string())?;
    git(folder, &["add", "a.txt"]).await?;
    git(folder, &["commit", "--quiet", "--message", "first"]).await
}

async fn git(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new("git");
    let status = command.arg("-C").arg(folder).args(arguments).status().await;
    let status = status.map_err(|error| format!("cannot start git: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("git {arguments:?}: {status}")) }
}

async fn lists_its_tools(world: &World) -> Outcome {
    let folder = world.folder()?;
    repository(folder.path()).await?;
    with(world.git(folder.path()), plain(), async |client| {
        speaks(client, Revision::V2026_07_28)?;
        let wanted = [
            "git_add",
            "git_branch",
            "git_checkout",
            "git_commit",
            "git_create_branch",
            "git_diff",
            "git_diff_staged",
            "git_diff_unstaged",
            "git_log",
            "git_reset",
            "git_show",
            "git_status",
        ];
        same("the tools", tools(client).await?, wanted)
    })
    .await
}

async fn works_on_a_repository(world: &World, era: Era) -> Outcome {
    let folder = world.folder()?;
    repository(folder.path()).await?;
    with(world.git(folder.path()), in_era(era), async |client| {
        speaks(client, newest(era))?;
        let run = async |tool: &str, mut more: Value| {
            more["repo_path"] = json!(folder.path());
            say(client, tool, more).await
        };
        contains(&run("git_status", json!({})).await?, "nothing to commit")?;
        fs::write(folder.path().join("a.txt"), "one\ntwo\n").map_err(|error| error.to_string())?;
        contains(&run("git_diff_unstaged", json!({})).await?, "+two")?;
        same("staging", &*run("git_add", json!({ "files": ["a.txt"] })).await?, "Files staged successfully")?;
        contains(&run("git_diff_staged", json!({ "context_lines": 0 })).await?, "+two")?;
        same("unstaging", &*run("git_reset", json!({})).await?, "All staged changes reset")?;
        run("git_add", json!({ "files": ["a.txt"] })).await?;
        contains(&run("git_commit", json!({ "message": "zweiter 🐳" })).await?, "with hash ")?;
        let log = run("git_log", json!({ "max_count": 5 })).await?;
        contains(&log, "zweiter 🐳")?;
        contains(&log, "first")?;
        contains(&run("git_show", json!({ "revision": "HEAD" })).await?, "+two")?;
        contains(&run("git_diff", json!({ "target": "HEAD~1" })).await?, "+two")?;
        run("git_create_branch", json!({ "branch_name": "deep" })).await?;
        contains(&run("git_checkout", json!({ "branch_name": "deep" })).await?, "deep")?;
        contains(&run("git_branch", json!({ "branch_type": "local" })).await?, "* deep")
    })
    .await
}

async fn stays_in_its_repository(world: &World, era: Era) -> Outcome {
    let (folder, other) = (world.folder()?, world.folder()?);
    repository(folder.path()).await?;
    with(world.git(folder.path()), in_era(era), async |client| {
        let outside = json!({ "repo_path": other.path() });
        contains(&say_failed(client, "git_status", outside).await?, "outside the allowed repository")
    })
    .await
}

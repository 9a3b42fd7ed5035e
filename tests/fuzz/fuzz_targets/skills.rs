//! Whatever the entry of a skill and its `SKILL.md` are: what is taken keeps to the rules, and both are read within bounds.
//!
//! The input is an entry; behind a line `====` may follow the text of a `SKILL.md`.

#![no_main]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use codewhale_mcp_client::{FrontmatterFault, SkillEntry, frontmatter_fault};
use codewhale_mcp_protocol::Skill;
use libfuzzer_sys::fuzz_target;

/// Far more than any of it may take, also on a machine that does much else.
const BOUND: Duration = Duration::from_secs(15);

fuzz_target!(|input: &str| {
    let (entry, text) = input.split_once("\n====\n").unwrap_or((input, ""));
    let Ok(skill) = serde_json::from_str::<Skill>(entry) else { return };
    let started = Instant::now();
    match frontmatter_fault(text, &skill.frontmatter) {
        None => assert!(text.trim_start_matches('\u{feff}').starts_with("---")),
        Some(FrontmatterFault::Unreadable { reason }) => {
            assert!(!reason.contains('\n') && reason.chars().count() <= 200, "{reason:?}");
        }
        Some(_) => {}
    }
    let uri = skill.uri.clone();
    if let Ok(entry) = SkillEntry::of(skill) {
        assert!(uri.ends_with("/SKILL.md") && entry.uri() == uri);
        let name = entry.name();
        assert!(!name.is_empty() && !name.contains(['/', '\\', '.', ' ']), "{name:?}");
        let files: Vec<(&str, u64)> = entry.files().collect();
        assert!(files.iter().map(|(_, size)| size).sum::<u64>() <= 16 << 20);
        let paths: HashSet<&str> = files.iter().map(|(path, _)| *path).collect();
        assert!(paths.contains("SKILL.md") && paths.len() == files.len() && files.len() <= 512);
        for path in paths {
            let is_name = |part: &str| !matches!(part, "" | "." | "..");
            assert!(path.split('/').all(is_name) && !path.contains(['\\', '\0', '\n']), "{path:?}");
        }
    }
    assert!(started.elapsed() < BOUND, "it takes {:?}", started.elapsed());
});

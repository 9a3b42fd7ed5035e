//! Who is in a process group, as far as the system tells.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// Whether somebody in `group` is alive.
///
/// The dead of a group keep its number until their parent reaps them, which may take its time if that is the first
/// process of the system; on Linux they are told from the living.
pub(crate) fn any_alive(group: Pid) -> bool {
    if test_kill_process_group(group) == Err(Errno::SRCH) {
        return false;
    }
    #[cfg(target_os = "linux")]
    if linux::living_groups().is_some_and(|groups| !groups.contains(&group.as_raw_nonzero().get())) {
        // A process whose first thread has ended looks dead, whatever its other threads do.
        let _ = kill_process_group(group, Signal::KILL);
        return false;
    }
    true
}

/// The group of a process; `None` if there is no such process, or its group is not visible from here.
pub(crate) fn group_of(process: Pid) -> Option<Pid> {
    #[cfg(target_os = "linux")]
    {
        // Not `getpgid`: the group may lie outside of this process-number namespace, and then it has no number.
        linux::Stat::of(process).and_then(|stat| Pid::from_raw(stat.group))
    }
    #[cfg(not(target_os = "linux"))]
    {
        #[expect(clippy::disallowed_methods, reason = "only Linux has process-number namespaces")]
        let group = rustix::process::getpgid(Some(process));
        group.ok()
    }
}

#[cfg(target_os = "linux")]
pub(crate) mod linux {
    //! What `/proc` tells.

    use std::collections::BTreeSet;
    use std::fs;

    use rustix::process::Pid;

    /// The numbers of all processes.
    pub(crate) fn processes() -> impl Iterator<Item = Pid> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
    }

    /// The groups that have a living member; `None` if that cannot be seen.
    pub(super) fn living_groups() -> Option<BTreeSet<i32>> {
        let own = Stat::of(rustix::process::getpid())?;
        let stats = processes().filter_map(Stat::of).filter(|stat| stat.alive);
        let groups: BTreeSet<i32> = stats.map(|stat| stat.group).collect();
        // We are alive, so whoever does not see us does not see everybody.
        groups.contains(&own.group).then_some(groups)
    }

    /// What `/proc/PID/stat` says.
    #[derive(Debug, PartialEq, Eq)]
    pub(super) struct Stat {
        pub(super) alive: bool,
        pub(super) group: i32,
    }

    impl Stat {
        pub(super) fn of(process: Pid) -> Option<Self> {
            let text = fs::read(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
            Self::parse(&String::from_utf8_lossy(&text))
        }

        fn parse(text: &str) -> Option<Self> {
            // The name stands in parentheses and may hold anything, parentheses too.
            let (_, fields) = text.rsplit_once(')')?;
            let mut fields = fields.split_ascii_whitespace();
            let state = fields.next()?;
            let group = fields.nth(1)?.parse().ok()?;
            Some(Self { alive: !matches!(state, "Z" | "X" | "x"), group })
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_stat_line_is_read_whatever_the_name() {
            let check = |text: &str, alive: bool, group: i32| {
                assert_eq!(Stat::parse(text), Some(Stat { alive, group }), "{text}");
            };
            check("12 (sleep) S 1 77 3 0 -1\n", true, 77);
            check("12 (a) Z 5 (b) R) Z 1 78 3\n", false, 78);
            check("12 () R 0 0 0\n", true, 0);
            assert_eq!(Stat::parse("12 (sleep"), None);
        }

        #[test]
        fn our_own_group_is_alive() {
            let own = Stat::of(rustix::process::getpid()).unwrap();
            assert!(living_groups().unwrap().contains(&own.group));
        }
    }
}

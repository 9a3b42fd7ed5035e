//! What a process does that should have ended, as far as Linux tells.

use std::fmt::Write as _;
use std::fs;

/// What a process and its descendants do: for each its state, the signals that wait, are held back or caught, where in
/// the system every thread waits, and its open files. Empty where the system does not tell.
#[must_use]
pub fn doing(pid: u32) -> String {
    let mut told = String::new();
    tell(pid, 0, &mut told);
    told
}

/// The status lines worth telling.
const TOLD: [&str; 7] = ["State:", "PPid:", "SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:", "SigCgt:"];

fn tell(pid: u32, depth: usize, told: &mut String) {
    let place = format!("/proc/{pid}");
    let Ok(status) = fs::read_to_string(format!("{place}/status")) else { return };
    let command = fs::read(format!("{place}/cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    let margin = "  ".repeat(depth);
    // A text takes everything.
    let _ = writeln!(told, "{margin}{pid}: {command}");
    let lines = status.lines().filter(|line| TOLD.iter().any(|name| line.starts_with(name)));
    let lines: Vec<String> = lines.map(|line| line.replace('\t', " ")).collect();
    let _ = writeln!(told, "{margin}  {}", lines.join(", "));
    for thread in numbers(&format!("{place}/task")) {
        let of = |name: &str| fs::read_to_string(format!("{place}/task/{thread}/{name}")).unwrap_or_default();
        let (name, waits, call) = (of("comm"), of("wchan"), of("syscall"));
        let call = call.split(' ').next().unwrap_or_default().trim_end();
        let _ = writeln!(told, "{margin}  thread {} waits in {waits}, system call {call}", name.trim_end());
    }
    let files = numbers(&format!("{place}/fd")).into_iter().filter_map(|number| {
        let file = fs::read_link(format!("{place}/fd/{number}")).ok()?;
        Some(format!("{number} {}", file.display()))
    });
    let _ = writeln!(told, "{margin}  open: {}", files.collect::<Vec<_>>().join(", "));
    for child in children(&place) {
        tell(child, depth + 1, told);
    }
}

fn children(place: &str) -> Vec<u32> {
    let lists = numbers(&format!("{place}/task")).into_iter();
    let lists =
        lists.map(|thread| fs::read_to_string(format!("{place}/task/{thread}/children")).unwrap_or_default());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// The names in a folder that are numbers, in order.
fn numbers(folder: &str) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut numbers: Vec<u32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

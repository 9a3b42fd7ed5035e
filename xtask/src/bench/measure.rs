//! Measures one run of a program from a small process of its own, whose only child it is.
//!
//! `getrusage` of the children then speaks of that run alone, and the CPU clock of the program is
//! read while it is a zombie, which leaves its own children out.

use std::path::Path;
use std::process::Command;

/// What one run took.
pub(crate) struct Measured {
    pub(crate) wall_ms: f64,
    /// User and system time of the program, without its children.
    pub(crate) cpu_ms: f64,
    /// The most memory it or one of its children had at once.
    pub(crate) peak_mib: f64,
    /// Pages that it or one of its children touched for the first time, without reading a disk.
    pub(crate) page_faults: f64,
}

/// The hidden verb `measure`: runs the command given, prints wall and CPU in µs, peak in KiB, page
/// faults, the exit code.
#[cfg(target_os = "linux")]
pub(crate) fn measure(arguments: &[String]) -> Result<(), String> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    use nix::time::ClockId;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let (program, arguments) = arguments.split_first().ok_or("measure what?")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = command.spawn().map_err(|fault| format!("cannot start {program}: {fault}"))?;
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).map_err(|fault| fault.to_string())?);
    let failed = |fault: nix::Error| format!("cannot measure {program}: {fault}");
    waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).map_err(failed)?;
    let wall = begin.elapsed();
    let clock = ClockId::pid_cpu_clock_id(pid).map_err(failed)?;
    let cpu = Duration::from(clock.now().map_err(failed)?);
    let status = child.wait().map_err(|fault| fault.to_string())?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(failed)?;
    let (peak, faults) = (usage.max_rss(), usage.minor_page_faults());
    println!("{} {} {peak} {faults} {}", wall.as_micros(), cpu.as_micros(), status.code().unwrap_or(-1));
    Ok(())
}

/// The clocks and counters used are Linux's own.
#[cfg(not(target_os = "linux"))]
pub(crate) fn measure(_: &[String]) -> Result<(), String> {
    Err("measuring needs Linux".into())
}

/// Runs a program with the variables given and no others, through the verb `measure`; a program that fails
/// is an error.
pub(super) fn run(
    program: &Path,
    arguments: &[&str],
    variables: &[(&str, &Path)],
) -> Result<Measured, String> {
    let itself = std::env::current_exe().map_err(|fault| fault.to_string())?;
    let mut command = Command::new(itself);
    command.arg("measure").arg(program).args(arguments).env_clear();
    command.envs(variables.iter().copied());
    read(&crate::run::output(command)?)
        .map_err(|why| format!("{} {}: {why}", program.display(), arguments.join(" ")))
}

fn read(line: &str) -> Result<Measured, String> {
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [wall, cpu, peak, page_faults, 0.0] => {
            Ok(Measured { wall_ms: wall / 1e3, cpu_ms: cpu / 1e3, peak_mib: peak / 1024.0, page_faults })
        }
        [_, _, _, _, code] => Err(format!("exit code {code}")),
        _ => Err(format!("unreadable measurement {line:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_measurement_counts_only_when_the_program_succeeded() {
        let measured = read("2500 1000 2048 77 0\n").unwrap();
        assert_eq!((measured.wall_ms, measured.cpu_ms, measured.peak_mib), (2.5, 1.0, 2.0));
        assert_eq!(measured.page_faults, 77.0);
        assert!(read("2500 1000 2048 77 3\n").is_err());
        assert!(read("nothing").is_err());
    }
}

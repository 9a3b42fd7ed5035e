//! Nothing of a run survives it, however and whenever it ends.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use codewhale_e2e::{TestEnvironment, end_survivors, survivors, wait_until_none_survive};
use rustix::process::{Pid, Signal, kill_process};

use crate::random::{Random, seed, tell, trials, wait_until};

/// How long the last process of a trial may take to go once its owner was killed.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many trials run at one time; most of their time they wait.
const AT_ONCE: usize = 8;
/// What the stop ladder takes at most, and a little more.
const LADDER_MS: u64 = 4500;

/// A server with more processes than one.
struct Family {
    mode: &'static str,
    /// Whether somebody in it does not leave when asked, so that a normal end takes the whole ladder.
    stubborn: bool,
}

const FAMILIES: [Family; 6] = [
    Family { mode: "launcher --serve grandchild", stubborn: false },
    Family { mode: "launcher --serve ignore-term", stubborn: true },
    Family { mode: "grandchild", stubborn: false },
    Family { mode: "grandchild --ignore-term --detached", stubborn: true },
    Family { mode: "launcher --leave", stubborn: false },
    Family { mode: "ignore-term", stubborn: true },
];

/// How a run ends: by itself, or by a signal.
type Ending = Option<Signal>;

const ENDINGS: [Ending; 4] = [None, Some(Signal::INT), Some(Signal::TERM), Some(Signal::KILL)];

/// When a signal comes.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// So long after the start.
    After(Duration),
    /// As soon as a server's process exists, which its owner may not have noticed itself.
    AtSpawn,
}

/// What came of the trials of one ending.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    trials: usize,
    /// Trials whose signal came before the run had ended by itself.
    hit: usize,
    /// Trials that left a process behind.
    left: usize,
}

#[test]
fn validate_leaves_nothing_behind() {
    check_moments("validate", &["mcp", "validate"], &["mcp", "validate"]);
}

#[test]
fn connect_leaves_nothing_behind() {
    check_moments("connect", &["mcp", "connect", "family"], &["mcp", "connect", "family"]);
}

#[test]
fn call_leaves_nothing_behind() {
    let call = |time: &'static str| ["mcp", "call", "family", "slow", time];
    check_moments("call", &call("ms=30"), &call("ms=60000"));
}

/// Ends a command in every way, at random moments. `whole` ends by itself, `long` is what a signal ends.
fn check_moments(verb: &str, whole: &[&str], long: &[&str]) {
    let (seed, usual) = (seed(), usual(whole));
    let trials: Vec<(usize, u64)> = (0..trials(FAMILIES.len() as u64))
        .flat_map(|trial| (0..ENDINGS.len()).map(move |ending| (ending, trial)))
        .collect();
    let (next, counts, faults) =
        (AtomicUsize::new(0), Mutex::new([Count::default(); ENDINGS.len()]), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((ending, trial)) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let family = &FAMILIES[*trial as usize % FAMILIES.len()];
                    let mut random = Random::new(seed ^ (trial << 8 | *ending as u64));
                    let moment = moment(&mut random, family, usual);
                    let arguments = if ENDINGS[*ending].is_some() { long } else { whole };
                    let (hit, fault) = attempt(arguments, family, ENDINGS[*ending], moment);
                    let mut counts = counts.lock().expect("no holder panics");
                    counts[*ending].trials += 1;
                    counts[*ending].hit += usize::from(hit);
                    counts[*ending].left += usize::from(fault.is_some());
                    faults.lock().expect("no holder panics").extend(fault);
                }
            });
        }
    });
    let counts = counts.into_inner().expect("no holder panics");
    let told: String = ENDINGS
        .iter()
        .zip(counts)
        .map(|(ending, count)| {
            format!("{verb} {}: {count:?}\n", ending.map_or("end".into(), |s| format!("{s:?}")))
        })
        .collect();
    tell(&format!("{told}usual {usual:?}, CODEWHALE_SEED={seed}"));
    let faults = faults.into_inner().expect("no holder panics");
    assert!(faults.is_empty(), "CODEWHALE_SEED={seed}\n{told}{}", faults.join("\n"));
}

/// When a signal comes: with a server's process, while the run starts, or at any time until it has surely ended.
fn moment(random: &mut Random, family: &Family, usual: Duration) -> Moment {
    let ladder = if family.stubborn { Duration::from_millis(LADDER_MS) } else { Duration::ZERO };
    match random.number() % 8 {
        0..2 => Moment::AtSpawn,
        2..5 => Moment::After(random.time(usual)),
        _ => Moment::After(random.time(usual * 2 + ladder)),
    }
}

/// One run and its end. Says whether the signal came in time, and what is left.
fn attempt(arguments: &[&str], family: &Family, ending: Ending, moment: Moment) -> (bool, Option<String>) {
    let trial = trial(family);
    let begin = Instant::now();
    let mut run = start(&trial, arguments);
    if let Some(signal) = ending {
        match moment {
            Moment::After(time) => wait_until(begin, time),
            Moment::AtSpawn => wait_for_server(&mut run),
        }
        // One that has been reaped has lost its number.
        if run.try_wait().expect("it is our child").is_none() {
            kill_process(Pid::from_child(&run), signal).expect("it is our child");
        }
    }
    let status = wait(&mut run);
    let hit = ending.is_some_and(|signal| ended_by(status, signal));
    // Whoever ends in an orderly way has waited for everything; after a kill the guard has to notice first.
    let killed = status.signal().is_some();
    let patience = if killed { PATIENCE } else { Duration::ZERO };
    let fault = wait_until_none_survive(trial.marker(), patience).err().map(|left| {
        end_survivors(trial.marker());
        format!("{arguments:?} of {:?}, {ending:?} {moment:?}, {status}: {left:?}", family.mode)
    });
    (hit, fault)
}

/// The server, and one more beside it that only `validate` starts.
fn trial(family: &Family) -> TestEnvironment {
    let trial = TestEnvironment::new();
    let entry = |name: &str, mode: &str| {
        let line = trial.fake(mode);
        format!("{name:?}: {{\"command\": {:?}, \"args\": {:?}}}", line[0], &line[1..])
    };
    let (one, other) = (entry("family", family.mode), entry("other", FAMILIES[0].mode));
    trial.write("home/.codewhale/mcp.json", &format!("{{\"servers\": {{{one}, {other}}}}}"));
    trial
}

/// How long a whole run takes here and now at least, while as many others run.
fn usual(arguments: &[&str]) -> Duration {
    std::thread::scope(|scope| {
        let one = || {
            let trial = trial(&FAMILIES[0]);
            let begin = Instant::now();
            wait(&mut start(&trial, arguments));
            begin.elapsed()
        };
        let runs: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(one)).collect();
        runs.into_iter().map(|run| run.join().expect("a plain run ends")).min().unwrap_or_default()
    })
}

fn start(trial: &TestEnvironment, arguments: &[&str]) -> Child {
    let mut command = trial.command(&codewhale_testkit::binary("codewhale"), arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary starts")
}

fn wait(run: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = run.try_wait().expect("it is our child") {
            return status;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "the run does not end");
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// Waits until a run has a second child, the first one being its guard, or has left.
fn wait_for_server(run: &mut Child) {
    let own = run.id();
    let is_child = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name in parentheses may hold anything.
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        parent.is_some_and(|parent| parent == own.to_string())
    };
    let count = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
        numbers.filter(|pid| *pid > own).filter(is_child).count()
    };
    while count() < 2 && run.try_wait().expect("it is our child").is_none() {
        std::thread::yield_now();
    }
}

/// Before the run listens for a signal the system ends it, later it ends itself with the usual code.
fn ended_by(status: ExitStatus, signal: Signal) -> bool {
    let number = signal.as_raw();
    status.signal() == Some(number) || status.code() == Some(128 + number)
}

/// Sends `signal` once the server's own child runs, and expects that nothing is left.
fn check_in_call(mode: &str, child: &str, signal: Signal) {
    let trial = TestEnvironment::new();
    let server = trial.fake(mode).join(" ");
    let mut run = start(&trial, &["mcp", "call", "--stdio", &server, "slow", "ms=60000"]);
    let begin = Instant::now();
    while !survivors(trial.marker()).iter().any(|process| process.command.contains(child)) {
        assert!(begin.elapsed() < PATIENCE, "{mode}: the server's child did not start");
        std::thread::park_timeout(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&run), signal).expect("it has not been reaped");
    wait(&mut run);
    if let Err(left) = wait_until_none_survive(trial.marker(), PATIENCE) {
        end_survivors(trial.marker());
        panic!("{mode} {signal:?} left {left:?}");
    }
}

#[test]
fn a_killed_run_leaves_nothing_behind() {
    for _ in 0..10 {
        check_in_call("grandchild", "linger", Signal::KILL);
    }
    for _ in 0..3 {
        check_in_call("ignore-term", "stay", Signal::KILL);
    }
}

#[test]
fn an_interrupted_or_terminated_run_leaves_nothing_behind() {
    for _ in 0..3 {
        check_in_call("grandchild", "linger", Signal::INT);
        check_in_call("grandchild", "linger", Signal::TERM);
        check_in_call("launcher", "plain", Signal::INT);
    }
}

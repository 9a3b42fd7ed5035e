//! Nothing of a run survives it, however and whenever it ends.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use codewhale_e2e::{TestEnvironment, end_survivors, survivors, wait_until_none_survive};
use rustix::process::Signal;

use crate::random::{Random, seed, tell, trials, wait_until};
use crate::started::Started;

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
    /// Trials that left a process behind, or did not end.
    failed: usize,
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
    check_moments("call", &call("ms=30"), &call("ms=600000"));
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
                    counts[*ending].failed += usize::from(fault.is_some());
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
    let mut run = Started::new(&trial, arguments);
    if let Some(signal) = ending {
        match moment {
            Moment::After(time) => wait_until(begin, time),
            Moment::AtSpawn => run.reach_server(),
        }
        run.send(signal);
    }
    let of = |fault: String| format!("{arguments:?} of {:?}, {ending:?} {moment:?}: {fault}", family.mode);
    let status = match run.end() {
        Ok(status) => status,
        Err(fault) => return (false, Some(of(fault))),
    };
    let hit = ending.is_some_and(|signal| ended_by(status, signal));
    // Whoever ends in an orderly way has waited for everything; after a kill the guard has to notice first.
    let killed = status.signal().is_some();
    let patience = if killed { PATIENCE } else { Duration::ZERO };
    let fault = wait_until_none_survive(trial.marker(), patience).err().map(|left| {
        end_survivors(trial.marker());
        of(format!("{status}: left {left:?}"))
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
            Started::new(&trial, arguments).end().unwrap_or_else(|fault| panic!("{arguments:?} {fault}"));
            begin.elapsed()
        };
        let runs: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(one)).collect();
        runs.into_iter().map(|run| run.join().expect("a plain run ends")).min().unwrap_or_default()
    })
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
    let mut run = Started::new(&trial, &["mcp", "call", "--stdio", &server, "slow", "ms=600000"]);
    let begin = Instant::now();
    while !survivors(trial.marker()).iter().any(|process| process.command.contains(child)) {
        assert!(begin.elapsed() < PATIENCE, "{mode}: the server's child did not start");
        std::thread::park_timeout(Duration::from_millis(1));
    }
    run.send(signal);
    run.end().unwrap_or_else(|fault| panic!("{mode} {signal:?}: {fault}"));
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

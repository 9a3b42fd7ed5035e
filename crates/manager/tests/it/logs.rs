//! What holds for the manager's logs.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use codewhale_mcp_manager::{Logs, Voice};
use codewhale_mcp_redact::{Redactor, Secret};

use crate::world::run;

const WAIT: Duration = Duration::from_secs(30);

fn clock() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(1_785_229_500_250)
}

fn logs() -> (tempfile::TempDir, Logs) {
    let folder = tempfile::tempdir().unwrap();
    let logs = Logs::new(folder.path().join("home/logs"), clock);
    (folder, logs)
}

#[test]
fn a_line_has_its_time_and_voice_and_no_secret_and_no_control_character() {
    let (_folder, logs) = logs();
    let secret = Secret::new("hunter2-hunter2".to_owned());
    let log = logs.log("git", Redactor::from_iter([&secret]));
    log.say(Voice::Stderr, "token \u{1b}[2Jhunter2-hunter2\rover\nnext");
    log.say(Voice::Message("warning".into()), "low disk");
    logs.flush(WAIT);
    let time = "2026-07-28T09:05:00.250Z";
    assert_eq!(
        logs.tail("git", 10).unwrap(),
        [
            format!("{time} stderr: token \\u{{1b}}[2JREDACTED\\rover\\nnext"),
            format!("{time} warning: low disk")
        ]
    );
    assert_eq!(logs.tail("git", 1).unwrap().len(), 1);
    assert!(logs.tail("never-ran", 10).unwrap().is_empty());
}

#[test]
fn neither_a_cut_nor_an_escape_nor_a_level_lets_a_secret_through() {
    let (_folder, logs) = logs();
    let secrets = ["topsecret1".to_owned(), "a\"b\\c\td".to_owned()].map(Secret::new);
    let log = logs.log("git", Redactor::from_iter(&secrets));
    let filler = "x".repeat(8 * 1024 - 6);
    log.say(Voice::Message("info".into()), &format!("{filler}topsecret1"));
    log.say(Voice::Stderr, &format!("{} topsec…", "y".repeat(4090)));
    log.say(Voice::Message("topsecret1".into()), "low disk");
    log.say(Voice::Stderr, "a\"b\\c\td");
    log.say(Voice::Stderr, r#"{"token":"a\"b\\c\td"}"#);
    logs.flush(WAIT);
    let lines = logs.tail("git", 10).unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| &line["2026-07-28T09:05:00.250Z ".len()..]).collect();
    assert_eq!(
        lines,
        [
            &*format!("info: {filler}REDACTED… (cut)"),
            &*format!("stderr: {} REDACTED…", "y".repeat(4090)),
            "REDACTED: low disk",
            "stderr: REDACTED",
            r#"stderr: {"token":"REDACTED"}"#,
        ]
    );
}

#[test]
fn our_own_words_stay_whatever_the_secrets_are() {
    let (_folder, logs) = logs();
    let secrets = ["failed", "codewhale", "stderr"].map(|word| Secret::new(word.to_owned()));
    let log = logs.log("git", Redactor::from_iter(&secrets));
    log.say(Voice::Codewhale, "failed after 3 ms");
    log.say(Voice::Stderr, "failed");
    logs.flush(WAIT);
    let time = "2026-07-28T09:05:00.250Z";
    let lines = logs.tail("git", 10).unwrap();
    assert_eq!(lines, [format!("{time} codewhale: failed after 3 ms"), format!("{time} stderr: REDACTED")]);
}

#[cfg(unix)]
#[test]
fn logs_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let (_folder, logs) = logs();
    logs.log("git", Redactor::default()).say(Voice::Stderr, "x");
    logs.flush(WAIT);
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(logs.path("git")), 0o600);
    assert_eq!(mode(logs.path("git").parent().unwrap().to_owned()), 0o700);
}

#[test]
fn a_log_stays_small_and_keeps_its_last_lines() {
    let (_folder, logs) = logs();
    let log = logs.log("git", Redactor::default());
    let text = "x".repeat(4096);
    for number in 0..1000 {
        log.say(Voice::Stderr, &format!("{number} {text}"));
        if number % 200 == 0 {
            logs.flush(WAIT);
        }
    }
    logs.flush(WAIT);
    let path = logs.path("git");
    let files: Vec<u64> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .collect();
    assert!(files.iter().sum::<u64>() <= 2 << 20, "{files:?}");
    let last = logs.tail("git", 300).unwrap();
    assert_eq!(last.len(), 300);
    assert!(last[299].contains(" stderr: 999 x") && last[0].contains(" stderr: 700 x"));
}

#[test]
fn a_flood_never_waits_and_says_what_it_left_out() {
    let (_folder, logs) = logs();
    let log = logs.log("git", Redactor::default());
    for _ in 0..200_000 {
        log.say(Voice::Stderr, "flood");
    }
    logs.flush(WAIT);
    let lines = logs.tail("git", usize::MAX).unwrap();
    assert!(lines.iter().any(|line| line.contains("came too fast and were left out")), "{}", lines.len());
}

#[test]
fn processes_that_append_at_the_same_time_mix_whole_lines_only() {
    let (folder, _) = logs();
    let runs: Vec<Logs> = (0..4).map(|_| Logs::new(folder.path().join("logs"), clock)).collect();
    std::thread::scope(|scope| {
        for logs in &runs {
            scope.spawn(|| {
                let log = logs.log("git", Redactor::default());
                for _ in 0..500 {
                    log.say(Voice::Stderr, &"y".repeat(1000));
                }
                logs.flush(WAIT);
            });
        }
    });
    let lines = runs[0].tail("git", 1000).unwrap();
    assert_eq!(lines.len(), 1000);
    let whole = format!("2026-07-28T09:05:00.250Z stderr: {}", "y".repeat(1000));
    assert!(lines.iter().all(|line| *line == whole));
}

#[test]
fn a_log_that_cannot_be_written_fails_nothing() {
    let (folder, logs) = logs();
    std::fs::write(folder.path().join("home"), "a file where the folder should be").unwrap();
    logs.log("git", Redactor::default()).say(Voice::Stderr, "x");
    logs.flush(WAIT);
    assert!(logs.problem().is_some_and(|problem| problem.contains("git.log")));
}

#[test]
fn who_follows_sees_the_last_lines_and_those_that_come_also_after_the_log_was_put_aside() {
    let (_folder, logs) = logs();
    let log = logs.log("git", Redactor::default());
    let say = |text: &str| {
        log.say(Voice::Stderr, text);
        logs.flush(WAIT);
    };
    let mut follow = logs.follow("git", 1);
    assert!(follow.ready().unwrap().is_empty());
    say("one");
    assert!(follow.ready().unwrap()[0].ends_with("stderr: one"));
    say("two");
    let mut old = logs.path("git").into_os_string();
    old.push(".1");
    std::fs::rename(logs.path("git"), old).unwrap();
    say("three");
    let lines = run(async { follow.next().await.unwrap() });
    assert!(lines[0].ends_with("stderr: two") && lines[1].ends_with("stderr: three"), "{lines:?}");
    assert!(follow.ready().unwrap().is_empty());
    let mut late = logs.follow("git", 2);
    assert_eq!(late.ready().unwrap(), lines);
}

//! The record a test reads to learn what went over the wire.

use crate::play::{OPEN, Play, call};

#[test]
fn a_record_has_both_directions_and_every_process() {
    let folder = std::env::temp_dir().join(format!("fake-record-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("record");
    for _ in 0..2 {
        let arguments = ["plain".to_owned(), "--record".to_owned(), file.to_str().unwrap().to_owned()];
        let mut play = Play::start_with(arguments);
        play.open();
        play.say(&call("1", "echo", r#"{"text":"x"}"#));
        play.follow("< \"id\":1\nend 0");
    }
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let kinds: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let one = ["start", "in", "out", "in", "in", "out", "end"];
    assert_eq!(kinds, [one, one].concat());
    assert_eq!(text.lines().nth(1).unwrap().strip_prefix("in "), Some(OPEN));
    assert_eq!(text.lines().nth(6), Some("end 0"));
}

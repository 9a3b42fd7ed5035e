//! The table of HTTP modes.

use crate::play::Play;

#[test]
fn no_mode_and_no_flag_is_left_out() {
    let played = [
        include_str!("event_stream.rs"),
        include_str!("forms.rs"),
        include_str!("modern.rs"),
        include_str!("oauth.rs"),
        include_str!("probe.rs"),
        include_str!("sessions.rs"),
        include_str!("sizes.rs"),
        include_str!("status.rs"),
        include_str!("streams.rs"),
        include_str!("strict.rs"),
        include_str!("tools.rs"),
    ]
    .concat();
    let mut play = Play::start("--http --list");
    let mut modes = 0;
    loop {
        let line = play.hear();
        let name = line.split(' ').next().unwrap();
        if name == "for" {
            break;
        }
        modes += 1;
        let mut calls = played.split('"').filter(|text| text.split([' ', '+']).any(|word| word == name));
        assert!(calls.next().is_some(), "{name} is played by no test");
        for flag in line.split([' ', '[', ']']).filter(|word| word.starts_with("--")) {
            let used = played.split('"').any(|text| text.starts_with(name) && text.contains(flag));
            assert!(used, "{name} is played without {flag}");
        }
    }
    assert!(modes > 80, "{modes}");
}

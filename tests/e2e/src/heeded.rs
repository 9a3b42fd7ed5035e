//! Signals as a program finds them that a person starts.

use std::sync::{Arc, Once};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// Has the programs that are started from now on heed every signal that asks them to end.
///
/// A shell that starts something in the background of a script has it ignore some of them, and whoever ignores a signal
/// passes that on. What a program catches its children find as the system has it, so this one catches what it ignored
/// and does nothing.
pub(crate) fn heed_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t"));
        let ignored = ignored.and_then(|set| u64::from_str_radix(set, 16).ok()).unwrap_or(0);
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            if ignored & 1 << (signal - 1) != 0 {
                signal_hook::flag::register(signal, Arc::default()).expect("a signal can be caught");
            }
        }
    });
}

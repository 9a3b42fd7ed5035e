//! Who sees every line of standard error.

/// Takes every line of standard error, for a log.
///
/// It is called on the task that watches the process, one line at a time, in order, and should return soon: a
/// line is at most 4 KiB, without its line break, and otherwise as it came, control characters included.
pub trait StderrSink: Send + Sync {
    /// One line has come.
    fn line(&self, line: &str);
}

impl<F: Fn(&str) + Send + Sync> StderrSink for F {
    fn line(&self, line: &str) {
        self(line);
    }
}

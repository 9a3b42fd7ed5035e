//! Says what is waited for, where a person looks on and it takes long.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::{Printer, Progress};

/// What is shorter than this needs no word.
const SHORT: Duration = Duration::from_millis(400);
/// How often the line is drawn again.
const TICK: Duration = Duration::from_millis(200);

/// A wait, which may have several parts.
pub(crate) struct Waiting {
    progress: Arc<Progress>,
    began: Instant,
}

/// Takes the line away, also when the wait is given up.
struct Shown<'a>(&'a Progress);

impl Waiting {
    /// Begins now.
    pub(crate) fn new(printer: &Arc<Printer>) -> Self {
        Self::beside(&Arc::new(Progress::new(printer)))
    }

    /// Begins now, where progress is told too.
    pub(crate) fn beside(progress: &Arc<Progress>) -> Self {
        Self { progress: progress.clone(), began: Instant::now() }
    }

    /// Does work, and says meanwhile what is waited for. The line is gone when the work is done.
    pub(crate) async fn on<T>(&self, what: &str, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let mut ticks = interval_at((self.began + SHORT).max(Instant::now()), TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let _shown = Shown(&self.progress);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                _ = ticks.tick() => {
                    self.progress.wait(&match self.began.elapsed().as_secs() {
                        0 => format!("waiting for {what}"),
                        waited => format!("waiting for {what} ({waited} s)"),
                    });
                }
            }
        }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::io;

    use tokio::time::timeout;

    use super::super::screen::Screen;
    use super::super::{Setup, Verbosity};
    use super::*;
    use crate::world::{Output, Terminal};

    fn shown(terminal: Terminal, verbosity: Verbosity, wait: Duration) -> String {
        let screen = Screen::default();
        let stderr = Output { writer: Box::new(screen.clone()), terminal };
        let stdout = Output { writer: Box::new(io::sink()), terminal: Terminal::No };
        let printer = Arc::new(Printer::new(Setup { stdout, stderr, verbosity, colour: None }));
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let work = async { Waiting::new(&printer).on("a, b", timeout(wait, pending::<()>())).await };
        assert!(runtime.block_on(work).is_err());
        screen.text()
    }

    #[test]
    fn a_long_wait_is_told_on_a_terminal_and_the_line_is_gone_in_the_end() {
        let terminal = Terminal::Columns(80);
        let long = shown(terminal, Verbosity::Normal, Duration::from_secs(3));
        assert!(long.contains("waiting for a, b"), "{long:?}");
        assert!(long.ends_with("\r\u{1b}[2K"), "{long:?}");
        assert_eq!(shown(terminal, Verbosity::Normal, Duration::from_millis(300)), "");
        assert_eq!(shown(terminal, Verbosity::Quiet, Duration::from_secs(3)), "");
        assert_eq!(shown(Terminal::No, Verbosity::Verbose, Duration::from_secs(3)), "");
    }
}

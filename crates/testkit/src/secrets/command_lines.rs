//! What every process of a machine may read of others.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often it is looked.
const OFTEN: Duration = Duration::from_millis(10);

/// Collects the command lines of processes by a variable of their environment, which only Linux lets one read.
pub struct CommandLines {
    seen: Arc<Mutex<BTreeSet<String>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CommandLines {
    /// Collects from now on; `variable` is `NAME=value`.
    #[must_use]
    pub fn watch(variable: &str) -> CommandLines {
        let (seen, is_over) = (Arc::<Mutex<BTreeSet<String>>>::default(), Arc::<AtomicBool>::default());
        let (variable, mine, over) = (variable.to_owned(), seen.clone(), is_over.clone());
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                mine.lock().expect("no holder panics").extend(look(variable.as_bytes()));
                std::thread::park_timeout(OFTEN);
            }
        });
        CommandLines { seen, is_over, thread: Some(thread) }
    }

    /// Those that were seen so far, one a line.
    ///
    /// # Panics
    ///
    /// When the thread that looks has panicked.
    #[must_use]
    pub fn seen(&self) -> String {
        let seen = self.seen.lock().expect("no holder panics");
        seen.iter().map(|line| format!("{line}\n")).collect()
    }
}

impl Drop for CommandLines {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It has nothing to say.
            let _ = thread.join();
        }
    }
}

fn look(variable: &[u8]) -> BTreeSet<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_marked = |process: &Path| {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == variable)
    };
    let marked = processes.map(|entry| entry.path()).filter(|process| is_marked(process));
    marked
        .map(|process| std::fs::read(process.join("cmdline")).unwrap_or_default())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .collect()
}

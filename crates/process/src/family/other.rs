//! A child where there are no process groups.
//!
//! Only the child itself is ended, at once and without a first request to leave; its descendants are not
//! followed. A job object would hold them together.

use std::io;

use super::Ask;
use crate::Exit;
use crate::guard::Record;

/// A child, alone. Dropped before its end it is ended.
pub(crate) struct Family {
    child: std::process::Child,
    record: Record,
    left: bool,
}

impl Family {
    /// Takes over a child.
    pub(crate) fn new(child: std::process::Child, record: Record) -> io::Result<Self> {
        Ok(Self { child, record, left: false })
    }

    /// Waits until the child has left. May be dropped at any await and called again.
    pub(crate) async fn leader_left(&mut self) {
        let mut pause = std::time::Duration::from_millis(1);
        while matches!(self.child.try_wait(), Ok(None)) {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(std::time::Duration::from_millis(100));
        }
    }

    /// Ends the child, whatever was asked: there is no gentler way.
    pub(crate) fn ask(&mut self, _ask: Ask) {
        let _ = self.child.kill();
    }

    /// Says how a child that has left ended.
    pub(crate) fn reap(&mut self) -> Exit {
        self.left = true;
        self.record.gone();
        match self.child.try_wait().map(|status| status.and_then(|status| status.code())) {
            Ok(Some(code)) => Exit::Exited(code),
            Ok(None) | Err(_) => Exit::Unknown("the system gave no status"),
        }
    }

    /// Whether nobody is left.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.left
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.left {
            let _ = self.child.kill();
        }
    }
}

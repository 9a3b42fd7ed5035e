//! How the names of servers are told apart quickly.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Something for each server, by its name.
pub(super) type ByName<T> = HashMap<String, T, BuildHasherDefault<Fnv>>;

/// The hash by Fowler, Noll and Vo (FNV-1a). A user who names servers so that they collide waits for it alone.
#[derive(Debug)]
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        self.0 =
            bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

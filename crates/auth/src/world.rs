//! The clock and the dice.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use codewhale_mcp_redact::Secret;
use ring::rand::{SecureRandom, SystemRandom};

/// What a login takes from outside beside the network.
pub trait World: Send + Sync + fmt::Debug {
    /// The time.
    fn now(&self) -> SystemTime;

    /// Bytes that nobody can foresee.
    fn random(&self) -> [u8; 32];
}

/// The clock and the random numbers of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealWorld;

impl World for RealWorld {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        SystemRandom::new().fill(&mut bytes).expect("a system without random numbers can do no login");
        bytes
    }
}

/// A text of 43 letters that nobody can foresee (256 bits).
pub(crate) fn unguessable(world: &dyn World) -> Secret<String> {
    Secret::new(URL_SAFE_NO_PAD.encode(world.random()))
}

/// The seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

/// The time so many seconds after 1970, at most a few thousand years from now.
pub(crate) fn at(seconds: u64) -> SystemTime {
    const LAST: u64 = 253_402_300_799;
    UNIX_EPOCH + Duration::from_secs(seconds.min(LAST))
}

//! Ids that nobody guesses.

use ring::rand::{SecureRandom, SystemRandom};

/// 128 random bits, as hexadecimal digits.
pub(crate) fn new_id() -> String {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).expect("the system has randomness");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

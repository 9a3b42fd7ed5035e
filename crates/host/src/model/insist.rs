//! A question that came to nothing before any of its answer had come is asked again.

use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_net::NetError;
use ring::rand::{SecureRandom, SystemRandom};
use tokio::time::sleep;

use super::{Chat, ModelAnswer, ModelError, Piece};

/// How often a question is asked at most.
const MOST: u32 = 4;

/// How long is waited before the second time, unless a session says otherwise.
pub(crate) const BACKOFF: Duration = Duration::from_millis(500);

/// The longest that an API may ask us to wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks a model, and again where that may help.
pub(crate) struct Insist<'a> {
    pub(crate) chat: &'a Chat,
    /// How long is waited before the second time; twice as long before each further one.
    pub(crate) backoff: Duration,
    /// Hears that it is asked again, and why.
    pub(crate) talk: &'a (dyn Fn(&str) + Send + Sync),
}

impl Insist<'_> {
    /// Asks, and tells of the answer as it comes. Dropping the future ends it.
    pub(crate) async fn ask(
        &self,
        question: &Bytes,
        mut tell: impl FnMut(&Piece) + Send,
    ) -> Result<ModelAnswer, ModelError> {
        let mut times = 0;
        loop {
            times += 1;
            let mut begun = false;
            let tell = |piece: &Piece| {
                begun = true;
                tell(piece);
            };
            let error = match self.chat.ask_once(question.clone(), tell).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let pause = pause(&error, self.backoff.saturating_mul(1 << (times - 1).min(8)));
            match pause.filter(|_| !begun && times < MOST) {
                Some(pause) => {
                    let seconds = pause.as_secs_f32();
                    (self.talk)(&format!("{error}; it is asked again in {seconds:.1} s"));
                    sleep(pause).await;
                }
                None if times == 1 => return Err(error),
                None => return Err(ModelError::Again { last: Box::new(error), times }),
            }
        }
    }
}

/// How long to wait before a question is asked again; `None` if that would not help.
fn pause(error: &ModelError, backoff: Duration) -> Option<Duration> {
    let asked = match error {
        ModelError::Refused {
            status: 408 | 425 | 429 | 500 | 502..=504 | 506..=599, retry_after, ..
        } => *retry_after,
        ModelError::Net(
            NetError::Resolve { .. }
            | NetError::Connect { .. }
            | NetError::ConnectTimeout { .. }
            | NetError::Broken { .. },
        )
        | ModelError::Cut => None,
        _ => return None,
    };
    let pause = asked.unwrap_or_default().max(wobble(backoff));
    (pause <= PATIENCE).then_some(pause)
}

/// A fifth more or less, so that many who were turned away together do not come back together.
fn wobble(pause: Duration) -> Duration {
    let mut chance = [127_u8];
    // Without it they do.
    let _ = SystemRandom::new().fill(&mut chance);
    pause.mul_f64(0.8 + 0.4 * f64::from(chance[0]) / 255.0)
}

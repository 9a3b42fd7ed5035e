//! What a server offers beyond the plain one: each feature sees a message before the server answers it.

use super::reply::Answer;
use super::server::Base;
use crate::message::Message;
use crate::out::Out;

/// A part of the protocol that the plain server leaves out.
pub(crate) trait Feature: Send {
    /// Answers a request that fits the era and the state of the connection, or leaves it to the others.
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer>;

    /// A notification or a response of the client.
    fn heard(&mut self, _message: &Message, _base: &mut Base, _out: &Out) {}

    /// What the server declares at this revision, when this feature decides it.
    fn capabilities(&self, _revision: &str) -> Option<String> {
        None
    }
}

impl Base {
    pub(super) fn featured(&mut self, message: &Message, out: &Out) -> Option<Answer> {
        let mut features = std::mem::take(&mut self.features);
        let answer = features.iter_mut().find_map(|feature| feature.answer(message, self, out));
        self.features = features;
        answer
    }

    pub(super) fn tell_features(&mut self, message: &Message, out: &Out) {
        let mut features = std::mem::take(&mut self.features);
        features.iter_mut().for_each(|feature| feature.heard(message, self, out));
        self.features = features;
    }

    /// What the server declares at this revision, as raw JSON.
    pub(crate) fn capabilities_at(&self, revision: &str) -> String {
        let own = self.features.iter().find_map(|feature| feature.capabilities(revision));
        own.unwrap_or_else(|| self.capabilities.clone())
    }
}

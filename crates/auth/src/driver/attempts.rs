//! What was tried already, so that nothing is tried for ever.

use std::collections::HashSet;

use crate::LoginError;
use crate::flow::Scopes;

/// The most logins for more scopes in a row.
const MOST: u32 = 3;

/// How a token was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum By {
    /// It was kept.
    #[default]
    Keeping,
    /// By a refresh.
    Refresh,
    /// By a login.
    Login,
}

/// What to do about a token that is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// To refresh it.
    Refresh,
    /// To log in.
    Login,
    /// Nothing: it is as fresh as can be.
    Nothing,
}

/// What was tried.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    by: By,
    /// Whether the token was accepted once.
    is_proven: bool,
    step_ups: u32,
    asked: HashSet<Vec<String>>,
    /// Why the last login came to nothing.
    pub(super) failed: Option<LoginError>,
}

impl Attempts {
    /// There is another token.
    pub(super) fn came(&mut self, by: By) {
        self.by = by;
        self.is_proven = false;
        self.failed = None;
    }

    /// The token was accepted.
    pub(super) fn proved(&mut self) {
        self.is_proven = true;
        self.step_ups = 0;
    }

    /// What helps against status 401.
    pub(super) fn remedy(&self) -> Remedy {
        match (self.by, self.is_proven) {
            (By::Keeping, _) | (_, true) => Remedy::Refresh,
            (By::Refresh, false) => Remedy::Login,
            (By::Login, false) => Remedy::Nothing,
        }
    }

    /// Whether a login for these scopes may help against status 403. It is counted.
    pub(super) fn may_step_up(&mut self, scopes: &Scopes) -> bool {
        if self.step_ups >= MOST || !self.asked.insert(scopes.sorted()) {
            return false;
        }
        self.step_ups += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_refreshed_once_then_there_is_a_login_and_then_it_is_over() {
        let mut attempts = Attempts::default();
        assert_eq!(attempts.remedy(), Remedy::Refresh);
        attempts.came(By::Refresh);
        assert_eq!(attempts.remedy(), Remedy::Login);
        attempts.came(By::Login);
        assert_eq!(attempts.remedy(), Remedy::Nothing);
        attempts.proved();
        assert_eq!(attempts.remedy(), Remedy::Refresh);
    }

    #[test]
    fn more_scopes_are_asked_for_once_each_and_three_times_in_a_row() {
        let mut attempts = Attempts::default();
        let mut may = |scopes: &str| attempts.may_step_up(&Scopes::read(scopes));
        assert!(may("a b"));
        assert!(!may("b a"), "these were asked for");
        assert!(may("a b c"));
        assert!(may("d"));
        assert!(!may("e"), "three in a row were for nothing");
        attempts.proved();
        let mut may = |scopes: &str| attempts.may_step_up(&Scopes::read(scopes));
        assert!(may("e"));
        assert!(!may("d"), "these were asked for");
    }
}

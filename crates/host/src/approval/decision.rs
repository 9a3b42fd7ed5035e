//! Whether one call may run.

use super::Mode;

/// What decides on one call of a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Subject {
    /// It is one of our helpers.
    pub helper: bool,
    /// The caller denies it.
    pub denied: bool,
    /// The caller's or the user's rules, or the server's definition, let it run unasked.
    pub allowed: bool,
    /// The user's rules want a question, whatever else would let it run.
    pub asked: bool,
    /// Its `readOnlyHint`.
    pub read_only: Option<bool>,
}

/// What is done about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It runs.
    Run,
    /// Somebody is asked, and it runs if they agree.
    Ask,
    /// It does not run, for this reason.
    Refuse(&'static str),
}

/// Decides on a call. A denial wins over a question, a question over a permission.
#[must_use]
pub fn decide(mode: Mode, subject: Subject) -> Decision {
    match (subject, mode) {
        (Subject { denied: true, .. }, _) => Decision::Refuse("the rules of this session deny it"),
        (Subject { helper: true, .. }, _) => Decision::Run,
        (_, Mode::Plan) => Decision::Refuse("in plan mode no tool of a server runs"),
        (Subject { asked: true, .. }, _) => Decision::Ask,
        (_, Mode::BypassPermissions) | (Subject { allowed: true, .. }, _) => Decision::Run,
        (Subject { read_only: Some(true), .. }, Mode::AcceptEdits) => Decision::Run,
        (_, Mode::Default | Mode::AcceptEdits) => Decision::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_rules_and_hints_decide_together() {
        let none = Subject::default();
        let reads = Subject { read_only: Some(true), ..none };
        let writes = Subject { read_only: Some(false), ..none };
        let allowed = Subject { allowed: true, ..none };
        let asked = Subject { asked: true, allowed: true, ..none };
        let helper = Subject { helper: true, ..none };
        let denied = Subject { denied: true, allowed: true, helper: true, ..none };
        let word = |mode, subject| match decide(mode, subject) {
            Decision::Run => "run",
            Decision::Ask => "ask",
            Decision::Refuse(_) => "no",
        };
        let rows = [
            ("nothing known", none, ["ask", "ask", "no", "run"]),
            ("reads", reads, ["ask", "run", "no", "run"]),
            ("writes", writes, ["ask", "ask", "no", "run"]),
            ("allowed", allowed, ["run", "run", "no", "run"]),
            ("to be asked", asked, ["ask", "ask", "no", "ask"]),
            ("a helper", helper, ["run", "run", "run", "run"]),
            ("denied", denied, ["no", "no", "no", "no"]),
        ];
        for (name, subject, expected) in rows {
            let modes = [Mode::Default, Mode::AcceptEdits, Mode::Plan, Mode::BypassPermissions];
            assert_eq!(modes.map(|mode| word(mode, subject)), expected, "{name}");
        }
    }
}

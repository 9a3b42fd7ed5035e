//! What would let a call run that did not, for a person at a command line.

use super::{Mode, Subject};

/// What would let the tool of this name run where nobody is there to ask.
pub(crate) fn remedy(mode: Mode, subject: Subject, name: &str) -> String {
    match (subject, mode) {
        (Subject { denied: true, .. }, _) => {
            "`--disallowedTools` or `deny` in [mcp.approval] names it".to_owned()
        }
        (_, Mode::Plan) => "another --permission-mode lets tools run".to_owned(),
        (Subject { asked: true, .. }, _) => {
            "`ask` in [mcp.approval] names it, and nobody can be asked".to_owned()
        }
        (_, mode) => {
            let reads = if mode == Mode::Default {
                ", --permission-mode acceptEdits tools that only read"
            } else {
                ""
            };
            format!("--allowedTools {name} lets it run{reads}, -y every tool")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Decision, decide};
    use super::*;

    #[test]
    fn what_is_named_lets_it_run() {
        let none = Subject::default();
        let rows = [
            (Mode::Default, none, "--allowedTools t lets it run, --permission-mode acceptEdits"),
            (Mode::AcceptEdits, none, "--allowedTools t lets it run, -y every tool"),
            (Mode::Plan, none, "another --permission-mode lets tools run"),
            (Mode::BypassPermissions, Subject { denied: true, ..none }, "`--disallowedTools` or `deny`"),
            (Mode::BypassPermissions, Subject { asked: true, ..none }, "`ask` in [mcp.approval] names it"),
            (Mode::Plan, Subject { asked: true, ..none }, "another --permission-mode lets tools run"),
        ];
        for (mode, subject, wanted) in rows {
            assert_ne!(decide(mode, subject), Decision::Run, "{wanted}");
            assert!(remedy(mode, subject, "t").starts_with(wanted), "{mode:?} {subject:?}");
        }
        assert_eq!(decide(Mode::Default, Subject { allowed: true, ..none }), Decision::Run);
        assert_eq!(decide(Mode::BypassPermissions, none), Decision::Run);
        assert_eq!(decide(Mode::AcceptEdits, Subject { read_only: Some(true), ..none }), Decision::Run);
    }
}

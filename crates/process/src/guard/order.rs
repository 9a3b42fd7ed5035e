//! The lines that a guard is told, one order each.

use std::fmt;

use rustix::process::Pid;

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order<'a> {
    /// A process with this token is about to be started.
    Intent(&'a str),
    /// It was not started.
    Failed(&'a str),
    /// This group exists; it is the one that was intended with this token.
    Group(Pid, &'a str),
    /// The same, and whoever carries the token belongs to it.
    Marked(Pid, &'a str),
    /// This group is empty, or only its leader is left, to be reaped after its end by force.
    Gone(Pid),
}

impl fmt::Display for Order<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Intent(token) => writeln!(f, "intent {token}"),
            Self::Failed(token) => writeln!(f, "failed {token}"),
            Self::Group(group, token) => writeln!(f, "group {} {token}", group.as_raw_nonzero()),
            Self::Marked(group, token) => writeln!(f, "marked {} {token}", group.as_raw_nonzero()),
            Self::Gone(group) => writeln!(f, "gone {}", group.as_raw_nonzero()),
        }
    }
}

impl<'a> Order<'a> {
    /// Reads a line. One that is not understood is none, so that it harms no group.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            ["intent", token] => Some(Self::Intent(token)),
            ["failed", token] => Some(Self::Failed(token)),
            ["group", group, token] => Some(Self::Group(parse_group(group)?, token)),
            ["marked", group, token] => Some(Self::Marked(parse_group(group)?, token)),
            ["gone", group] => Some(Self::Gone(parse_group(group)?)),
            _ => None,
        }
    }
}

fn parse_group(text: &str) -> Option<Pid> {
    // 1 is never a group of ours, and as `kill(-1)` would mean everybody.
    Pid::from_raw(text.parse::<i32>().ok().filter(|number| *number > 1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_survive_the_pipe() {
        let group = Pid::from_raw(4711).unwrap();
        for order in [
            Order::Intent("a1"),
            Order::Failed("a1"),
            Order::Group(group, "a1"),
            Order::Marked(group, "a1"),
            Order::Gone(group),
        ] {
            let line = order.to_string();
            assert!(line.ends_with('\n'));
            assert_eq!(Order::parse(&line), Some(order));
        }
    }

    #[test]
    fn what_could_mean_other_groups_is_not_understood() {
        for line in
            ["", "group", "group 1 t", "group 0 t", "group -5 t", "group 5", "gone 1", "gone x", "go 5"]
        {
            assert_eq!(Order::parse(line), None, "{line:?}");
        }
    }
}

//! Prints messages as server-sent events, in every form the format allows.

/// The form of the events of a stream (WHATWG HTML, 9.2.6).
#[derive(Clone)]
pub(super) struct Framing {
    /// Line ends, taken in turn.
    pub(super) ends: &'static [&'static str],
    /// JSON is spread over several data lines.
    pub(super) spread: bool,
    pub(super) named: bool,
    /// What stands after a colon.
    pub(super) space: &'static str,
}

impl Default for Framing {
    fn default() -> Framing {
        Framing { ends: &["\n"], spread: false, named: true, space: " " }
    }
}

impl Framing {
    /// The bytes of a message.
    pub(super) fn message(&self, id: Option<&str>, json: &str) -> Vec<u8> {
        let json = if self.spread { spread(json) } else { json.to_owned() };
        let mut fields = Vec::new();
        fields.extend(self.named.then_some(("event", "message")));
        fields.extend(id.map(|id| ("id", id)));
        fields.extend(json.split('\n').map(|part| ("data", part)));
        self.event(&fields)
    }

    /// The bytes of an event of these fields.
    pub(super) fn event(&self, fields: &[(&str, &str)]) -> Vec<u8> {
        let line = |(name, value): &(&str, &str)| format!("{name}:{}{value}", self.space);
        let lines = fields.iter().map(line).chain([String::new()]);
        let ends = self.ends.iter().cycle();
        lines.zip(ends).map(|(line, end)| line + end).collect::<String>().into_bytes()
    }
}

/// Breaks JSON after the commas and braces that stand outside strings, where white space is allowed.
fn spread(json: &str) -> String {
    let (mut text, mut inside, mut escaped) = (String::new(), false, false);
    for character in json.chars() {
        text.push(character);
        match character {
            '"' if !escaped => inside = !inside,
            ',' | '{' if !inside => text.push('\n'),
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_taken_in_turn() {
        let plain = Framing::default();
        assert_eq!(plain.message(Some("7"), "{}"), b"event: message\nid: 7\ndata: {}\n\n");
        let mixed = Framing { ends: &["\r\n", "\n", "\r"], space: "", ..plain };
        assert_eq!(mixed.message(None, "{}"), b"event:message\r\ndata:{}\n\r");
    }

    #[test]
    fn spread_json_is_the_same_json() {
        let json = r#"{"a":"x,{\"y\\","b":[1,{"c":2}]}"#;
        let whole: serde_json::Value = serde_json::from_str(json).unwrap();
        let text = spread(json);
        assert!(text.lines().count() > 3);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), whole);
    }
}

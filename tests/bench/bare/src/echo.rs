//! The text that a call sends and that comes back.

/// What the text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// Letters alone.
    Plain,
    /// JSON within the text, with something to escape about every six bytes.
    Escaped,
}

/// A piece, and how many bytes it has in a message.
const PLAIN: (&str, usize) = ("abcdefghijklmnopqrstuvwxyz012345", 32);
const ESCAPED: (&str, usize) = ("{\"key\": \"some value\", \"n\": 12345},\n", 42);

impl Echo {
    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "plain" => Some(Self::Plain),
            "esc" => Some(Self::Escaped),
            _ => None,
        }
    }

    /// A text that has so many bytes in a message.
    #[must_use]
    pub fn text(self, size: usize) -> String {
        let (piece, wire) = match self {
            Self::Plain => PLAIN,
            Self::Escaped => ESCAPED,
        };
        piece.repeat(size / wire) + &"x".repeat(size % wire)
    }

    /// The same, as it stands in a message.
    #[cfg(target_os = "linux")]
    pub(crate) fn written(self, size: usize) -> String {
        self.text(size).replace('"', "\\\"").replace('\n', "\\n")
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Echo;

    #[test]
    fn the_size_is_that_in_a_message() {
        for echo in [Echo::Plain, Echo::Escaped] {
            for size in [0, 31, 100, 1 << 16] {
                assert_eq!(echo.written(size).len(), size, "{echo:?}");
            }
        }
    }
}

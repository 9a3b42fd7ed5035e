//! A place in a JSON text that moves on from token to token (RFC 8259).

use std::borrow::Cow;

use super::unescape::{escaped, unescaped};
use crate::scan::plain;

/// The text is no JSON, or none that is read here.
#[derive(Debug)]
pub(super) struct Other;

/// A text, and how much of it was read.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The first byte of the next token.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, Other> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                byte => return Ok(*byte),
            }
        }
        Err(Other)
    }

    /// Goes past a token of one byte.
    #[inline]
    pub(super) fn pass(&mut self, token: u8) -> Result<(), Other> {
        if self.peek()? != token {
            return Err(Other);
        }
        self.at += 1;
        Ok(())
    }

    /// Goes past a comma, or up to `end`; false at the end. Before the first element there is no comma.
    #[inline]
    pub(super) fn next_of(&mut self, end: u8, is_first: bool) -> Result<bool, Other> {
        let token = self.peek()?;
        if token == end {
            return Ok(false);
        }
        if !is_first {
            self.pass(b',')?;
        }
        // A comma before the end is left to whoever reads what should stand there: nothing begins with `end`.
        Ok(true)
    }

    /// Goes past `true`, `false` or `null`.
    pub(super) fn literal(&mut self, word: &str) -> Result<(), Other> {
        self.peek()?;
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Other);
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads a string.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Other> {
        self.pass(b'"')?;
        let begin = self.at;
        let length = plain(&self.text.as_bytes()[begin..]);
        let end = begin + length;
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[begin..end]));
        }
        self.string_with_escapes(length)
    }

    /// Reads the rest of a string, of which so many bytes are plain.
    #[inline(never)]
    fn string_with_escapes(&mut self, plain: usize) -> Result<Cow<'a, str>, Other> {
        let (string, length) = unescaped(&self.text[self.at..], plain)?;
        self.at += length;
        Ok(Cow::Owned(string))
    }

    /// Reads a value of any kind as the text that it is. `deepest` is how many arrays and objects may be in one another.
    pub(super) fn value(&mut self, deepest: u8) -> Result<&'a str, Other> {
        self.peek()?;
        let begin = self.at;
        self.pass_value(deepest)?;
        Ok(&self.text[begin..self.at])
    }

    fn pass_value(&mut self, deepest: u8) -> Result<(), Other> {
        match self.peek()? {
            b'"' => self.pass_string(),
            b'{' => {
                let deepest = deepest.checked_sub(1).ok_or(Other)?;
                self.at += 1;
                let mut is_first = true;
                while self.next_of(b'}', is_first)? {
                    is_first = false;
                    self.pass_string()?;
                    self.pass(b':')?;
                    self.pass_value(deepest)?;
                }
                self.pass(b'}')
            }
            b'[' => {
                let deepest = deepest.checked_sub(1).ok_or(Other)?;
                self.at += 1;
                let mut is_first = true;
                while self.next_of(b']', is_first)? {
                    is_first = false;
                    self.pass_value(deepest)?;
                }
                self.pass(b']')
            }
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => self.pass_number(),
        }
    }

    fn pass_string(&mut self) -> Result<(), Other> {
        self.pass(b'"')?;
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let end = plain(rest);
            match rest.get(end) {
                Some(b'"') => {
                    self.at += end + 1;
                    return Ok(());
                }
                Some(b'\\') => self.at += end + escaped(&rest[end..])?.1,
                _ => return Err(Other),
            }
        }
    }

    fn pass_number(&mut self) -> Result<(), Other> {
        self.pass_if(|byte| byte == b'-');
        if self.pass_if(|byte| byte == b'0') == 0 {
            self.pass_digits()?;
        }
        if self.pass_if(|byte| byte == b'.') > 0 {
            self.pass_digits()?;
        }
        if self.pass_if(|byte| matches!(byte, b'e' | b'E')) > 0 {
            self.pass_if(|byte| matches!(byte, b'+' | b'-'));
            self.pass_digits()?;
        }
        Ok(())
    }

    fn pass_digits(&mut self) -> Result<(), Other> {
        let begin = self.at;
        while self.pass_if(|byte| byte.is_ascii_digit()) > 0 {}
        if self.at > begin { Ok(()) } else { Err(Other) }
    }

    /// How many bytes of that kind were passed: one or none.
    fn pass_if(&mut self, is_it: impl Fn(u8) -> bool) -> usize {
        let passed = usize::from(self.text.as_bytes().get(self.at).is_some_and(|byte| is_it(*byte)));
        self.at += passed;
        passed
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_err()
    }
}

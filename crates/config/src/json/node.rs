//! Parsed values with their byte ranges.

use std::ops::Range;

/// One value. The range counts from the start of the text without its byte order mark.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) data: Data,
}

#[derive(Debug, Clone)]
pub(crate) enum Data {
    Null,
    Bool(bool),
    /// As written: rewriting a file must not change a number.
    Number(String),
    String(String),
    Array(Vec<Node>),
    /// In the order of the text, duplicates included.
    Object(Vec<Member>),
    /// What only TOML has, by its name: a date, infinity.
    Foreign(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Node,
}

impl Node {
    /// A value that stands in no text.
    pub(crate) fn new(data: Data) -> Self {
        Self { span: 0..0, data }
    }

    pub(crate) fn string(text: &str) -> Self {
        Self::new(Data::String(text.to_owned()))
    }

    /// An object that stands in no text.
    pub(crate) fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Self)>) -> Self {
        let member = |(key, value): (K, Self)| Member { key: key.into(), key_span: 0..0, value };
        Self::new(Data::Object(members.into_iter().map(member).collect()))
    }

    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.data {
            Data::Object(members) => Some(members),
            _ => None,
        }
    }

    /// What it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "true or false",
            Data::Number(_) => "a number",
            Data::String(_) => "a string",
            Data::Array(_) => "an array",
            Data::Object(_) => "an object",
            Data::Foreign(kind) => kind,
        }
    }

    /// Whether two values are the same, wherever they stand: order of members counts.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Data::Null, Data::Null) => true,
            (Data::Bool(a), Data::Bool(b)) => a == b,
            (Data::Number(a), Data::Number(b)) | (Data::String(a), Data::String(b)) => a == b,
            (Data::Array(a), Data::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Data::Object(a), Data::Object(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && a.value.same(&b.value))
            }
            _ => false,
        }
    }
}

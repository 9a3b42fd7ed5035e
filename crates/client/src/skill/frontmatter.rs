//! What stands at the beginning of a `SKILL.md`, in YAML, and whether an entry says the same.

use codewhale_mcp_protocol::SkillFrontmatter;
use serde_json::{Map, Value};

/// What encloses it.
const FENCE: &str = "---";
/// The most letters of what the parser says.
const LONGEST_REASON: usize = 200;

/// What is wrong with the front matter of a skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontmatterFault {
    /// There is none.
    #[error("it does not begin with front matter between two lines `---`")]
    Missing,
    /// It cannot be read.
    #[error("its front matter cannot be read: {reason}")]
    Unreadable {
        /// Why, in the parser's words.
        reason: String,
    },
    /// The entry says something else.
    #[error("its front matter is not the one that was listed: they differ in {field:?}")]
    Differs {
        /// The first field that differs, with the names above it.
        field: String,
    },
}

/// How the front matter of a `SKILL.md` differs from what an entry says, field by field (SEP-2640, frontmatter
/// verification). Numbers are compared by their values, since JSON does not keep how YAML wrote them.
#[must_use]
pub fn frontmatter_fault(text: &str, listed: &SkillFrontmatter) -> Option<FrontmatterFault> {
    let written = match written(text) {
        Ok(written) => written,
        Err(fault) => return Some(fault),
    };
    let listed = match serde_json::to_value(listed) {
        Ok(listed) => listed,
        Err(error) => return Some(unreadable(&error)),
    };
    difference(&listed, &Value::Object(written)).map(|field| FrontmatterFault::Differs { field })
}

fn written(text: &str) -> Result<Map<String, Value>, FrontmatterFault> {
    let yaml = enclosed(text.strip_prefix('\u{feff}').unwrap_or(text)).ok_or(FrontmatterFault::Missing)?;
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: 32,
            max_nodes: 10_000,
            max_documents: 1,
            max_aliases: 100,
            max_anchors: 100,
            max_merge_keys: 0,
            max_total_scalar_bytes: 1 << 20,
        },
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(yaml, options).map_err(|error| unreadable(&error))
}

/// What stands between the first line, which has to be a fence, and the next one.
fn enclosed(text: &str) -> Option<&str> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == FENCE)?;
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == FENCE {
            return Some(&text[first.len()..end]);
        }
        end += line.len();
    }
    None
}

fn unreadable(error: &impl ToString) -> FrontmatterFault {
    let reason = error.to_string();
    let line = reason.lines().next().unwrap_or_default();
    FrontmatterFault::Unreadable { reason: line.chars().take(LONGEST_REASON).collect() }
}

/// The first field in which two values differ. Empty where they differ as wholes.
fn difference(listed: &Value, written: &Value) -> Option<String> {
    let (Value::Object(listed), Value::Object(written)) = (listed, written) else {
        return (!same(listed, written)).then(String::new);
    };
    let fields = listed.keys().chain(written.keys());
    fields.into_iter().find_map(|field| {
        let below = match (listed.get(field), written.get(field)) {
            (Some(listed), Some(written)) => difference(listed, written)?,
            _ => String::new(),
        };
        Some(if below.is_empty() { field.clone() } else { format!("{field}.{below}") })
    })
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(_), Value::Object(_)) => difference(one, other).is_none(),
        _ => one == other,
    }
}

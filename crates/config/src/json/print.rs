//! Nodes as text.

use super::{Data, Member, Node};

/// How a file is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Style {
    /// One member a line.
    Broken {
        /// `\n` or `\r\n`.
        newline: &'static str,
        /// The indentation of the line the value starts on.
        indent: String,
        /// One step of indentation.
        unit: String,
    },
    /// Everything on one line.
    Inline {
        /// A blank, or nothing, behind `:` and `,`.
        gap: &'static str,
    },
}

/// Prints `"key": value`. Objects break over lines in the broken style, arrays only if they hold more than plain values.
pub(crate) fn print_member(key: &str, value: &Node, style: &Style) -> String {
    let mut out = String::new();
    push_string(&mut out, key);
    out.push(':');
    out.push_str(match style {
        Style::Broken { .. } => " ",
        Style::Inline { gap } => gap,
    });
    push(&mut out, value, style);
    out
}

pub(crate) fn push(out: &mut String, node: &Node, style: &Style) {
    match &node.data {
        Data::Null | Data::Foreign(_) => out.push_str("null"),
        Data::Bool(true) => out.push_str("true"),
        Data::Bool(false) => out.push_str("false"),
        Data::Number(number) => out.push_str(number),
        Data::String(text) => push_string(out, text),
        Data::Array(elements) => {
            let plain = |e: &Node| !matches!(e.data, Data::Array(_) | Data::Object(_));
            let style = match style {
                Style::Broken { .. } if elements.iter().all(plain) => &Style::Inline { gap: " " },
                style => style,
            };
            push_list(out, elements, ['[', ']'], style, push);
        }
        Data::Object(members) => push_list(out, members, ['{', '}'], style, |out, member: &Member, style| {
            out.push_str(&print_member(&member.key, &member.value, style));
        }),
    }
}

fn push_list<T>(
    out: &mut String,
    items: &[T],
    [open, close]: [char; 2],
    style: &Style,
    push_item: impl Fn(&mut String, &T, &Style),
) {
    out.push(open);
    match style {
        Style::Broken { newline, indent, unit } if !items.is_empty() => {
            let inner = Style::Broken { newline, indent: format!("{indent}{unit}"), unit: unit.clone() };
            for (at, item) in items.iter().enumerate() {
                out.extend([if at == 0 { "" } else { "," }, newline, indent, unit]);
                push_item(out, item, &inner);
            }
            out.extend([newline, indent.as_str()]);
        }
        Style::Broken { .. } => {}
        Style::Inline { gap } => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.extend([",", gap]);
                }
                push_item(out, item, style);
            }
        }
    }
    out.push(close);
}

/// The one text of a value, whatever its layout and the order of its members; for hashes.
pub(crate) fn canonical(node: &Node) -> String {
    let mut out = String::new();
    push(&mut out, &sorted(node), &Style::Inline { gap: "" });
    out
}

fn sorted(node: &Node) -> Node {
    Node::new(match &node.data {
        Data::Array(elements) => Data::Array(elements.iter().map(sorted).collect()),
        Data::Object(members) => {
            let sort = |m: &Member| Member { value: sorted(&m.value), ..m.clone() };
            let mut members: Vec<Member> = members.iter().map(sort).collect();
            members.sort_by(|a, b| a.key.cmp(&b.key));
            Data::Object(members)
        }
        plain => plain.clone(),
    })
}

fn push_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

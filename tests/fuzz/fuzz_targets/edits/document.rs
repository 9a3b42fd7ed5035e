//! Documents that are laid out in any way: bytes choose what stands where.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

const GAPS: &[&str] = &[
    "",
    " ",
    "\n",
    "\n  ",
    "\n    ",
    "\t",
    "\r\n",
    "\r",
    "/* c, \"new\": { */",
    "// it's a, } comment\n",
    "// c\r\n",
    "// c\r",
    "\u{a0}",
    "\u{b}",
];
const PLAIN: &[&str] =
    &["true", "false", "null", "7.50", "\"a // b\"", "\"\\u00e9\\\"\"", "[]", "{}", "[1,\n]"];
const ROOT: &[&str] = &["servers", "mcpServers", "timeouts", "x"];
const NAMES: &[&str] = &["a", "b.c", "new", "\\u0061"];
const MEMBERS: &[&str] = &["command", "url", "args", "disabled", "enabled", "env", "x"];
const PASTED: &[&str] = &[
    "",
    r#"{"command":"npx","args":["-y","@x/files"],"env":{"A":"b"}}"#,
    r#"{"url":"https://h.test/mcp","headers":{},"deep":[{"a":{}}]}"#,
];

/// An input for the target: a document, a pasted definition and a name.
pub(crate) fn input(choices: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    if choices.ratio(1, 8)? {
        text.push('\u{feff}');
    }
    gap(&mut text, choices)?;
    object(&mut text, choices, &[ROOT, NAMES, MEMBERS, MEMBERS])?;
    gap(&mut text, choices)?;
    Ok(format!("{text}\n---\n{}\n---\n{}", choices.choose(PASTED)?, choices.choose(&["new", "a"])?))
}

/// An object whose keys, and those of the objects within it, are chosen from these.
fn object(text: &mut String, choices: &mut Unstructured<'_>, keys: &[&[&str]]) -> Result<()> {
    let count = choices.int_in_range(0..=3)?;
    text.push('{');
    for at in 1..=count {
        gap(text, choices)?;
        text.extend(["\"", choices.choose(keys[0])?, "\""]);
        gap(text, choices)?;
        text.push(':');
        gap(text, choices)?;
        if keys.len() > 1 && choices.ratio(3, 4)? {
            object(text, choices, &keys[1..])?;
        } else {
            text.push_str(choices.choose(PLAIN)?);
        }
        gap(text, choices)?;
        if at < count || choices.ratio(1, 3)? {
            text.push(',');
        }
    }
    gap(text, choices)?;
    text.push('}');
    Ok(())
}

fn gap(text: &mut String, choices: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..choices.int_in_range(0..=2)? {
        text.push_str(choices.choose(GAPS)?);
    }
    Ok(())
}

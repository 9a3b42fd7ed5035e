//! A form with every kind of field that the revision knows.

/// The params of an `elicitation/create`.
pub(super) fn params(revision: &str) -> String {
    let message = r#""message":"Please fill in all of this""#;
    if revision >= "2025-11-25" {
        return format!(
            r#"{{"mode":"form",{message},"requestedSchema":{{"type":"object","properties":{{{}}},"required":["name","age","size","tags"]}}}}"#,
            [PLAIN, DEFAULTS, CHOICES].concat()
        );
    }
    format!(
        r#"{{{message},"requestedSchema":{{"type":"object","properties":{{{}}},"required":["name","age","pet"]}}}}"#,
        [PLAIN, OLD].concat()
    )
}

const PLAIN: &str = r#""name":{"type":"string","title":"Name","description":"your own","minLength":2,"maxLength":10},"email":{"type":"string","format":"email"},"site":{"type":"string","format":"uri"},"day":{"type":"string","format":"date"},"moment":{"type":"string","format":"date-time"},"age":{"type":"integer","minimum":0,"maximum":150},"ratio":{"type":"number","minimum":0.5},"agree":{"type":"boolean","title":"Agreed","default":true},"pet":{"type":"string","enum":["c","d"],"enumNames":["Cat","Dog"]}"#;
/// Defaults of these types came with 2025-11-25.
const DEFAULTS: &str = r#","city":{"type":"string","default":"Paris"},"count":{"type":"integer","default":3},"share":{"type":"number","default":0.25}"#;
const CHOICES: &str = r##","size":{"type":"string","enum":["S","M","L"],"default":"M"},"colour":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"}]},"tags":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]}},"moods":{"type":"array","items":{"anyOf":[{"const":"h","title":"Happy"},{"const":"s","title":"Sad"}]},"default":["h"]}"##;
const OLD: &str = r#","size":{"type":"string","enum":["S","M","L"]}"#;

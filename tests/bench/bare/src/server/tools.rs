//! Lists of generated tools, written once.

use std::fmt::Write as _;

/// What stands at the end of a modern result.
pub(super) const MODERN_LIST: &str = r#","resultType":"complete","ttlMs":0,"cacheScope":"private""#;

/// The results of `tools/list`, `page` tools in each, or all in one where that is zero. The cursor of a page is its
/// number.
pub(super) fn pages(count: usize, page: usize, modern: bool) -> Vec<Vec<u8>> {
    let each = if page == 0 { count.max(1) } else { page };
    let begins = (0..count.max(1)).step_by(each);
    begins
        .enumerate()
        .map(|(number, begin)| {
            let end = count.min(begin + each);
            let tools: Vec<_> = (begin..end).map(tool).collect();
            let mut text = format!(r#"{{"tools":[{}]"#, tools.join(","));
            if end < count {
                let _ = write!(text, r#","nextCursor":"{}""#, number + 1);
            }
            if modern {
                text.push_str(MODERN_LIST);
            }
            text.push('}');
            text.into_bytes()
        })
        .collect()
}

fn tool(number: usize) -> String {
    let name = if number == 0 { "echo".to_owned() } else { format!("tool_{number:06}") };
    let schema = r#"{"type":"object","properties":{"text":{"type":"string","description":"The text to echo"},"count":{"type":"integer","minimum":0,"maximum":100}},"required":["text"]}"#;
    format!(
        r#"{{"name":"{name}","title":"Tool number {number}","description":"Echoes the given text back to the caller, tool number {number} of a generated set.","inputSchema":{schema},"annotations":{{"readOnlyHint":true}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::pages;

    #[test]
    fn each_page_but_the_last_names_the_next() {
        let pages: Vec<_> =
            pages(5, 2, false).into_iter().map(|page| String::from_utf8(page).unwrap()).collect();
        assert_eq!(pages.len(), 3);
        assert!(pages[0].contains(r#""name":"echo""#) && pages[0].ends_with(r#"],"nextCursor":"1"}"#));
        assert!(pages[1].contains(r#""name":"tool_000003""#) && pages[1].ends_with(r#"],"nextCursor":"2"}"#));
        assert!(pages[2].contains(r#""name":"tool_000004""#) && pages[2].ends_with("}}]}"));
    }

    #[test]
    fn without_pages_all_are_in_one() {
        assert_eq!(pages(5, 0, true).len(), 1);
        assert_eq!(pages(0, 0, false), [br#"{"tools":[]}"#]);
    }
}

//! How a list is cut into pages, rightly and wrongly.

/// The way every list of the server is cut.
#[derive(Clone, Copy)]
pub(crate) enum Paging {
    Whole,
    /// So many entries a page.
    Size(usize),
    /// As `Size`, but every page after the first is refused.
    SecondPageFails(usize),
    /// The whole list for ever, with cursors that come round after so many.
    Endless(usize),
    /// The whole list with the cursor `""`, each time it is asked.
    EmptyCursor,
    /// Two pages, the second reached by the cursor `""`.
    EmptyCursorThenEnd,
    /// The whole list with the cursor `null`.
    NullCursor,
}

/// One page.
pub(super) struct Page<'a> {
    items: &'a [String],
    /// The raw value of `nextCursor`.
    next: Option<String>,
}

impl Page<'_> {
    /// The inside of the result object that holds the items under `name`.
    pub(super) fn members(&self, name: &str) -> String {
        let next = self.next.as_ref().map(|next| format!(r#","nextCursor":{next}"#)).unwrap_or_default();
        format!(r#""{name}":[{}]{next}"#, self.items.join(","))
    }
}

impl Paging {
    pub(super) fn page<'a>(self, items: &'a [String], cursor: Option<&str>) -> Result<Page<'a>, String> {
        let whole = |next: Option<&str>| Ok(Page { items, next: next.map(str::to_owned) });
        match self {
            Paging::Whole => whole(None),
            Paging::NullCursor => whole(Some("null")),
            Paging::EmptyCursor => whole(Some(r#""""#)),
            Paging::EmptyCursorThenEnd => {
                let (first, second) = items.split_at(items.len() / 2);
                Ok(match cursor {
                    None => Page { items: first, next: Some(r#""""#.to_owned()) },
                    Some(_) => Page { items: second, next: None },
                })
            }
            Paging::Endless(period) => {
                let turn: usize =
                    cursor.and_then(|text| text.strip_prefix("turn-")?.parse().ok()).unwrap_or(0);
                whole(Some(&format!(r#""turn-{}""#, turn % period + 1)))
            }
            Paging::SecondPageFails(_) if cursor.is_some() => Err("this page cannot be read".to_owned()),
            Paging::Size(size) | Paging::SecondPageFails(size) => {
                let start = start_of(cursor)?;
                let end = (start + size).min(items.len());
                let next = (end < items.len()).then(|| format!(r#""from-{end}""#));
                items
                    .get(start..end)
                    .map(|items| Page { items, next })
                    .ok_or_else(|| "invalid cursor".to_owned())
            }
        }
    }
}

fn start_of(cursor: Option<&str>) -> Result<usize, String> {
    let Some(cursor) = cursor else { return Ok(0) };
    let number = cursor.strip_prefix("from-").and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("invalid cursor {cursor}"))
}

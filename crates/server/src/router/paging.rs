//! A page of a list (MCP 2026-07-28, server/utilities/pagination).

use std::ops::Range;

use serde_json::value::RawValue;

use crate::Failure;
use crate::incoming::text;

/// Where the page of a list stands that has so many entries, and where the next one begins.
pub(crate) fn page(
    entries: usize,
    cursor: Option<&RawValue>,
    size: usize,
) -> Result<(Range<usize>, Option<String>), Failure> {
    let unknown = || Failure::invalid_params("there is no page at this cursor");
    let start = match cursor.filter(|cursor| cursor.get() != "null") {
        None => 0,
        Some(cursor) => {
            let cursor = text(Some(cursor)).ok_or_else(unknown)?;
            let start: usize = cursor.parse().map_err(|_| unknown())?;
            // Only what was given out, and that is never the beginning.
            let given =
                start > 0 && start < entries && start.is_multiple_of(size) && start.to_string() == *cursor;
            if given { start } else { return Err(unknown()) }
        }
    };
    let end = entries.min(start.saturating_add(size));
    Ok((start..end, (end < entries).then(|| end.to_string())))
}

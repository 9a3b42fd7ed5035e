//! A stream as it arrives.

/// Cuts a text by sizes that come again and again; an empty chunk is one too.
pub(crate) fn chunks(mut text: &[u8], sizes: [u8; 4]) -> Vec<&[u8]> {
    if sizes == [0; 4] {
        return vec![text];
    }
    let mut chunks = Vec::new();
    for size in sizes.into_iter().cycle() {
        let (chunk, rest) = text.split_at(usize::from(size).min(text.len()));
        chunks.push(chunk);
        text = rest;
        if text.is_empty() {
            break;
        }
    }
    chunks
}

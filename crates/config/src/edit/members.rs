//! Puts a member into an object, or takes it out.
//!
//! A member that is put in comes last. Taking it out again gives the text from before, byte by byte. That leaves one
//! choice to encode: an empty object `{}` in a file of several lines is opened over lines, and closed again when its
//! only member goes; an empty object that was open already keeps its line break, and so gets a blank line before its
//! first member, by which it is told apart later.

use super::layout::{Layout, has_newline, newlines};
use super::splice::Splice;
use crate::json::{Node, Style, TokenKind, print_member};

/// Puts a member behind the last one.
pub(super) fn insert(layout: &Layout<'_>, object: &Node, key: &str, value: &Node) -> Vec<Splice> {
    let (open, close) = (object.span.start + 1, object.span.end - 1);
    let members = object.members().unwrap_or_default();
    let last = members.last();
    let after = last.map_or(open, |last| last.value.span.end);
    let tail = layout.tokens(after..close);
    let at = tail.last().map_or(after, |token| token.span.end);
    let blanks = &layout.text[at..close];
    let ends_in_line_comment = tail.last().is_some_and(|token| token.kind == TokenKind::LineComment);
    let has_trailing_comma = tail.iter().any(|token| token.kind == TokenKind::Comma);
    let is_bare = last.is_none() && tail.is_empty();

    let is_broken = match last {
        Some(last) => {
            let before = members.iter().rev().nth(1).map_or(open, |member| member.value.span.end);
            has_newline(&layout.text[before..last.key_span.start]) || ends_in_line_comment
        }
        None if is_bare && blanks.is_empty() => has_newline(layout.text.trim()),
        None => has_newline(blanks),
    };
    let mut text = String::new();
    if is_broken {
        let outer = layout.line_indent(object.span.start);
        let beside = last.and_then(|last| layout.own_indent(last.key_span.start));
        let indent = beside.map_or_else(|| format!("{outer}{}", layout.unit), str::to_owned);
        let style = match last {
            Some(last) if layout.is_inline(&last.value) => Style::Inline { gap: layout.gap },
            _ => layout.broken(&indent),
        };
        if is_bare && !blanks.is_empty() {
            text.push_str(layout.newline);
        }
        text.extend([layout.newline, &indent, &print_member(key, value, &style)]);
        if is_bare && blanks.is_empty() {
            text.extend([layout.newline, outer]);
        }
    } else {
        text.push_str(match is_bare {
            true => blanks,
            false => layout.gap,
        });
        text.push_str(&print_member(key, value, &Style::Inline { gap: layout.gap }));
    }
    if has_trailing_comma {
        text.push(',');
    }
    let mut splices = Vec::new();
    if last.is_some() && !has_trailing_comma {
        splices.push(Splice::insert(after, ","));
    }
    splices.push(Splice::insert(at, text));
    splices
}

/// Takes a member out, with the comma and the blanks that come with it. Comments stay.
pub(super) fn remove(layout: &Layout<'_>, object: &Node, index: usize) -> Vec<Splice> {
    let (open, close) = (object.span.start + 1, object.span.end - 1);
    let members = object.members().unwrap_or_default();
    let (start, end) = (members[index].key_span.start, members[index].value.span.end);
    let from = index.checked_sub(1).map_or(open, |previous| members[previous].value.span.end);
    let to = members.get(index + 1).map_or(close, |next| next.key_span.start);
    let is_last = index + 1 == members.len();
    let (before, after) = (layout.tokens(from..start), layout.tokens(end..to));
    let is_comma = |token: &&crate::json::Token| token.kind == TokenKind::Comma;
    let own_comma = after.iter().find(is_comma);

    let mut splices = Vec::new();
    // What stands directly behind the member once it is gone.
    let mut behind = end;
    match own_comma {
        Some(comma) if after.first().is_some_and(|first| is_comma(&first)) => behind = comma.span.end,
        Some(comma) => splices.push(Splice::cut(comma.span.clone())),
        None => splices.extend(before.iter().find(is_comma).map(|comma| Splice::cut(comma.span.clone()))),
    }
    let left_start = before.last().map_or(from, |token| token.span.end);
    let left = &layout.text[left_start..start];
    let rest = &layout.text[behind..close];
    let right = &rest[..rest.len() - rest.trim_start().len()];

    let has_comments = before.iter().chain(after).any(|token| token.kind != TokenKind::Comma);
    if members.len() == 1 && !has_comments && newlines(left) == 1 && has_newline(right) {
        return vec![Splice::cut(open..close)];
    }
    let behind_line_comment = before.last().is_some_and(|token| token.kind == TokenKind::LineComment);
    let keeps_left = match behind_line_comment {
        // What moves up behind the comment must not become part of it.
        true => !right.starts_with(['\n', '\r']),
        false => has_newline(left) && !has_newline(right) && !is_last,
    };
    splices.push(match (keeps_left, is_last) {
        (false, _) => Splice::cut(left_start..behind),
        (true, true) => Splice::cut(start..behind),
        (true, false) => Splice::cut(start..behind + right.len()),
    });
    splices
}

/// Gives a member another value.
pub(super) fn replace(layout: &Layout<'_>, object: &Node, index: usize, value: &Node) -> Vec<Splice> {
    let member = &object.members().unwrap_or_default()[index];
    let style = match layout.own_indent(member.key_span.start) {
        Some(indent) if !layout.is_inline(&member.value) => layout.broken(indent),
        _ if has_newline(&layout.text[member.value.span.clone()]) => {
            layout.broken(layout.line_indent(member.key_span.start))
        }
        _ => Style::Inline { gap: layout.gap },
    };
    let mut text = String::new();
    crate::json::push(&mut text, value, &style);
    vec![Splice { range: member.value.span.clone(), text }]
}

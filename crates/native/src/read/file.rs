//! The tool `read_file`.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use encoding_rs_io::DecodeReaderBytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lines::{LONGEST, Line, read_line};
use super::media::media_type;
use crate::Fault;
use crate::fault::count;
use crate::stop::{Stop, Watched};
use crate::workspace::{Workspace, shown};

/// Lines that are read where nothing else is asked for.
const LINES: u64 = 2000;
/// The most bytes of text in one answer.
const TEXT: usize = 256 * 1024;
/// The most bytes of one line.
const LINE: usize = 16 * 1024;
/// The most bytes of an answer that is no text.
const BYTES: u64 = 512 * 1024;
/// How far a NUL byte is looked for.
const HEAD: u64 = 8 * 1024;

/// What `read_file` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadFile {
    /// The file, relative to the workspace
    pub path: String,
    /// The first line to read, from 1 on; with `as: "base64"` the first byte, from 0 on. An answer that is not the
    /// whole file says in `next_offset` where to go on
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub offset: Option<u64>,
    /// How many lines to read, 2000 unless given; with `as: "base64"` how many bytes
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub limit: Option<u64>,
    /// `text` unless given; `base64` reads bytes as they are, for images and other files that are no text
    #[serde(default, rename = "as")]
    pub form: As,
}

/// In which form a file is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum As {
    /// Lines of text
    #[default]
    Text,
    /// Bytes
    Base64,
}

/// What `read_file` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileRead {
    /// Where the file really is, relative to the workspace
    pub path: String,
    /// Bytes of the whole file
    pub size: u64,
    /// The text, with the ends of its lines as they are
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The number of the first line of `text`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_line: Option<u64>,
    /// Lines of `text`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// The encoding, where it is not UTF-8
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// How many places were not UTF-8 and are shown as U+FFFD
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<u64>,
    /// Lines that were too long and are cut in `text`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_lines: Vec<u64>,
    /// The bytes, in base64. They are content of the answer, and not written here once more
    #[serde(skip)]
    pub base64: Option<String>,
    /// What the bytes are, by the name of the file
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Where to go on; absent at the end of the file
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
}

/// Reads a page of a file.
///
/// # Errors
/// What a model can mend: a path that is not served, a file that is no text, an argument out of range.
pub fn read_file(workspace: &Workspace, asked: &ReadFile, stop: &Stop) -> Result<FileRead, Fault> {
    let place = workspace.place(&asked.path)?;
    let file = place.open(&asked.path)?;
    let size = file.metadata().map_err(Fault::system("read", &asked.path))?.len();
    if asked.limit == Some(0) {
        return Err(Fault::argument("limit", "it must be 1 or more"));
    }
    let read = FileRead { path: shown(&place.path), size, ..FileRead::default() };
    match asked.form {
        As::Text => text(file, asked, read, stop),
        As::Base64 => {
            let media_type = media_type(&place.path).map(ToOwned::to_owned);
            bytes(file, asked, FileRead { media_type, ..read })
        }
    }
}

fn text(mut file: File, asked: &ReadFile, mut read: FileRead, stop: &Stop) -> Result<FileRead, Fault> {
    let first = asked.offset.unwrap_or(1);
    if first == 0 {
        return Err(Fault::argument("offset", "lines count from 1"));
    }
    let system = |error| match stop.check() {
        Ok(()) => Fault::system("read", &asked.path)(error),
        Err(cancelled) => cancelled,
    };
    let mut head = Vec::new();
    (&mut file).take(HEAD).read_to_end(&mut head).map_err(&system)?;
    read.encoding = wide(&head).map(ToOwned::to_owned);
    if read.encoding.is_none()
        && let Some(at) = memchr::memchr(0, &head)
    {
        return Err(Fault::Binary { path: asked.path.clone(), at, size: read.size });
    }
    let begun = usize::from(head.starts_with(&[0xef, 0xbb, 0xbf])) * 3;
    let whole = Watched { from: Cursor::new(head.split_off(begun)).chain(file), stop };
    let reader: Box<dyn Read> = match &read.encoding {
        Some(_) => Box::new(DecodeReaderBytes::new(whole)),
        None => Box::new(whole),
    };
    let mut reader = BufReader::with_capacity(64 * 1024, reader);

    let next = |reader: &mut BufReader<_>, number: u64, keep, kept: &mut Vec<u8>| {
        stop.check()?;
        match read_line(reader, keep, kept).map_err(&system)? {
            Some(Line { bytes, .. }) if bytes > LONGEST => {
                Err(Fault::LongLine { path: asked.path.clone(), line: number, limit: LONGEST })
            }
            line => Ok(line),
        }
    };
    for line in 1..first {
        if next(&mut reader, line, 0, &mut Vec::new())?.is_none() {
            let reason = format!("`{}` has {}", asked.path, count(line - 1, "line"));
            return Err(Fault::argument("offset", reason));
        }
    }
    let (mut kept, mut lines) = (Vec::new(), 0);
    let limit = asked.limit.unwrap_or(LINES);
    while lines < limit && kept.len() + LINE <= TEXT {
        let Some(line) = next(&mut reader, first + lines, LINE, &mut kept)? else { break };
        if line.cut {
            read.cut_lines.push(first + lines);
        }
        lines += 1;
    }
    if !reader.fill_buf().map_err(&system)?.is_empty() {
        read.next_offset = Some(first + lines);
    }
    let invalid = kept.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    read.invalid = (invalid > 0).then_some(invalid as u64);
    read.text = Some(String::from_utf8_lossy(&kept).into_owned());
    (read.first_line, read.lines) = (Some(first), Some(lines));
    Ok(read)
}

/// The encoding that a mark at the beginning names, if its characters are wider than bytes.
fn wide(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xff, 0xfe, ..] => Some("UTF-16LE"),
        [0xfe, 0xff, ..] => Some("UTF-16BE"),
        _ => None,
    }
}

fn bytes(mut file: File, asked: &ReadFile, mut read: FileRead) -> Result<FileRead, Fault> {
    let system = Fault::system("read", &asked.path);
    let offset = asked.offset.unwrap_or(0);
    if offset > read.size {
        return Err(Fault::argument("offset", format!("`{}` has {}", asked.path, count(read.size, "byte"))));
    }
    file.seek(SeekFrom::Start(offset)).map_err(&system)?;
    let mut kept = Vec::new();
    let limit = asked.limit.unwrap_or(BYTES).min(BYTES);
    file.take(limit).read_to_end(&mut kept).map_err(&system)?;
    let end = offset + kept.len() as u64;
    read.next_offset = (end < read.size).then_some(end);
    read.base64 = Some(STANDARD.encode(kept));
    Ok(read)
}

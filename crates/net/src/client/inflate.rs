//! Bodies that were made smaller on their way: gzip (RFC 1952) and deflate (RFC 1950, and RFC 1951 bare, which some
//! servers take it for).

use bytes::{Buf, Bytes, BytesMut};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// The most that comes out at once, however much is in a chunk.
const STEP: usize = 32 * 1024;

/// Takes compressed chunks and gives what was in them, as soon as it can be known.
pub(super) struct Inflate {
    stage: Stage,
    form: Form,
    /// Bytes of a header or a trailer that is not whole yet.
    part: Vec<u8>,
    inflate: Decompress,
    crc: Crc,
    input: Bytes,
    output: BytesMut,
}

/// How the compressed data is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Gzip,
    Deflate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Data,
    Trailer,
    End,
}

/// The longest header of a gzip member: it may carry a name and a comment.
const HEADER_LIMIT: usize = 64 * 1024;

impl Inflate {
    pub(super) fn new(form: Form) -> Self {
        Self {
            stage: Stage::Header,
            form,
            part: Vec::new(),
            inflate: Decompress::new(false),
            crc: Crc::new(),
            input: Bytes::new(),
            output: BytesMut::new(),
        }
    }

    /// Takes the next chunk. The last one must have been used up.
    pub(super) fn push(&mut self, chunk: Bytes) {
        debug_assert!(self.input.is_empty(), "chunks are used up in their order");
        self.input = chunk;
    }

    /// What can be known by now, `None` when that is nothing.
    pub(super) fn pull(&mut self) -> Result<Option<Bytes>, &'static str> {
        loop {
            match self.stage {
                Stage::Header => {
                    if self.input.is_empty() || !self.header()? {
                        return Ok(None);
                    }
                    self.stage = Stage::Data;
                }
                Stage::Data => {
                    if let Some(bytes) = self.data()? {
                        return Ok(Some(bytes));
                    }
                    if self.stage == Stage::Data {
                        return Ok(None);
                    }
                }
                Stage::Trailer => {
                    if !self.trailer()? {
                        return Ok(None);
                    }
                    self.stage = Stage::End;
                }
                // A gzip body may have several members.
                Stage::End if self.form == Form::Gzip && !self.input.is_empty() => {
                    self.inflate.reset(false);
                    self.crc.reset();
                    self.stage = Stage::Header;
                }
                Stage::End => {
                    self.input.clear();
                    return Ok(None);
                }
            }
        }
    }

    /// Whether the body may end here.
    pub(super) fn is_whole(&self) -> bool {
        self.stage == Stage::End || (self.stage == Stage::Header && self.part.is_empty())
    }

    /// Whether the header is behind us.
    fn header(&mut self) -> Result<bool, &'static str> {
        self.part.extend_from_slice(&self.input);
        let length = match self.form {
            Form::Gzip => gzip_header(&self.part)?,
            Form::Deflate => (self.part.len() >= 2).then_some(0),
        };
        let Some(length) = length else {
            self.input.clear();
            return if self.part.len() > HEADER_LIMIT {
                Err("its gzip header has no end")
            } else {
                Ok(false)
            };
        };
        if self.form == Form::Deflate {
            self.inflate = Decompress::new(is_zlib(&self.part));
        }
        self.input = std::mem::take(&mut self.part).into();
        self.input.advance(length);
        Ok(true)
    }

    fn data(&mut self) -> Result<Option<Bytes>, &'static str> {
        self.output.resize(STEP, 0);
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self
            .inflate
            .decompress(&self.input, &mut self.output, FlushDecompress::None)
            .map_err(|_| "its compressed data is damaged")?;
        let past = |total: u64, before: u64| usize::try_from(total - before).expect("it fits a buffer");
        self.input.advance(past(self.inflate.total_in(), read));
        let bytes = self.output.split_to(past(self.inflate.total_out(), written)).freeze();
        if status == Status::StreamEnd {
            self.stage = if self.form == Form::Gzip { Stage::Trailer } else { Stage::End };
        }
        if self.form == Form::Gzip {
            self.crc.update(&bytes);
        }
        Ok((!bytes.is_empty()).then_some(bytes))
    }

    /// Whether the trailer is behind us: CRC and size of what came out.
    fn trailer(&mut self) -> Result<bool, &'static str> {
        let missing = (8 - self.part.len()).min(self.input.len());
        self.part.extend_from_slice(&self.input.split_to(missing));
        let Ok(trailer) = <[u8; 8]>::try_from(&self.part[..]) else { return Ok(false) };
        self.part.clear();
        let sum = u32::from_le_bytes([trailer[0], trailer[1], trailer[2], trailer[3]]);
        let size = u32::from_le_bytes([trailer[4], trailer[5], trailer[6], trailer[7]]);
        if (sum, size) == (self.crc.sum(), self.crc.amount()) {
            Ok(true)
        } else {
            Err("its checksum is wrong")
        }
    }
}

/// The length of a gzip header, `None` when it is not whole yet (RFC 1952, section 2.3).
fn gzip_header(bytes: &[u8]) -> Result<Option<usize>, &'static str> {
    let magic = [0x1f, 0x8b, 8];
    if bytes.iter().zip(magic).any(|(byte, magic)| *byte != magic) {
        return Err("it is not compressed the way it says");
    }
    Ok(gzip_header_end(bytes))
}

fn gzip_header_end(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        let extra = bytes.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    // Name and comment, each with a zero at its end.
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (bytes.len() >= at).then_some(at)
}

fn is_zlib(bytes: &[u8]) -> bool {
    let [first, second, ..] = *bytes else { return false };
    first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0
}

//! Records that are compressed: their names end in `.zst`.
//!
//! The name decides, not the content. Each file carries a checksum: a damaged one is an error.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use zstd::stream::{Decoder, Encoder};

/// Whether a file of that name is compressed.
pub fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zst")
}

/// What the file holds, decompressed where its name says that it is compressed.
pub(super) fn reader(path: &Path, file: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    match is_named(path) {
        true => Ok(Box::new(BufReader::new(Decoder::new(file)?))),
        false => Ok(Box::new(BufReader::new(file))),
    }
}

/// Compresses whatever `content` writes.
pub(super) fn written(
    out: &mut dyn Write,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut encoder = Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    content(&mut encoder)?;
    encoder.finish().map(drop)
}

/// A record is written once and kept for years. Reading takes about as long at every level.
const LEVEL: i32 = 19;

//! Lists written in the dialects of other programs, byte for byte.
//!
//! A writer goes through `start`, `entry` for each file, `finish`. Lines are written as they come;
//! only media hash lists wait for `finish`, since their head has the date of the end. A name that a
//! dialect cannot carry is refused before anything of its line is written: a reader would take it
//! for another file, for two, or for a comment.

use std::io::{self, Write};

use data_encoding::HEXUPPER;
use jiff::Timestamp;

use super::entry::Entry;
use super::error::WriteError;
use super::format::Format;
use super::mhl;
use super::{hashdeep, json};
use crate::list::algorithm;
use crate::read::method::Method;
use crate::read::names;

/// Writes a list.
pub struct Writer<W> {
    out: W,
    format: Format,
    /// Lines end with NUL and nothing is escaped.
    zero: bool,
    /// Values are in Base64, where the dialect is GNU's.
    base64: bool,
    /// The columns of hashdeep; other dialects name the digests in each entry.
    digests: Vec<Method>,
    /// What a media hash list holds so far.
    hashes: Vec<u8>,
    /// When the list was begun, for the head of a media hash list.
    started: Timestamp,
}

impl<W: Write> Writer<W> {
    /// A writer of entries that have these digests, in this order.
    pub fn new(out: W, format: Format, digests: &[Method]) -> Self {
        Self {
            out,
            format,
            zero: false,
            base64: false,
            digests: digests.to_vec(),
            hashes: Vec::new(),
            started: Timestamp::now(),
        }
    }

    /// Ends lines with NUL and escapes nothing.
    pub fn zero(mut self, zero: bool) -> Self {
        self.zero = zero;
        self
    }

    /// Writes values in Base64 where the dialect is GNU's.
    pub fn base64(mut self, base64: bool) -> Self {
        self.base64 = base64;
        self
    }

    /// What comes before the first entry.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn start(&mut self, invoked_from: &[u8], command: &[u8]) -> io::Result<()> {
        if self.format != Format::Hashdeep {
            return Ok(());
        }
        let columns: Vec<_> = self.digests.iter().map(|digest| hashdeep::column(digest)).collect();
        self.out.write_all(hashdeep::MAGIC)?;
        write!(self.out, "\n%%%% size,{},filename\n## Invoked from: ", columns.join(","))?;
        self.out.write_all(&names::escape(invoked_from))?;
        self.out.write_all(b"\n## # ")?;
        self.out.write_all(&names::escape(command))?;
        self.out.write_all(b"\n##\n")
    }

    /// Writes what is known of a file: a line, or one for each digest.
    ///
    /// # Errors
    /// [`WriteError`]: the list cannot be written, or its format cannot say this.
    pub fn entry(&mut self, entry: &Entry) -> Result<(), WriteError> {
        let size = entry.size.unwrap_or_default();
        match self.format {
            Format::Mhl(version) => {
                // What is refused half-way must leave nothing behind.
                let mut hash = Vec::new();
                mhl::entry(&mut hash, version, entry, Timestamp::now())?;
                self.hashes.append(&mut hash);
            }
            Format::Json => self.line(&[json::line(entry).as_bytes()])?,
            Format::Hashdeep => {
                carries(
                    &entry.name,
                    |byte| byte != b'\n',
                    "hashdeep's lists cannot carry a name with a line feed",
                )?;
                carries(
                    &entry.name[entry.name.len().saturating_sub(1)..],
                    |byte| byte != b'\r',
                    "hashdeep's lists cannot carry a name that ends in a carriage return",
                )?;
                let values = entry
                    .claims
                    .iter()
                    .map(|claim| claim.digests[0].text(&claim.value))
                    .collect::<Vec<_>>()
                    .join(",");
                self.line(&[format!("{size},{values},").as_bytes(), &entry.name])?;
            }
            _ => entry.claims.iter().try_for_each(|claim| {
                self.digest(&entry.name, size, &claim.digests[0], &claim.value)
            })?,
        }
        Ok(())
    }

    /// Writes what comes after the last entry, and hands over what is still in memory.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Format::Mhl(version) = self.format {
            mhl::frame(&mut self.out, version, self.started, &self.hashes)?;
        }
        self.out.flush()
    }

    /// What is written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn digest(
        &mut self,
        name: &[u8],
        size: u64,
        digest: &Method,
        value: &[u8],
    ) -> Result<(), WriteError> {
        let escaped = !self.zero && names::needs_escape(name);
        let mark: &[u8] = if escaped { b"\\" } else { b"" };
        let shown = if escaped { &names::escape(name) } else { name };
        let text = if self.base64 { digest.base64(value) } else { digest.text(value) };
        match self.format {
            Format::Gnu { binary } => {
                self.line(&[mark, text.as_bytes(), if binary { b" *" } else { b"  " }, shown])?
            }
            Format::Tagged => {
                self.line(&[
                    mark,
                    algorithm::tag(digest).as_bytes(),
                    b" (",
                    shown,
                    b") = ",
                    text.as_bytes(),
                ])?;
            }
            Format::Oci => {
                let name = digest.name.as_bytes();
                self.line(&[mark, name, b":", text.as_bytes(), b"  ", shown])?
            }
            Format::Reversed => {
                carries(
                    &name[..1.min(name.len())],
                    |byte| !matches!(byte, b' ' | b'*'),
                    "a reversed line takes a blank or `*` that begins a name for GNU's mark",
                )?;
                self.line(&[mark, text.as_bytes(), b" ", shown])?
            }
            Format::Bare => self.line(&[text.as_bytes()])?,
            Format::Decimal { named } => {
                let name: &[&[u8]] = if named { &[b" ", name] } else { &[] };
                self.line(&[&[decimal(digest, value, size).as_bytes()], name].concat())?;
            }
            Format::Sfv => {
                carries(
                    name,
                    |byte| !matches!(byte, b'\n' | b'\r'),
                    "an SFV file cannot carry a name with a line feed or carriage return",
                )?;
                carries(
                    &name[..1.min(name.len())],
                    |byte| !matches!(byte, b';' | b'#'),
                    "an SFV file takes a name that begins with `;` or `#` for a comment",
                )?;
                self.line(&[name, b" ", HEXUPPER.encode(value).as_bytes()])?;
            }
            Format::Bagit => {
                carries(
                    &name[..1.min(name.len())],
                    |byte| !matches!(byte, b' ' | b'\t' | b'*'),
                    "a BagIt manifest cannot carry a name that begins with a blank, tab or `*`",
                )?;
                let name = std::str::from_utf8(name).map_err(|_| {
                    WriteError::Name("a BagIt manifest cannot carry a name that is not UTF-8")
                })?;
                let name = name.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D");
                self.line(&[text.as_bytes(), b"  ", name.as_bytes()])?;
            }
            Format::Hashdeep | Format::Json | Format::Mhl(_) => unreachable!("written whole"),
        }
        Ok(())
    }

    fn line(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        pieces.iter().try_for_each(|piece| self.out.write_all(piece))?;
        self.out.write_all(if self.zero { b"\0" } else { b"\n" })
    }
}

fn carries(name: &[u8], fits: impl Fn(u8) -> bool, reason: &'static str) -> Result<(), WriteError> {
    if name.iter().all(|&byte| fits(byte)) { Ok(()) } else { Err(WriteError::Name(reason)) }
}

/// Value and size as `cksum`, `sum -r` (blocks of 1024 bytes) and `sum -s` (of 512) print them.
fn decimal(digest: &Method, value: &[u8], size: u64) -> String {
    let number = value.iter().fold(0u64, |number, &byte| 256 * number + u64::from(byte));
    match digest.name {
        "sum-bsd" => format!("{number:05} {:5}", size.div_ceil(1024)),
        "sum-sysv" => format!("{number} {}", size.div_ceil(512)),
        _ => format!("{number} {size}"),
    }
}

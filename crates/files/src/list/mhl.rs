//! Media hash lists: MHL 1.1 and ASC MHL 2.0, the lists of film cards.

use std::io::{self, BufRead, Write};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use hashdyno::{Digest, find};
use jiff::Timestamp;
use quick_xml::Reader;
use quick_xml::escape::{escape, unescape};
use quick_xml::events::{BytesStart, Event};

use super::{Claim, Entry, WriteError};
use crate::algorithm;
use crate::c4;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MHL 1.1: one file.
    Mhl,
    /// ASC MHL 2.0: a file of a history.
    Asc,
}

/// The next `<hash>` of a list; `Some(None)` if it is no whole one, `None` at the end of the list.
pub(super) fn next(source: &mut impl BufRead) -> io::Result<Option<Option<Entry>>> {
    let mut xml = Reader::from_reader(source);
    xml.config_mut().check_end_names = false;
    xml.config_mut().allow_unmatched_ends = true;
    let (mut buffer, mut hash): (Vec<u8>, Option<Hash>) = (Vec::new(), None);
    loop {
        buffer.clear();
        let event = xml.read_event_into(&mut buffer).map_err(|error| match error {
            quick_xml::Error::Io(error) => io::Error::new(error.kind(), error.to_string()),
            error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
        })?;
        match (event, &mut hash) {
            (Event::Eof, None) => return Ok(None),
            (Event::Eof, Some(_)) => return Ok(Some(None)),
            (Event::Start(tag), None) if tag.local_name().as_ref() == "hash" => hash = Some(Hash::default()),
            (Event::Start(tag), Some(hash)) => hash.open(&tag),
            (Event::Text(text), Some(hash)) => hash.text.push_str(&text),
            (Event::GeneralRef(reference), Some(hash)) => {
                hash.text.push_str(&unescape(&format!("&{};", &*reference)).unwrap_or_default());
            }
            (Event::End(tag), Some(_)) if tag.local_name().as_ref() == "hash" => {
                return Ok(Some(hash.take().and_then(Hash::entry)));
            }
            (Event::End(tag), Some(hash)) => hash.close(tag.local_name().as_ref()),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Hash {
    text: String,
    entry: Entry,
    broken: bool,
}

impl Hash {
    fn open(&mut self, tag: &BytesStart) {
        self.text.clear();
        if tag.local_name().as_ref() != "path" {
            return;
        }
        for attribute in tag.attributes().flatten() {
            let value = &attribute.value;
            match attribute.key.local_name().as_ref() {
                "size" => self.entry.size = value.parse().ok(),
                "lastmodificationdate" => self.entry.modified = value.parse().ok(),
                _ => {}
            }
        }
    }

    fn close(&mut self, tag: &str) {
        let text = std::mem::take(&mut self.text);
        match tag {
            "file" | "path" => self.entry.name = text.into_bytes(),
            "size" => self.entry.size = text.trim().parse().ok(),
            "lastmodificationdate" => self.entry.modified = text.trim().parse().ok(),
            tag => match claim(tag, text.trim()) {
                Some(Some(claim)) => self.entry.claims.push(claim),
                Some(None) => self.broken = true,
                None => {}
            },
        }
    }

    fn entry(self) -> Option<Entry> {
        Some(self.entry).filter(|entry| !self.broken && !entry.name.is_empty() && !entry.claims.is_empty())
    }
}

/// The claim of an element; `None` if it is no digest, `Some(None)` if its value is none.
fn claim(tag: &str, text: &str) -> Option<Option<Claim>> {
    let hex = || HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
    let (name, value) = match tag {
        "md5" | "sha1" | "xxh32" | "xxh64" | "xxh3" | "xxh128" => (tag, hex()),
        "c4" => ("sha512", c4::decode(text).map(|value| value.to_vec())),
        "xxhash64be" => ("xxh64", hex()),
        "xxhash64" => ("xxh64", hex().map(|bytes| bytes.into_iter().rev().collect())),
        "xxhash" => ("xxh32", text.parse::<u32>().ok().map(|number| number.to_be_bytes().to_vec())),
        _ => return None,
    };
    let digest = find(name).expect("the registry has every digest of MHL");
    Some(value.and_then(|value| Claim::new(algorithm::alone(digest), &value)))
}

/// What an element of that digest is called; `None` if the version has none.
pub(super) fn element(version: Version, digest: &Digest) -> Option<&'static str> {
    match (version, digest.name) {
        (_, "md5") => Some("md5"),
        (_, "sha1") => Some("sha1"),
        (Version::Mhl, "xxh64") => Some("xxhash64be"),
        (Version::Mhl, "xxh32") => Some("xxhash"),
        (Version::Asc, "sha512") => Some("c4"),
        (Version::Asc, "xxh32" | "xxh64" | "xxh3" | "xxh128") => {
            ["xxh32", "xxh64", "xxh3", "xxh128"].into_iter().find(|name| *name == digest.name)
        }
        _ => None,
    }
}

/// Writes the `<hash>` of a file that was read at `now`.
pub(super) fn entry(out: &mut impl Write, version: Version, entry: &Entry, now: Timestamp) -> Result<(), WriteError> {
    const CONTROL: WriteError = WriteError::Name("XML cannot carry a name with control characters");
    let name = std::str::from_utf8(&entry.name).map_err(|_| WriteError::Name("XML cannot carry a name that is not UTF-8"))?;
    if name.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) {
        return Err(CONTROL);
    }
    let (name, size, now) = (escape(name), entry.size.unwrap_or_default(), seconds(now));
    let modified = entry.modified.map(seconds);
    match version {
        Version::Mhl => {
            let modified =
                modified.map(|time| format!("\n    <lastmodificationdate>{time}</lastmodificationdate>")).unwrap_or_default();
            write!(out, "  <hash>\n    <file>{name}</file>\n    <size>{size}</size>{modified}\n")?;
        }
        Version::Asc => {
            let modified = modified.map(|time| format!(" lastmodificationdate=\"{time}\"")).unwrap_or_default();
            write!(out, "    <hash>\n      <path size=\"{size}\"{modified}>{name}</path>\n")?;
        }
    }
    let mut digests: Vec<_> = entry.claims.iter().filter_map(|claim| Some((element(version, claim.digests[0])?, claim))).collect();
    digests.sort_by_key(|(element, _)| *element);
    for (element, claim) in digests {
        let value = match element {
            "c4" => c4::encode(&claim.value),
            "xxhash" => claim.value.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte)).to_string(),
            _ => HEXLOWER.encode(&claim.value),
        };
        match version {
            Version::Mhl => writeln!(out, "    <{element}>{value}</{element}>")?,
            Version::Asc => writeln!(out, "      <{element} action=\"original\" hashdate=\"{now}\">{value}</{element}>")?,
        }
    }
    match version {
        Version::Mhl => writeln!(out, "    <hashdate>{now}</hashdate>\n  </hash>")?,
        Version::Asc => writeln!(out, "    </hash>")?,
    }
    Ok(())
}

/// All of a list but its hashes, which are written already.
pub(super) fn frame(out: &mut impl Write, version: Version, start: Timestamp, hashes: &[u8]) -> io::Result<()> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let (host, start, finish) = (escape(host.as_str()), seconds(start), seconds(Timestamp::now()));
    let tool = env!("CARGO_PKG_VERSION");
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    match version {
        Version::Mhl => {
            write!(
                out,
                "<hashlist version=\"1.1\">\n  <creatorinfo>\n    <hostname>{host}</hostname>\n    <tool>hashdyno {tool}</tool>\n"
            )?;
            write!(out, "    <startdate>{start}</startdate>\n    <finishdate>{finish}</finishdate>\n  </creatorinfo>\n")?;
            out.write_all(hashes)?;
        }
        Version::Asc => {
            write!(
                out,
                "<hashlist version=\"2.0\" xmlns=\"urn:ASC:MHL:v2.0\">\n  <creatorinfo>\n    <creationdate>{finish}</creationdate>\n"
            )?;
            write!(out, "    <hostname>{host}</hostname>\n    <tool version=\"{tool}\">hashdyno</tool>\n  </creatorinfo>\n")?;
            write!(out, "  <processinfo>\n    <process>in-place</process>\n    <ignore>\n      <pattern>.DS_Store</pattern>\n")?;
            write!(
                out,
                "      <pattern>ascmhl</pattern>\n      <pattern>ascmhl/</pattern>\n    </ignore>\n  </processinfo>\n  <hashes>\n"
            )?;
            out.write_all(hashes)?;
            out.write_all(b"  </hashes>\n")?;
        }
    }
    out.write_all(b"</hashlist>\n")
}

/// A time as both versions write it: whole seconds, UTC.
fn seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
}

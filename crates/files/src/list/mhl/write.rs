//! Media hash lists, written.
//!
//! `entry` writes a `<hash>`, `frame` all around it. The frame comes last, as it holds the date
//! when the last file was read. What neither version can carry is refused: names that are not
//! UTF-8, and control characters, which XML 1.0 has not or a reader would change.
//!
//! Values are in hexadecimal, but for `<c4>`, which is a C4 identifier, and `<xxhash>` of version
//! 1.1, which is a decimal number.

use std::io::{self, Write};

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use quick_xml::escape::escape;

use super::version::Version;
use crate::list::c4;
use crate::list::entry::Entry;
use crate::list::error::WriteError;
use crate::read::method::Method;

/// What an element of that digest is called; `None` if the version has none.
pub(in crate::list) fn element(version: Version, digest: &Method) -> Option<&'static str> {
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
pub(in crate::list) fn entry(
    out: &mut impl Write,
    version: Version,
    entry: &Entry,
    now: Timestamp,
) -> Result<(), WriteError> {
    const CONTROL: WriteError = WriteError::Name("XML cannot carry a name with control characters");
    let name = std::str::from_utf8(&entry.name)
        .map_err(|_| WriteError::Name("XML cannot carry a name that is not UTF-8"))?;
    if name.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) {
        return Err(CONTROL);
    }
    let (name, size, now) = (escape(name), entry.size.unwrap_or_default(), seconds(now));
    let modified = entry.modified.map(seconds);
    match version {
        Version::Mhl => {
            let modified = modified
                .map(|time| format!("\n    <lastmodificationdate>{time}</lastmodificationdate>"))
                .unwrap_or_default();
            write!(out, "  <hash>\n    <file>{name}</file>\n    <size>{size}</size>{modified}\n")?;
        }
        Version::Asc => {
            let modified = modified
                .map(|time| format!(" lastmodificationdate=\"{time}\""))
                .unwrap_or_default();
            write!(out, "    <hash>\n      <path size=\"{size}\"{modified}>{name}</path>\n")?;
        }
    }
    let mut digests: Vec<_> = entry
        .claims
        .iter()
        .filter_map(|claim| Some((element(version, &claim.digests[0])?, claim)))
        .collect();
    // In the order of their names: one set of digests has one spelling, however it was asked for.
    digests.sort_by_key(|(element, _)| *element);
    for (element, claim) in digests {
        let value = match element {
            "c4" => c4::encode(&claim.value),
            "xxhash" => {
                let bytes = claim.value[..].try_into().expect("XXH32 has 32 bits");
                u32::from_be_bytes(bytes).to_string()
            }
            _ => HEXLOWER.encode(&claim.value),
        };
        match version {
            Version::Mhl => writeln!(out, "    <{element}>{value}</{element}>")?,
            Version::Asc => writeln!(
                out,
                "      <{element} action=\"original\" hashdate=\"{now}\">{value}</{element}>"
            )?,
        }
    }
    match version {
        Version::Mhl => writeln!(out, "    <hashdate>{now}</hashdate>\n  </hash>")?,
        Version::Asc => writeln!(out, "    </hash>")?,
    }
    Ok(())
}

/// All of a list but its hashes, which are written already.
pub(in crate::list) fn frame(
    out: &mut impl Write,
    version: Version,
    start: Timestamp,
    hashes: &[u8],
) -> io::Result<()> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let (host, start, finish) = (escape(host.as_str()), seconds(start), seconds(Timestamp::now()));
    let tool = env!("CARGO_PKG_VERSION");
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    match version {
        Version::Mhl => {
            write!(
                out,
                "<hashlist \
                    version=\"1.1\">\n  <creatorinfo>\n    <hostname>{host}</hostname>\n    \
                 <tool>hashdyno {tool}</tool>\n"
            )?;
            write!(
                out,
                "    <startdate>{start}</startdate>\n    <finishdate>{finish}</finishdate>\n  \
                 </creatorinfo>\n"
            )?;
            out.write_all(hashes)?;
        }
        Version::Asc => {
            write!(
                out,
                "<hashlist version=\"2.0\" \
                    xmlns=\"urn:ASC:MHL:v2.0\">\n  <creatorinfo>\n    \
                 <creationdate>{finish}</creationdate>\n"
            )?;
            write!(
                out,
                "    <hostname>{host}</hostname>\n    <tool \
                    version=\"{tool}\">hashdyno</tool>\n  </creatorinfo>\n"
            )?;
            write!(
                out,
                "  <processinfo>\n    <process>in-place</process>\n    <ignore>\n      \
                 <pattern>.DS_Store</pattern>\n"
            )?;
            write!(
                out,
                "      <pattern>ascmhl</pattern>\n      <pattern>ascmhl/</pattern>\n    \
                 </ignore>\n  </processinfo>\n  <hashes>\n"
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

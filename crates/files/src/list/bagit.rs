//! Lines of BagIt's manifests:
//!
//! ```text
//! b1946ac92492d2347c6235b4d2611184  data/a%0Ab        the name `a`, line feed, `b` in `data`
//! ```
//!
//! The digest stands in the name of the list: `manifest-md5.txt`.

use super::entry::{Claim, Entry};
use super::line::Blanks;
use crate::read::method::Method;

/// A line of a BagIt manifest (RFC 8493, 2.1.3): `value 1*WSP path`, with LF, CR and `%`
/// percent-encoded.
pub(super) fn entry(line: &[u8], digest: Method) -> Option<Entry> {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let claim = Claim::read(digest, std::str::from_utf8(&line[..end]).ok()?)?;
    let name = line[end..].trim_ascii_start_blank();
    // Manifests that `md5sum --binary` made have its mark before the name.
    let name = name.strip_prefix(b"*").unwrap_or(name);
    let refused = name.is_empty() || name.contains(&0);
    (!refused).then(|| Entry {
        name: percent_decoded(name),
        claims: vec![claim],
        ..Entry::default()
    })
}

/// Undoes the three encodings of RFC 8493 and no other: older bags hold `%20` and mean it.
fn percent_decoded(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let decoded = match code {
            Some(b"0A" | b"0a") => Some(b'\n'),
            Some(b"0D" | b"0d") => Some(b'\r'),
            Some(b"25") => Some(b'%'),
            _ => None,
        };
        plain.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let md5 = hashdyno::find("md5").unwrap().into();
        let line = b"b1946ac92492d2347c6235b4d2611184   data/a%0Ab%25%20c";
        assert_eq!(entry(line, md5).unwrap().name, b"data/a\nb%%20c");
    }
}

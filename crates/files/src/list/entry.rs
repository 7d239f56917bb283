//! What a list says of a file.
//!
//! An entry holds claims, each a value and the digests that it can be of:
//!
//! ```text
//! tagged, or told             one digest
//! 64 hexadecimal digits       SHA-256 or BLAKE3: the files decide, for the whole list
//! S3's `...-3`                an ETag of 3 parts; `settle_parts` makes of it the usual lengths of
//!                             parts that give 3 of the file's length
//! ```
//!
//! Every claim of an entry must hold. Two values of one digest make it improper.

use data_encoding::HEXLOWER_PERMISSIVE;
use hashdyno::Output;
use hashdyno::composite::{Composite, s3_part_lens};
use jiff::Timestamp;

use crate::read::method::Method;

/// What a list says of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The file's name, in bytes.
    pub name: Vec<u8>,
    /// Its digests; never empty in an entry that was read.
    pub claims: Vec<Claim>,
    /// Its length in bytes, where the dialect tells.
    pub size: Option<u64>,
    /// When its content last changed, where the dialect tells.
    pub modified: Option<Timestamp>,
}

/// A digest as a list has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What it can be; more than one only where the line has no tag and two digests of that length
    /// are usual.
    pub digests: Vec<Method>,
    /// Its value, as long as that of any of them.
    pub value: Output,
}

impl Entry {
    /// Whether the length of a file tells what [`Entry::settle_parts`] does.
    pub fn is_in_parts(&self) -> bool {
        let mut digests = self.claims.iter().flat_map(|claim| &claim.digests);
        digests.any(|digest| digest.composite().is_some_and(|composite| composite.adjustable))
    }

    /// [`Claim::settle_parts`] of each claim.
    pub fn settle_parts(&mut self, len: u64, part_len: Option<usize>) {
        self.claims.iter_mut().for_each(|claim| claim.settle_parts(len, part_len));
    }

    /// The entry with each digest once; `None` if it has two values of one digest, which no file
    /// can have.
    pub(super) fn consistent(mut self) -> Option<Self> {
        let mut claims: Vec<Claim> = Vec::with_capacity(self.claims.len());
        for claim in self.claims {
            match claims.iter().find(|known| known.digests == claim.digests) {
                None => claims.push(claim),
                Some(known) if known.value == claim.value => {}
                Some(_) => return None,
            }
        }
        self.claims = claims;
        Some(self)
    }
}

impl Claim {
    /// A value of one of these digests; `None` if the lengths differ.
    pub fn new(digests: Vec<Method>, value: &[u8]) -> Option<Self> {
        let fits = digests.first().is_some_and(|digest| digest.output_len == value.len());
        Some(Self { digests, value: value.try_into().ok()? }).filter(|_| fits)
    }

    /// A value of that digest: in hexadecimal in any case, or as is usual of a composite digest.
    pub fn read(digest: Method, text: &str) -> Option<Self> {
        match digest.composite() {
            None => Self::new(vec![digest], &HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?),
            Some(_) => Some(Self { value: digest.parse(text)?, digests: vec![digest] }),
        }
    }

    /// Puts in place of a digest whose parts may have any length those of the usual lengths that
    /// make as many of a file of `len` bytes as the value tells; only that of `part_len`, if it is
    /// told. What has a length of its own stays.
    pub fn settle_parts(&mut self, len: u64, part_len: Option<usize>) {
        let Self { digests, value } = self;
        let mut settled = Vec::with_capacity(digests.len());
        for method in digests.drain(..) {
            match method.composite().filter(|composite| composite.adjustable) {
                None => settled.push(method),
                Some(composite) => {
                    let parts = method.parts(value);
                    settled.extend(in_parts(composite, len, parts, part_len).map(Method::from));
                }
            }
        }
        *digests = settled;
    }
}

/// The composite digest with each length of parts that fits; the one that it has if none does.
fn in_parts(
    composite: &Composite,
    len: u64,
    parts: u64,
    told: Option<usize>,
) -> impl Iterator<Item = Composite> {
    let lens = match told {
        _ if !composite.counts_parts() => told.into_iter().collect(),
        // It was uploaded in one request.
        _ if parts == 0 => vec![usize::MAX],
        Some(told) => vec![told],
        // S3 keeps the number of parts and not their length: each length that gives it is tried.
        None => s3_part_lens(len, parts),
    };
    // With no digest left, a claim would hold of any file.
    let lens = if lens.is_empty() { vec![composite.part_len] } else { lens };
    let uploaded = move |part_len| match parts {
        0 => composite.with_part_len(part_len).unwrap_or(*composite),
        _ => Composite::s3(composite.part_digest(), part_len),
    };
    lens.into_iter().map(uploaded).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use hashdyno::composite::find;

    use super::*;

    #[test]
    fn parts_are_as_long_as_told_or_as_the_value_tells() {
        const MIB: usize = 1 << 20;
        let lens = |name, parts, told| -> Vec<usize> {
            let composite = find(name).unwrap();
            in_parts(composite, 20 << 20, parts, told).map(|found| found.part_len).collect()
        };
        // A torrent does not say how many pieces it has.
        assert_eq!(lens("btih", 0, None), [0]);
        assert_eq!(lens("btih", 0, Some(MIB)), [MIB]);
        assert_eq!(lens("s3-etag", 0, None), [usize::MAX]);
        assert_eq!(lens("s3-etag", 0, Some(MIB)), [usize::MAX]);
        assert_eq!(lens("s3-etag", 3, Some(9 * MIB)), [9 * MIB]);
        assert_eq!(lens("s3-etag", 3, None), [8 * MIB, 7 * MIB]);
        assert_eq!(lens("s3-etag", 99, None), [8 * MIB], "no length makes as many");
        let etag = Method::from(*find("s3-etag").unwrap());
        let claim = Claim::read(etag, "b1946ac92492d2347c6235b4d2611184-3").unwrap();
        let mut entry = Entry { claims: vec![claim], ..Entry::default() };
        entry.settle_parts(20 << 20, None);
        let settled = entry.claims[0].digests.iter().map(|it| it.composite().unwrap().part_len);
        assert!(settled.eq([8 * MIB, 7 * MIB]));
        let of = |name| {
            let digests = vec![Method::from(*find(name).unwrap())];
            let value = Output::try_from(&[0; 32][..]).unwrap();
            Entry { claims: vec![Claim { digests, value }], ..Entry::default() }
        };
        assert!(of("s3-etag").is_in_parts() && of("btih").is_in_parts());
        assert!(!of("tth").is_in_parts() && !Entry::default().is_in_parts());
    }
}

//! Composite digests as text.

use std::fmt;

use data_encoding::{BASE32_NOPAD, BASE64, HEXLOWER_PERMISSIVE};

use super::Composite;
use crate::{Output, hex};

/// How programs write a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// In lower-case hexadecimal.
    Hex,
    /// In lower-case Base32 (RFC 4648) without padding.
    Base32,
    /// In hexadecimal, the number of parts behind it.
    HexOfParts,
    /// In Base64, the number of parts behind it.
    Base64OfParts,
}

/// The digest of a message, and of how many parts it is made. It prints as programs write it: in
/// hexadecimal, but for [`Composite::s3`]'s checksums (Base64), TTH and AICH (Base32).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The digest.
    pub digest: Output,
    /// How many parts; 0 if the message is an object that was not uploaded in parts.
    pub parts: u64,
    /// The digests of the parts, one after another: the `pieces` of a torrent. Empty where they
    /// are leaves of a tree.
    pub part_digests: Vec<u8>,
    pub(super) composite: Composite,
}

impl Composed {
    /// As Amazon S3 writes the ETag of an object that was uploaded in parts: the digest in
    /// hexadecimal, a hyphen, the number of parts.
    pub fn etag(&self) -> String {
        format!("{}-{}", hex(&self.digest), self.parts)
    }
}

impl fmt::Display for Composed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.composite.text(&self.digest, self.parts))
    }
}

impl Composite {
    /// A digest of that many parts, as programs write it.
    pub fn text(&self, digest: &[u8], parts: u64) -> String {
        let text = match self.spelling {
            Spelling::Hex | Spelling::HexOfParts => hex(digest),
            Spelling::Base32 => BASE32_NOPAD.encode(digest).to_ascii_lowercase(),
            Spelling::Base64OfParts => BASE64.encode(digest),
        };
        self.with_parts(text, parts)
    }

    /// The same in Base64.
    pub fn base64(&self, digest: &[u8], parts: u64) -> String {
        self.with_parts(BASE64.encode(digest), parts)
    }

    fn with_parts(&self, text: String, parts: u64) -> String {
        if self.counts_parts() && parts > 0 { format!("{text}-{parts}") } else { text }
    }

    /// The digest of a text and its number of parts: as programs write it, in hexadecimal or in
    /// Base64. Letters of hexadecimal and Base32 may have any case; an ETag may have quotation
    /// marks.
    pub fn parse(&self, text: &str) -> Option<(Output, u64)> {
        let text = text.trim_matches('"');
        let (text, parts) = match text.rsplit_once('-').filter(|_| self.counts_parts()) {
            Some((text, parts)) => (text, parts.parse().ok().filter(|&parts| parts > 0)?),
            None => (text, 0),
        };
        let fits = |bytes: &Vec<u8>| bytes.len() == self.output_len();
        let base32 = || {
            let is_usual = self.spelling == Spelling::Base32;
            is_usual.then(|| BASE32_NOPAD.decode(text.to_ascii_uppercase().as_bytes()).ok())?
        };
        let hex = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok().filter(fits);
        let bytes = hex
            .or_else(|| base32().filter(fits))
            .or_else(|| BASE64.decode(text.as_bytes()).ok().filter(fits))?;
        Some((bytes[..].try_into().ok()?, parts))
    }
}

//! The dialects of lists.

use super::mhl::{self, Version};
use crate::read::method::Method;

/// A dialect to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `value SP mode name`, as `md5sum`.
    Gnu {
        /// The mode is `*`, not a blank.
        binary: bool,
    },
    /// `TAG (name) = value`.
    Tagged,
    /// `value SP name`, as BSD's `md5 -r`.
    Reversed,
    /// `name:value SP SP name`, as container registries write digests (OCI).
    Oci,
    /// The value alone, as BSD's `md5 -q`.
    Bare,
    /// `value SP size SP name` in decimal, as `cksum` and `sum` without a digest; the name is left
    /// out of standard input given without one.
    Decimal {
        /// Whether the name is written.
        named: bool,
    },
    /// `name SP CRC32`.
    Sfv,
    /// hashdeep 1.0.
    Hashdeep,
    /// A manifest of a BagIt bag (RFC 8493).
    Bagit,
    /// A JSON object a line.
    Json,
    /// A media hash list; it is kept in memory until [`Writer::finish`](super::Writer::finish).
    Mhl(Version),
}

impl Format {
    /// Whether the dialect has this digest.
    pub fn has(self, digest: &Method) -> bool {
        match self {
            Self::Sfv => digest.name == "crc32b",
            Self::Mhl(version) => mhl::element(version, digest).is_some(),
            Self::Oci => digest.digest().is_some(),
            // Their programs know no keys, and take what they know for what anybody can compute.
            Self::Bagit | Self::Hashdeep => digest.keyed().is_none(),
            _ => true,
        }
    }
}

//! The dialects of lists. The file `a` with the content `hello` and a line feed:
//!
//! ```text
//! Gnu        b1946ac92492d2347c6235b4d2611184  a        binary: `*` in place of the second blank
//! Tagged     MD5 (a) = b1946ac92492d2347c6235b4d2611184
//! Reversed   b1946ac92492d2347c6235b4d2611184 a
//! Oci        md5:b1946ac92492d2347c6235b4d2611184  a
//! Bare       b1946ac92492d2347c6235b4d2611184
//! Decimal    3015617425 6 a
//! Sfv        a 363A3020
//! Hashdeep   6,b1946ac92492d2347c6235b4d2611184,a
//! Bagit      b1946ac92492d2347c6235b4d2611184  a
//! Json       {"digests":{"md5":"b1946ac92492d2347c6235b4d2611184"},"name":"a","size":6}
//! Mhl        <hash><file>a</file><size>6</size><md5>b1946ac92492d2347c6235b4d2611184</md5></hash>
//! ```
//!
//! Gnu, Tagged, Reversed and Oci escape names: such a line begins with a backslash. Ended by NUL,
//! they escape nothing.

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

#[cfg(test)]
mod tests {
    use hashdyno::Mode;
    use zeroize::Zeroizing;

    use super::*;
    use crate::read::key::Secret;

    #[test]
    fn a_dialect_has_the_digests_that_it_can_say() {
        let method = |name: &str| Method::from(hashdyno::find(name).unwrap());
        let secret = Secret::new(Zeroizing::new(vec![1; 32]));
        let keyed = Method::from(secret.keyed(Mode::Hmac, hashdyno::find("sha256").unwrap()));
        let parts = Method::from(*hashdyno::composite::find("s3-etag").unwrap());
        let methods = [method("sha256"), method("crc32b"), method("shabal-256"), parts, keyed];
        let has = |format: Format| methods.each_ref().map(|digest| format.has(digest));
        assert_eq!(has(Format::Sfv), [false, true, false, false, false]);
        assert_eq!(has(Format::Oci), [true, true, true, false, false]);
        for format in [Format::Bagit, Format::Hashdeep] {
            assert_eq!(has(format), [true, true, true, true, false]);
        }
        for format in [Format::Json, Format::Tagged, Format::Gnu { binary: false }] {
            assert_eq!(has(format), [true; 5]);
        }
        let mhl = Format::Mhl(Version::Mhl);
        assert!(mhl.has(&method("md5")) && !mhl.has(&method("shabal-256")));
    }
}

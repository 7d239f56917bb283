//! What digests are for: those of one purpose are listed together.
//!
//! The group is for readers of tables and for `group` in JSON. It is made of the purpose and the
//! security that each digest declares, so a new digest needs no entry here.

use hashdyno::{Digest, Purpose, Security};

/// A purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Cryptographic digests for new designs.
    Sound,
    /// What the standards of a country ask for.
    National,
    /// Cryptographic digests that are no longer for new designs.
    Superseded,
    /// Hash functions of tables, with a key or without one.
    HashTable,
    /// What finds accidental changes.
    Checksum,
}

impl Group {
    /// All, in the order in which they are listed.
    pub const ALL: [Self; 5] =
        [Self::Sound, Self::National, Self::Superseded, Self::HashTable, Self::Checksum];

    /// Where a digest belongs.
    pub fn of(digest: &Digest) -> Self {
        match (digest.purpose, digest.security) {
            (Purpose::NationalStandard, _) => Self::National,
            (Purpose::HashTable, _) => Self::HashTable,
            (Purpose::General, Security::Sound) => Self::Sound,
            (Purpose::General, Security::Legacy | Security::Broken) => Self::Superseded,
            (Purpose::General, Security::Checksum) => Self::Checksum,
        }
    }

    /// In one word, for machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::National => "national",
            Self::Superseded => "superseded",
            Self::HashTable => "hash-table",
            Self::Checksum => "checksum",
        }
    }

    /// Above the table, behind the number of its digests.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sound => "digests: cryptographic, for new designs",
            Self::National => "digests of national standards",
            Self::Superseded => "digests: cryptographic, superseded or broken",
            Self::HashTable => "hash functions for tables",
            Self::Checksum => "checksums",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_where_they_are_looked_for() {
        for (name, group) in [
            ("sha256", Group::Sound),
            ("blake2sp", Group::Sound),
            ("sm3", Group::National),
            ("gost", Group::National),
            ("md5", Group::Superseded),
            ("sha224", Group::Sound),
            ("siphash-2-4", Group::HashTable),
            ("fnv1a-1024", Group::HashTable),
            ("crc32c", Group::Checksum),
            ("internet-checksum", Group::Checksum),
        ] {
            assert_eq!(Group::of(hashdyno::find(name).expect(name)), group, "{name}");
        }
    }
}

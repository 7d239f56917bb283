//! What digests are for: those of one purpose are listed together.

use hashdyno::{Digest, Security};

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
        if NATIONAL.contains(&digest.family) {
            return Self::National;
        }
        match digest.security {
            Security::Sound => Self::Sound,
            Security::Legacy | Security::Broken => Self::Superseded,
            Security::Checksum if HASH_TABLE.contains(&digest.family) => Self::HashTable,
            Security::Checksum => Self::Checksum,
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

/// Families that are a country's standards: of China, Russia, Belarus, Ukraine and Korea.
const NATIONAL: [&str; 8] =
    ["bash", "belt", "gost94", "has160", "kupyna", "lsh", "sm3", "streebog"];

/// Families of checksums that are meant for tables.
const HASH_TABLE: [&str; 12] = [
    "fnv",
    "fnv-wide",
    "highwayhash",
    "joaat",
    "komihash",
    "metrohash",
    "murmur3",
    "rapidhash",
    "siphash",
    "spookyhash",
    "string-hash",
    "xxhash",
];

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

    #[test]
    fn no_family_of_a_table_is_misspelt() {
        let known = |family: &str| hashdyno::ALL.iter().any(|digest| digest.family == family);
        assert!(HASH_TABLE.into_iter().all(known), "a family for tables has no digest");
    }
}

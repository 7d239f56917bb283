//! The list: a row for each composite digest.

use super::{Alone, Composite, Rule, Spelling};

/// Every composite digest; those of S3 with parts of 8 MiB.
pub const ALL: &[Composite] = &[
    DROPBOX,
    S3[0],
    S3[1],
    S3[2],
    S3[3],
    S3[4],
    ED2K,
    ED2K_BLUE,
    AICH,
    TTH,
    BTIH,
    BITTORRENT_V2,
    GIT_BLOB,
    GIT_BLOB_SHA256,
    SHA256D,
    HASH160,
];

const DROPBOX: Composite = Composite {
    name: "dropbox",
    aliases: &["dropbox-content-hash", "dbhash"],
    specified_in: "Dropbox for HTTP developers, Content hash",
    part_len: 4 << 20,
    adjustable: false,
    digest: "sha256",
    rule: Rule::List { alone: Alone::Never, ends_empty: false, of_nothing: false },
    spelling: Spelling::Hex,
};

/// The ETag, and the checksums that S3 has as composite ones; as uploaded by the AWS tools, which
/// send what is shorter than a part in one request.
pub(super) const S3: [Composite; 5] = [
    Composite {
        name: "s3-etag",
        aliases: &["etag"],
        digest: "md5",
        spelling: Spelling::HexOfParts,
        ..other_of_s3("md5")
    },
    Composite { name: "s3-sha256", ..other_of_s3("sha256") },
    Composite { name: "s3-sha1", ..other_of_s3("sha1") },
    Composite { name: "s3-crc32c", ..other_of_s3("crc32c") },
    Composite { name: "s3-crc32", ..other_of_s3("crc32b") },
];

/// A composite checksum of S3's kind.
pub(super) const fn other_of_s3(digest: &'static str) -> Composite {
    Composite {
        name: "s3",
        aliases: &[],
        specified_in: "Amazon S3 User Guide, Checking object integrity",
        part_len: 8 << 20,
        adjustable: true,
        digest,
        rule: Rule::List { alone: Alone::Shorter, ends_empty: false, of_nothing: true },
        spelling: Spelling::Base64OfParts,
    }
}

/// Length of eMule's parts.
const EMULE_PART: usize = 9_728_000;

/// Length of the blocks that AICH cuts each part into.
pub(super) const AICH_BLOCK: usize = 184_320;

/// As eMule and RHash have it.
const ED2K: Composite = Composite {
    name: "ed2k",
    aliases: &["ed2k-red"],
    specified_in: "eMule Protocol Specification, 2005",
    part_len: EMULE_PART,
    adjustable: false,
    digest: "md4",
    rule: Rule::List { alone: Alone::Always, ends_empty: true, of_nothing: true },
    spelling: Spelling::Hex,
};

/// The other reading: a file of whole parts has no empty one behind them.
const ED2K_BLUE: Composite = Composite {
    name: "ed2k-blue",
    aliases: &[],
    rule: Rule::List { alone: Alone::Always, ends_empty: false, of_nothing: true },
    ..ED2K
};

const AICH: Composite = Composite {
    name: "aich",
    aliases: &["emule-aich"],
    specified_in: "eMule 0.44, Advanced Intelligent Corruption Handling",
    digest: "sha1",
    rule: Rule::Aich,
    spelling: Spelling::Base32,
    ..ED2K
};

const TTH: Composite = Composite {
    name: "tth",
    aliases: &["tiger-tree"],
    specified_in: "Tree Hash EXchange format (THEX), 2003",
    part_len: 1 << 10,
    adjustable: false,
    digest: "tiger192-3",
    rule: Rule::Tree { leaf: b"\0", node: b"\x01", filled: false },
    spelling: Spelling::Base32,
};

/// The info-hash of a torrent of version 1 that has one file and nothing else, in pieces as long as
/// RHash and uTorrent make them: it depends on the file's name.
const BTIH: Composite = Composite {
    name: "btih",
    aliases: &["bittorrent-v1"],
    specified_in: "BEP 3",
    part_len: 0,
    adjustable: true,
    digest: "sha1",
    rule: Rule::Torrent,
    spelling: Spelling::Hex,
};

/// The `pieces root` of a file. An empty file has none in a torrent; here it is the digest of an
/// empty part.
const BITTORRENT_V2: Composite = Composite {
    name: "bittorrent-v2",
    aliases: &["btmr", "pieces-root"],
    specified_in: "BEP 52",
    part_len: 16 << 10,
    adjustable: false,
    digest: "sha256",
    rule: Rule::Tree { leaf: b"", node: b"", filled: true },
    spelling: Spelling::Hex,
};

const GIT_BLOB: Composite = Composite {
    name: "git-blob",
    aliases: &["git", "git-sha1"],
    specified_in: "Pro Git, Git Internals, Git Objects",
    part_len: usize::MAX,
    adjustable: false,
    digest: "sha1",
    rule: Rule::Blob,
    spelling: Spelling::Hex,
};

const GIT_BLOB_SHA256: Composite = Composite {
    name: "git-blob-sha256",
    aliases: &["git-sha256"],
    specified_in: "Git, hash-function-transition",
    digest: "sha256",
    ..GIT_BLOB
};

/// The identity of a block or transaction of Bitcoin, its bytes in the order in which SHA-256 gives
/// them; programs show them the other way round.
const SHA256D: Composite = Composite {
    name: "sha256d",
    aliases: &["double-sha256", "dbl-sha2-256", "hash256"],
    specified_in: "Bitcoin developer reference, Hashes",
    part_len: usize::MAX,
    adjustable: false,
    digest: "sha256",
    rule: Rule::Twice { outer: "sha256" },
    spelling: Spelling::Hex,
};

/// What an address of Bitcoin has of a public key or script.
const HASH160: Composite = Composite {
    name: "hash160",
    aliases: &[],
    rule: Rule::Twice { outer: "ripemd160" },
    ..SHA256D
};

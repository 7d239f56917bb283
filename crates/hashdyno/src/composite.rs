//! Digests of whole messages, made from the digests of their parts. Clouds and networks name files
//! by them. Parts that are given in one call are hashed together, one in each lane of a vector.
//!
//! ```
//! use hashdyno::composite::{self, Composite};
//!
//! let dropbox = composite::find("dropbox").unwrap();
//! let mut hasher = dropbox.hasher();
//! hasher.update(b"hello ");
//! hasher.update(b"world");
//! assert_eq!(hasher.finish().digest, dropbox.digest(b"hello world"));
//!
//! let uploaded = Composite::s3(hashdyno::find("md5").unwrap(), 8 << 20);
//! println!("{}", uploaded.hasher().finish().etag()); // the ETag of an object uploaded in parts
//! ```

use crate::{Cpu, Digest, Hasher, Output, find as find_digest, hex};

mod hasher;
mod s3;

pub use hasher::CompositeHasher;
pub use s3::{S3Etag, s3_part_lens};

/// A rule that makes the digest of a message from the digests of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composite {
    /// The one name used in output: lower case, hyphens.
    pub name: &'static str,
    /// Other names that [`find`] accepts.
    pub aliases: &'static [&'static str],
    /// The document that defines it.
    pub specified_in: &'static str,
    /// Length in bytes of each part but the last, which may be shorter.
    pub part_len: usize,
    digest: &'static str,
    rule: Rule,
}

/// What becomes of the digests of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The digest of all of them, one after another.
    List {
        /// Whether that of the only part is the message's.
        alone: bool,
        /// Whether a message of whole parts ends with an empty one.
        ends_empty: bool,
        /// Whether an empty message has a part.
        of_nothing: bool,
    },
    /// A tree of pairs, the digests of the parts its leaves.
    Tree {
        /// What comes before a part.
        leaf: &'static [u8],
        /// What comes before two digests.
        node: &'static [u8],
        /// Whether leaves of zeros fill it up; else a digest without a second one goes up as it is.
        filled: bool,
    },
}

/// The digest of a message, and of how many parts it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The digest.
    pub digest: Output,
    /// How many parts.
    pub parts: u64,
}

impl Composed {
    /// As Amazon S3 writes the ETag of an object that was uploaded in parts: the digest in
    /// hexadecimal, a hyphen, the number of parts.
    pub fn etag(&self) -> String {
        format!("{}-{}", hex(&self.digest), self.parts)
    }
}

const DROPBOX: Composite = Composite {
    name: "dropbox",
    aliases: &["dropbox-content-hash", "dbhash"],
    specified_in: "Dropbox for HTTP developers, Content hash",
    part_len: 4 << 20,
    digest: "sha256",
    rule: Rule::List { alone: false, ends_empty: false, of_nothing: false },
};

/// As eMule and RHash have it.
const ED2K: Composite = Composite {
    name: "ed2k",
    aliases: &["ed2k-red"],
    specified_in: "eMule Protocol Specification, 2005",
    part_len: 9_728_000,
    digest: "md4",
    rule: Rule::List { alone: true, ends_empty: true, of_nothing: true },
};

/// The other reading: a file of whole parts has no empty one behind them.
const ED2K_BLUE: Composite = Composite {
    name: "ed2k-blue",
    aliases: &[],
    rule: Rule::List { alone: true, ends_empty: false, of_nothing: true },
    ..ED2K
};

/// The `pieces root` of a file. An empty file has none in a torrent; here it is the digest of an
/// empty part.
const BITTORRENT_V2: Composite = Composite {
    name: "bittorrent-v2",
    aliases: &["btmr", "pieces-root"],
    specified_in: "BEP 52",
    part_len: 16 << 10,
    digest: "sha256",
    rule: Rule::Tree { leaf: b"", node: b"", filled: true },
};

const TTH: Composite = Composite {
    name: "tth",
    aliases: &["tiger-tree"],
    specified_in: "Tree Hash EXchange format (THEX), 2003",
    part_len: 1 << 10,
    digest: "tiger192-3",
    rule: Rule::Tree { leaf: b"\0", node: b"\x01", filled: false },
};

/// Every composite digest that needs no parameter.
pub const ALL: &[Composite] = &[DROPBOX, ED2K, ED2K_BLUE, BITTORRENT_V2, TTH];

/// The composite digest of that name, by any of its names, in any case.
pub fn find(name: &str) -> Option<&'static Composite> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    ALL.iter().find(|composite| is(composite.name) || composite.aliases.iter().any(|it| is(it)))
}

impl Composite {
    /// What Amazon S3 and stores alike give an object that was uploaded in parts of that length:
    /// its ETag by MD5, a composite checksum by another digest.
    ///
    /// # Panics
    /// If parts are empty.
    pub const fn s3(digest: &'static Digest, part_len: usize) -> Self {
        assert!(part_len > 0, "parts of an object are not empty");
        Self {
            name: "s3",
            aliases: &[],
            specified_in: "Amazon S3 User Guide, Checking object integrity",
            part_len,
            digest: digest.name,
            rule: Rule::List { alone: false, ends_empty: false, of_nothing: true },
        }
    }

    /// The digest of one whole message, by the best kernels of this machine.
    pub fn digest(&self, message: &[u8]) -> Output {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.finish().digest
    }

    /// An empty message, by the best kernels of this machine.
    pub fn hasher(&self) -> CompositeHasher {
        CompositeHasher::new(*self, *Cpu::native())
    }

    /// The digest of the parts.
    fn part_digest(&self) -> &'static Digest {
        find_digest(self.digest).expect("the feature `composite` has the families of all")
    }

    /// What comes before each part.
    fn leaf(&self) -> &'static [u8] {
        match self.rule {
            Rule::List { .. } => b"",
            Rule::Tree { leaf, .. } => leaf,
        }
    }
}

/// The identity of an object of Git, `blob`, `tree`, `commit` or `tag`: a hasher that took what Git
/// puts before the `len` bytes that must follow. Git has SHA-1, or SHA-256 for new repositories.
///
/// ```
/// let mut object = hashdyno::composite::git(hashdyno::find("sha1").unwrap(), "blob", 6);
/// object.update(b"hello\n");
/// assert_eq!(hashdyno::hex(&object.finish()), "ce013625030ba8dba906f756967f9e9ca394464a");
/// ```
pub fn git(digest: &'static Digest, kind: &str, len: u64) -> Hasher {
    let mut hasher = Hasher::new(digest);
    hasher.update(format!("{kind} {len}\0").as_bytes());
    hasher
}

//! Digests of whole messages, made from the digests of their parts. Clouds and networks name files
//! by them. With the feature `many`, parts that are given in one call are hashed together, one in
//! each lane of a vector.
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
//! println!("{}", uploaded.hasher().finish()); // the ETag of an object uploaded in parts
//! ```

use crate::parts::words;
use crate::{Cpu, Digest, Hasher, Output, Security, find as find_digest};

mod hasher;
mod leaves;
mod rows;
mod running;
mod s3;
mod spelling;
mod torrent;

pub use hasher::{CompositeHasher, Parts};
pub use rows::ALL;
pub use running::RunningParts;
pub use s3::{S3Etag, s3_part_lens};
pub use spelling::Composed;
use spelling::Spelling;

/// A rule that makes the digest of a message from the digests of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composite {
    /// The one name used in output: lower case, hyphens.
    pub name: &'static str,
    /// Other names that [`find`] accepts.
    pub aliases: &'static [&'static str],
    /// The document that defines it.
    pub specified_in: &'static str,
    /// Length in bytes of each part but the last, which may be shorter; 0 if it depends on the
    /// length of the message; the greatest number if the message is one part, whatever its length.
    pub part_len: usize,
    /// Whether [`Composite::with_part_len`] may change that.
    pub adjustable: bool,
    digest: &'static str,
    rule: Rule,
    spelling: Spelling,
}

/// What becomes of the digests of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The digest of all of them, one after another.
    List {
        alone: Alone,
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
    /// eMule's tree of parts, each a tree of blocks.
    Aich,
    /// An object of Git: the message in one part, its length before it.
    Blob,
    /// The information on one file in a torrent.
    Torrent,
    /// The message in one part, its digest hashed once more, by `outer`.
    Twice { outer: &'static str },
}

/// When the digest of the only part is the message's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alone {
    Never,
    Always,
    /// If the message is shorter than a part: it was not made in parts.
    Shorter,
}

/// The composite digest of that name, by any of its names, in any case.
pub fn find(name: &str) -> Option<&'static Composite> {
    ALL.iter().find(|composite| composite.names().any(|known| known.eq_ignore_ascii_case(name)))
}

impl Composite {
    /// What Amazon S3 and stores alike give an object that was uploaded in parts of that length:
    /// its ETag by MD5, a composite checksum by another digest.
    ///
    /// # Panics
    /// If parts are empty.
    pub const fn s3(digest: &'static Digest, part_len: usize) -> Self {
        assert!(part_len > 0, "parts of an object are not empty");
        let mut row = 0;
        while row < rows::S3.len() && !words::same(rows::S3[row].digest, digest.name) {
            row += 1;
        }
        let composite =
            if row < rows::S3.len() { rows::S3[row] } else { rows::other_of_s3(digest.name) };
        let rule = Rule::List { alone: Alone::Never, ends_empty: false, of_nothing: true };
        Self { part_len, rule, ..composite }
    }

    /// The same with parts of that length; none if it has parts of its own length only, or parts
    /// were empty.
    pub fn with_part_len(self, part_len: usize) -> Option<Self> {
        (self.adjustable && part_len > 0).then_some(Self { part_len, ..self })
    }

    /// Every name that [`find`] knows it by, its own first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.name].into_iter().chain(self.aliases.iter().copied())
    }

    /// The digest of the parts, and of what is made of them.
    pub fn part_digest(&self) -> &'static Digest {
        find_digest(self.digest).expect("the feature `composite` has the families of all")
    }

    /// The digest that is made last, of the digests of the parts.
    fn outer(&self) -> &'static Digest {
        match self.rule {
            Rule::Twice { outer } => {
                find_digest(outer).expect("the feature `composite` has the families of all")
            }
            _ => self.part_digest(),
        }
    }

    /// Length of the digest in bytes.
    pub fn output_len(&self) -> usize {
        self.outer().output_len
    }

    /// What it is good for today: no more than the digests that it is made of.
    pub fn security(&self) -> Security {
        let [inner, outer] = [self.part_digest().security, self.outer().security];
        if outer == Security::Sound { inner } else { outer }
    }

    /// Whether the number of parts is written behind the digest, as S3 does.
    pub fn counts_parts(&self) -> bool {
        matches!(self.spelling, Spelling::HexOfParts | Spelling::Base64OfParts)
    }

    /// The digest of one whole message, by the best kernels of this machine. A torrent has the
    /// message under an empty name.
    pub fn digest(&self, message: &[u8]) -> Output {
        let mut hasher = self.hasher_of(b"", Some(message.len() as u64));
        hasher.update(message);
        hasher.finish().digest
    }

    /// An empty message, by the best kernels of this machine. Git and torrents need the length of
    /// a message before its bytes: they keep it in memory unless [`Composite::hasher_of`] tells.
    pub fn hasher(&self) -> CompositeHasher {
        self.hasher_of(b"", None)
    }

    /// The same for a message of that name, of which torrents have what is behind the last `/`, and
    /// of that length in bytes, if it is known.
    pub fn hasher_of(&self, name: &[u8], len: Option<u64>) -> CompositeHasher {
        CompositeHasher::new(*self, *Cpu::native(), name, len)
    }

    /// Whether [`Composite::digest_parts`] can take parts of the message; else it is one part.
    pub fn has_parts(&self) -> bool {
        !matches!(self.rule, Rule::Blob | Rule::Twice { .. })
    }

    /// The same for messages of that length: with the length of their parts.
    pub fn for_len(self, len: u64) -> Self {
        match self.rule {
            Rule::Torrent if self.part_len == 0 => {
                Self { part_len: torrent::usual_part_len(len), ..self }
            }
            _ => self,
        }
    }

    /// Digests of parts that follow each other, by one core of that CPU. Each piece
    /// begins where a part begins; all parts are whole, but the last of a message. Where the length
    /// of parts depends on the message's, [`Composite::for_len`] must have told it.
    pub fn digest_parts(&self, cpu: &Cpu, pieces: &[&[u8]]) -> Parts {
        Parts::new(self, cpu, pieces)
    }

    /// The same of `count` parts that follow each other, whose bytes come in pieces, side by side.
    ///
    /// # Panics
    /// If the parts are trees themselves, as AICH's are.
    pub fn begin_parts(&self, cpu: &Cpu, count: usize) -> RunningParts {
        RunningParts::new(self, cpu, count)
    }

    /// Whether [`Composite::begin_parts`] can take parts of the message.
    pub fn has_running_parts(&self) -> bool {
        self.has_parts() && self.rule != Rule::Aich
    }

    /// Lengths in bytes of what is hashed, and after how many bytes they repeat.
    fn lens(&self) -> Lens {
        // Where words have 32 bits, a message of one part may be longer than they tell.
        let part = if self.has_parts() { self.part_len as u64 } else { u64::MAX };
        let leaf = if self.rule == Rule::Aich { rows::AICH_BLOCK as u64 } else { part };
        Lens { leaf, part }
    }
}

/// Parts of a message, cut into leaves: what is hashed at a time. The last leaf of a part may be
/// shorter than the others.
#[derive(Clone, Copy, Debug)]
struct Lens {
    leaf: u64,
    part: u64,
}

impl Lens {
    /// Length of the leaf that begins after so many bytes.
    fn leaf_at(self, offset: u64) -> u64 {
        self.leaf.min(self.part - self.in_part(offset))
    }

    /// How many of `len` bytes from the beginning of a leaf on are whole leaves.
    fn whole(self, offset: u64, len: usize) -> usize {
        let mut whole = 0;
        loop {
            let leaf = self.leaf_at(offset + whole as u64);
            if ((len - whole) as u64) < leaf {
                return whole;
            }
            whole += leaf as usize;
        }
    }

    /// How many bytes of a part come before.
    fn in_part(self, offset: u64) -> u64 {
        offset % self.part
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
    hasher.update(&git_header(kind, len));
    hasher
}

fn git_header(kind: &str, len: u64) -> Vec<u8> {
    format!("{kind} {len}\0").into_bytes()
}

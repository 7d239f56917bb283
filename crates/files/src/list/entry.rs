//! What a list says of a file.

use hashdyno::{Digest, Output};
use jiff::Timestamp;

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
    pub digests: &'static [&'static Digest],
    /// Its value, as long as that of any of them.
    pub value: Output,
}

impl Entry {
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
    pub fn new(digests: &'static [&'static Digest], value: &[u8]) -> Option<Self> {
        let fits = digests.first().is_some_and(|digest| digest.output_len == value.len());
        Some(Self { digests, value: value.try_into().ok()? }).filter(|_| fits)
    }
}

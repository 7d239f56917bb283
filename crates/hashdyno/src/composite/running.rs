//! Long parts that follow each other, hashed side by side as their bytes come.

use super::{Composite, Parts};
use crate::hasher::update_many_by;
use crate::{Cpu, FittedHasher, Hasher, ReadyLanes};

/// Parts that are hashed side by side: with the feature `many` one in each lane of a vector. They
/// need less memory than [`Composite::digest_parts`], which wants all of their bytes at once.
pub struct RunningParts {
    lanes: Option<ReadyLanes>,
    /// Each part's hasher.
    hashers: Vec<Hasher>,
    /// Bytes that each has taken before its part.
    before_len: u64,
}

impl RunningParts {
    pub(super) fn new(composite: &Composite, cpu: &Cpu, count: usize) -> Self {
        let digest = composite.part_digest();
        let lens = composite.lens();
        assert!(lens.leaf == lens.part, "the parts of this digest are no leaves");
        let mut hasher = Hasher::with_kernel(digest, digest.bind(cpu));
        hasher.update(&super::hasher::before(composite, 0));
        let (lanes, before_len) = (digest.bind_update(cpu, count), hasher.message_len());
        Self { lanes, hashers: vec![hasher; count], before_len }
    }

    /// Takes the next bytes of each part.
    ///
    /// # Panics
    /// If there are not as many pieces as parts.
    pub fn update(&mut self, pieces: &[&[u8]]) {
        let mut each: Vec<&mut FittedHasher> =
            self.hashers.iter_mut().map(|hasher| &mut **hasher).collect();
        update_many_by(self.lanes.as_ref(), &mut each, pieces);
    }

    /// The digests of the first `count` parts. Each has taken a whole part, but the last of a
    /// message may be shorter.
    pub fn finish(self, count: usize) -> Parts {
        let hashers = || self.hashers.iter().take(count);
        let before = self.before_len;
        Parts {
            digests: hashers().flat_map(|hasher| hasher.clone().finish().to_vec()).collect(),
            count: hashers().count() as u64,
            len: hashers().map(|hasher| hasher.message_len() - before).sum(),
        }
    }
}

//! Digests as hashers of maps.

use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use arrayvec::ArrayVec;

use crate::TypedHasher;
use crate::typed::Typed;

/// Makes the hashers of a map or set by a digest of 64, 32 or 16 bits.
///
/// ```
/// # #[cfg(feature = "xxhash")] {
/// use hashdyno::{BuildMapHasher, typed::Xxh3};
/// use std::collections::HashMap;
///
/// let mut counts = HashMap::<&str, u32, BuildMapHasher<Xxh3>>::default();
/// *counts.entry("a key").or_default() += 1;
/// assert_eq!(counts["a key"], 1);
/// # }
/// ```
pub type BuildMapHasher<H> = BuildHasherDefault<MapHasher<H>>;

/// The hasher of a map's key by a digest such as [`Xxh3`](crate::typed::Xxh3). It keeps short keys
/// until they end and takes them in one call; longer ones go to a [`TypedHasher`] on the heap.
///
/// [`Hasher::finish`] gives the digest as an integer; one of fewer than 64 bits is repeated, as
/// tables take bits from both ends. None of the digests has a key of its own, so whoever chooses
/// the map's keys can make all of them collide: for keys of strangers use the standard library's.
pub struct MapHasher<H> {
    short: ArrayVec<u8, SHORT>,
    /// All bytes, once they are more.
    long: Option<Box<H>>,
}

/// The longest key that is hashed in one call, in bytes.
const SHORT: usize = 128;

impl<D: Typed> MapHasher<TypedHasher<D>> {
    /// Takes bytes for which there is no room.
    #[cold]
    fn write_long(&mut self, bytes: &[u8]) {
        let begin = || {
            let mut hasher = Box::new(TypedHasher::new());
            hasher.update(&self.short);
            hasher
        };
        self.long.get_or_insert_with(begin).update(bytes);
    }
}

impl<H> Default for MapHasher<H> {
    #[inline]
    fn default() -> Self {
        Self { short: ArrayVec::new(), long: None }
    }
}

impl<D: Typed<Value: Into<u64>>> Hasher for MapHasher<TypedHasher<D>> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if self.long.is_some() || self.short.try_extend_from_slice(bytes).is_err() {
            self.write_long(bytes);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        let value = match &self.long {
            None => D::one_shot(&self.short),
            Some(hasher) => (**hasher).clone().finish(),
        };
        let most = u64::MAX >> (64 - 8 * size_of::<D::Value>());
        value.into().wrapping_mul(u64::MAX / most)
    }
}

impl<H: Clone> Clone for MapHasher<H> {
    fn clone(&self) -> Self {
        Self { short: self.short.clone(), long: self.long.clone() }
    }
}

impl<H> fmt::Debug for MapHasher<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapHasher").finish_non_exhaustive()
    }
}

//! Running hashes whose digest is known to the compiler: the type says which.

use std::fmt;
use std::hash::Hash;
use std::io::{self, Write};
use std::marker::PhantomData;

pub use crate::digests::types::*;
use crate::{Digest, Hasher, Messages, ReadyKernel};

/// A message being hashed by a digest that its type says, such as [`Sha256`]. What it gives has the
/// digest's length: `[u8; 32]`, or of a checksum an integer.
///
/// ```
/// # #[cfg(feature = "sha2")] {
/// use hashdyno::typed::Sha256;
///
/// let mut hasher = Sha256::new();
/// hasher.update("a ");
/// hasher.update("message");
/// let digest: [u8; 32] = hasher.finish();
/// assert_eq!(digest, hashdyno::sha256(b"a message"));
/// # }
/// ```
///
/// With the feature `digest` it has RustCrypto's traits.
pub struct TypedHasher<D> {
    hasher: Hasher,
    digest: PhantomData<fn() -> D>,
}

/// A digest as a type: the parameter of a [`TypedHasher`]. This crate alone can implement it.
pub trait Typed: Sealed + 'static {
    /// What a message is given as.
    type Value: Value;
    /// The digest as a value.
    const DIGEST: &'static Digest;
    /// The best kernel of this machine.
    #[doc(hidden)]
    fn kernel() -> &'static ReadyKernel;
    /// The digest's own function.
    #[doc(hidden)]
    fn one_shot(message: &[u8]) -> Self::Value;
}

/// What a digest of known length is given as: an array of bytes, or an unsigned integer.
pub trait Value: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + Sealed + 'static {
    /// From the digest's bytes; `write` fills a buffer of this type's length.
    #[doc(hidden)]
    fn written(write: impl FnOnce(&mut [u8])) -> Self;
}

mod sealed {
    /// What no other crate can implement.
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

impl<const LEN: usize> Sealed for [u8; LEN] {}

impl<const LEN: usize> Value for [u8; LEN] {
    #[inline(always)]
    fn written(write: impl FnOnce(&mut [u8])) -> Self {
        let mut bytes = [0; LEN];
        write(&mut bytes);
        bytes
    }
}

/// The integers of checksums.
macro_rules! integers {
    ($($integer:ty)+) => {
        $(
            impl Sealed for $integer {}

            impl Value for $integer {
                #[inline(always)]
                fn written(write: impl FnOnce(&mut [u8])) -> Self {
                    Self::from_be_bytes(Value::written(write))
                }
            }
        )+
    };
}

integers! { u8 u16 u32 u64 u128 }

/// The digest of a whole message.
#[inline(always)]
pub(crate) fn one_shot<D: Typed>(message: &[u8]) -> D::Value {
    D::Value::written(|out| D::DIGEST.digest_into(D::kernel(), message, out))
}

impl<D: Typed> TypedHasher<D> {
    /// An empty message, by the best kernel of this machine.
    pub fn new() -> Self {
        Self { hasher: Hasher::with_kernel(D::DIGEST, *D::kernel()), digest: PhantomData }
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.hasher.update(bytes.as_ref());
    }

    /// The digest of all bytes taken.
    pub fn finish(mut self) -> D::Value {
        self.finish_reset()
    }

    /// The digest of all bytes taken; the hasher then begins an empty message.
    pub fn finish_reset(&mut self) -> D::Value {
        D::Value::written(|out| self.hasher.finish_reset(out))
    }

    /// Begins an empty message.
    pub fn reset(&mut self) {
        self.hasher.reset();
    }

    /// The digests of many messages, on one core, many at a time in the lanes of vectors.
    ///
    /// ```
    /// # #[cfg(feature = "md5")] {
    /// let digests = hashdyno::typed::Md5::digest_many(&[b"one".as_slice(), b"two"]);
    /// assert_eq!(digests, [hashdyno::md5(b"one"), hashdyno::md5(b"two")]);
    /// # }
    /// ```
    ///
    /// # Panics
    /// As [`Messages::len`] and [`Messages::message`] do.
    #[cfg(feature = "many")]
    pub fn digest_many<'a>(messages: impl Into<Messages<'a>>) -> Vec<D::Value> {
        let digests = crate::digest_many(D::DIGEST, messages);
        let value = |digest: &[u8]| D::Value::written(|out| out.copy_from_slice(digest));
        digests.chunks_exact(D::DIGEST.output_len).map(value).collect()
    }

    /// The digest of all bytes taken, into all of `out`, which is as long.
    #[cfg(feature = "digest")]
    pub(crate) fn finish_reset_into(&mut self, out: &mut [u8]) {
        self.hasher.finish_reset(out);
    }
}

impl<D: Typed> Default for TypedHasher<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> Clone for TypedHasher<D> {
    fn clone(&self) -> Self {
        Self { hasher: self.hasher.clone(), digest: PhantomData }
    }
}

impl<D> fmt::Debug for TypedHasher<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hasher.fmt(f)
    }
}

/// Takes all that is written; it never fails.
impl<D> Write for TypedHasher<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! A digest by value.

use std::array::TryFromSliceError;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use thiserror::Error;

use crate::MAX_OUTPUT_LEN;

/// A digest by value: up to [`MAX_OUTPUT_LEN`] bytes, no heap. It derefs to its bytes and prints
/// them in hexadecimal:
///
/// ```
/// # #[cfg(feature = "sha2")] {
/// let digest = hashdyno::SHA256.digest(b"abc");
/// assert!(
///     digest.to_string().starts_with("ba7816bf") && format!("{digest:X}").starts_with("BA7816BF")
/// );
/// let bytes: [u8; 32] = (&digest).try_into()?;
/// assert_eq!(digest, bytes);
/// # }
/// # Ok::<(), std::array::TryFromSliceError>(())
/// ```
///
/// Comparisons take less time where digests differ early. Do not compare a secret value, such as an
/// authentication code, by `==`: the traits of RustCrypto (feature `digest`) have
/// `Mac::verify_slice` for that.
#[derive(Clone)]
pub struct Output {
    len: u8,
    bytes: [u8; MAX_OUTPUT_LEN],
}

/// Bytes are more than a digest can have, [`MAX_OUTPUT_LEN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} bytes: expected at most {MAX_OUTPUT_LEN}, the longest digest")]
pub struct TooLong(usize);

impl Output {
    /// A digest of `len` bytes; `write` fills them.
    ///
    /// # Panics
    /// If they are more than [`MAX_OUTPUT_LEN`].
    #[inline]
    pub(crate) fn written(len: usize, write: impl FnOnce(&mut [u8])) -> Self {
        let mut bytes = [0; MAX_OUTPUT_LEN];
        write(&mut bytes[..len]);
        Self { len: len as u8, bytes }
    }

    /// The bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl Deref for Output {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Output {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Borrow<[u8]> for Output {
    #[inline]
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl fmt::LowerHex for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::UpperHex for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

impl fmt::Display for Output {
    /// In lower-case hexadecimal, padded as text is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&crate::hex(self))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({self:x})")
    }
}

impl<const LEN: usize> TryFrom<Output> for [u8; LEN] {
    type Error = TryFromSliceError;

    fn try_from(output: Output) -> Result<Self, Self::Error> {
        (&output).try_into()
    }
}

impl<const LEN: usize> TryFrom<&Output> for [u8; LEN] {
    type Error = TryFromSliceError;

    fn try_from(output: &Output) -> Result<Self, Self::Error> {
        output.as_slice().try_into()
    }
}

impl TryFrom<&[u8]> for Output {
    type Error = TooLong;

    fn try_from(bytes: &[u8]) -> Result<Self, TooLong> {
        match bytes.len() {
            len @ ..=MAX_OUTPUT_LEN => Ok(Self::written(len, |out| out.copy_from_slice(bytes))),
            len => Err(TooLong(len)),
        }
    }
}

impl From<Output> for Vec<u8> {
    fn from(output: Output) -> Self {
        output.to_vec()
    }
}

impl IntoIterator for Output {
    type Item = u8;
    type IntoIter = std::iter::Take<std::array::IntoIter<u8, MAX_OUTPUT_LEN>>;

    fn into_iter(self) -> Self::IntoIter {
        self.bytes.into_iter().take(self.len.into())
    }
}

impl<'a> IntoIterator for &'a Output {
    type Item = &'a u8;
    type IntoIter = std::slice::Iter<'a, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Not with text: a digest is not the bytes of its hexadecimal digits.
macro_rules! equal_to {
    ($(($($generics:tt)*) $other:ty),+ $(,)?) => {
        $(
            impl<$($generics)*> PartialEq<$other> for Output {
                fn eq(&self, other: &$other) -> bool {
                    self.as_slice() == &other[..]
                }
            }

            impl<$($generics)*> PartialEq<Output> for $other {
                fn eq(&self, other: &Output) -> bool {
                    other == self
                }
            }
        )+
    };
}

equal_to! {
    () [u8],
    () &[u8],
    () Vec<u8>,
    (const LEN: usize) [u8; LEN],
    (const LEN: usize) &[u8; LEN],
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Output {}

impl Hash for Output {
    /// As a slice of bytes, by which a map finds it, too.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl PartialOrd for Output {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Output {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other)
    }
}

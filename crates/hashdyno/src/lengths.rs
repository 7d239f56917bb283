//! Digests of other lengths than those of the list.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use thiserror::Error;

use crate::registry::listed;
use crate::{ALL, Digest, MAX_OUTPUT_LEN, Spelling};

/// Why a digest cannot have a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LengthError {
    /// Its specification gives it one length.
    #[error("{name} has {has} bits and no other length, not {asked}")]
    Fixed {
        /// The digest.
        name: &'static str,
        /// The bits that it has.
        has: usize,
        /// The bits that were asked for.
        asked: usize,
    },
    /// It has other lengths, but not this one.
    #[error("{name} cannot have {asked} bits: expected a multiple of 8 from 8 to {most}")]
    Range {
        /// The digest.
        name: &'static str,
        /// The most bits that it can have here.
        most: usize,
        /// The bits that were asked for.
        asked: usize,
    },
}

impl Digest {
    /// The digest of that many bits, where the specification leaves the length to the caller:
    /// BLAKE2, Skein and every [`Digest::extendable`] digest.
    ///
    /// BLAKE2 and Skein take the length into the computation: other lengths give other digests. Of
    /// an extendable digest a shorter output is the beginning of a longer one.
    ///
    /// ```
    /// # #[cfg(feature = "keccak")] {
    /// use hashdyno::{SHAKE256, find};
    ///
    /// let digest = SHAKE256.of_bits(1024)?;
    /// assert_eq!((digest.name, digest.output_len), ("shake256-1024", 128));
    /// assert_eq!(find("shake256-1024"), Some(digest));
    /// assert!(digest.digest(b"abc").starts_with(&hashdyno::shake256(b"abc")));
    /// # }
    /// # Ok::<(), hashdyno::LengthError>(())
    /// ```
    ///
    /// # Errors
    /// If the digest has one length, or not this one. No digest is longer than [`MAX_OUTPUT_LEN`]:
    /// [`crate::Hasher::finish_into`] and [`Digest::digest_into`] give more of extendable digests.
    pub fn of_bits(&'static self, bits: usize) -> Result<&'static Self, LengthError> {
        if bits == 8 * self.output_len {
            return Ok(self);
        }
        let most = match (self.modes.longest)(self) {
            0 => {
                let has = 8 * self.output_len;
                return Err(LengthError::Fixed { name: self.name, has, asked: bits });
            }
            most => 8 * most.min(MAX_OUTPUT_LEN),
        };
        let stem = self.stem();
        if bits == 0 || !bits.is_multiple_of(8) || bits > most {
            return Err(LengthError::Range { name: stem, most, asked: bits });
        }
        // Of one that was made here, the digest of the list: it has the usual length, and kernels
        // for many messages.
        let base = listed(stem).filter(|listed| listed.extendable).unwrap_or(self);
        if bits == 8 * base.output_len {
            return Ok(base);
        }
        let name = format!("{stem}-{bits}");
        if let Some(listed) = ALL.into_iter().find(|digest| digest.name == name) {
            return Ok(listed);
        }
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(name.as_str()) {
            return Ok(known);
        }
        // Each is made once and is there as long as the process, as those of the list.
        let name = &*Box::leak(name.into_boxed_str());
        let like = (base.modes.of_len)(base, bits / 8);
        let digest =
            Box::leak(Box::new(Self { name, aliases: &[], spelling: Spelling::NONE, ..like }));
        made.insert(name, digest);
        Ok(digest)
    }

    /// The name without a length that goes into the computation or was asked for.
    fn stem(&self) -> &'static str {
        let cut = match self.extendable {
            false => self.name.split_once('-'),
            true if listed(self.name).is_some() => None, // `ascon-xof128`
            true => self.name.rsplit_once('-'),
        };
        cut.map_or(self.name, |(stem, _)| stem)
    }
}

/// The digest of that name, by any of its names, in any case; or one of another length, as
/// [`Digest::of_bits`] gives it, by its name and the number of bits: `blake2b-200`,
/// `shake256-1024`.
pub fn find(name: &str) -> Option<&'static Digest> {
    listed(name).or_else(|| {
        let (stem, bits) = name.rsplit_once('-')?;
        let digest = listed(stem)?.of_bits(bits.parse().ok()?).ok()?;
        // Not `blake2b-256-8`, nor `shake128-+8`.
        let spelt = digest.extendable || digest.name.eq_ignore_ascii_case(name);
        (spelt && bits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digest)
    })
}

/// As [`find`], by the names that are usual outside of PHP: `crc32` is the CRC-32 of zip, rhash and
/// Python, and `php-crc32` is PHP's.
///
/// ```
/// # #[cfg(feature = "crc")] {
/// assert_eq!(hashdyno::find("crc32").unwrap().name, "crc32-bzip2");
/// assert_eq!(hashdyno::find_outside_php("crc32").unwrap().name, "crc32b");
/// # }
/// ```
pub fn find_outside_php(name: &str) -> Option<&'static Digest> {
    match name.to_ascii_lowercase().as_str() {
        "crc32" => find("crc32b"),
        "php-crc32" => find("crc32-bzip2"),
        name => find(name),
    }
}

/// The digests that were asked for.
static MADE: LazyLock<Mutex<BTreeMap<&str, &Digest>>> = LazyLock::new(Mutex::default);

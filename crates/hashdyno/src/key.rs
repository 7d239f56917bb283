//! Keys: HMAC over every cryptographic digest, and the keyed modes that digests have of their own.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;

use constant_time_eq::constant_time_eq;
use zeroize::{Zeroize, Zeroizing};

use crate::{Begun, Cpu, Digest, Hasher, Kernel, Keyed, Output, ReadyKernel, Security, State};

mod error;
mod hasher;
mod hkdf;
#[cfg(feature = "many")]
mod many;
mod part;
mod pbkdf2;

pub use error::KeyError;
pub use hasher::KeyedHasher;
pub use hkdf::{hkdf, hkdf_expand};
use part::Part;
pub use pbkdf2::{pbkdf2, pbkdf2_many, pbkdf2_many_on};

/// A key, bound to what it is used with. Whoever has a message and the key can tell that the
/// message is the one that the key's owner had. A copy of it is cheap and the same key; its memory
/// is wiped when the last copy is dropped.
///
/// ```
/// # #[cfg(feature = "sha2")] {
/// use hashdyno::{Key, SHA256, hex};
///
/// let key = Key::hmac(SHA256, b"Jefe")?; // RFC 4231, test case 2
/// let code = key.digest(b"what do ya want for nothing?");
/// assert!(hex(&code).starts_with("5bdcc146bf60754e6a042426089575c7"));
/// assert!(key.verify(b"what do ya want for nothing?", &code));
///
/// let mut hasher = key.hasher();
/// hasher.update(b"what do ya want ");
/// hasher.update(b"for nothing?");
/// assert_eq!(hasher.finish(), code);
/// # }
/// # Ok::<(), hashdyno::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Key(Arc<Inner>);

struct Inner {
    mode: Mode,
    /// The digest that the key is bound to.
    digest: &'static Digest,
    /// The one that computes it.
    by: &'static Digest,
    inner: Part,
    /// What takes the inner digest, if this is an HMAC.
    outer: Option<Part>,
}

/// Whether lanes have the digest as words: of those, 16 are a block. SHA-512/224 is none.
fn is_whole_words(digest: &Digest) -> bool {
    digest.output_len.is_multiple_of(digest.block_len / 16)
}

impl Inner {
    /// What the key of an HMAC leaves before the inner or the outer digest.
    fn part(&self, outer: bool) -> &Part {
        if outer { self.outer.as_ref().expect("an HMAC") } else { &self.inner }
    }
}

/// What a [`Key`] makes of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// HMAC (RFC 2104, FIPS 198-1).
    Hmac,
    /// The digest's own keyed mode: BLAKE2's (RFC 7693), BLAKE3's, Skein-MAC, SipHash, HighwayHash.
    Keyed,
    /// BLAKE3's key derivation.
    Derive,
    /// A checksum with a seed.
    Seed,
    /// XXH3 with a secret.
    Secret,
}

impl Key {
    /// HMAC (RFC 2104, FIPS 198-1) over a digest, with a key of any length. One that is longer than
    /// a block ([`Digest::hmac_block_len`]) is hashed first. The code is as long as the digest.
    ///
    /// # Errors
    /// If the digest is a checksum, is longer than its block (Ascon-Hash256), or has any length
    /// (SHAKE). BLAKE3 is taken at its usual 32 bytes.
    pub fn hmac(digest: &'static Digest, key: &[u8]) -> Result<Self, KeyError> {
        let any_length = digest.extendable && !digest.modes.hmac_at_usual_len;
        if digest.security == Security::Checksum || any_length {
            return Err(KeyError::NoHmac { digest: digest.name });
        }
        let (len, block) = (digest.output_len, digest.hmac_block_len());
        if len > block {
            return Err(KeyError::LongerThanBlock { digest: digest.name, len, block });
        }
        let mut block = Zeroizing::new(vec![0; block]);
        if key.len() > block.len() {
            // This digest is the key from here on: no copy of it may stay behind.
            let mut hasher = Hasher::new(digest);
            hasher.update(key);
            hasher.end(&mut block[..len]);
            hasher.wipe();
            wipe_below();
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let part = |byte| {
            let mut state = State::new();
            (digest.start)(&mut state);
            let prefix = Zeroizing::new(block.iter().map(|key| key ^ byte).collect());
            Part::new(Keyed { digest, first: Begun::new(&mut state, 0), prefix })
        };
        let (inner, outer) = (part(0x36), Some(part(0x5c)));
        Ok(Self(Arc::new(Inner { mode: Mode::Hmac, digest, by: digest, inner, outer })))
    }

    /// The digest's own keyed mode: BLAKE2's (RFC 7693; 1 to 64 bytes for BLAKE2b, 1 to 32 for
    /// BLAKE2s), BLAKE3's (32 bytes), Skein-MAC (Skein 1.3, section 4.3; any length but 0), SipHash
    /// (16 bytes) and HighwayHash (32 bytes). The code is as long as the digest; BLAKE3's may have
    /// any length.
    ///
    /// # Errors
    /// If the digest has no such mode, or a key of that length.
    pub fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Self, KeyError> {
        Ok(Self::of(Mode::Keyed, digest, (digest.modes.keyed)(digest, key)?))
    }

    /// BLAKE3's key derivation for a context, a text that names what the derived key is for and
    /// that no two uses share. The messages are what keys are derived from, the digests the keys,
    /// which may have any length.
    ///
    /// # Errors
    /// If the digest is not BLAKE3.
    pub fn derive(digest: &'static Digest, context: &str) -> Result<Self, KeyError> {
        Ok(Self::of(Mode::Derive, digest, (digest.modes.deriving)(digest, context)?))
    }

    /// A checksum with a seed: XXH32, Murmur3A, Murmur3C and SpookyHash-32 take one of 32 bits;
    /// Murmur3F, XXH64, XXH3, XXH128 and the other SpookyHashes one of 64. 0 is the seed of the
    /// checksum without one.
    ///
    /// # Errors
    /// If the digest takes no seed, or none so great.
    pub fn seed(digest: &'static Digest, seed: u64) -> Result<Self, KeyError> {
        Ok(Self::of(Mode::Seed, digest, (digest.modes.seeded)(digest, seed)?))
    }

    /// XXH3 and XXH128 with a secret of 136 to 1024 bytes in place of the specification's. It
    /// should look random.
    ///
    /// # Errors
    /// If the digest takes no secret, or none of that length.
    pub fn secret(digest: &'static Digest, secret: &[u8]) -> Result<Self, KeyError> {
        Ok(Self::of(Mode::Secret, digest, (digest.modes.with_secret)(digest, secret)?))
    }

    fn of(mode: Mode, digest: &'static Digest, keyed: Keyed) -> Self {
        let by = keyed.digest;
        Self(Arc::new(Inner { mode, digest, by, inner: Part::new(keyed), outer: None }))
    }

    /// The digest that the key is bound to.
    pub fn algorithm(&self) -> &'static Digest {
        self.0.digest
    }

    /// What the key makes of it.
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    /// The kernel for one message that is chosen on `cpu`.
    pub fn bind(&self, cpu: &Cpu) -> ReadyKernel {
        self.0.by.bind(cpu)
    }

    /// The kernels of what computes the codes: the digest's, except under keys of BLAKE3 and XXH3,
    /// which have their own.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel> + use<> {
        self.0.by.kernels()
    }

    /// Length of a code in bytes, if none is asked for.
    pub fn output_len(&self) -> usize {
        self.0.digest.output_len
    }

    /// Whether any length may be asked for: of a code by BLAKE3, unless it is an HMAC.
    pub fn extendable(&self) -> bool {
        self.0.by.extendable && self.0.outer.is_none()
    }

    /// The code of one whole message, by the best kernel of this machine.
    pub fn digest(&self, message: &[u8]) -> Output {
        Output::written(self.output_len(), |out| self.digest_into(message, out))
    }

    /// The code of one whole message, into `out`.
    ///
    /// # Panics
    /// If the length of `out` is not [`Key::output_len`] and the key is not [`Key::extendable`].
    pub fn digest_into(&self, message: &[u8], out: &mut [u8]) {
        self.digest_by(&self.bind(Cpu::native()), message, out);
    }

    /// The same by a given kernel, one that [`Key::bind`] gave for a CPU; by another it may panic
    /// or give something else.
    ///
    /// # Panics
    /// As [`Key::digest_into`] does.
    pub fn digest_by(&self, kernel: &ReadyKernel, message: &[u8], out: &mut [u8]) {
        self.check(out);
        let Inner { by, inner, outer, .. } = &*self.0;
        match outer {
            None => inner.digest_into(by, kernel, message, out),
            Some(outer) => {
                let mut first = [0; crate::MAX_OUTPUT_LEN];
                let first = &mut first[..by.output_len];
                inner.digest_into(by, kernel, message, first);
                outer.digest_into(by, kernel, first, out);
                first.zeroize();
            }
        }
    }

    /// Whether that is the code of the message. Takes the same time wherever they differ.
    pub fn verify(&self, message: &[u8], code: &[u8]) -> bool {
        constant_time_eq(&self.digest(message), code)
    }

    /// Panics unless a code can have that length.
    fn check(&self, out: &[u8]) {
        if out.len() != self.output_len() && !self.extendable() {
            self.0.digest.refuse(out.len());
        }
    }
}

/// Overwrites what calls from its caller have left on the stack: a kernel's last values are the
/// digest.
#[inline(never)]
fn wipe_below() {
    let room = [0u64; 2048];
    black_box(&room);
}

impl fmt::Debug for Key {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("mode", &self.0.mode)
            .field("digest", &self.0.digest.name)
            .finish_non_exhaustive()
    }
}

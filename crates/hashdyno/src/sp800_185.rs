//! What NIST SP 800-185 derives from SHA-3: cSHAKE, KMAC, TupleHash and ParallelHash.
//!
//! Each is a value that takes its input in pieces and gives output of any length, in bytes. The
//! `128` and `256` of their constructors are the bits of security strength.

use crate::digests::{CSHAKE128, CSHAKE256};
use crate::many::digest_many_on;
use crate::{Cpu, Digest, Hasher, Messages, SHAKE128, SHAKE256};

/// cSHAKE (section 3): SHAKE that is told what it is for.
///
/// ```
/// use hashdyno::sp800_185::CShake;
///
/// let mut hasher = CShake::cshake128(b"", b"Email Signature");
/// hasher.update(&[0, 1, 2, 3]);
/// let mut out = [0; 32];
/// hasher.finish_into(&mut out);
/// assert!(hashdyno::hex(&out).starts_with("c1c36925b6409a04f1b504fcbca9d82b"));
/// ```
#[derive(Clone, Debug)]
pub struct CShake {
    hasher: Hasher,
}

impl CShake {
    /// cSHAKE128. The name is for functions that NIST defines, and else empty; the customization
    /// string is the caller's. With both empty it is SHAKE128.
    pub fn cshake128(name: &[u8], customization: &[u8]) -> Self {
        Self::new(&CSHAKE128, name, customization)
    }

    /// cSHAKE256, as [`CShake::cshake128`].
    pub fn cshake256(name: &[u8], customization: &[u8]) -> Self {
        Self::new(&CSHAKE256, name, customization)
    }

    fn new(digest: &'static Digest, name: &[u8], customization: &[u8]) -> Self {
        if name.is_empty() && customization.is_empty() {
            return Self { hasher: Hasher::new(plain(digest)) };
        }
        let mut this = Self { hasher: Hasher::new(digest) };
        this.take_padded(&[name, customization]);
        this
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// Output for all bytes taken, as much as there is room for. A shorter output is the beginning
    /// of a longer one.
    pub fn finish_into(self, out: &mut [u8]) {
        self.hasher.finish_into(out);
    }

    /// Takes strings, each behind its length, and zeros up to the end of a block (section 2.3.3,
    /// bytepad of encode_string).
    fn take_padded(&mut self, strings: &[&[u8]]) {
        let rate = self.hasher.digest().block_len;
        self.update(Number::new(rate as u64).left());
        strings.iter().for_each(|string| self.take_string(string));
        let over = self.hasher.message_len() as usize % rate;
        self.update(&[0; MAX_RATE][..(rate - over) % rate]);
    }

    /// Takes a string behind its length in bits.
    fn take_string(&mut self, string: &[u8]) {
        self.update(Number::of_bits(string.len()).left());
        self.update(string);
    }

    /// The same as an output of a length, in bits, that is a part of the input; 0 for any length.
    fn finish_for(mut self, bits: Number, out: &mut [u8]) {
        self.update(bits.right());
        self.finish_into(out);
    }
}

/// KMAC (section 4): the code by which whoever has the key can tell that a message is genuine.
///
/// ```
/// use hashdyno::sp800_185::Kmac;
///
/// let mut mac = Kmac::kmac128(b"sixteen bytes or", b"");
/// mac.update(b"a message");
/// let mut tag = [0; 32];
/// mac.finish_into(&mut tag);
/// ```
///
/// Compare codes by a comparison whose time does not tell where they differ, not by `==`.
#[derive(Clone, Debug)]
pub struct Kmac {
    hasher: CShake,
}

impl Kmac {
    /// KMAC128 by a key, of 16 bytes at least to be secure, and a customization string, which may
    /// be empty.
    pub fn kmac128(key: &[u8], customization: &[u8]) -> Self {
        Self::new(&CSHAKE128, key, customization)
    }

    /// KMAC256, as [`Kmac::kmac128`], by a key of 32 bytes at least.
    pub fn kmac256(key: &[u8], customization: &[u8]) -> Self {
        Self::new(&CSHAKE256, key, customization)
    }

    fn new(digest: &'static Digest, key: &[u8], customization: &[u8]) -> Self {
        let mut hasher = CShake::new(digest, b"KMAC", customization);
        hasher.take_padded(&[key]);
        Self { hasher }
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// The code, as long as `out`. Its length goes into the computation.
    pub fn finish_into(self, out: &mut [u8]) {
        self.hasher.finish_for(Number::of_bits(out.len()), out);
    }

    /// The code by KMACXOF (section 4.3.1): a shorter one is the beginning of a longer one.
    pub fn finish_xof_into(self, out: &mut [u8]) {
        self.hasher.finish_for(Number::new(0), out);
    }
}

/// TupleHash (section 5): of strings, told apart from the same bytes as other strings.
#[derive(Clone, Debug)]
pub struct TupleHash {
    hasher: CShake,
}

impl TupleHash {
    /// TupleHash128 of no strings, with a customization string, which may be empty.
    pub fn tuple_hash128(customization: &[u8]) -> Self {
        Self { hasher: CShake::cshake128(b"TupleHash", customization) }
    }

    /// TupleHash256, as [`TupleHash::tuple_hash128`].
    pub fn tuple_hash256(customization: &[u8]) -> Self {
        Self { hasher: CShake::cshake256(b"TupleHash", customization) }
    }

    /// Takes the next string, all of it.
    pub fn push(&mut self, string: &[u8]) {
        self.hasher.take_string(string);
    }

    /// The digest, as long as `out`. Its length goes into the computation.
    pub fn finish_into(self, out: &mut [u8]) {
        self.hasher.finish_for(Number::of_bits(out.len()), out);
    }

    /// The digest by TupleHashXOF (section 5.3.1): a shorter one is the beginning of a longer one.
    pub fn finish_xof_into(self, out: &mut [u8]) {
        self.hasher.finish_for(Number::new(0), out);
    }
}

/// ParallelHash (section 6): of the digests of a message's blocks. With the feature `many` these
/// are computed in the lanes of vectors where a piece has several of them.
#[derive(Clone, Debug)]
pub struct ParallelHash {
    hasher: CShake,
    block_len: usize,
    /// The block that is not whole yet, and the bytes that it has.
    block: Hasher,
    filled: usize,
    blocks: u64,
}

impl ParallelHash {
    /// ParallelHash128 of blocks of so many bytes, with a customization string, which may be empty.
    ///
    /// # Panics
    /// If a block has no bytes.
    pub fn parallel_hash128(block_len: usize, customization: &[u8]) -> Self {
        Self::new(&CSHAKE128, block_len, customization)
    }

    /// ParallelHash256, as [`ParallelHash::parallel_hash128`].
    ///
    /// # Panics
    /// If a block has no bytes.
    pub fn parallel_hash256(block_len: usize, customization: &[u8]) -> Self {
        Self::new(&CSHAKE256, block_len, customization)
    }

    fn new(digest: &'static Digest, block_len: usize, customization: &[u8]) -> Self {
        assert!(block_len > 0, "a block of ParallelHash has one byte at least");
        let mut hasher = CShake::new(digest, b"ParallelHash", customization);
        hasher.update(Number::new(block_len as u64).left());
        Self { hasher, block_len, block: Hasher::new(plain(digest)), filled: 0, blocks: 0 }
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        if self.filled > 0 {
            let (head, rest) = bytes.split_at(bytes.len().min(self.block_len - self.filled));
            self.fill(head);
            bytes = rest;
        }
        let whole = bytes.len() - bytes.len() % self.block_len;
        let (blocks, rest) = bytes.split_at(whole);
        let (digest, width) = (self.block.digest(), self.block_len);
        for rows in blocks.chunks(width.saturating_mul(AT_ONCE)) {
            let mut digests = vec![0; rows.len() / width * digest.output_len];
            let rows = Messages::Rows { data: rows, width };
            digest_many_on(digest, Cpu::native(), rows, &mut digests);
            self.hasher.update(&digests);
        }
        self.blocks += (blocks.len() / width) as u64;
        self.fill(rest);
    }

    /// The digest, as long as `out`. Its length goes into the computation.
    pub fn finish_into(self, out: &mut [u8]) {
        let bits = Number::of_bits(out.len());
        self.ended().finish_for(bits, out);
    }

    /// The digest by ParallelHashXOF (section 6.3.1): a shorter one is the beginning of a longer
    /// one.
    pub fn finish_xof_into(self, out: &mut [u8]) {
        self.ended().finish_for(Number::new(0), out);
    }

    /// Takes bytes of a block, no more than it lacks.
    fn fill(&mut self, bytes: &[u8]) {
        self.block.update(bytes);
        self.filled += bytes.len();
        if self.filled == self.block_len {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..self.block.digest().output_len];
        self.block.finish_reset(digest);
        self.hasher.update(digest);
        self.filled = 0;
        self.blocks += 1;
    }

    /// All blocks and their number.
    fn ended(mut self) -> CShake {
        if self.filled > 0 {
            self.end_block();
        }
        self.hasher.update(Number::new(self.blocks).right());
        self.hasher
    }
}

/// How many blocks are digested in one call, so that their digests need little memory.
const AT_ONCE: usize = 1024;

/// That of cSHAKE128, in bytes.
const MAX_RATE: usize = 168;

/// The digest of a block by SHAKE256, in bytes.
const MAX_DIGEST: usize = 64;

/// SHAKE of the same strength, which cSHAKE without its strings is.
fn plain(digest: &Digest) -> &'static Digest {
    if digest.block_len == SHAKE128.block_len { SHAKE128 } else { SHAKE256 }
}

/// A number as bytes with how many they are, in front and behind (section 2.3.1).
struct Number {
    bytes: [u8; Self::MAX_LEN + 2],
    /// How many bytes the number has, one at least.
    len: usize,
}

impl Number {
    /// Bytes of a number of bits of which 64 bits are bytes.
    const MAX_LEN: usize = 9;

    fn new(number: u64) -> Self {
        Self::wide(number.into())
    }

    fn of_bits(bytes: usize) -> Self {
        Self::wide(8 * bytes as u128)
    }

    fn wide(number: u128) -> Self {
        let len = (128 - number.leading_zeros() as usize).div_ceil(8).max(1);
        let mut bytes = [0; Self::MAX_LEN + 2];
        bytes[1..=len].copy_from_slice(&number.to_be_bytes()[16 - len..]);
        (bytes[0], bytes[len + 1]) = (len as u8, len as u8);
        Self { bytes, len }
    }

    /// With the number of its bytes in front.
    fn left(&self) -> &[u8] {
        &self.bytes[..=self.len]
    }

    /// With the number of its bytes behind.
    fn right(&self) -> &[u8] {
        &self.bytes[1..self.len + 2]
    }
}

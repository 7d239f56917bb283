//! SipHash (J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF, 2012), with one or
//! two rounds for each word and three or four at the end; of 64 bits, and of 128 as the authors'
//! code has it. Under a key of 16 bytes, or of zeros; least significant byte first.
//!
//! ```text
//! v0 v1 v2 v3 = key words 0 1 0 1 ^ "somepseudorandomlygeneratedbytes"       (section 2)
//! each word w of the message:     v3 ^= w     EACH rounds     v0 ^= w
//! last word: the rest, zeros, and in the top byte the length modulo 256
//! v2 ^= 0xff     LAST rounds     hash = v0 ^ v1 ^ v2 ^ v3
//! 128 bits:  v1 ^= 0xee at the start, v2 ^= 0xee in place of 0xff;
//!            then v1 ^= 0xdd and LAST rounds for the second half
//! ```

#[cfg(target_arch = "x86_64")]
mod many;

use crate::kernel::many_kernels;
use crate::modes::Modes;
use crate::parts::arrays::Mapped;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
#[cfg(target_arch = "x86_64")]
use crate::parts::lanes::{
    wide::Wide2,
    x86_64::{U64x4, U64x4Vl},
};
use crate::parts::words::few;
use crate::{Digest, Features, Kernel, KeyError, Keyed, Purpose, Security, State};

digests! {
    SIPHASH_1_3 siphash_1_3 Siphash1_3: [u8; 8],
    SIPHASH_2_4 siphash_2_4 Siphash2_4: [u8; 8],
    SIPHASH_1_3_128 siphash_1_3_128 Siphash1_3_128: [u8; 16],
    SIPHASH_2_4_128 siphash_2_4_128 Siphash2_4_128: [u8; 16],
}

static SIPHASH_1_3: Digest =
    Digest { name: "siphash-1-3", aliases: &["siphash13"], ..siphash::<Sip<1, 3, 8>>() };

static SIPHASH_2_4: Digest =
    Digest { name: "siphash-2-4", aliases: &["siphash", "siphash24"], ..siphash::<Sip<2, 4, 8>>() };

static SIPHASH_1_3_128: Digest =
    Digest { name: "siphash-1-3-128", aliases: &["siphash13-128"], ..siphash::<Sip<1, 3, 16>>() };

static SIPHASH_2_4_128: Digest = Digest {
    name: "siphash-2-4-128",
    aliases: &["siphash24-128", "siphash128"],
    ..siphash::<Sip<2, 4, 16>>()
};

const fn siphash<S: SipHash>() -> Digest {
    Digest {
        family: "siphash",
        purpose: Purpose::HashTable,
        specified_in: "SipHash: a fast short-input PRF (2012)",
        security: Security::Checksum,
        output_len: S::LEN,
        block_len: 8,
        start: checksum::start::<S>,
        finish: checksum::finish::<S>,
        one: const { &[portable::<S>()] },
        many: S::MANY,
        modes: &MODES,
        ..Digest::BASE
    }
}

const MODES: Modes = Modes { keyed, ..Modes::NONE };

/// A key of 16 bytes.
fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), 16, 16)?;
    let (words, _) = key.as_chunks();
    let mut state = State::new();
    state.init(start([0, 1].mapped(|word| u64::from_le_bytes(words[word])), digest.output_len));
    Ok(Keyed::starting(digest, &mut state))
}

/// What is kept before the first word.
const fn start([low, high]: [u64; 2], len: usize) -> [u64; 4] {
    [
        low ^ 0x736f_6d65_7073_6575,
        high ^ 0x646f_7261_6e64_6f6d ^ long(len),
        low ^ 0x6c79_6765_6e65_7261,
        high ^ 0x7465_6462_7974_6573,
    ]
}

/// What tells hashes of 128 bits from those of 64.
const fn long(len: usize) -> u64 {
    if len == 16 { 0xee } else { 0 }
}

/// What the lowest byte of the third word is changed by before the last rounds.
const fn ending(len: usize) -> u64 {
    0xff ^ if len == 16 { 0x11 } else { 0 }
}

/// So many rounds for each word, so many at the end, and a hash of so many bytes.
struct Sip<const EACH: usize, const LAST: usize, const LEN: usize>;

/// `Sip` of any parameters.
trait SipHash: Checksum<Register = [u64; 4]> {
    /// Rounds for each word.
    const EACH: usize;
    const MANY: &'static [Kernel];
}

impl<const EACH: usize, const LAST: usize, const LEN: usize> SipHash for Sip<EACH, LAST, LEN> {
    const EACH: usize = EACH;
    const MANY: &'static [Kernel] = many_kernels![
        crate::parts::chains::avx512::<Self, Wide2<Wide2<U64x4Vl>>, _, _, _>(),
        crate::parts::chains::avx2::<Self, Wide2<U64x4>, _, _, _>(),
    ];
}

impl<const EACH: usize, const LAST: usize, const LEN: usize> Checksum for Sip<EACH, LAST, LEN> {
    type Register = [u64; 4];
    const START: [u64; 4] = start([0; 2], LEN);
    const BLOCK: usize = 8;
    const LEN: usize = LEN;

    #[inline(always)]
    fn finish(register: [u64; 4], rest: &[u8], len: u64, out: &mut [u8]) {
        // The shift drops the upper bits of the length: the paper takes it modulo 256.
        let mut v = taken::<EACH>(register, few(rest) as u64 | len << 56);
        v[2] ^= ending(LEN);
        for half in out.chunks_exact_mut(8) {
            v = rounds::<LAST>(v);
            half.copy_from_slice(&(v[0] ^ v[1] ^ v[2] ^ v[3]).to_le_bytes());
            v[1] ^= 0xdd;
        }
    }
}

const fn portable<S: SipHash>() -> Kernel {
    checksum_kernel!("portable", Features::empty(), S: SipHash, after::<S>)
}

#[inline(always)]
fn after<S: SipHash>(register: [u64; 4], blocks: &[u8]) -> [u64; 4] {
    blocks.as_chunks().0.iter().fold(register, |v, word| {
        let word = u64::from_le_bytes(*word);
        // An associated constant cannot be a generic argument.
        if S::EACH == 1 { taken::<1>(v, word) } else { taken::<2>(v, word) }
    })
}

#[inline(always)]
fn taken<const EACH: usize>(mut v: [u64; 4], word: u64) -> [u64; 4] {
    v[3] ^= word;
    v = rounds::<EACH>(v);
    v[0] ^= word;
    v
}

#[inline(always)]
fn rounds<const COUNT: usize>([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    for _ in 0..COUNT {
        // Each line is two operations that do not wait for each other.
        (a, c) = (a.wrapping_add(b), c.wrapping_add(d));
        (b, d) = (b.rotate_left(13) ^ a, d.rotate_left(16) ^ c);
        (a, c) = (a.rotate_left(32).wrapping_add(d), c.wrapping_add(b));
        (b, d) = (b.rotate_left(17) ^ c, d.rotate_left(21) ^ a);
        c = c.rotate_left(32);
    }
    [a, b, c, d]
}

//! xxHash's first two, XXH32 and XXH64 (Y. Collet; xxHash specification 0.2), seed 0 or any, most
//! significant byte first.
//!
//! ```text
//! sums: four words from the seed and the primes
//! block of four words:  sum i = rotate(sum i + word i * prime 2) * prime 1
//! end:  hash = the sums rotated and added (XXH64: each sum once more); + length
//!       words, half words (XXH64) and bytes of the rest, each by a product and a rotation
//!       avalanche: two products between shifts
//! shorter than a block:  hash = seed + prime 5, then the same end
//! ```

use bytemuck::{Pod, cast};

use crate::function::function;
use crate::kernel::{kernels, many_kernels, one_shot};
use crate::modes::Modes;
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::words::at_most;
use crate::{
    Code, Digest, Features, Kernel, KeyError, Keyed, Purpose, Security, Spelling, State, Tail,
};

#[cfg(target_arch = "x86_64")]
mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

// Every static is compiled, used or not, and with it the kernels that it names.
#[cfg(feature = "xxhash")]
digests! {
    XXH32 (xxh32) Xxh32: u32,
    XXH64 (xxh64) Xxh64: u64,
}

#[cfg(feature = "xxhash")]
static XXH32: Digest = Digest {
    name: "xxh32",
    aliases: &["xxhash32"],
    spelling: Spelling { php: Some("xxh32"), ..Spelling::NONE },
    ..base::<u32>()
};

#[cfg(feature = "xxhash")]
static XXH64: Digest = Digest {
    name: "xxh64",
    aliases: &["xxhash64"],
    spelling: Spelling { php: Some("xxh64"), ..Spelling::NONE },
    ..base::<u64>()
};

#[cfg(feature = "xxhash")]
function! {
    /// XXH32 of a message (Y. Collet; xxHash specification 0.2), seed 0.
    xxh32: u32 = XXH32, ..=7 => short, ..=47 => apart
}

#[cfg(feature = "xxhash")]
function! {
    /// XXH64 of a message (Y. Collet; xxHash specification 0.2), seed 0.
    xxh64: u64 = XXH64, ..=7 => short, ..=31 => short_apart, ..=63 => hash_apart
}

const MODES: Modes = Modes { seeded, ..Modes::NONE };

/// Messages begin with a seed in every sum, which a message shorter than a block takes from there.
fn seeded(digest: &'static Digest, seed: u64) -> Result<Keyed, KeyError> {
    let mut state = State::new();
    if digest.output_len == size_of::<u64>() {
        state.init(u64::START.mapped(|sum| sum.wrapping_add(seed)));
    } else {
        let seed = u32::try_from(seed).map_err(|_| KeyError::Seed { digest: digest.name, seed })?;
        state.init(u32::START.mapped(|sum| sum.wrapping_add(seed)));
    }
    Ok(Keyed::starting(digest, &mut state))
}

/// XXH64 of a message by straight Rust, most significant byte first.
pub(crate) fn plain64(message: &[u8]) -> [u8; 8] {
    let mut out = [0; 8];
    digest_by::<u64>(message, &mut out, digest_long::<u64>);
    out
}

const fn base<W: Word>() -> Digest {
    Digest {
        family: "xxhash",
        purpose: Purpose::HashTable,
        specified_in: "xxHash specification 0.2",
        security: Security::Checksum,
        output_len: size_of::<W>(),
        block_len: size_of::<[W; 4]>(),
        start: |state| state.init(W::START),
        finish: finish::<W>,
        one: W::ONE,
        many: W::MANY,
        modes: &MODES,
        ..Digest::BASE
    }
}

/// The words that an algorithm works on.
trait Word: Pod {
    /// The four sums of the empty message.
    const START: [Self; 4];
    /// What a message shorter than a block has in place of its sums, without a seed.
    const SHORT: Self;
    /// The same with a seed.
    fn short(seed: Self) -> Self;
    /// The ways to sum up.
    const ONE: &'static [Kernel];
    const MANY: &'static [Kernel];
    /// The word, read in the message's byte order, times prime 2.
    fn product(self) -> Self;
    /// Adds such a product to a sum.
    fn add_product(self, product: Self) -> Self;
    /// Adds a word to a sum.
    #[inline(always)]
    fn round(self, word: Self) -> Self {
        self.add_product(word.product())
    }
    /// The four sums as one.
    fn joined(sums: [Self; 4]) -> Self;
    /// The digest of a message of `len` bytes: `hash` is what its blocks amount to, `rest` what
    /// follows them.
    fn sealed(hash: Self, len: u64, rest: &[u8]) -> Self;
    /// Writes it to all of `out`, most significant byte first.
    fn write(self, out: &mut [u8]);
}

/// Implements [`Word`]: type, primes, rotation, functions, kernels.
macro_rules! word {
    (
        $word:ty, $primes:ident, $rotation:literal, $joined:ident $sealed:ident,
        [$($kernel:ident)*] [$many:ident]
    ) => {
        impl Word for $word {
            const START: [Self; 4] = [
                $primes[1].wrapping_add($primes[2]),
                $primes[2],
                0,
                (0 as $word).wrapping_sub($primes[1]),
            ];
            const SHORT: Self = $primes[5];

            const ONE: &'static [Kernel] = kernels![$(x86_64::$kernel),*; portable::<Self>()];
            const MANY: &'static [Kernel] = many_kernels![x86_64::$many];

            #[inline(always)]
            fn short(seed: Self) -> Self {
                Self::SHORT.wrapping_add(seed)
            }

            #[inline(always)]
            fn product(self) -> Self {
                <$word>::from_le(self).wrapping_mul($primes[2])
            }

            #[inline(always)]
            fn add_product(self, product: Self) -> Self {
                self.wrapping_add(product).rotate_left($rotation).wrapping_mul($primes[1])
            }

            #[inline(always)]
            fn joined(sums: [Self; 4]) -> Self {
                $joined(sums)
            }

            #[inline(always)]
            fn sealed(hash: Self, len: u64, rest: &[u8]) -> Self {
                $sealed(hash, len, rest)
            }

            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_be_bytes());
            }
        }
    };
}

word!(u32, PRIMES32, 13, joined32 sealed32, [XXH32_WORDS XXH32_AVX2 XXH32_SSE2] [XXH32_MANY]);
word!(
    u64, PRIMES64, 31, joined64 sealed64,
    [XXH64_ZEN5 XXH64_ZEN XXH64_AVX512DQ XXH64_AVX2] [XXH64_MANY]
);

const fn portable<W: Word>() -> Kernel {
    let one_shot = one_shot!(
        [<W: Word>] [::<W>] size_of::<W>(),
        |message, out| digest_by::<W>(message, out, digest_long::<W>)
    );
    Kernel::of("portable", Features::empty(), Code::OneShot(absorb::<W>, one_shot))
}

/// Never inlined into a kernel: its features would let the compiler make the sums lanes of a slow
/// vector.
#[inline(never)]
fn absorb<W: Word>(state: &mut State, blocks: &[u8]) {
    let sums = state.view::<[W; 4]>();
    *sums = added(*sums, blocks);
}

/// The digest of a message of a block or more. The work is in functions that are not inlined, for
/// the reason that [`absorb`] has.
#[inline(always)]
fn digest_long<W: Word>(message: &[u8], out: &mut [u8]) {
    #[inline(never)]
    fn digest_64<W: Word>(message: &[u8; 64], out: &mut [u8]) {
        // Checked here, the length needs no register.
        let Some(out) = out.get_mut(..size_of::<W>()) else { return };
        seal_by::<W>(message, out, added);
    }

    #[inline(never)]
    fn others<W: Word>(message: &[u8], out: &mut [u8]) {
        seal_by::<W>(message, out, added);
    }

    match message.try_into() {
        // A length that the compiler knows: no loop, and no branches by what is left.
        Ok(message) => digest_64::<W>(message, out),
        Err(_) => others::<W>(message, out),
    }
}

#[inline(always)]
fn added<W: Word>([mut a, mut b, mut c, mut d]: [W; 4], blocks: &[u8]) -> [W; 4] {
    for block in blocks.chunks_exact(size_of::<[W; 4]>()) {
        let words: [W; 4] = bytemuck::pod_read_unaligned(block);
        a = a.round(words[0]);
        b = b.round(words[1]);
        c = c.round(words[2]);
        d = d.round(words[3]);
    }
    [a, b, c, d]
}

/// The digest of a message, by `long` if it is no shorter than a block. Less than eight bytes are
/// done here, all others by functions of their own, so that the fewest need no register saved.
#[inline(always)]
fn digest_by<W: Word>(message: &[u8], out: &mut [u8], long: impl FnOnce(&[u8], &mut [u8])) {
    if message.len() < 8 {
        short::<W>(message).write(out);
    } else if message.len() < size_of::<[W; 4]>() {
        digest_short::<W>(message, out);
    } else {
        long(message, out);
    }
}

/// The digest of a message shorter than a block.
#[inline(never)]
fn digest_short<W: Word>(message: &[u8], out: &mut [u8]) {
    short::<W>(message).write(out);
}

#[inline(never)]
fn short_apart<W: Word>(message: &[u8]) -> W {
    short(message)
}

/// The hash of a message of which vectors are not worth it yet. For XXH32, whose callers take five
/// bytes in a fifth less time with one comparison less. XXH64's do not.
#[inline(never)]
fn apart<W: Word>(message: &[u8]) -> W {
    if message.len() < size_of::<[W; 4]>() { short(message) } else { hash_apart(message) }
}

#[inline(always)]
fn short<W: Word>(message: &[u8]) -> W {
    W::sealed(W::SHORT, message.len() as u64, message)
}

/// The same of a block or more. [`apart`] ends with a call of it, and saves no registers.
#[inline(never)]
fn hash_apart<W: Word>(message: &[u8]) -> W {
    hash_by(message, added)
}

/// Writes the digest of a message of a block or more; `added` adds blocks to sums.
#[inline(always)]
fn seal_by<W: Word>(message: &[u8], out: &mut [u8], added: impl FnOnce([W; 4], &[u8]) -> [W; 4]) {
    hash_by(message, added).write(out);
}

#[inline(always)]
fn hash_by<W: Word>(message: &[u8], added: impl FnOnce([W; 4], &[u8]) -> [W; 4]) -> W {
    let (blocks, rest) =
        message.split_at(message.len() / size_of::<[W; 4]>() * size_of::<[W; 4]>());
    W::sealed(W::joined(added(W::START, blocks)), message.len() as u64, rest)
}

fn finish<W: Word>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let sums: [W; 4] = state.read();
    let short = tail.message_len < size_of::<[W; 4]>() as u64;
    // The third sum begins as the seed.
    let hash = if short { W::short(sums[2]) } else { W::joined(sums) };
    W::sealed(hash, tail.message_len, tail.bytes).write(out);
}

#[inline(always)]
fn joined32([a, b, c, d]: [u32; 4]) -> u32 {
    [b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)]
        .into_iter()
        .fold(a.rotate_left(1), u32::wrapping_add)
}

#[inline(always)]
fn sealed32(hash: u32, len: u64, rest: &[u8]) -> u32 {
    let [_, p1, p2, p3, p4, p5] = PRIMES32;
    let mut hash = hash.wrapping_add(len as u32);
    let (words, rest) = rest.as_chunks::<4>();
    for word in at_most::<3, _>(words) {
        hash = hash
            .wrapping_add(u32::from_le_bytes(*word).wrapping_mul(p3))
            .rotate_left(17)
            .wrapping_mul(p4);
    }
    for byte in at_most::<3, _>(rest) {
        hash =
            hash.wrapping_add(u32::from(*byte).wrapping_mul(p5)).rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ hash >> 15).wrapping_mul(p2);
    hash = (hash ^ hash >> 13).wrapping_mul(p3);
    hash ^ hash >> 16
}

#[inline(always)]
fn joined64(sums: [u64; 4]) -> u64 {
    let [a, b, c, d] = sums;
    // Step 3 of the specification.
    let joined = [b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)]
        .into_iter()
        .fold(a.rotate_left(1), u64::wrapping_add);
    merged(joined, sums.mapped(|sum| 0.round(sum.to_le())))
}

/// The sum of the sums and each of them, multiplied again, as one.
#[inline(always)]
fn merged(joined: u64, sums: [u64; 4]) -> u64 {
    sums.into_iter()
        .fold(joined, |hash, sum| (hash ^ sum).wrapping_mul(PRIMES64[1]).wrapping_add(PRIMES64[4]))
}

#[inline(always)]
fn sealed64(hash: u64, len: u64, rest: &[u8]) -> u64 {
    static P1: u64 = PRIMES64[1];
    static P2: u64 = PRIMES64[2];
    static P3: u64 = PRIMES64[3];
    static P5: u64 = PRIMES64[5];
    let times_p1 = |word| barrier::from_memory!("imul", word, P1, u64::wrapping_mul);
    let mut hash = hash.wrapping_add(len);
    if !rest.is_empty() {
        let (words, rest) = rest.as_chunks::<8>();
        for word in at_most::<3, _>(words) {
            hash = (hash ^ 0.round(cast(*word)))
                .rotate_left(27)
                .wrapping_mul(P1)
                .wrapping_add(PRIMES64[4]);
        }
        let (words, rest) = rest.as_chunks::<4>();
        for word in at_most::<1, _>(words) {
            hash = (hash ^ times_p1(u32::from_le_bytes(*word).into())).rotate_left(23);
            hash = barrier::from_memory!("imul", hash, P2, u64::wrapping_mul);
            hash = barrier::from_memory!("add", hash, P3, u64::wrapping_add);
        }
        for byte in at_most::<3, _>(rest) {
            hash = times_p1(
                (hash ^ barrier::from_memory!("imul", u64::from(*byte), P5, u64::wrapping_mul))
                    .rotate_left(11),
            );
        }
    }
    avalanche64(hash)
}

/// XXH64's last mixing, which XXH3 takes over.
#[inline(always)]
pub(super) fn avalanche64(mut hash: u64) -> u64 {
    static P2: u64 = PRIMES64[2];
    static P3: u64 = PRIMES64[3];
    hash = barrier::from_memory!("imul", hash ^ hash >> 33, P2, u64::wrapping_mul);
    hash = barrier::from_memory!("imul", hash ^ hash >> 29, P3, u64::wrapping_mul);
    hash ^ hash >> 32
}

/// The primes by their numbers in the specification, 1 to 5.
pub(super) const PRIMES32: [u32; 6] =
    [0, 0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];
pub(super) const PRIMES64: [u64; 6] = [
    0,
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

//! SpookyHash (B. Jenkins, 2012), version 2, of 32, 64 and 128 bits: its two words, the least
//! significant byte first, or the beginning of them.
//!
//! ```text
//! up to 191 bytes: `short`, four words h
//!     32 bytes:  h[2], h[3] += words 0, 1     mix     h[0], h[1] += words 2, 3
//!     16 bytes:  h[2], h[3] += words 0, 1     mix
//!     the rest and the length are added to h[2] and h[3]; a last mixing
//! longer: twelve words s
//!     96 bytes:  word i of s adds word i of the message, mixes its neighbours, and is rotated
//!     the rest, zeros and the number of its bytes fill 96 bytes: added, mixed three times
//! ```

use crate::modes::Modes;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::{few, words_of};
use crate::{Digest, Features, KeyError, Keyed, Purpose, Security, State};

digests! {
    SPOOKYHASH_32 spookyhash_32 Spookyhash32: [u8; 4],
    SPOOKYHASH_64 spookyhash_64 Spookyhash64: [u8; 8],
    SPOOKYHASH_128 spookyhash_128 Spookyhash128: [u8; 16],
}

/// The portable kernel. Messages without a block need no registers of the loop over blocks.
macro_rules! portable {
    ($checksum:ident) => {
        checksum_kernel!(
            "portable", Features::empty(), $checksum, after,
            ..=SHORT => unsafe after
        )
    };
}

static SPOOKYHASH_32: Digest = Digest {
    name: "spookyhash-32",
    aliases: &["spookyhash32", "spooky32"],
    one: &[portable!(Spooky32)],
    ..base::<4>()
};

static SPOOKYHASH_64: Digest = Digest {
    name: "spookyhash-64",
    aliases: &["spookyhash64", "spooky64"],
    one: &[portable!(Spooky64)],
    ..base::<8>()
};

static SPOOKYHASH_128: Digest = Digest {
    name: "spookyhash-128",
    aliases: &["spookyhash128", "spooky128", "spookyhash"],
    one: &[portable!(Spooky128)],
    ..base::<16>()
};

type Spooky32 = Spooky<4>;
type Spooky64 = Spooky<8>;
type Spooky128 = Spooky<16>;

const fn base<const LEN: usize>() -> Digest {
    Digest {
        family: "spookyhash",
        purpose: Purpose::HashTable,
        specified_in: "SpookyV2.cpp (B. Jenkins, 5 August 2012)",
        security: Security::Checksum,
        output_len: LEN,
        block_len: Spooky::<LEN>::BLOCK,
        start: checksum::start::<Spooky<LEN>>,
        finish: checksum::finish::<Spooky<LEN>>,
        modes: &Modes { seeded, ..Modes::NONE },
        ..Digest::BASE
    }
}

/// Both seeds are that one, as the functions of 32 and 64 bits have it.
fn seeded(digest: &'static Digest, seed: u64) -> Result<Keyed, KeyError> {
    if digest.output_len == 4 && seed > u32::MAX.into() {
        return Err(KeyError::Seed { digest: digest.name, seed });
    }
    let mut state = State::new();
    state.init([[seed, seed, FILL]; 4]);
    Ok(Keyed::starting(digest, &mut state))
}

/// What stands where neither seed does: odd, its bits of no pattern.
const FILL: u64 = 0xdead_beef_dead_beef;

/// Bytes that are mixed at a time.
const STEP: usize = 96;

/// The length in bytes of the longest message without a block.
const SHORT: usize = 2 * STEP - 1;

struct Spooky<const LEN: usize>;

impl<const LEN: usize> Checksum for Spooky<LEN> {
    type Register = [u64; 12];
    const START: [u64; 12] = [0, 0, FILL, 0, 0, FILL, 0, 0, FILL, 0, 0, FILL];
    /// Shorter messages are hashed in another way: they are all rest.
    const BLOCK: usize = 2 * STEP;
    const LEN: usize = LEN;

    #[inline(always)]
    fn finish(register: [u64; 12], rest: &[u8], len: u64, out: &mut [u8]) {
        let hash = if len < Self::BLOCK as u64 {
            short([register[0], register[1]], rest)
        } else {
            ended(register, rest)
        };
        let bytes: [u8; 16] = bytemuck::cast(hash.mapped(u64::to_le));
        out.copy_from_slice(&bytes[..LEN]);
    }
}

#[inline]
fn after(mut register: [u64; 12], bytes: &[u8]) -> [u64; 12] {
    for step in bytes.as_chunks::<STEP>().0 {
        register = mixed(register, words_of(step));
    }
    register
}

/// How far a word is turned when it has taken one of the message.
const TURNS: [u32; 12] = [11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46];

/// `Mix` of SpookyV2.h. Indices are constants, so no word is moved.
#[inline(always)]
fn mixed(mut s: [u64; 12], words: [u64; 12]) -> [u64; 12] {
    macro_rules! steps {
        ($($i:literal)*) => { $(
            s[$i] = s[$i].wrapping_add(words[$i]);
            s[($i + 2) % 12] ^= s[($i + 10) % 12];
            s[($i + 11) % 12] ^= s[$i];
            s[$i] = s[$i].rotate_left(TURNS[$i]);
            s[($i + 11) % 12] = s[($i + 11) % 12].wrapping_add(s[($i + 1) % 12]);
        )* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11);
    s
}

/// The hash of a message whose last bytes, fewer than a block, are these.
#[inline(never)]
fn ended(register: [u64; 12], rest: &[u8]) -> [u64; 2] {
    let (steps, few) = rest.as_chunks::<STEP>();
    let register = after(register, steps.as_flattened());
    let mut padded = [0; STEP];
    padded[..few.len()].copy_from_slice(few);
    // Fewer than 96 bytes are left, so the last byte of the block is free.
    padded[STEP - 1] = few.len() as u8;
    let words: [u64; 12] = words_of(&padded);
    let mut hash = register;
    for (hash, word) in hash.iter_mut().zip(words) {
        *hash = hash.wrapping_add(word);
    }
    for _ in 0..3 {
        hash = end_mixed(hash);
    }
    [hash[0], hash[1]]
}

/// How far `EndPartial` of SpookyV2.h rotates.
const END_TURNS: [u32; 12] = [44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54];

#[inline(always)]
fn end_mixed(mut h: [u64; 12]) -> [u64; 12] {
    macro_rules! steps {
        ($($i:literal)*) => { $(
            h[($i + 11) % 12] = h[($i + 11) % 12].wrapping_add(h[($i + 1) % 12]);
            h[($i + 2) % 12] ^= h[($i + 11) % 12];
            h[($i + 1) % 12] = h[($i + 1) % 12].rotate_left(END_TURNS[$i]);
        )* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11);
    h
}

/// The hash of a message of fewer than 192 bytes.
#[inline(always)]
fn short(seeds: [u64; 2], message: &[u8]) -> [u64; 2] {
    let mut h = [seeds[0], seeds[1], FILL, FILL];
    let (pairs, rest) = message.as_chunks::<32>();
    for words in pairs {
        let [a, b, c, d] = words_of(words);
        // Each half of the 32 bytes meets another half of h.
        h = short_mixed(with(h, [0, 0, a, b]));
        h = with(h, [c, d, 0, 0]);
    }
    let (pair, rest) = rest.as_chunks::<16>();
    if let [words] = pair {
        let [a, b] = words_of(words);
        h = short_mixed(with(h, [0, 0, a, b]));
    }
    let few = few(rest);
    // No byte is left: the filling word stands for both words, as in SpookyV2.cpp.
    let last = if rest.is_empty() { [FILL; 2] } else { [few as u64, (few >> 64) as u64] };
    h = with(h, [0, 0, last[0], last[1].wrapping_add((message.len() as u64) << 56)]);
    short_ended(h)
}

/// Four words with four others added.
#[inline(always)]
fn with(h: [u64; 4], words: [u64; 4]) -> [u64; 4] {
    from_fn(|word| h[word].wrapping_add(words[word]))
}

/// `ShortMix` of SpookyV2.h, four rotations in a line.
#[inline(always)]
fn short_mixed([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    for [i, j, k, l] in [[50, 52, 30, 41], [54, 48, 38, 37], [62, 34, 5, 36]] {
        c = c.rotate_left(i).wrapping_add(d);
        a ^= c;
        d = d.rotate_left(j).wrapping_add(a);
        b ^= d;
        a = a.rotate_left(k).wrapping_add(b);
        c ^= a;
        b = b.rotate_left(l).wrapping_add(c);
        d ^= b;
    }
    [a, b, c, d]
}

/// `ShortEnd` of SpookyV2.h: eleven rotations, so the last line is one short.
#[inline(always)]
fn short_ended([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 2] {
    for [i, j, k, l] in [[15, 52, 26, 51], [28, 9, 47, 54], [32, 25, 63, 0]] {
        d ^= c;
        c = c.rotate_left(i);
        d = d.wrapping_add(c);
        a ^= d;
        d = d.rotate_left(j);
        a = a.wrapping_add(d);
        b ^= a;
        a = a.rotate_left(k);
        b = b.wrapping_add(a);
        if l == 0 {
            break;
        }
        c ^= b;
        b = b.rotate_left(l);
        c = c.wrapping_add(b);
    }
    [a, b]
}

//! Skein, version 1.3 (Ferguson, Lucks, Schneier and others: The Skein Hash Function Family, SHA-3
//! contest, third round, 2010).
//!
//! Every block is encrypted by Threefish under the chaining value and a tweak, which tells how many
//! bytes it ends at, what it is for, and whether it is the first or last of its kind. So the state
//! is chaining value and tweak, and configuration, message and output are compressed alike.

mod keyed;
mod list;
mod many;

use crate::kernel::many_kernels;
use crate::many::lanes;
use crate::modes::Modes;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::barrier;
use crate::parts::unroll::{by_len, sixteen};
use crate::parts::words;
use crate::{Cores, Digest, Kernel, MAX_OUTPUT_LEN, Security, State, Tail};
use keyed::keyed;
use list::{
    SKEIN256_128, SKEIN256_160, SKEIN256_224, SKEIN256_256, SKEIN512_128, SKEIN512_160,
    SKEIN512_224, SKEIN512_256, SKEIN512_384, SKEIN512_512, SKEIN1024_384, SKEIN1024_512,
    SKEIN1024_1024,
};
use many::SkeinLanes;

digests! {
    SKEIN512_128 skein512_128 Skein512_128,
    SKEIN512_160 skein512_160 Skein512_160,
    SKEIN512_224 skein512_224 Skein512_224,
    SKEIN512_256 skein512_256 Skein512_256,
    SKEIN512_384 skein512_384 Skein512_384,
    SKEIN512_512 skein512_512 Skein512_512,
    SKEIN256_128 skein256_128 Skein256_128,
    SKEIN256_160 skein256_160 Skein256_160,
    SKEIN256_224 skein256_224 Skein256_224,
    SKEIN256_256 skein256_256 Skein256_256,
    SKEIN1024_384 skein1024_384 Skein1024_384,
    SKEIN1024_512 skein1024_512 Skein1024_512,
    SKEIN1024_1024 skein1024_1024 Skein1024_1024,
}

/// The last block is compressed in another way, so it is kept back even where it is full.
const HOLDS_LAST_BLOCK: bool = true;

/// What the digests have in common, for a state of `N` words, of `ROWS` with the tweak's row, and
/// an output of `BITS`.
const fn skein<const N: usize, const ROWS: usize, const BITS: usize>() -> Digest {
    Digest {
        family: "skein",
        specified_in: "Skein 1.3 (SHA-3 contest, third round)",
        security: security(BITS / 8),
        output_len: BITS / 8,
        block_len: 8 * N,
        holds_last_block: HOLDS_LAST_BLOCK,
        start: |state| start(state, [0; N]),
        finish: finish::<N>,
        one: const { &[Kernel::portable(absorb::<N>)] },
        many: const {
            if N == 16 {
                // Two vectors of each word find no room in the registers.
                many_kernels![
                    lanes!(SkeinLanes<N, ROWS>, u64, 1 * avx512),
                    lanes!(SkeinLanes<N, ROWS>, u64, 1 * avx2),
                ]
            } else {
                // On Zen 4, two vectors of each word take a fifth less time where a state has four
                // words, and none less where it has eight.
                let in_one_vector = if N == 8 { Cores::ZEN } else { Cores::empty() };
                many_kernels![
                    lanes!(SkeinLanes<N, ROWS>, u64, 2 * avx512).except(in_one_vector),
                    lanes!(SkeinLanes<N, ROWS>, u64, 1 * avx512),
                    lanes!(SkeinLanes<N, ROWS>, u64, 1 * avx2),
                ]
            }
        },
        modes: &MODES,
        ..Digest::BASE
    }
}

/// The specification's limit is 2^64 bits, which no buffer here has.
const MODES: Modes = Modes { keyed, longest: |_| MAX_OUTPUT_LEN, of_len, ..Modes::NONE };
/// Shorter ones are too short for new designs.
const fn security(len: usize) -> Security {
    if len < 28 { Security::Legacy } else { Security::Sound }
}

/// The digest with another length and initial value.
fn of_len(digest: &Digest, len: usize) -> Digest {
    let starts = match digest.block_len {
        32 => by_len!(LEN => start_of_len::<4, LEN>, 0 16 32 48 64 80 96 112),
        64 => by_len!(LEN => start_of_len::<8, LEN>, 0 16 32 48 64 80 96 112),
        _ => by_len!(LEN => start_of_len::<16, LEN>, 0 16 32 48 64 80 96 112),
    };
    // The kernels for many messages put out one block.
    let many = if len > digest.block_len { &[] } else { digest.many };
    let start = starts.as_flattened()[len - 1];
    Digest { output_len: len, security: security(len), start, many, ..*digest }
}

/// The chaining value, and the tweak in the first two words of a row of its own.
type Skein<const N: usize> = [[u64; N]; 2];

// The upper word of a tweak: what the blocks are for, and the marks of their first and last.
const CONFIGURATION: u64 = 4 << 56;
const MESSAGE: u64 = 48 << 56;
const OUTPUT: u64 = 63 << 56;
const FIRST: u64 = 1 << 62;
const LAST: u64 = 1 << 63;

/// A tweak after `position` bytes, as the second row of a state.
const fn tweak<const N: usize>(position: u64, kind: u64) -> [u64; N] {
    let mut row = [0; N];
    row[0] = position;
    row[1] = kind;
    row
}

fn start<const N: usize>(state: &mut State, chain: [u64; N]) {
    state.init::<Skein<N>>([chain, tweak(0, FIRST | MESSAGE)]);
}

/// As [`start`] of the chaining value after the configuration block: a schema, a version and the
/// length of the digest in bits (section 3.5.2).
fn start_of_len<const N: usize, const LEN: usize>(state: &mut State) {
    let mut block = [0; MAX_BLOCK];
    block[..4].copy_from_slice(b"SHA3");
    block[4] = 1;
    block[8..16].copy_from_slice(&(8 * LEN as u64).to_le_bytes());
    state.init::<Skein<N>>([[0; N], ending_at(32, CONFIGURATION)]);
    absorb::<N>(state, &block[..8 * N]);
    let [chain, _] = state.read::<Skein<N>>();
    start(state, chain);
}

/// The tweak of an only block of so many bytes: a block adds its full length to the position.
fn ending_at<const N: usize>(len: u64, kind: u64) -> [u64; N] {
    tweak(len.wrapping_sub(8 * N as u64), FIRST | LAST | kind)
}

fn finish<const N: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0u64; N];
    let block = bytemuck::bytes_of_mut(&mut block);
    words::copy(tail.bytes, block);
    let [_, row] = state.view::<Skein<N>>();
    // A block adds its full length to the position, and the last one is to end at the length of the
    // message.
    row[0] = tail.message_len.wrapping_sub(8 * N as u64);
    // A whole word: the compiler would change a byte, and the block's load would wait for that.
    row[1] = barrier::word(row[1]) | LAST;
    tail.kernel.absorb(state, block);

    // The output is the encryption of an eight-byte counter, block by block.
    let chain = (out.len() > 8 * N).then(|| state.read::<Skein<N>>()[0]);
    block.fill(0);
    for (number, out) in (0u64..).zip(out.chunks_mut(8 * N)) {
        if let (1.., Some(chain)) = (number, chain) {
            state.view::<Skein<N>>()[0] = chain;
            block[..8].copy_from_slice(&number.to_le_bytes());
        }
        state.view::<Skein<N>>()[1] = ending_at(8, OUTPUT);
        tail.kernel.absorb(state, block);
        // Word by word, as they were stored: a load of two would wait for both stores.
        for (out, word) in out.chunks_mut(8).zip(&state.view::<Skein<N>>()[0]) {
            match out.first_chunk_mut() {
                Some(out) => *out = word.to_le_bytes(),
                None => out.copy_from_slice(&word.to_le_bytes()[..out.len()]),
            }
        }
    }
}

/// The longest block (Skein-1024), in words and in bytes.
const MAX_WORDS: usize = 16;
const MAX_BLOCK: usize = 8 * MAX_WORDS;

fn absorb<const N: usize>(state: &mut State, blocks: &[u8]) {
    let [chain, row] = state.view::<Skein<N>>();
    for block in blocks.as_chunks::<8>().0.as_chunks::<N>().0 {
        row[0] = row[0].wrapping_add(8 * N as u64);
        let words = block.mapped(u64::from_le_bytes);
        let encrypted = encrypt(chain, [row[0], row[1]], words);
        *chain = from_fn(|word| encrypted[word] ^ words[word]);
        row[1] &= !FIRST;
    }
}

/// Threefish (section 3.3).
#[inline(always)]
fn encrypt<const N: usize>(key: &[u64; N], [t0, t1]: [u64; 2], mut x: [u64; N]) -> [u64; N] {
    let mut keys = [PARITY; MAX_WORDS + 1];
    keys[..N].copy_from_slice(key);
    keys[N] = key.iter().fold(PARITY, |parity, word| parity ^ word);
    let tweaks = [t0, t1, t0 ^ t1];
    sixteen!(EIGHT => {
        if 2 * EIGHT < last_subkey(N) {
            add_subkey(2 * EIGHT, &keys, &tweaks, &mut x);
            mix::<N, 0>(&mut x);
            mix::<N, 1>(&mut x);
            mix::<N, 2>(&mut x);
            mix::<N, 3>(&mut x);
            add_subkey(2 * EIGHT + 1, &keys, &tweaks, &mut x);
            mix::<N, 4>(&mut x);
            mix::<N, 5>(&mut x);
            mix::<N, 6>(&mut x);
            mix::<N, 7>(&mut x);
        }
    });
    add_subkey(last_subkey(N), &keys, &tweaks, &mut x);
    x
}

/// The parity of a key is 0 without this (section 3.3.2).
const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// There is a subkey before every fourth round and one at the end.
const fn last_subkey(words: usize) -> usize {
    let rounds = if words == 16 { 80 } else { 72 };
    rounds / 4
}

/// Adds subkey `s`: it begins at word `s` of key and tweak, which follow each other over and over
/// with their parities.
///
/// The sums of key and tweak are opaque: the compiler would add to the state twice instead, and
/// regroup that with the additions of the rounds, to half the speed.
#[inline(always)]
fn add_subkey<const N: usize>(
    s: usize,
    keys: &[u64; MAX_WORDS + 1],
    tweaks: &[u64; 3],
    x: &mut [u64; N],
) {
    sixteen!(WORD => {
        if WORD < N {
            let key = keys[(s + WORD) % (N + 1)];
            x[WORD] = x[WORD].wrapping_add(match (WORD + 4).saturating_sub(N) {
                0 => key,
                1 => barrier::word(key.wrapping_add(tweaks[s % 3])),
                2 => barrier::word(key.wrapping_add(tweaks[(s + 1) % 3])),
                _ => barrier::word(key.wrapping_add(s as u64)),
            });
        }
    });
}

/// The pairs of one round. Instead of permuting the words, the pairs of the next round take them
/// from where they are: after four rounds the permutation has come round.
#[inline(always)]
fn mix<const N: usize, const ROUND: usize>(x: &mut [u64; N]) {
    macro_rules! pairs {
        ($($pair:literal)*) => { $(if $pair < N / 2 {
            let (a, b) = const {
                (place(N, ROUND % 4, 2 * $pair % N), place(N, ROUND % 4, (2 * $pair + 1) % N))
            };
            x[a] = x[a].wrapping_add(x[b]);
            x[b] = x[b].rotate_left(const { rotation(N, ROUND, $pair % (N / 2)) }) ^ x[a];
        })* };
    }
    pairs!(0 1 2 3 4 5 6 7);
}

/// Where word `word` lies after some permutations.
const fn place(words: usize, permutations: usize, word: usize) -> usize {
    match permutations {
        0 => word,
        _ => place(words, permutations - 1, source(words, word)),
    }
}

/// How far a round rotates the second word of a pair.
const fn rotation(words: usize, round: usize, pair: usize) -> u32 {
    (match words {
        4 => ROTATIONS_256[round][pair],
        8 => ROTATIONS_512[round][pair],
        _ => ROTATIONS_1024[round][pair],
    }) as u32
}

/// Which word a round puts into place `word`.
const fn source(words: usize, word: usize) -> usize {
    match words {
        4 => [0, 3, 2, 1][word],
        8 => [2, 1, 4, 7, 6, 5, 0, 3][word],
        _ => [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1][word],
    }
}

const ROTATIONS_256: [[u8; 2]; 8] =
    [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];

#[rustfmt::skip]
const ROTATIONS_512: [[u8; 4]; 8] = [
    [46, 36, 19, 37], [33, 27, 14, 42], [17, 49, 36, 39], [44, 9, 54, 56],
    [39, 30, 34, 24], [13, 50, 10, 17], [25, 29, 39, 43], [8, 35, 56, 22],
];

#[rustfmt::skip]
const ROTATIONS_1024: [[u8; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37], [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17], [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30], [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25], [9, 48, 35, 52, 23, 31, 37, 20],
];

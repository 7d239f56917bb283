//! HAVAL, version 1 (Zheng, Pieprzyk, Seberry: HAVAL, a one-way hashing algorithm with variable
//! length of output, AUSCRYPT '92).
//!
//! Unlike MD4's the mark after the message is 0x01, and the last ten bytes are version, passes and
//! output length, then the length of the message. The output length changes nothing but these and
//! [`fold`].
//!
//! ```text
//! chain: eight words t0 .. t7; block: 32 words, little-endian
//! pass 1 .. 3, 4 or 5: 32 steps
//!     mixed = F of the pass(seven words of t, as `phi` orders them)
//!     t7 = mixed >>> 7 + t7 >>> 11 + word by `ORDER` + constant by `PI` (0 in pass 1)
//!     the names turn by one
//! chain += t
//! ```

mod many;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, pad};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::lanes::Lanes;
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};
use many::HavalLanes;

digests! {
    HAVAL128_3 haval128_3 Haval128_3,
    HAVAL160_3 haval160_3 Haval160_3,
    HAVAL192_3 haval192_3 Haval192_3,
    HAVAL224_3 haval224_3 Haval224_3,
    HAVAL256_3 haval256_3 Haval256_3,
    HAVAL128_4 haval128_4 Haval128_4,
    HAVAL160_4 haval160_4 Haval160_4,
    HAVAL192_4 haval192_4 Haval192_4,
    HAVAL224_4 haval224_4 Haval224_4,
    HAVAL256_4 haval256_4 Haval256_4,
    HAVAL128_5 haval128_5 Haval128_5,
    HAVAL160_5 haval160_5 Haval160_5,
    HAVAL192_5 haval192_5 Haval192_5,
    HAVAL224_5 haval224_5 Haval224_5,
    HAVAL256_5 haval256_5 Haval256_5,
}

static HAVAL128_3: Digest = haval::<4, 3>(["haval128-3", "haval128,3"]);
static HAVAL160_3: Digest = haval::<5, 3>(["haval160-3", "haval160,3"]);
static HAVAL192_3: Digest = haval::<6, 3>(["haval192-3", "haval192,3"]);
static HAVAL224_3: Digest = haval::<7, 3>(["haval224-3", "haval224,3"]);
static HAVAL256_3: Digest = haval::<8, 3>(["haval256-3", "haval256,3"]);
static HAVAL128_4: Digest = haval::<4, 4>(["haval128-4", "haval128,4"]);
static HAVAL160_4: Digest = haval::<5, 4>(["haval160-4", "haval160,4"]);
static HAVAL192_4: Digest = haval::<6, 4>(["haval192-4", "haval192,4"]);
static HAVAL224_4: Digest = haval::<7, 4>(["haval224-4", "haval224,4"]);
static HAVAL256_4: Digest = haval::<8, 4>(["haval256-4", "haval256,4"]);
static HAVAL128_5: Digest = haval::<4, 5>(["haval128-5", "haval128,5"]);
static HAVAL160_5: Digest = haval::<5, 5>(["haval160-5", "haval160,5"]);
static HAVAL192_5: Digest = haval::<6, 5>(["haval192-5", "haval192,5"]);
static HAVAL224_5: Digest = haval::<7, 5>(["haval224-5", "haval224,5"]);
static HAVAL256_5: Digest = haval::<8, 5>(["haval256-5", "haval256,5"]);

const fn haval<const WORDS: usize, const PASSES: usize>(names: [&'static str; 2]) -> Digest {
    let [name, php] = names;
    Digest {
        name,
        spelling: Spelling { php: Some(php), ..Spelling::NONE },
        family: "haval",
        specified_in: "Zheng, Pieprzyk, Seberry: HAVAL (AUSCRYPT '92)",
        // Collisions of the whole chaining value: 3 passes in 2^29 (Van Rompay et al. 2003), 4
        // passes in 2^36 (Yu et al. 2006).
        security: if PASSES < 5 { Security::Broken } else { Security::Legacy },
        output_len: 4 * WORDS,
        block_len: 128,
        start: |state| state.init::<[u32; 8]>(*PI.first_chunk().unwrap()),
        finish: finish::<WORDS, PASSES>,
        one: const {
            kernels![crate::many::alone!(HavalLanes<PASSES>); Kernel::portable(absorb::<PASSES>)]
        },
        many: const {
            many_kernels![
                lanes!(HavalLanes<PASSES>, u32, 2 * avx512).only(Cores::ZEN5),
                lanes!(HavalLanes<PASSES>, u32, 1 * avx512),
                lanes!(HavalLanes<PASSES>, u32, 1 * avx2),
                lanes!(HavalLanes<PASSES>, u32, 1 * sse2),
            ]
        },
        ..Digest::BASE
    }
}

/// The length is of 8 bytes, behind parameters of 2.
const PADDING: Padding = Padding::with_length(10, Endian::Little).marked(0x01);

fn finish<const WORDS: usize, const PASSES: usize>(
    state: &mut State,
    tail: Tail<'_>,
    out: &mut [u8],
) {
    pad::<128>(state, tail, PADDING.mark, &trailer(4 * WORDS, PASSES, tail.message_len));
    let words: [u32; WORDS] = fold(&state.read());
    out.copy_from_slice(bytemuck::cast_slice(&words.mapped(u32::to_le)));
}

/// What a message ends in.
fn trailer(output_len: usize, passes: usize, message_len: u64) -> [u8; 10] {
    const VERSION: u16 = 1;
    let parameters = VERSION | (passes as u16) << 3 | (8 * output_len as u16) << 6;
    let mut trailer = [0; 10];
    trailer[..2].copy_from_slice(&parameters.to_le_bytes());
    trailer[2..].copy_from_slice(&(message_len << 3).to_le_bytes());
    trailer
}

/// Adds the slices of the words that do not go out to those that do (section 3.5, "tailoring"):
/// word `i` gets slice `i` of the last word, slice `i - 1` of the word before it and so on, joined
/// with the last of them lowest.
#[inline(always)]
fn fold<L: Lanes<Word = u32>, const WORDS: usize>(chain: &[L; 8]) -> [L; WORDS] {
    let (slices, lowest) = (slices(WORDS), 7usize.saturating_sub(WORDS));
    let mut words = [chain[0]; WORDS];
    for (place, word) in words.iter_mut().enumerate() {
        let slice = |spare| slices[(place + WORDS - spare) % WORDS];
        let mut joined = L::splat(0);
        for spare in 0..8 - WORDS {
            joined = joined | chain[7 - spare] & L::splat(slice(spare));
        }
        let distance = slice(lowest).trailing_zeros();
        *word = chain[place].plus(if distance % 32 == 0 { joined } else { joined.right(distance) });
    }
    words
}

/// The masks of the slices of a spare word, for an output of so many words.
const fn slices(words: usize) -> &'static [u32] {
    match words {
        4 => &[0x0000_00ff, 0x0000_ff00, 0x00ff_0000, 0xff00_0000],
        5 => &[0x0000_003f, 0x0000_0fc0, 0x0007_f000, 0x01f8_0000, 0xfe00_0000],
        6 => &[0x0000_001f, 0x0000_03e0, 0x0000_fc00, 0x001f_0000, 0x03e0_0000, 0xfc00_0000],
        7 => &[
            0xf800_0000,
            0x07c0_0000,
            0x003c_0000,
            0x0003_e000,
            0x0000_1e00,
            0x0000_01f0,
            0x0000_000f,
        ],
        _ => &[0; 8],
    }
}

fn absorb<const PASSES: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 8]>();
    for block in blocks.as_chunks::<128>().0 {
        compress::<PASSES>(chain, block);
    }
}

#[inline(always)]
fn compress<const PASSES: usize>(chain: &mut [u32; 8], block: &[u8; 128]) {
    let words = bytemuck::cast_ref(block);
    let mut t = *chain;
    pass::<PASSES, 1>(&mut t, words);
    pass::<PASSES, 2>(&mut t, words);
    pass::<PASSES, 3>(&mut t, words);
    if const { PASSES > 3 } {
        pass::<PASSES, 4>(&mut t, words);
    }
    if const { PASSES > 4 } {
        pass::<PASSES, 5>(&mut t, words);
    }
    for (chain, word) in chain.iter_mut().zip(t) {
        *chain = chain.wrapping_add(word);
    }
}

#[inline(always)]
fn pass<const PASSES: usize, const PASS: usize>(t: &mut [u32; 8], words: &[[u8; 4]; 32]) {
    // Each pass reads the message: LLVM would read it once, and store all words to the stack.
    let words = barrier::loaded(words);
    macro_rules! steps {
        ($($step:literal)*) => { $(step::<PASSES, PASS>(t, words, $step);)* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// The oldest word is replaced and so becomes the newest: instead of moving all eight, the names
/// turn.
#[inline(always)]
fn step<const PASSES: usize, const PASS: usize>(
    t: &mut [u32; 8],
    words: &[[u8; 4]; 32],
    step: usize,
) {
    let place = |x: usize| (x + 32 - step) % 8;
    let mixed = boolean::<PASS>(phi(PASSES, PASS).mapped(|x| t[place(x)]));
    let constant = if PASS == 1 { 0 } else { PI[8 + 32 * (PASS - 2) + step] };
    // In order: LLVM would add the constant last, when the newest word is known.
    let oldest = barrier::in_place(
        t[place(7)]
            .rotate_right(OLDEST_TURN)
            .wrapping_add(u32::from_le_bytes(words[ORDER[PASS - 1][step]]))
            .wrapping_add(constant),
    );
    t[place(7)] = mixed.rotate_right(MIXED_TURN).wrapping_add(oldest);
}

/// F1 to F5, arranged so that the newest word, wherever `phi` puts it, enters as late as can be.
#[inline(always)]
fn boolean<const PASS: usize>([x6, x5, x4, x3, x2, x1, x0]: [u32; 7]) -> u32 {
    match PASS {
        1 => (x0 & !x1) ^ (x1 & x4) ^ (x2 & x5) ^ (x3 & x6),
        2 => (x3 & (x5 ^ (x1 & x2))) ^ (x2 & (x0 ^ x1 ^ x6 ^ (x4 & x5))) ^ (x4 & (x1 ^ x5)) ^ x0,
        3 => (x0 & !x3) ^ (x1 & x4) ^ (x2 & (x5 ^ (x1 & x3))) ^ (x3 & x6),
        4 => {
            (x4 & (x0 ^ x1 ^ (x5 & !x2) ^ (x3 | x6)))
                ^ (x2 & (x6 ^ (x1 & x3)))
                ^ (x3 & (x5 ^ x6))
                ^ x0
        }
        _ => (x0 & !(x5 ^ (x1 & x2 & x3))) ^ (x1 & x4) ^ (x2 & x5) ^ (x3 & x6),
    }
}

/// Which words, 6 to 0, the function of a pass takes for its x6 to x0.
const fn phi(passes: usize, pass: usize) -> [usize; 7] {
    match (passes, pass) {
        (3, 1) => [1, 0, 3, 5, 6, 2, 4],
        (3, 2) => [4, 2, 1, 0, 5, 3, 6],
        (3, 3) => [6, 1, 2, 3, 4, 5, 0],
        (4, 1) => [2, 6, 1, 4, 5, 3, 0],
        (4, 2) => [3, 5, 2, 0, 1, 6, 4],
        (4, 3) => [1, 4, 3, 6, 0, 2, 5],
        (4, 4) => [6, 4, 0, 5, 2, 1, 3],
        (5, 1) => [3, 4, 1, 0, 5, 2, 6],
        (5, 2) => [6, 2, 1, 0, 3, 4, 5],
        (5, 3) => [2, 6, 0, 4, 3, 1, 5],
        (5, 4) => [1, 5, 3, 2, 0, 4, 6],
        (5, 5) => [2, 5, 0, 6, 4, 3, 1],
        _ => panic!("HAVAL has 3, 4 or 5 passes"),
    }
}

// How far a step rotates the value of its function, and the oldest word.
const MIXED_TURN: u32 = 7;
const OLDEST_TURN: u32 = 11;

/// The order in which each pass takes the words of the message.
#[rustfmt::skip]
const ORDER: [[usize; 32]; 5] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
    [5, 14, 26, 18, 11, 28, 7, 16, 0, 23, 20, 22, 1, 10, 4, 8,
     30, 3, 21, 9, 17, 24, 29, 6, 19, 12, 15, 13, 2, 25, 31, 27],
    [19, 9, 4, 20, 28, 17, 8, 22, 29, 14, 25, 12, 24, 30, 16, 26,
     31, 15, 7, 3, 1, 0, 18, 27, 13, 6, 21, 10, 23, 11, 5, 2],
    [24, 4, 0, 14, 2, 7, 28, 23, 26, 6, 30, 20, 18, 25, 19, 3,
     22, 11, 31, 21, 8, 27, 12, 9, 1, 29, 5, 15, 17, 10, 16, 13],
    [27, 3, 21, 26, 17, 11, 20, 29, 19, 0, 12, 7, 13, 8, 31, 10,
     5, 9, 14, 30, 18, 6, 28, 24, 2, 23, 16, 22, 4, 1, 25, 15],
];

/// The fraction of pi: eight words of initial value, then the constants of passes 2 to 5.
#[rustfmt::skip]
const PI: [u32; 136] = [
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
    0x9216d5d9, 0x8979fb1b, 0xd1310ba6, 0x98dfb5ac, 0x2ffd72db, 0xd01adfb7, 0xb8e1afed, 0x6a267e96,
    0xba7c9045, 0xf12c7f99, 0x24a19947, 0xb3916cf7, 0x0801f2e2, 0x858efc16, 0x636920d8, 0x71574e69,
    0xa458fea3, 0xf4933d7e, 0x0d95748f, 0x728eb658, 0x718bcd58, 0x82154aee, 0x7b54a41d, 0xc25a59b5,
    0x9c30d539, 0x2af26013, 0xc5d1b023, 0x286085f0, 0xca417918, 0xb8db38ef, 0x8e79dcb0, 0x603a180e,
    0x6c9e0e8b, 0xb01e8a3e, 0xd71577c1, 0xbd314b27, 0x78af2fda, 0x55605c60, 0xe65525f3, 0xaa55ab94,
    0x57489862, 0x63e81440, 0x55ca396a, 0x2aab10b6, 0xb4cc5c34, 0x1141e8ce, 0xa15486af, 0x7c72e993,
    0xb3ee1411, 0x636fbc2a, 0x2ba9c55d, 0x741831f6, 0xce5c3e16, 0x9b87931e, 0xafd6ba33, 0x6c24cf5c,
    0x7a325381, 0x28958677, 0x3b8f4898, 0x6b4bb9af, 0xc4bfe81b, 0x66282193, 0x61d809cc, 0xfb21a991,
    0x487cac60, 0x5dec8032, 0xef845d5d, 0xe98575b1, 0xdc262302, 0xeb651b88, 0x23893e81, 0xd396acc5,
    0x0f6d6ff3, 0x83f44239, 0x2e0b4482, 0xa4842004, 0x69c8f04a, 0x9e1f9b5e, 0x21c66842, 0xf6e96c9a,
    0x670c9c61, 0xabd388f0, 0x6a51a0d2, 0xd8542f68, 0x960fa728, 0xab5133a3, 0x6eef0b6c, 0x137a3be4,
    0xba3bf050, 0x7efb2a98, 0xa1f1651d, 0x39af0176, 0x66ca593e, 0x82430e88, 0x8cee8619, 0x456f9fb4,
    0x7d84a5c3, 0x3b8b5ebe, 0xe06f75d8, 0x85c12073, 0x401a449f, 0x56c16aa6, 0x4ed3aa62, 0x363f7706,
    0x1bfedf72, 0x429b023d, 0x37d0d724, 0xd00a1248, 0xdb0fead3, 0x49f1c09b, 0x075372c9, 0x80991b7b,
    0x25d479d8, 0xf6e8def7, 0xe3fe501a, 0xb6794c3b, 0x976ce0bd, 0x04c006ba, 0xc1a94fb6, 0x409f60c4,
];
